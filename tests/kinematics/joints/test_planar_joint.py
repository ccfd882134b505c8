"""Planar joints: the plane of any normal."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidValueError, PlanarJoint, Skeleton
from tests.kinematics.random_trees import normalised, seeds
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, homogeneous, rodrigues

number = st.floats(-5.0, 5.0)


@given(x=number, y=number, theta=number)
def test_it_translates_then_turns(x, y, theta):
    found = PlanarJoint("p").transform(np.array([x, y, theta]))
    assert_same_pose(found, homogeneous(rodrigues((0, 0, 1), theta), (x, y, 0)), 1e-14)


@given(seed=seeds, x=number, y=number, theta=number)
def test_the_plane_has_the_given_normal(seed, x, y, theta):
    normal = np.random.default_rng(seed).normal(size=3)
    joint = PlanarJoint("p", normal)
    unit = normalised(normal)
    np.testing.assert_allclose(joint.normal, unit, rtol=0, atol=1e-15)
    found = joint.transform(np.array([x, y, theta]))
    assert abs(found.translation @ unit) < 1e-13
    assert np.linalg.norm(found.translation) == pytest.approx(math.hypot(x, y), abs=1e-13)
    np.testing.assert_allclose(found.rotation, rodrigues(unit, theta), rtol=0, atol=1e-13)
    # Along the joint's x and y, turned by the shortest rotation that takes z to the normal.
    axis = np.cross((0, 0, 1), unit)
    turn = rodrigues(axis / np.linalg.norm(axis), math.acos(unit[2]))
    np.testing.assert_allclose(found.translation, turn @ (x, y, 0), rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "normal", ["x", "y", "z", "-x", "-y", "-z", (0, 1e-7, -1), (1e-9, 0, -1), (1, 2, 3), (0, 0, 5)]
)
def test_engines_agree_on_every_normal(normal):
    rng = np.random.default_rng(0)
    robot = Skeleton()
    robot.add_link("l", PlanarJoint("p", normal))
    for _ in range(5):
        robot.positions = rng.uniform(-5, 5, 3)
        assert_engines_agree(robot)


@given(seed=seeds)
def test_velocity_is_in_the_childs_axes(seed):
    rng = np.random.default_rng(seed)
    robot = Skeleton()
    link = robot.add_link("l", PlanarJoint("p"))
    q, (vx, vy, w) = rng.uniform(-3, 3, 3), rng.uniform(-3, 3, 3)
    robot.positions = q
    start = link.transform()
    robot.positions = robot.integrate(q, (vx, vy, w))
    step = pin.exp6(np.array([vx, vy, 0, 0, 0, w]))
    assert_same_pose(link.transform(), start * step, 1e-13)


def test_whole_turns_are_kept_by_steps():
    robot = Skeleton()
    robot.add_link("l", PlanarJoint("p"))
    np.testing.assert_allclose(robot.integrate([0, 0, 7.0], [0, 0, 6.0]), [0, 0, 13.0])
    np.testing.assert_allclose(robot.difference([0, 0, 0], [0, 0, 2 * math.pi + 0.5]), [0, 0, 0.5], atol=1e-13)


def test_pinocchio_has_cosine_and_sine():
    robot = Skeleton()
    robot.add_link("l", PlanarJoint("p", "x"))
    np.testing.assert_allclose(robot.to_pinocchio([1, 2, 3]), [1, 2, math.cos(3), math.sin(3)], rtol=1e-15)
    np.testing.assert_allclose(robot.from_pinocchio(robot.to_pinocchio([1, 2, 3])), [1, 2, 3], rtol=1e-15)


def test_names_and_a_wrong_normal():
    assert [dof.name for dof in PlanarJoint("p").dofs] == ["p.x", "p.y", "p.theta"]
    assert [dof.is_angular for dof in PlanarJoint("p").dofs] == [False, False, True]
    with pytest.raises(InvalidValueError, match="normal of joint 'floor' is zero"):
        PlanarJoint("floor", (0, 0, 0))
