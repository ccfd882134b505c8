"""Kernel: the selectively damped least-squares step."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, absolute, maximum, minimum, sqrt, where
from .diagonalise_rows import diagonalise_rows

#: Keeps divisors of rows that are all zero from being zero; what is divided vanishes there.
_TINY = 1e-60


def scratch_size(rows: int, n: int) -> int:
    """Length that the gradient's array needs."""
    return n + rows * (n + 1 + rows) + n


@njit(**JIT)
def selectively_damped_rule(jacobian: Any, error: Any, rows: int, n: int, parameters: Any, gradient: Any) -> None:
    """The step of `SelectivelyDamped`, which explains it; parameters = (largest joint angle,).

    With J = U S V^T the rows after the rotations hold s_i v_i, then u_i . e, then u_i. So the part of the step for
    a singular value is w_i = row * (u_i . e) / s_i^2, and neither U nor V is worked out.
    """
    length = n + 1 + rows
    reach = n + rows * length
    largest = parameters[0]
    for i in range(rows):
        start = n + i * length
        for k in range(n):
            gradient[start + k] = jacobian[i, k]
        gradient[start + n] = error[i]
        for k in range(rows):
            gradient[start + n + 1 + k] = 1.0 if i == k else 0.0
    diagonalise_rows(gradient, n, rows, n, length)
    _sum_of_speeds(jacobian, rows, n, gradient, reach)
    for k in range(n):
        gradient[k] = 0.0
    for i in range(rows):
        start = n + i * length
        factor = _factor(gradient, start, rows, n, reach, largest)
        for k in range(n):
            gradient[k] += factor * gradient[start + k]
    size = 0.0 * error[0]
    for k in range(n):
        size = maximum(size, absolute(gradient[k]))
    scale = largest / maximum(size, largest)
    for k in range(n):
        gradient[k] *= scale


@njit(**JIT)
def _sum_of_speeds(jacobian: Any, rows: int, n: int, result: Any, first: int) -> None:
    """For each column: the lengths of its groups of three rows, summed; the paper's rho, over all end effectors."""
    for k in range(n):
        total = 0.0 * jacobian[0, k]
        for group in range(0, rows, 3):
            square = 0.0 * jacobian[0, k]
            for i in range(group, min(group + 3, rows)):
                square += jacobian[i, k] * jacobian[i, k]
            total += sqrt(square)
        result[first + k] = total


@njit(**JIT)
def _factor(work: Any, start: int, rows: int, n: int, reach: int, largest: float) -> Any:
    """By what a row s_i v_i is multiplied: (u_i . e) / s_i^2, made smaller where the paper's bound asks for it."""
    square = 0.0 * work[start]
    moved = 0.0 * work[start]
    longest = 0.0 * work[start]
    for k in range(n):
        entry = absolute(work[start + k])
        square += entry * entry
        moved += entry * work[reach + k]
        longest = maximum(longest, entry)
    share = 0.0 * work[start]
    for group in range(0, rows, 3):
        part = 0.0 * work[start]
        for k in range(group, min(group + 3, rows)):
            entry = work[start + n + 1 + k]
            part += entry * entry
        share += sqrt(part)
    square = maximum(square, _TINY)
    # N_i / M_i with M_i = moved / s_i^2.
    bound = largest * minimum(share * square / maximum(moved, _TINY), 1.0)
    along = work[start + n]
    size = minimum(absolute(along) / square, bound / maximum(longest, _TINY))
    return where(along < 0.0, -size, size)
