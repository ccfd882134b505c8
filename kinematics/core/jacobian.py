"""Kernel: Jacobian of a tip of a plan."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import JIT
from .plan import AXIS, COLUMN, SLIDING, STEP, TURNING


@njit(**JIT)
def tip_jacobian(
    entries: Any, rates: Any, carries: Any, tip: int, frames: Any, px: Any, py: Any, pz: Any, jacobian: Any, row: int, n: int
) -> None:
    """Six rows of a Jacobian for the point (px, py, pz) that moves with a tip: linear, then angular, world axes.

    A column is the sum of its entries: turning about an axis a through o moves p with a x (p - o).

    Args:
        entries: `Plan.entries`.
        rates: `Plan.rates`.
        carries: `Plan.carries`.
        tip: Which tip.
        frames: (s, 12) as `forward` leaves them.
        px: x of the point in the world, a number or a register; likewise y and z.
        py: y of the point.
        pz: z of the point.
        jacobian: (rows, n), written.
        row: First of the six rows.
        n: Number of columns.
    """
    for i in range(6):
        for k in range(n):
            jacobian[row + i, k] = 0.0
    for e in range(entries.shape[0]):
        if carries[tip, e] == 0:
            continue
        step, first = entries[e, STEP], 3 + 3 * entries[e, AXIS]
        ax, ay, az = frames[step, first], frames[step, first + 1], frames[step, first + 2]
        dx, dy, dz = px - frames[step, 0], py - frames[step, 1], pz - frames[step, 2]
        turning, sliding = rates[e, TURNING], rates[e, SLIDING]
        k = entries[e, COLUMN]
        jacobian[row, k] += sliding * ax + turning * (ay * dz - az * dy)
        jacobian[row + 1, k] += sliding * ay + turning * (az * dx - ax * dz)
        jacobian[row + 2, k] += sliding * az + turning * (ax * dy - ay * dx)
        jacobian[row + 3, k] += turning * ax
        jacobian[row + 4, k] += turning * ay
        jacobian[row + 5, k] += turning * az
