"""Kernel: damped least squares for a lower triangular level."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, maximum

_TINY = 1e-300


@njit(**JIT)
def solve_triangular_level(
    rows: Any, first: int, last: int, start: int, rank: int, error: Any, mu: float, normal: Any, solution: Any
) -> None:
    """Writes y = (L^T L + mu I)^-1 L^T e, what moves a level in its own coordinates.

    Args:
        rows: (m, n); rows ``first`` to ``last``, columns ``start`` to ``rank`` hold L, lower trapezoidal.
        first: First row of the level.
        last: Behind its last row.
        start: First column of L.
        rank: Behind its last column.
        error: (m,) the rows of the level are used.
        mu: Damping, zero or more.
        normal: (n, n) scratch.
        solution: (n,) entries ``start`` to ``rank`` are written.
    """
    count = rank - start
    for a in range(count):
        for b in range(a + 1):
            normal[a, b] = 0.0
        normal[a, a] = mu
        solution[start + a] = 0.0
    for i in range(first, last):
        width = min(i - first + 1, count)
        for a in range(width):
            entry = rows[i, start + a]
            solution[start + a] += entry * error[i]
            for b in range(a + 1):
                normal[a, b] += entry * rows[i, start + b]
    _solve_positive(normal, count, mu, start, solution)


@njit(**JIT)
def _solve_positive(normal: Any, count: int, mu: float, start: int, solution: Any) -> None:
    """Solves with a symmetric matrix, of which the lower half is given, as L D L^T; the pivots are at least mu."""
    least = maximum(mu, _TINY)
    for a in range(count):
        # Row a holds L D until it is divided, so that each product is one of neighbours in memory.
        for b in range(a):
            total = normal[a, b]
            for c in range(b):
                total -= normal[a, c] * normal[b, c]
            normal[a, b] = total
        pivot = normal[a, a]
        value = solution[start + a]
        for b in range(a):
            entry = normal[a, b]
            factor = entry * normal[b, b]
            pivot -= entry * factor
            normal[a, b] = factor
            value -= factor * solution[start + b]
        # The inverse of the pivot stays on the diagonal.
        normal[a, a] = 1.0 / maximum(pivot, least)
        solution[start + a] = value
    for a in range(count - 1, -1, -1):
        value = solution[start + a] * normal[a, a]
        for b in range(a + 1, count):
            value -= normal[b, a] * solution[start + b]
        solution[start + a] = value
