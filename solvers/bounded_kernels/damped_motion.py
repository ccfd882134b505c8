"""Kernel: damped least squares over the directions that are left, by the smaller one of two systems."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import JIT
from .free_space import add_rows

#: A pivot of the normal equations below this part of their trace is rounding, and its row has no part in the step.
_PIVOT = 1e-15
_FAR_AWAY = 1e30


@njit(**JIT)
def row_products(images: Any, count: int, m: int, gram: Any) -> float:
    """Writes F F^T, (m, m), for the images F (m, count) of all directions, its lower half; gives its trace."""
    trace = 0.0
    for a in range(m):
        for b in range(a + 1):
            value = 0.0
            for j in range(count):
                value += images[a, j] * images[b, j]
            gram[a, b] = value
        trace += gram[a, a]
    return trace


@njit(**JIT)
def without_direction(images: Any, j: int, m: int, gram: Any) -> float:
    """F F^T without direction j, from what it was with it; gives its trace."""
    trace = 0.0
    for a in range(m):
        for b in range(a + 1):
            gram[a, b] -= images[a, j] * images[b, j]
        trace += gram[a, a]
    return trace


@njit(**JIT)
def damped_motion(
    images: Any, count: int, m: int, gram: Any, residual: Any, mu: float, normal: Any, weights: Any, motion: Any
) -> None:
    """Writes how far to go along each direction (count,).

    Of F^T (F F^T + mu I)^-1 r and (F^T F + mu I)^-1 F^T r, which are the same, the smaller system is solved.

    Args:
        images: (m, count) F, what each direction does to the level.
        count: How many directions there are.
        m: Number of rows of the level.
        gram: (m, m) of `row_products`; looked at where ``count`` >= m only.
        residual: (m,).
        mu: Damping.
        normal: (k, k) scratch, k the larger one of n and m.
        weights: (m,) scratch.
        motion: (count,) written.
    """
    for j in range(count):
        motion[j] = 0.0
    if count >= m:
        for a in range(m):
            for b in range(a + 1):
                normal[a, b] = gram[a, b]
            weights[a] = residual[a]
        _solve(normal, m, mu, weights)
        add_rows(images, 0, m, count, weights, 1.0, motion)
        return
    add_rows(images, 0, m, count, residual, 1.0, motion)
    for i in range(count):
        for j in range(i + 1):
            normal[i, j] = 0.0
    a = 0
    while a + 4 <= m:
        for i in range(count):
            p, q, r, s = images[a, i], images[a + 1, i], images[a + 2, i], images[a + 3, i]
            for j in range(i + 1):
                normal[i, j] += p * images[a, j] + q * images[a + 1, j] + (r * images[a + 2, j] + s * images[a + 3, j])
        a += 4
    while a < m:
        for i in range(count):
            p = images[a, i]
            for j in range(i + 1):
                normal[i, j] += p * images[a, j]
        a += 1
    _solve(normal, count, mu, motion)


@njit(**JIT)
def _solve(normal: Any, size: int, mu: float, vector: Any) -> None:
    """Solves (N + mu I) x = b in place by Cholesky's factors; the lower half of N is given and overwritten."""
    trace = 0.0
    for i in range(size):
        normal[i, i] += mu
        trace += normal[i, i]
    least = _PIVOT * trace
    for i in range(size):
        value = vector[i]
        pivot = normal[i, i]
        for j in range(i):
            entry = normal[i, j]
            for k in range(j):
                entry -= normal[i, k] * normal[j, k]
            entry *= normal[j, j]
            normal[i, j] = entry
            pivot -= entry * entry
            value -= entry * vector[j]
        # The inverse of the pivot stays on the diagonal.
        inverse = 1.0 / np.sqrt(pivot) if pivot > least else 1.0 / _FAR_AWAY
        normal[i, i] = inverse
        vector[i] = value * inverse
    for i in range(size - 1, -1, -1):
        value = vector[i] * normal[i, i]
        vector[i] = value
        for k in range(i):
            vector[k] -= value * normal[i, k]
