"""Kernels: the damped inverses of the Jacobian of a group, applied to a vector.

S = W J^T (J W J^T + lambda^2 I)^+ with the weights W of the joints; W J^T for the transpose.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from .....kinematics.core.lanes import INNER
from .....solvers.compiled.diagonalise_rows import diagonalise_rows
from .layout import JACOBIAN_TRANSPOSE, WEIGHT

#: Triangular factors are used down to this ratio of pivots, where 8 digits are left; below, singular values.
_SMALLEST_PIVOT = 1e-8
_EPSILON = 2.220446049250313e-16

#: How a group was factored.
TRANSPOSE, TRIANGULAR, SINGULAR_VALUES = range(3)


@njit(**INNER)
def factor(jacobian: Any, first: int, rows: int, n: int, joints: Any, method: int, damping: float, room: Any) -> int:
    """Prepares the inverse of rows from ``first`` on, with the squared damping; returns what `apply_inverse` takes."""
    if method == JACOBIAN_TRANSPOSE:
        return TRANSPOSE
    if _factor_triangular(jacobian, first, rows, n, joints, damping, room):
        return TRIANGULAR
    length = n + rows
    for i in range(rows):
        start = i * length
        for k in range(n):
            room[start + k] = jacobian[first + i, k] * math.sqrt(joints[k, WEIGHT])
        for j in range(rows):
            room[start + n + j] = 1.0 if i == j else 0.0
    diagonalise_rows(room, 0, rows, n, length)
    return SINGULAR_VALUES


@njit(**INNER)
def _factor_triangular(jacobian: Any, first: int, rows: int, n: int, joints: Any, damping: float, room: Any) -> bool:
    """L D L^T of J W J^T + damping I in the room (rows, rows); False when it is too near to singular."""
    largest = 0.0
    for i in range(rows):
        for j in range(i + 1):
            total = damping if i == j else 0.0
            for k in range(n):
                total += jacobian[first + i, k] * jacobian[first + j, k] * joints[k, WEIGHT]
            room[i * rows + j] = total
        largest = max(largest, room[i * rows + i])
    bound = _SMALLEST_PIVOT * largest
    for i in range(rows):
        for j in range(i):
            entry = room[i * rows + j]
            for k in range(j):
                entry -= room[i * rows + k] * room[j * rows + k] * room[k * rows + k]
            room[i * rows + j] = entry / room[j * rows + j]
        pivot = room[i * rows + i]
        for k in range(i):
            pivot -= room[i * rows + k] * room[i * rows + k] * room[k * rows + k]
        if pivot <= bound:
            return False
        room[i * rows + i] = pivot
    return True


@njit(**INNER)
def apply_inverse(
    kind: int, jacobian: Any, first: int, rows: int, n: int, joints: Any, damping: float, room: Any, vector: Any,
    result: Any,
) -> None:  # fmt: skip
    """The result (n,) = S vector (rows,), with what `factor` left in the room; the vector is used up."""
    if kind == SINGULAR_VALUES:
        _apply_singular_values(rows, n, joints, damping, room, vector, result)
        return
    if kind == TRIANGULAR:
        for i in range(rows):
            for k in range(i):
                vector[i] -= room[i * rows + k] * vector[k]
        for i in range(rows - 1, -1, -1):
            vector[i] /= room[i * rows + i]
            for k in range(i + 1, rows):
                vector[i] -= room[k * rows + i] * vector[k]
    for k in range(n):
        total = 0.0
        for i in range(rows):
            total += jacobian[first + i, k] * vector[i]
        result[k] = total * joints[k, WEIGHT]


@njit(**INNER)
def _apply_singular_values(rows: int, n: int, joints: Any, damping: float, room: Any, vector: Any, result: Any) -> None:
    """The sum of b_i (U^T v)_i / (s_i^2 + lambda^2), where the rows b_i of U^T J have the singular values as lengths.

    What rounding leaves of rows that depend on others is dropped.
    """
    length = n + rows
    squares = rows * length
    largest = 0.0
    for i in range(rows):
        total = damping
        for k in range(n):
            total += room[i * length + k] * room[i * length + k]
        room[squares + i] = total
        largest = max(largest, total)
    bound = max(rows, n) * _EPSILON * largest
    for k in range(n):
        result[k] = 0.0
    for i in range(rows):
        if room[squares + i] > bound:
            part = 0.0
            for j in range(rows):
                part += room[i * length + n + j] * vector[j]
            part /= room[squares + i]
            for k in range(n):
                result[k] += part * room[i * length + k]
    for k in range(n):
        result[k] *= math.sqrt(joints[k, WEIGHT])
