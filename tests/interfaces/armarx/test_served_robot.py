"""`ServedRobot`: copies for calls, and states that are replaced as a whole."""

import pytest

from kinetree import models
from kinetree.interfaces.armarx.outcome import FailureReason
from kinetree.interfaces.armarx.refusal import Refusal
from kinetree.interfaces.armarx.served_robot import ServedRobot
from kinetree.interfaces.armarx.units import Units
from kinetree.kinematics import InvalidPoseError, InvalidValueError, pose


@pytest.fixture
def robot():
    return ServedRobot(models.load("panda"), None, Units("m"))


def test_two_calls_at_once_have_two_copies(robot):
    with robot.borrowed() as first, robot.borrowed() as second:
        assert first.skeleton is not second.skeleton
    with robot.borrowed() as again:
        assert again in (first, second)


def test_a_copy_is_kept_after_a_refusal_and_forgotten_after_an_error(robot):
    with pytest.raises(Refusal), robot.borrowed() as refused:
        refused.node_set("arm")
    with robot.borrowed() as again:
        assert again is refused
    with pytest.raises(KeyboardInterrupt), robot.borrowed() as broken:
        raise KeyboardInterrupt
    with robot.borrowed() as other:
        assert other is not broken


def test_a_copy_follows_the_state(robot):
    with robot.borrowed() as copy:
        version = copy.skeleton.version
    robot.set_joint_values({"panda_joint2": 0.3})
    with robot.borrowed() as again:
        assert again is copy
        assert again.skeleton.dof("panda_joint2").position == 0.3
        # Nothing that was prepared is lost while only joints move.
        assert again.skeleton.version == version
    robot.set_pose(pose((1.0, 0.0, 0.0)))
    robot.define("arm", ["panda_joint1", "panda_joint2"], "panda_hand", "")
    with robot.borrowed() as again:
        assert again.skeleton.root.transform().translation[0] == 1.0
        assert [joint.name for joint in again.node_set("arm").joints] == ["panda_joint1", "panda_joint2"]


def test_a_state_that_was_read_does_not_change(robot):
    before = robot.state
    values = before.positions.copy()
    robot.set_joint_values({"panda_joint2": 0.3})
    robot.set_pose(pose((1.0, 0.0, 0.0)))
    robot.define("arm", ["panda_joint1"], "panda_hand", "")
    assert (before.positions == values).all()
    assert before.placement.translation[0] == 0.0
    assert list(before.node_sets) == ["default"]
    with robot.borrowed(before) as copy:
        assert copy.skeleton.root.transform().translation[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        before.positions[0] = 1.0


def test_names_that_are_not_there_are_refused(robot):
    with robot.borrowed() as copy:
        for find, reason in (
            (copy.frame, FailureReason.UNKNOWN_FRAME),
            (copy.node_set, FailureReason.UNKNOWN_NODE_SET),
        ):
            with pytest.raises(Refusal) as refusal:
                find("nothing")
            assert refusal.value.reason is reason


@pytest.mark.parametrize(("units", "size"), [("m", 1.0), ("mm", 1000.0)])
def test_no_robot_stands_so_far_away_that_places_cannot_be_told_apart(units, size):
    far = ServedRobot(models.load("humanoid"), None, Units(units))
    before = far.state
    for distance in (2e9 * size, 1e300):
        with pytest.raises(InvalidPoseError, match="robot pose"):
            far.set_pose(pose((0.0, -distance, 0.0)))
        for name in ("floating_base_joint.x", "left_knee_joint"):
            with pytest.raises(InvalidValueError, match=name):
                far.set_joint_values({name: distance})
    assert far.state is before
    far.set_pose(pose((0.0, 0.9e9 * size, 0.0)))
    assert far.pose.translation[1] == pytest.approx(0.9e9 * size)


def test_a_copy_that_could_not_follow_tries_again(robot, monkeypatch):
    copy = robot.new_copy()
    robot.define("arm", ["panda_joint1"], "panda_hand", "panda_link0")
    with monkeypatch.context() as patched:
        patched.setattr(type(copy), "frame", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            copy.follow(robot.state)
    copy.follow(robot.state)
    assert "arm" in copy.skeleton.node_sets
