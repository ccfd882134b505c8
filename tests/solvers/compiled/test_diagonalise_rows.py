"""Rotating rows until they are perpendicular gives the eigenvectors of J J^T, in numbers and in registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core.lanes import JIT, make_view
from kinetree.solvers.compiled.diagonalise_rows import diagonalise_rows

WIDTHS = (1, 2, 4)
SHAPES = [(6, 7), (6, 6), (6, 3), (3, 7), (2, 3), (1, 4), (5, 5), (12, 20)]


def kernel(width: int) -> Any:
    view = make_view(width)

    @njit(**JIT)
    def run(work, rows, n, length):
        diagonalise_rows(view(work), 1, rows, n, length)

    return run


@pytest.fixture(scope="module", params=WIDTHS)
def diagonalise(request: pytest.FixtureRequest) -> Any:
    """Of matrices (lanes, m, n): the rotated ones, and the rotations (lanes, m, m)."""
    width, run = request.param, kernel(request.param)

    def call(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        _, rows, n = matrices.shape
        identity = np.broadcast_to(np.eye(rows), (width, rows, rows))
        lanes = np.concatenate([matrices, identity], axis=2).reshape(width, -1).T
        work = np.ascontiguousarray(np.vstack([np.full((1, width), 9.0), lanes]))
        run(work, rows, n, n + rows)
        assert (work[0] == 9.0).all()
        result = work[1:].T.reshape(width, rows, n + rows)
        return result[..., :n], result[..., n:]

    call.width = width  # type: ignore[attr-defined]
    return call


def check(matrix: np.ndarray, turned: np.ndarray, rotation: np.ndarray) -> None:
    rows = len(matrix)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(rows), rtol=0, atol=1e-14)
    size = np.linalg.norm(matrix, 2)
    np.testing.assert_allclose(rotation @ matrix, turned, rtol=0, atol=4e-15 * size)
    lengths = np.linalg.norm(turned, axis=1)
    cosines = (turned @ turned.T) / np.maximum(np.outer(lengths, lengths), 1e-300)
    # What rounding left of rows that depended on others points anywhere.
    kept = lengths > 1e-13 * size
    np.testing.assert_allclose(cosines[kept][:, kept], np.eye(kept.sum()), rtol=0, atol=2e-13)
    expected = np.linalg.svd(matrix, compute_uv=False)
    np.testing.assert_allclose(np.sort(lengths)[::-1][: len(expected)], expected, rtol=0, atol=4e-15 * size)


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_become_perpendicular(diagonalise: Any, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    for _ in range(10):
        matrices = rng.normal(size=(diagonalise.width, *shape))
        for each in zip(matrices, *diagonalise(matrices), strict=True):
            check(*each)


def test_rows_that_are_zero_equal_or_tiny(diagonalise: Any) -> None:
    rng = np.random.default_rng(1)
    matrices = rng.normal(size=(6, 6, 7))
    matrices[0] = 0.0
    matrices[1, [1, 4]] = 0.0
    matrices[2, 3] = matrices[2, 0]
    matrices[3, 5] = -2.0 * matrices[3, 2]
    matrices[4] *= 1e-9
    matrices[5] = np.eye(6, 7)
    for first in range(0, 6, diagonalise.width):
        some = np.take(matrices, range(first, first + diagonalise.width), axis=0, mode="wrap")
        for matrix, turned, rotation in zip(some, *diagonalise(some), strict=True):
            check(matrix, turned, rotation)
            if (matrix[1] == 0.0).all():
                assert (turned[1] == 0.0).all()


def test_small_singular_values_keep_their_digits(diagonalise: Any) -> None:
    """Eigenvalues of J J^T, formed, would have none left of one that is 1e-18 of the largest."""
    rng = np.random.default_rng(2)
    values = np.array([3.0, 1.0, 0.1, 1e-3, 1e-6, 3e-9])
    matrices = []
    for _ in range(diagonalise.width):
        left, right = np.linalg.qr(rng.normal(size=(6, 6)))[0], np.linalg.qr(rng.normal(size=(7, 7)))[0]
        matrices.append(left @ np.diag(values) @ right[:6])
    for turned in diagonalise(np.array(matrices))[0]:
        np.testing.assert_allclose(np.sort(np.linalg.norm(turned, axis=1))[::-1], values, rtol=1e-6)


def test_a_lane_does_not_depend_on_its_neighbours(diagonalise: Any) -> None:
    """Results are to be the same however the problems are put into lanes."""
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(6, 7))
    results = []
    for neighbour in (np.eye(6, 7), rng.normal(size=(6, 7)), np.zeros((6, 7))):
        matrices = np.array([matrix] + [neighbour] * (diagonalise.width - 1))
        results.append(diagonalise(matrices)[0][0])
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])
