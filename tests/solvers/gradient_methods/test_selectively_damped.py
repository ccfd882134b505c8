"""Selectively damped least squares: the paper's properties on matrices, and whole solves."""

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers import InverseKinematics
from kinetree.solvers.gradient_methods.selectively_damped import SelectivelyDamped

SHAPES = [(6, 7), (6, 6), (6, 3), (3, 7), (1, 5), (2, 1), (7, 9)]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_joint_moves_further_than_allowed(rng, shape):
    method = SelectivelyDamped(0.3)
    for size in (0.01, 1.0, 100.0):
        step = method.gradient(rng.normal(size=shape), size * rng.normal(size=shape[0]))
        assert np.abs(step).max() <= 0.3 * (1 + 1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_small_errors_away_from_singularities_are_not_damped(rng, shape):
    for _ in range(10):
        jacobian, error = rng.normal(size=shape), 1e-4 * rng.normal(size=shape[0])
        expected = np.linalg.pinv(jacobian) @ error
        np.testing.assert_allclose(SelectivelyDamped().gradient(jacobian, error), expected, rtol=1e-9, atol=1e-15)


def test_a_direction_that_needs_much_motion_is_damped_by_itself():
    jacobian = np.diag([1.0, 1.0, 1e-3])
    step = SelectivelyDamped(0.5).gradient(jacobian, np.array([0.1, 0.2, 0.1]))
    # N = 1 and M = 1 / s * s for each of them: every joint moves the one end effector as far as it has to go.
    np.testing.assert_allclose(step, [0.1, 0.2, 0.5], rtol=1e-12)
    # A joint that carries the end effector back and forth for little effect is held down.
    jacobian = np.array([[1.0, 1.0], [0.0, 1e-3], [0.0, 0.0]])
    u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
    m = np.abs(vt[1]) @ np.linalg.norm(jacobian, axis=0) / s[1]
    assert m > 1000.0
    step = SelectivelyDamped(0.5).gradient(jacobian, u[:, 1])
    np.testing.assert_allclose(np.abs(step).max(), 0.5 / m, rtol=1e-9)


def test_linear_and_angular_rows_are_two_end_effectors():
    # One joint that moves both parts: u = (1, 1) / sqrt 2 over the two, N = sqrt 2, and M = 2 / (s = sqrt 2).
    jacobian = np.zeros((6, 1))
    jacobian[0], jacobian[3] = 1.0, 1.0
    error = np.array([10.0, 0, 0, 10.0, 0, 0])
    np.testing.assert_allclose(SelectivelyDamped(0.2).gradient(jacobian, error), [0.2])
    # Rows 0 and 1 belong to one: N = 1, and the joint's two speeds there make one length.
    jacobian = np.zeros((6, 2))
    jacobian[0, 0], jacobian[4, 0], jacobian[0, 1] = 1.0, 2.0, -1.0
    u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
    for direction, value, joints in zip(u.T, s, vt, strict=False):
        n = abs(direction[0]) + abs(direction[4])
        m = (3.0 * abs(joints[0]) + abs(joints[1])) / value
        step = SelectivelyDamped(0.2).gradient(jacobian, 100.0 * direction)
        np.testing.assert_allclose(np.abs(step).max(), 0.2 * min(1.0, n / m), rtol=1e-9)


@pytest.mark.parametrize("jacobian", [np.zeros((6, 7)), np.ones((6, 7)), np.eye(6, 7) * 1e-9])
def test_it_is_finite_and_uphill_where_the_jacobian_has_no_full_rank(jacobian):
    step = SelectivelyDamped().checked_gradient(jacobian, np.ones(6))
    assert np.isfinite(step).all()
    assert np.ones(6) @ (jacobian @ step) >= 0.0


@pytest.mark.parametrize("name", ["six", "arm"])
def test_it_solves(request, rng, name, misses):
    robot = request.getfixturevalue(name)
    ik = InverseKinematics(robot)
    ik.gradient_method = SelectivelyDamped()
    ik.problem.engine = "object"
    for _ in range(5):
        target = robot.state(robot.random_positions(rng)).transform(robot.tip)
        solution = ik.solve(target, seed=robot.random_positions(rng))
        assert solution
        assert max(misses(robot, solution.q, robot.tip, target)) < 1.1e-6


def test_options():
    assert SelectivelyDamped().parameters == (np.pi / 4,)
    assert SelectivelyDamped(0.1).gamma_max == 0.1
    for wrong in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(InvalidValueError, match="gamma_max"):
            SelectivelyDamped(wrong)
