"""Kernel: steepest descent."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT


@njit(**JIT)
def transpose_rule(jacobian: Any, error: Any, rows: int, n: int, parameters: Any, gradient: Any) -> None:
    """G = alpha J^T e; parameters = (alpha,), or (0,) for alpha = (e . J J^T e) / |J J^T e|^2."""
    for k in range(n):
        total = 0.0
        for i in range(rows):
            total += jacobian[i, k] * error[i]
        gradient[k] = total
    along = 0.0
    size = 0.0
    for i in range(rows):
        moved = 0.0
        for k in range(n):
            moved += jacobian[i, k] * gradient[k]
        along += error[i] * moved
        size += moved * moved
    scale = along / (size + 1e-300)
    if parameters[0] > 0.0:
        scale = parameters[0] + 0.0 * scale
    for k in range(n):
        gradient[k] *= scale
