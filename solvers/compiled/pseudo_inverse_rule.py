"""Kernel: the step by the pseudo-inverse, small singular values dropped."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, maximum, where
from .diagonalise_rows import diagonalise_rows


def scratch_size(rows: int, n: int) -> int:
    """Length that the gradient's array needs."""
    return n + rows * (n + 2)


@njit(**JIT)
def pseudo_inverse_rule(jacobian: Any, error: Any, rows: int, n: int, parameters: Any, gradient: Any) -> None:
    """G = J^+ e without the singular values up to cutoff times the largest; parameters = (cutoff,).

    With the rows b_i of U^T J, whose lengths s_i are the singular values, it is the sum of b_i (U^T e)_i / s_i^2.
    """
    length = n + 1
    squares = n + rows * length
    for i in range(rows):
        start = n + i * length
        for k in range(n):
            gradient[start + k] = jacobian[i, k]
        gradient[start + n] = error[i]
    diagonalise_rows(gradient, n, rows, n, length)
    largest = 0.0 * error[0]
    for i in range(rows):
        total = 0.0 * error[0]
        for k in range(n):
            entry = gradient[n + i * length + k]
            total += entry * entry
        gradient[squares + i] = total
        largest = maximum(largest, total)
    for k in range(n):
        gradient[k] = 0.0
    bound = parameters[0] * parameters[0] * largest
    for i in range(rows):
        start = n + i * length
        square = gradient[squares + i]
        kept = square > bound
        factor = where(kept, gradient[start + n] / where(kept, square, 1.0), 0.0)
        for k in range(n):
            gradient[k] += factor * gradient[start + k]
