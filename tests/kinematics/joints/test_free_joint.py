"""Free joints: position and rotation vector; velocities are twists of the child."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import FreeJoint, Skeleton
from tests.kinematics.random_trees import normalised, random_pose, seeds
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, homogeneous, rodrigues


def floating():
    robot = Skeleton()
    return robot, robot.add_link("l", FreeJoint("f"))


@given(seed=seeds, angle=st.floats(0.0, 9.0))
def test_it_moves_by_position_and_rotation_vector(seed, angle):
    rng = np.random.default_rng(seed)
    position, axis = rng.uniform(-3, 3, 3), normalised(rng.normal(size=3))
    found = FreeJoint("f").transform(np.array([*position, *(angle * axis)]))
    assert_same_pose(found, homogeneous(rodrigues(axis, angle), position), 1e-14)


@given(seed=seeds)
def test_coordinates_invert_the_transform(seed):
    joint = FreeJoint("f")
    wanted = random_pose(np.random.default_rng(seed))
    assert_same_pose(joint.transform(joint.coordinates(wanted)), wanted, 1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, math.pi - 1e-6, math.pi - 1e-12, math.pi, 4.0])
def test_engines_agree_at_any_angle(angle):
    rng = np.random.default_rng(0)
    robot, _ = floating()
    for _ in range(10):
        robot.positions = np.concatenate([rng.uniform(-2, 2, 3), angle * normalised(rng.normal(size=3))])
        assert_engines_agree(robot)


@given(seed=seeds)
def test_velocity_is_the_childs_twist(seed):
    rng = np.random.default_rng(seed)
    robot, link = floating()
    q = robot.random_positions(rng)
    twist = rng.uniform(-1.5, 1.5, 6)
    robot.positions = q
    start = link.transform()
    after = robot.integrate(q, twist)
    robot.positions = after
    assert_same_pose(link.transform(), start * pin.exp6(twist), 1e-13)
    np.testing.assert_allclose(robot.difference(q, after), twist, rtol=0, atol=1e-9)


def test_a_step_over_half_a_turn_comes_back():
    robot, link = floating()
    rng = np.random.default_rng(1)
    for gap in (1e-2, 5e-3, 1e-5, 1e-8):
        q = np.array([0.1, 0.2, 0.3, *((math.pi - gap) * normalised(rng.normal(size=3)))])
        wanted = robot.difference(np.zeros(6), q)
        robot.positions = robot.integrate(np.zeros(6), wanted)
        assert_same_pose(link.transform(), FreeJoint("g").transform(q), 1e-9)


def test_names_and_units():
    dofs = FreeJoint("base").dofs
    assert [dof.name for dof in dofs] == ["base.x", "base.y", "base.z", "base.rx", "base.ry", "base.rz"]
    assert [dof.is_angular for dof in dofs] == [False] * 3 + [True] * 3


def test_random_positions_keep_limits():
    robot, _ = floating()
    rng = np.random.default_rng(2)
    drawn = np.array([robot.random_positions(rng) for _ in range(200)])
    assert np.abs(drawn[:, :3]).max() <= 1.0
    assert np.linalg.norm(drawn[:, 3:], axis=1).max() <= math.pi
    for dof in robot.dofs:
        dof.limits = (0.25, 0.5)
    drawn = np.array([robot.random_positions(rng) for _ in range(50)])
    assert drawn.min() >= 0.25
    assert drawn.max() <= 0.5
