"""Triangular factors against numpy's solutions and null spaces."""

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core.lanes import JIT
from kinetree.solvers.closed_form.kernels.small_factors import factorise, null_space, solve_rows, solve_vector


@njit(**JIT)
def solve(a, order, rows, vector):
    n = len(a)
    ratio = factorise(a, n, order)
    solve_rows(a, n, order, rows, rows.shape[1])
    solve_vector(a, n, order, vector)
    return ratio


@njit(**JIT)
def space(a, most, threshold, columns, basis):
    return null_space(a, len(a), most, threshold, columns, basis)


@pytest.mark.parametrize("n", [1, 2, 6, 16])
def test_solutions(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        a, rows, vector = rng.normal(size=(n, n)), rng.normal(size=(n, 3)), rng.normal(size=n)
        expected = np.linalg.solve(a, np.column_stack([rows, vector]))
        ratio = solve(a.copy(), np.zeros(n, dtype=np.int64), rows, vector)
        assert 0.0 < ratio <= 1.0
        assert np.abs(np.column_stack([rows, vector]) - expected).max() < 1e-11 * np.linalg.cond(a)


def test_singular_matrices_give_finite_numbers_and_no_trust():
    rng = np.random.default_rng(1)
    a = rng.normal(size=(5, 4)) @ rng.normal(size=(4, 5))
    rows, vector = rng.normal(size=(5, 2)), rng.normal(size=5)
    assert solve(a, np.zeros(5, dtype=np.int64), rows, vector) < 1e-14
    assert np.isfinite(rows).all()
    rows, vector = np.ones((3, 1)), np.ones(3)
    assert solve(np.zeros((3, 3)), np.zeros(3, dtype=np.int64), rows, vector) == 0.0
    assert np.isfinite(rows).all()


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_null_space(missing):
    rng = np.random.default_rng(missing)
    for _ in range(20):
        a = rng.normal(size=(7, 7 - missing)) @ rng.normal(size=(7 - missing, 7))
        basis = np.zeros((7, 3))
        found = space(a.copy(), 3, 1e-10, np.zeros(7, dtype=np.int64), basis)
        assert found == missing
        assert np.abs(a @ basis[:, :found]).max() < 1e-12 * np.abs(basis).max() * np.linalg.norm(a)
        assert np.linalg.matrix_rank(basis[:, :found]) == missing


def test_null_space_of_a_regular_matrix_is_the_least_bad_vector():
    a, basis = np.diag([3.0, 1e-4, 2.0]), np.zeros((3, 1))
    assert space(a, 1, 1e-10, np.zeros(3, dtype=np.int64), basis) == 1
    assert np.allclose(basis[:, 0], [0.0, 1.0, 0.0])
