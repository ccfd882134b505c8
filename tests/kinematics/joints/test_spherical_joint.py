"""Ball joints: rotation vectors up to, at and beyond half a turn."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import Skeleton, SphericalJoint
from tests.kinematics.random_trees import normalised, random_pose, seeds
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, homogeneous, pose_derivative, rodrigues

NEAR_HALF = [math.pi - 1e-3, math.pi - 1e-6, math.pi - 1e-9, math.pi - 1e-12, math.pi]


def ball(seed=0):
    rng = np.random.default_rng(seed)
    robot = Skeleton()
    robot.add_link("l", SphericalJoint("b"), None, random_pose(rng), child_placement=random_pose(rng))
    return robot


@given(seed=seeds, angle=st.floats(0.0, 12.0))
def test_it_turns_by_the_rotation_vector(seed, angle):
    axis = normalised(np.random.default_rng(seed).normal(size=3))
    found = SphericalJoint("b").transform(angle * axis)
    assert_same_pose(found, homogeneous(rodrigues(axis, angle), np.zeros(3)), 1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-4, 1.0, *NEAR_HALF, 3.5, 6.0, 2 * math.pi, 9.0])
def test_all_engines_agree_at_any_angle(angle):
    rng = np.random.default_rng(1)
    robot = ball()
    for _ in range(10):
        robot.positions = angle * normalised(rng.normal(size=3))
        assert_engines_agree(robot)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-12, 1e-5, 1.0, *NEAR_HALF])
def test_coordinates_survive_pinocchio(angle):
    rng = np.random.default_rng(2)
    robot = ball()
    for _ in range(10):
        q = angle * normalised(rng.normal(size=3))
        found = robot.from_pinocchio(robot.to_pinocchio(q))
        if angle == math.pi:  # both signs are the same rotation
            found = found * np.sign(found @ q)
        np.testing.assert_allclose(found, q, rtol=0, atol=1e-15 if angle < 1 else 2e-15)


def test_a_quaternion_of_any_sign_gives_the_short_way():
    robot = ball()
    qp = robot.to_pinocchio([0.1, 0.2, 0.3])
    np.testing.assert_allclose(robot.from_pinocchio(-qp), [0.1, 0.2, 0.3], rtol=1e-14)


@given(seed=seeds)
def test_velocity_is_in_the_childs_axes(seed):
    rng = np.random.default_rng(seed)
    robot = Skeleton()
    link = robot.add_link("l", SphericalJoint("b"))
    q, velocity = rng.uniform(-2, 2, 3), rng.uniform(-2, 2, 3)
    robot.positions = q
    start = link.transform().rotation
    robot.positions = robot.integrate(q, velocity)
    np.testing.assert_allclose(link.transform().rotation, start @ pin.exp3(velocity), rtol=0, atol=1e-14)
    np.testing.assert_allclose(robot.difference(q, robot.positions), pin.log3(pin.exp3(velocity)), rtol=0, atol=1e-9)


@pytest.mark.parametrize("angle", NEAR_HALF)
def test_steps_and_derivatives_across_half_a_turn(angle):
    rng = np.random.default_rng(3)
    robot = ball()
    link = robot.link("l")
    for _ in range(5):
        q = angle * normalised(rng.normal(size=3))
        step = rng.uniform(-0.1, 0.1, 3)
        after = robot.integrate(q, step)
        assert np.linalg.norm(after) <= math.pi + 1e-12
        np.testing.assert_allclose(robot.difference(q, after), step, rtol=0, atol=1e-14)
        state = robot.state(q)
        wanted = pose_derivative(robot, q, lambda x, at=link: robot.state(x).transform(at))
        np.testing.assert_allclose(state.jacobian(link), wanted, rtol=0, atol=1e-9)


def test_names():
    assert [dof.name for dof in SphericalJoint("b").dofs] == ["b.rx", "b.ry", "b.rz"]


def test_random_rotations_are_uniform_without_limits_and_inside_limits_with():
    robot = ball()
    rng = np.random.default_rng(5)
    drawn = np.array([robot.random_positions(rng) for _ in range(4000)])
    angles = np.linalg.norm(drawn, axis=1)
    assert angles.max() <= math.pi
    # The angle of a uniform rotation has density (1 - cos a) / pi, so its mean is pi/2 + 2/pi.
    assert angles.mean() == pytest.approx(math.pi / 2 + 2 / math.pi, abs=0.05)
    assert np.abs(drawn.mean(axis=0)).max() < 0.1
    for dof in robot.dofs:
        dof.limits = (0.1, 0.2)
    drawn = np.array([robot.random_positions(rng) for _ in range(50)])
    assert drawn.min() >= 0.1
    assert drawn.max() <= 0.2
