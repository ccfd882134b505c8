"""Kernel: the damped least-squares step with a constant damping."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT
from .damped_step import damped_step


@njit(**JIT)
def damped_least_squares_rule(jacobian: Any, error: Any, rows: int, n: int, parameters: Any, gradient: Any) -> None:
    """G = J^T (J J^T + lambda^2 I)^-1 e; parameters = (lambda,)."""
    # Times one of its rows and nothing: a number of the same kind as the error, a register where that is one.
    mu = parameters[0] * parameters[0] + 0.0 * error[0]
    damped_step(jacobian, error, rows, n, mu, gradient)
