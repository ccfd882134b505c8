"""A robot as an environment stands where the robot stands, with everything that its joints have."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.interfaces.coppelia import JointKind
from kinetree.interfaces.coppelia.from_skeleton import environment_from_skeleton
from kinetree.kinematics import RevoluteJoint, Skeleton
from tests.kinematics.random_trees import random_tree


def check_frames(robot, environment, frames):
    for frame in frames:
        dummy = environment.object(frame.name)
        np.testing.assert_allclose(dummy.full_pose().homogeneous, frame.transform().homogeneous, atol=1e-12)
        np.testing.assert_allclose(dummy.target.full_pose().homogeneous, frame.transform().homogeneous, atol=1e-12)


@pytest.mark.parametrize("name", [info.name for info in models.robots()])
def test_built_in_robots(name):
    robot = models.load(name)
    robot.positions = robot.random_positions(np.random.default_rng(1))
    check_frames(robot, environment_from_skeleton(robot, robot.links), robot.links)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1))
def test_random_trees(seed):
    robot = random_tree(seed)
    check_frames(robot, environment_from_skeleton(robot, robot.links), robot.links)


def test_settings_of_joints():
    robot = models.load("panda")
    robot.dof("panda_joint3").weight = 0.25
    robot.dof("panda_joint3").max_step = 0.05
    environment = environment_from_skeleton(robot)
    for joint in robot.joints:
        if isinstance(joint, RevoluteJoint):
            (dof,), made = joint.dofs, environment.object(joint.name)
            assert made.kind is JointKind.REVOLUTE
            assert not made.cyclic
            assert (made.minimum, made.maximum) == pytest.approx(dof.limits)
            assert made.position == pytest.approx(dof.position)
    assert environment.object("panda_joint3").weight == 0.25
    assert environment.object("panda_joint3").max_step == 0.05


def test_joints_that_follow_others_keep_doing_so():
    robot = Skeleton("gears")
    first, second, third = (RevoluteJoint(name) for name in ("first", "second", "third"))
    robot.add_link("a", first)
    robot.add_link("b", second, "a")
    robot.add_link("c", third, "b")
    second.depend_on(first, multiplier=-2.0, offset=0.1)
    third.depend_on(second, function=np.sin)
    environment = environment_from_skeleton(robot, ["c"])
    environment.object("first").position = 0.4
    assert environment.object("second").position == pytest.approx(-0.7)
    assert environment.object("third").position == pytest.approx(np.sin(-0.7))


def test_a_frame_with_the_name_of_a_joint():
    robot = Skeleton("twins")
    robot.add_link("elbow", RevoluteJoint("elbow"))
    environment = environment_from_skeleton(robot, ["elbow"], targets=False)
    assert environment.object("elbow_tip").target is None
