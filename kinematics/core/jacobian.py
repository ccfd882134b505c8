"""Kernel: Jacobian of a tip of a plan."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import INNER
from .plan import AXIS, COLUMN, FRAME, POSITION, SLIDING, TURNING


@njit(**INNER)
def tip_jacobian(
    entries: Any,
    rates: Any,
    carries: Any,
    tip: int,
    frames: Any,
    px: Any,
    py: Any,
    pz: Any,
    jacobian: Any,
    row: int,
    n: int,
) -> None:
    """Six rows of a Jacobian for the point (px, py, pz) that moves with a tip: linear, then angular, world axes.

    A column is the sum of its entries: turning about an axis a through o moves p with a x (p - o).

    Args:
        entries: `Plan.entries`.
        rates: `Plan.rates`.
        carries: `Plan.carries`.
        tip: Which tip.
        frames: (s + 1, 12) as `forward` leaves them.
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
        frame = entries[e, FRAME]
        axis = entries[e, AXIS]
        ax = frames[frame, axis]
        ay = frames[frame, 3 + axis]
        az = frames[frame, 6 + axis]
        dx = px - frames[frame, POSITION]
        dy = py - frames[frame, POSITION + 1]
        dz = pz - frames[frame, POSITION + 2]
        turning = rates[e, TURNING]
        sliding = rates[e, SLIDING]
        k = entries[e, COLUMN]
        jacobian[row, k] += sliding * ax + turning * (ay * dz - az * dy)
        jacobian[row + 1, k] += sliding * ay + turning * (az * dx - ax * dz)
        jacobian[row + 2, k] += sliding * az + turning * (ax * dy - ay * dx)
        jacobian[row + 3, k] += turning * ax
        jacobian[row + 4, k] += turning * ay
        jacobian[row + 5, k] += turning * az
