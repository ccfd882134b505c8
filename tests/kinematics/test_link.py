"""Links: inertia, family, and what becomes of them when they are removed."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidValueError, Skeleton, World
from tests.kinematics.random_trees import build, random_inertia
from tests.kinematics.reference import refused


def test_family():
    robot = build(["fixed", "revolute", "revolute", "revolute"], [0, 0, 1])
    a, b, c, d = robot.links
    assert [link.name for link in robot.links] == ["link0", "link1", "link3", "link2"]
    assert a.children == (b, d)
    assert (a.parent, a.parent_link) == (World(), None)
    assert (c.parent, c.parent_link) == (b, b)
    assert a.subtree() == [a, b, c, d]
    assert b.joint is robot.joint("joint1")


def test_inertia_is_a_copy_and_settable():
    robot = Skeleton()
    given = random_inertia(np.random.default_rng(0))
    link = robot.add_link("l", inertia=given)
    mass = link.mass
    given.mass = 77.0
    link.inertia.mass = 88.0
    assert link.mass == robot.mass == mass
    version = robot.version
    link.inertia = pin.Inertia.FromSphere(2.0, 0.1)
    assert link.mass == robot.mass == 2.0
    assert robot.version > version
    link.inertia = None
    assert robot.mass == 0.0


@pytest.mark.parametrize(
    "bad",
    [3.0, "heavy", np.eye(3), pin.Inertia(-1.0, np.zeros(3), np.eye(3)), pin.Inertia(math.nan, np.zeros(3), np.eye(3)),
     pin.Inertia(1.0, np.full(3, math.inf), np.eye(3))],
)  # fmt: skip
def test_a_wrong_inertia_is_refused_by_name(bad):
    robot = build(["fixed", "revolute"])
    message = refused(robot, InvalidValueError, lambda: setattr(robot.link("link1"), "inertia", bad))
    assert "inertia of link 'link1'" in message
    assert "'new'" in refused(robot, InvalidValueError, lambda: robot.add_link("new", None, "link1", inertia=bad))


def test_a_pose_is_kept_until_something_moves():
    robot = build(["fixed", "revolute"])
    link = robot.link("link1")
    first = link._world_transform()
    assert link._world_transform() is first
    robot.positions = robot.positions + 0.1
    assert link._world_transform() is not first


def test_a_removed_link_belongs_to_nobody():
    robot = build(["fixed", "revolute", "revolute"])
    link, below = robot.link("link1"), robot.link("link2")
    robot.remove_link(link)
    assert (link.skeleton, below.skeleton) == (None, None)
    assert link.joint.skeleton is None
    assert robot.links == (robot.link("link0"),)
