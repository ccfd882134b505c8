"""The compiled step by the pseudo-inverse against numpy's, in numbers and in registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core.lanes import JIT, make_view
from kinetree.solvers import JacobianPseudoInverse
from kinetree.solvers.compiled.pseudo_inverse_rule import pseudo_inverse_rule, scratch_size

SHAPES = [(6, 7), (6, 6), (6, 3), (3, 7), (3, 3), (2, 3), (1, 1), (5, 9), (4, 2), (12, 20)]


@pytest.fixture(scope="module", params=[1, 2, 4])
def step(request: pytest.FixtureRequest) -> Any:
    """Steps (lanes, n) for Jacobians (lanes, m, n) and errors (lanes, m); arguments are left alone."""
    width, view = request.param, make_view(request.param)

    @njit(**JIT)
    def run(jacobian, error, rows, n, parameters, gradient):
        pseudo_inverse_rule(view(jacobian), view(error), rows, n, parameters, view(gradient))

    def call(jacobians: np.ndarray, errors: np.ndarray, cutoff: float) -> np.ndarray:
        _, rows, n = jacobians.shape
        jacobian, error = np.moveaxis(jacobians, 0, -1).copy(), errors.T.copy()
        gradient = np.full((scratch_size(rows, n) + 1, width), 5.0)
        run(jacobian, error, rows, n, np.array([cutoff]), gradient)
        assert (gradient[-1] == 5.0).all()
        np.testing.assert_array_equal(jacobian, np.moveaxis(jacobians, 0, -1))
        np.testing.assert_array_equal(error, errors.T)
        return gradient[:n].T

    call.width = width  # type: ignore[attr-defined]
    return call


def check(step: Any, jacobians: np.ndarray, errors: np.ndarray, cutoff: float, rtol: float = 1e-9) -> None:
    for jacobian, error, result in zip(jacobians, errors, step(jacobians, errors, cutoff), strict=True):
        expected = JacobianPseudoInverse(cutoff).reference(jacobian, error)
        np.testing.assert_allclose(result, expected, rtol=0, atol=rtol * max(1e-300, np.abs(expected).max()))


@pytest.mark.parametrize("shape", SHAPES)
def test_random_jacobians(step: Any, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        check(step, rng.normal(size=(step.width, *shape)), rng.normal(size=(step.width, shape[0])), 1e-3, 1e-10)


def with_values(rng: np.random.Generator, values: list[float], n: int) -> np.ndarray:
    left = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    right = np.linalg.qr(rng.normal(size=(n, n)))[0]
    return left @ np.diag(values) @ right[: len(values)]


@pytest.mark.parametrize(
    ("values", "cutoff"),
    [
        ([2.0, 1.0, 1.0, 0.1, 0.01, 2.0002e-3], 1e-3),  # just kept
        ([2.0, 1.0, 1.0, 0.1, 0.01, 1.9998e-3], 1e-3),  # just dropped
        ([1.0, 0.5, 0.3, 1e-4, 1e-7, 1e-13], 1e-3),
        ([1.0, 0.5, 0.3, 0.2, 0.1, 0.0], 1e-6),
        ([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], 1e-6),
        ([1.0] * 6, 1e-3),
        ([1e-9, 1e-9, 0.5e-9, 0.5e-9, 1e-10, 1e-13], 1e-3),
    ],
)
def test_singular_jacobians(step: Any, values: list[float], cutoff: float) -> None:
    rng = np.random.default_rng(1)
    for n in (6, 7, 11):
        jacobians = np.array([with_values(rng, values, n) for _ in range(step.width)])
        check(step, jacobians, rng.normal(size=(step.width, 6)), cutoff)


def test_a_small_cutoff_is_not_lost_in_rounding(step: Any) -> None:
    """A singular value of 1e-7 of the largest, whose square is next to nothing beside the other's."""
    rng = np.random.default_rng(2)
    jacobians = np.array([with_values(rng, [1.0, 0.7, 0.5, 0.3, 1e-7, 1e-12], 7) for _ in range(step.width)])
    check(step, jacobians, rng.normal(size=(step.width, 6)), 1e-9, 1e-7)


def test_rows_and_columns_of_zeros(step: Any) -> None:
    rng = np.random.default_rng(3)
    for rows, columns in [([3, 4, 5], []), ([0], [2]), ([], [0, 6]), (list(range(6)), []), ([1, 2, 3, 4, 5], [])]:
        jacobians, errors = rng.normal(size=(step.width, 6, 7)), rng.normal(size=(step.width, 6))
        jacobians[:, rows] = 0.0
        jacobians[:, :, columns] = 0.0
        check(step, jacobians, errors, 1e-3)
    check(step, np.zeros((step.width, 6, 7)), np.zeros((step.width, 6)), 1e-3)


def test_lanes_are_solved_each_on_its_own(step: Any) -> None:
    rng = np.random.default_rng(4)
    kinds = [
        rng.normal(size=(6, 6)),
        np.zeros((6, 6)),
        np.eye(6),
        with_values(rng, [1.0, 1.0, 0.1, 0.1, 1e-5, 0.0], 6),
    ]
    jacobians = np.array(kinds)[: step.width]
    check(step, jacobians, rng.normal(size=(len(jacobians), 6)), 1e-3)


@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-5, 1e-3, 1e-2])
def test_an_arm_stretched_out(step: Any, six: Any, size: float) -> None:
    """At and near poses in which a six-joint arm is singular."""
    rng = np.random.default_rng(5)
    jacobians = []
    while len(jacobians) < step.width:
        q = six.random_positions(rng)
        q[[2, 4]] = size * rng.normal(size=2)
        jacobian = six.state(q).jacobian(six.tip)
        values = np.linalg.svd(jacobian, compute_uv=False)
        if np.abs(values / (1e-3 * values[0]) - 1.0).min() > 1e-3:  # not right at the cutoff
            jacobians.append(jacobian)
    check(step, np.array(jacobians), rng.normal(size=(step.width, 6)), 1e-3)
