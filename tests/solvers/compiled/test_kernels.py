"""The kernels of the compiled solvers against numpy and Pinocchio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numba import njit

from kinetree.kinematics.core.lanes import JIT, make_view
from kinetree.solvers.compiled.damped_least_squares_rule import damped_least_squares_rule
from kinetree.solvers.compiled.levenberg_marquardt_rule import levenberg_marquardt_rule
from kinetree.solvers.compiled.pose_error import pose_error
from kinetree.solvers.compiled.transpose_rule import transpose_rule


def levenberg_marquardt(jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
    mu = 0.02 * error @ error + 1e-6
    return jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + mu * np.eye(len(error)), error)


def damped(jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
    return jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 0.1**2 * np.eye(len(error)), error)


def transpose(jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
    descent = jacobian.T @ error
    moved = jacobian @ descent
    return descent * (error @ moved) / (moved @ moved)


RULES = {
    "levenberg-marquardt": (levenberg_marquardt_rule, levenberg_marquardt, [0.02, 1e-6]),
    "damped least squares": (damped_least_squares_rule, damped, [0.1]),
    "transpose": (transpose_rule, transpose, [0.0]),
}


def run(rule: Any, width: int) -> Callable[..., None]:
    view = make_view(width)

    @njit(**JIT)
    def step(jacobian, error, rows, n, parameters, gradient):
        rule(view(jacobian), view(error), rows, n, parameters, view(gradient))

    return step


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("name", RULES)
def test_step_rules_agree_with_numpy(name: str, width: int) -> None:
    rule, reference, parameters = RULES[name]
    step = run(rule, width)
    rng = np.random.default_rng(0)
    for rows, n in [(6, 7), (6, 6), (3, 7), (2, 3), (6, 3), (12, 20), (1, 1)]:
        jacobian = rng.normal(size=(rows, n, width))
        error = rng.normal(size=(rows, width))
        gradient = np.zeros((n + rows * (rows + 1), width))
        step(jacobian, error, rows, n, np.array(parameters), gradient)
        for lane in range(width):
            expected = reference(jacobian[..., lane], error[:, lane])
            np.testing.assert_allclose(gradient[:n, lane], expected, rtol=1e-8, atol=1e-9)


@njit(**JIT)
def _errors(tip, target, error, squares):
    view = _view
    s, e = view(squares), view(error)
    s[0], s[1] = pose_error(view(tip), view(target), e)


_view = make_view(4)


def _numbers(pose: pin.SE3) -> np.ndarray:
    return np.concatenate([pose.rotation.ravel(), pose.translation])


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 1.0, 3.0, np.pi - 1e-6, np.pi])
def test_the_angle_of_the_pose_error_is_the_true_one(angle: float) -> None:
    rng = np.random.default_rng(1)
    tips, targets, axes = [], [], []
    for _ in range(4):
        target = pin.SE3.Identity()
        target.rotation = pin.exp3(rng.normal(size=3))
        target.translation = rng.normal(size=3)
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        tip = pin.SE3(pin.exp3(angle * axis) @ target.rotation, target.translation + rng.normal(size=3) * 0.1)
        tips.append(tip), targets.append(target), axes.append(axis)
    error, squares = np.zeros((6, 4)), np.zeros((2, 4))
    _errors(
        np.array([_numbers(t) for t in tips]).T.copy(),
        np.array([_numbers(t) for t in targets]).T.copy(),
        error,
        squares,
    )
    for lane, (tip, target, axis) in enumerate(zip(tips, targets, axes, strict=True)):
        np.testing.assert_allclose(error[:3, lane], tip.translation - target.translation, atol=1e-15)
        np.testing.assert_allclose(np.sqrt(squares[0, lane]), np.linalg.norm(tip.translation - target.translation))
        # Near half a turn the sine, from which the angle comes, keeps half of the digits of the matrix.
        assert np.sqrt(squares[1, lane]) == pytest.approx(angle, abs=1e-15 + 1e-8 * (angle > 3.1))
        if angle < 3.1:
            np.testing.assert_allclose(error[3:, lane], angle * axis, atol=1e-14)
