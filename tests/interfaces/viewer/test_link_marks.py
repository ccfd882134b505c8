"""Which links are marked, and for what."""

import numpy as np

from kinetree import models
from kinetree.interfaces.viewer.link_marks import LinkMark, limit_notes, link_marks
from kinetree.kinematics import CollisionDetector, Sphere


def test_limits():
    robot = models.load("ur5e")
    q = np.zeros(6)
    q[1], q[2], q[3] = robot.dofs[1].upper - 5e-4, robot.dofs[2].lower, robot.dofs[3].upper + 0.1
    notes = limit_notes(robot, q)
    assert [str(each) for each in notes] == [
        "'shoulder_lift_joint' is at its upper limit",
        "'elbow_joint' is at its lower limit",
        "'wrist_1_joint' is beyond its upper limit",
    ]
    marks = link_marks(robot, notes, ())
    wrong = {name: mark for name, mark in marks.items() if mark is not LinkMark.NORMAL}
    assert wrong == {
        "upper_arm_link": LinkMark.AT_LIMIT,
        "forearm_link": LinkMark.AT_LIMIT,
        "wrist_1_link": LinkMark.BEYOND_LIMIT,
    }


def test_a_joint_without_limits_and_one_that_is_held_are_at_none():
    robot = models.load("panda")
    robot.dofs[0].limits = (-np.inf, np.inf)
    robot.dofs[1].limits = (0.0, 0.0)
    names = {note.dof.name for note in limit_notes(robot, np.zeros(robot.num_dofs))}
    assert names.isdisjoint({robot.dofs[0].name, robot.dofs[1].name})


def test_what_touches_is_marked_whatever_else_is_wrong():
    robot = models.load("ur5e")
    detector = CollisionDetector(robot)
    q = np.array([robot.dofs[0].upper, -1.6, 2.8, -1.6, -1.5, 0.0])
    detector.add("ball", Sphere(0.1), robot.state(q).transform(robot.link("forearm_link")))
    contacts = detector.contacts(q)
    touched = {name for contact in contacts for name in contact.pair}
    assert "ball" in touched
    assert len(touched) > 2
    marks = link_marks(robot, limit_notes(robot, q), contacts)
    assert {name for name, mark in marks.items() if mark is LinkMark.IN_COLLISION} == touched
