"""Kernel: the step of a hierarchy inside bounds; `bounded_hierarchical_gradient` is its twin in NumPy."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import njit, types

from ...kinematics import core
from ...kinematics.core.compile_cache import entry_point
from ...kinematics.core.lanes import JIT

#: A component below this part of the largest one is rounding.
_ROUNDING = 1e-13
#: What is left of a row below this part of its Jacobian is rounding; `defaults.RANK_TOLERANCE`.
_RANK = 1e-12
#: A pivot of the normal equations below this part of their trace is rounding, and its row has no part in the step.
_PIVOT = 1e-15
_FAR_AWAY = 1e30


@njit(**JIT)
def _length(vector: Any, n: int) -> float:
    square = 0.0
    for k in range(n):
        square += vector[k] * vector[k]
    return np.sqrt(square)


@njit(**JIT)
def _remove(vector: Any, basis: Any, count: int, n: int) -> None:
    """Takes the part along orthonormal rows out of a vector, twice, so that rounding is gone too."""
    for _ in range(2):
        for row in range(count):
            along = 0.0
            for k in range(n):
                along += basis[row, k] * vector[k]
            for k in range(n):
                vector[k] -= along * basis[row, k]


@njit(**JIT)
def _add_rows(jacobian: Any, first: int, last: int, basis: Any, count: int, work: Any, scale: float, n: int) -> int:
    """Adds orthonormal rows for what rows ``first`` to ``last`` add to the basis, the clearest one first."""
    m = last - first
    for i in range(m):
        for k in range(n):
            work[i, k] = jacobian[first + i, k]
        _remove(work[i], basis, count, n)
    while count < n:
        best, place = _RANK * scale, -1
        for i in range(m):
            size = _length(work[i], n)
            if size > best:
                best, place = size, i
        if place < 0:
            break
        for k in range(n):
            basis[count, k] = work[place, k] / best
        _remove(basis[count], basis, count, n)
        size = _length(basis[count], n)
        for k in range(n):
            basis[count, k] /= size
        count += 1
        for i in range(m):
            _remove(work[i], basis[count - 1 : count], 1, n)
    return count


@njit(**JIT)
def _damped(free: Any, residual: Any, m: int, n: int, mu: float, normal: Any, step: Any) -> None:
    """Step = F^T (F F^T + mu I)^-1 r by Cholesky's factors; ``residual`` is overwritten."""
    trace = 0.0
    for i in range(m):
        for j in range(i + 1):
            value = 0.0
            for k in range(n):
                value += free[i, k] * free[j, k]
            normal[i, j] = value
        normal[i, i] += mu
        trace += normal[i, i]
    for i in range(m):
        for j in range(i + 1):
            value = normal[i, j]
            for k in range(j):
                value -= normal[i, k] * normal[j, k]
            if i > j:
                normal[i, j] = value / normal[j, j]
            else:
                normal[i, i] = np.sqrt(value) if value > _PIVOT * trace else _FAR_AWAY
    for i in range(m):
        for k in range(i):
            residual[i] -= normal[i, k] * residual[k]
        residual[i] /= normal[i, i]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            residual[i] -= normal[k, i] * residual[k]
        residual[i] /= normal[i, i]
    for k in range(n):
        step[k] = 0.0
    for i in range(m):
        for k in range(n):
            step[k] += free[i, k] * residual[i]


@njit(**JIT)
def _go(step: Any, bounds: Any, gradient: Any, parts: Any, n: int) -> float:
    """Goes along a step until a component meets its bound; how far that is, and ``parts`` for each component."""
    largest = 0.0
    for k in range(n):
        largest = max(largest, abs(step[k]))
    least = _FAR_AWAY
    for k in range(n):
        parts[k] = _FAR_AWAY
        if abs(step[k]) > _ROUNDING * largest:
            room = bounds[1, k] - gradient[k] if step[k] > 0.0 else gradient[k] - bounds[0, k]
            parts[k] = max(room, 0.0) / abs(step[k])
            least = min(least, parts[k])
    part = min(least, 1.0)
    for k in range(n):
        gradient[k] += part * step[k]
    return least


def bounded_step(jacobian: Any, error: Any, firsts: Any, damping: Any, bounds: Any, gradient: Any) -> None:
    """Writes the gradient of all levels together, every component inside its bounds.

    Args:
        jacobian: (m, n) level by level, the most important one first.
        error: (m,).
        firsts: (levels + 1,) first row of each level, and m.
        damping: (levels, 2) factor and floor of the Levenberg-Marquardt damping of each.
        bounds: (2, n) none of the lower ones above 0, none of the upper ones below 0, all finite.
        gradient: (n,) written.
    """
    m, n = jacobian.shape
    basis, work = np.zeros((n + 1, n)), np.zeros((m, n))
    normal, residual = np.zeros((m, m)), np.zeros(m)
    step, parts = np.zeros(n), np.zeros(n)
    gradient[:] = 0.0
    seen = 0
    for level in range(firsts.shape[0] - 1):
        first, last = firsts[level], firsts[level + 1]
        rows = last - first
        scale = 0.0
        for i in range(first, last):
            scale += _length(jacobian[i], n) ** 2
        scale = np.sqrt(scale)
        blocked = seen
        for _ in range(n + 1):
            clearest, square = 0.0, 0.0
            for i in range(rows):
                residual[i] = error[first + i]
                for k in range(n):
                    work[i, k] = jacobian[first + i, k]
                    residual[i] -= work[i, k] * gradient[k]
                square += residual[i] * residual[i]
                _remove(work[i], basis, blocked, n)
                clearest = max(clearest, _length(work[i], n))
            if clearest <= _RANK * scale or blocked >= n:
                break
            _damped(work, residual, rows, n, damping[level, 0] * square + damping[level, 1], normal, step)
            _remove(step, basis, blocked, n)
            part = _go(step, bounds, gradient, parts, n)
            if part >= 1.0:
                break
            before = blocked
            for k in range(n):
                if parts[k] <= part and blocked < n:
                    # The unit row of what has met its bound, as far as it is not blocked yet.
                    basis[blocked, :] = 0.0
                    basis[blocked, k] = 1.0
                    _remove(basis[blocked], basis, blocked, n)
                    size = _length(basis[blocked], n)
                    if size > _RANK:
                        basis[blocked, :] /= size
                        _remove(basis[blocked], basis, blocked, n)
                        basis[blocked, :] /= _length(basis[blocked], n)
                        blocked += 1
            if blocked == before:
                break
        seen = _add_rows(jacobian, first, last, basis, seen, work, scale, n)
    for k in range(n):
        gradient[k] = min(max(gradient[k], bounds[0, k]), bounds[1, k])


@functools.cache
def compiled_bounded_step() -> Any:
    """`bounded_step`, compiled or loaded."""
    from .. import bounded_kernels

    step = entry_point(bounded_step, [core, bounded_kernels], label="steps of hierarchies inside limits")
    matrix, vector = types.float64[:, ::1], types.float64[::1]
    step.compile((matrix, vector, types.int64[::1], matrix, matrix, vector))
    return step
