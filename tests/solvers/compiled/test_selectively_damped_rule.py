"""The compiled selectively damped step against the one in numpy, in numbers and in registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core.lanes import JIT, make_view
from kinetree.solvers.compiled.selectively_damped_rule import scratch_size, selectively_damped_rule
from kinetree.solvers.gradient_methods.selectively_damped import SelectivelyDamped

SHAPES = [(6, 7), (6, 6), (6, 3), (3, 7), (3, 3), (2, 3), (1, 1), (5, 9), (4, 2), (7, 8), (12, 20)]


@pytest.fixture(scope="module", params=[1, 2, 4])
def step(request: pytest.FixtureRequest) -> Any:
    """Steps (lanes, n) for Jacobians (lanes, m, n) and errors (lanes, m); arguments are left alone."""
    width, view = request.param, make_view(request.param)

    @njit(**JIT)
    def run(jacobian, error, rows, n, parameters, gradient):
        selectively_damped_rule(view(jacobian), view(error), rows, n, parameters, view(gradient))

    def call(jacobians: np.ndarray, errors: np.ndarray, method: SelectivelyDamped) -> np.ndarray:
        _, rows, n = jacobians.shape
        jacobian, error = np.moveaxis(jacobians, 0, -1).copy(), errors.T.copy()
        gradient = np.full((scratch_size(rows, n) + 1, width), 5.0)
        run(jacobian, error, rows, n, np.array(method.parameters), gradient)
        assert (gradient[-1] == 5.0).all()
        np.testing.assert_array_equal(jacobian, np.moveaxis(jacobians, 0, -1))
        np.testing.assert_array_equal(error, errors.T)
        return gradient[:n].T

    call.width = width  # type: ignore[attr-defined]
    return call


def check(
    step: Any, jacobians: np.ndarray, errors: np.ndarray, method: SelectivelyDamped | None = None, atol: float = 1e-10
) -> None:
    method = SelectivelyDamped() if method is None else method
    for jacobian, error, result in zip(jacobians, errors, step(jacobians, errors, method), strict=True):
        np.testing.assert_allclose(result, method.reference(jacobian, error), rtol=1e-9, atol=atol)


@pytest.mark.parametrize("gamma", [0.05, np.pi / 4, 100.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_random_jacobians(step: Any, shape: tuple[int, int], gamma: float) -> None:
    rng = np.random.default_rng(0)
    for size in (1.0, 1e-3):
        for _ in range(5):
            jacobians = rng.normal(size=(step.width, *shape))
            check(step, jacobians, size * rng.normal(size=(step.width, shape[0])), SelectivelyDamped(gamma))


def test_singular_jacobians(step: Any) -> None:
    rng = np.random.default_rng(1)
    for values in ([1, 0.5, 0.3, 0.2, 0.1, 1e-4], [1, 0.9, 0.5, 0.3, 1e-7, 0], [1, 0.7, 0.4, 0, 0, 0]):
        jacobians = []
        for _ in range(step.width):
            left, right = np.linalg.qr(rng.normal(size=(6, 6)))[0], np.linalg.qr(rng.normal(size=(7, 7)))[0]
            jacobians.append(left @ np.diag(values) @ right[:6])
        check(step, np.array(jacobians), rng.normal(size=(step.width, 6)))


def test_rows_and_columns_of_zeros(step: Any) -> None:
    rng = np.random.default_rng(2)
    for rows, columns in [([3, 4, 5], []), ([0], [2]), ([], [0, 6]), (list(range(6)), []), ([1, 2, 3, 4, 5], [])]:
        jacobians, errors = rng.normal(size=(step.width, 6, 7)), rng.normal(size=(step.width, 6))
        jacobians[:, rows] = 0.0
        jacobians[:, :, columns] = 0.0
        check(step, jacobians, errors)
    check(step, np.zeros((step.width, 6, 7)), np.zeros((step.width, 6)))


def test_lanes_are_solved_each_on_its_own(step: Any) -> None:
    rng = np.random.default_rng(3)
    jacobians = np.array([rng.normal(size=(6, 7)), np.zeros((6, 7)), np.eye(6, 7), 1e-6 * rng.normal(size=(6, 7))])
    jacobians[2] *= np.arange(1.0, 7.0)[:, None]  # equal singular values have no vectors of their own
    check(step, jacobians[: step.width], rng.normal(size=(step.width, 6)))
