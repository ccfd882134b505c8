"""Kernel: the Levenberg-Marquardt step, damped by the error itself."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER
from .damped_step import damped_step


@njit(**INNER)
def levenberg_marquardt_rule(jacobian: Any, error: Any, rows: int, n: int, parameters: Any, gradient: Any) -> None:
    """G = J^T (J J^T + mu I)^-1 e with mu = damping e.e + floor; parameters = (damping, floor)."""
    square = 0.0 * error[0]
    for i in range(rows):
        square += error[i] * error[i]
    damped_step(jacobian, error, rows, n, parameters[0] * square + parameters[1], gradient)
