"""Eigenvalues and vectors against LAPACK's, by numpy."""

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core.lanes import JIT
from kinetree.solvers.closed_form.kernels.eigenvalues import back_transform, eigenvalues, eigenvector, hessenberg


@njit(**JIT)
def everything(matrix, real, imaginary, vectors, form, reflectors):
    n = len(matrix)
    work = matrix.copy()
    hessenberg(work, n, reflectors)
    form[:] = work
    is_done = eigenvalues(work, n, real, imaginary)
    for k in range(n):
        if imaginary[k] == 0.0:
            eigenvector(form, n, real[k], work, vectors[k])
            back_transform(vectors[k], n, reflectors)
    return is_done


def solve(matrix):
    n = len(matrix)
    real, imaginary, vectors = np.zeros(n), np.zeros(n), np.zeros((n, n))
    form, reflectors = np.zeros((n, n)), np.zeros((n, n))
    assert everything(matrix, real, imaginary, vectors, form, reflectors)
    assert np.isfinite(vectors).all()
    return real + 1j * imaginary, vectors, form


def worst_difference(found, expected):
    """Each expected value with the nearest one that is left."""
    left, worst = list(found), 0.0
    for value in expected:
        k = int(np.argmin(np.abs(np.array(left) - value)))
        worst = max(worst, abs(left.pop(k) - value))
    return worst


@pytest.mark.parametrize("n", [1, 2, 3, 5, 16, 20])
def test_random_matrices(n):
    rng = np.random.default_rng(n)
    for _ in range(50):
        matrix = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-3, 3)
        size = np.linalg.norm(matrix)
        values, vectors, form = solve(matrix)
        assert worst_difference(values, np.linalg.eigvals(matrix)) < 1e-9 * size
        assert np.abs(np.tril(form, -2)).max(initial=0.0) == 0.0
        for value, vector in zip(values, vectors, strict=True):
            if value.imag == 0.0:
                assert np.linalg.norm(matrix @ vector - value.real * vector) < 1e-12 * size
                assert abs(np.linalg.norm(vector) - 1.0) < 1e-12


@pytest.mark.parametrize(
    "matrix",
    [
        np.zeros((4, 4)),
        np.eye(5),
        np.diag([3.0, 3.0, -1.0, 0.0]),
        np.roll(np.eye(6), 1, axis=0),
        np.array([[0.0, 1.0], [-1.0, 0.0]]),
        np.diag([1.0, 2.0, 3.0]) + np.diag([1e-200, 1e-200], -1),
        np.array([[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]]),
    ],
    ids=["zero", "one", "diagonal", "cyclic", "turn", "tiny", "jordan"],
)
def test_special_matrices(matrix):
    values, vectors, _ = solve(matrix)
    assert worst_difference(values, np.linalg.eigvals(matrix)) < 1e-5
    for value, vector in zip(values, vectors, strict=True):
        if value.imag == 0.0:
            assert np.linalg.norm(matrix @ vector - value.real * vector) < 1e-5


def test_eigenvector_beside_a_double_root():
    """A pair of values that rounding made complex still leads to the one vector that there is."""
    rng = np.random.default_rng(1)
    basis = rng.normal(size=(8, 8))
    block = np.diag(np.arange(8.0))
    block[1, 1] = block[0, 0] = 4.5
    block[0, 1], block[1, 0] = 1.0, -1e-12
    values, _, _ = solve(basis @ block @ np.linalg.inv(basis))
    pair = values[np.abs(values - 4.5).argmin()]
    assert 0.0 < abs(pair.imag) < 1e-4
    vector, scratch, reflectors = np.zeros(8), np.zeros((8, 8)), np.zeros((8, 8))
    matrix = basis @ block @ np.linalg.inv(basis)
    one_vector(matrix, pair.real, scratch, vector, reflectors)
    assert np.linalg.norm(matrix @ vector - 4.5 * vector) < 1e-5


@njit(**JIT)
def one_vector(matrix, value, work, vector, reflectors):
    n = len(matrix)
    form = matrix.copy()
    hessenberg(form, n, reflectors)
    eigenvector(form, n, value, work, vector)
    back_transform(vector, n, reflectors)
