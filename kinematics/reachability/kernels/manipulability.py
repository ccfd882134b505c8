"""Kernel: how well a tip can be moved in all directions."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...core.lanes import INNER, maximum, sqrt, where


@njit(**INNER)
def manipulability(jacobian: Any, n: int, gram: Any, size: int, result: Any) -> None:
    """Product of the singular values of a Jacobian (6, n): T. Yoshikawa, "Manipulability of robotic mechanisms", 1985.

    The root of the determinant of J J^T, or of J^T J when there are fewer than six columns, as the product of what
    stands on the diagonal of its Cholesky factor.

    Args:
        jacobian: (6, n) numbers or registers.
        n: Number of columns.
        gram: (size, size) room.
        size: The smaller of 6 and n.
        result: (1,) written.
    """
    for i in range(size):
        for j in range(i + 1):
            total = 0.0 * jacobian[0, 0]
            if n < 6:
                for k in range(6):
                    total += jacobian[k, i] * jacobian[k, j]
            else:
                for k in range(n):
                    total += jacobian[i, k] * jacobian[j, k]
            gram[i, j] = total
    product = 0.0 * jacobian[0, 0] + 1.0
    for i in range(size):
        for j in range(i + 1):
            total = gram[i, j]
            for k in range(j):
                total = total - gram[i, k] * gram[j, k]
            if i == j:
                root = sqrt(maximum(total, 0.0))
                gram[i, i] = root
                product = product * root
            else:
                pivot = gram[j, j]
                lost = pivot < 1e-12
                gram[i, j] = where(lost, 0.0, total / where(lost, 1.0, pivot))
    result[0] = product
