"""What is said about a picture."""

import numpy as np

from kinetree import models
from kinetree.interfaces.viewer import ViewSession
from kinetree.interfaces.viewer.status_text import branch_labels, status_text, time_text


def test_outcomes():
    robot = models.load("ur5e")
    session = ViewSession(robot, q=[0.3, -1.6, 1.7, -1.6, -1.5, 0.2])
    assert status_text(session.picture()).startswith("joints set by hand")
    target = session.target
    target.translation[2] += 0.05
    solution = session.set_target(target)
    text = status_text(session.picture())
    assert text.startswith(f"**solved** in {time_text(solution.elapsed)}, 1 attempt")
    assert "levenberg-marquardt" in text
    target.translation[:] = [0.0, 0.0, 5.0]
    session.set_target(target)
    text = status_text(session.picture())
    assert text.startswith("**not solved** (unreachable)")
    assert "joint 'shoulder_pan_joint'" in text
    session.set_q([0.3, -1.6, 2.7, 0.0, robot.dofs[4].upper, 0.2])
    text = status_text(session.picture())
    assert "**limits** `wrist_2_joint` upper" in text
    assert "**collision** `" in text


def test_branches_say_their_joints():
    session = ViewSession(models.load("ur5e"), q=[0.3, -1.6, 1.7, -1.6, -1.5, 0.2])
    session.list_branches(True)
    picture = session.picture()
    labels = branch_labels(picture, [180.0 / np.pi] * 6, 0)
    assert len(set(labels)) == 8
    shown = np.rad2deg(picture.branches[picture.branch].q).round() + 0.0
    assert labels[picture.branch] == f"{picture.branch + 1}: " + " ".join(f"{value:.0f}" for value in shown)


def test_times():
    assert [time_text(each) for each in (7.04e-6, 0.00123, 2.5, np.nan)] == ["7.04 µs", "1.23 ms", "2.5 s", "?"]
