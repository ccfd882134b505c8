"""Kernel: how far a tip is from a target pose."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER, atan2, sqrt
from ...kinematics.core.plan import POSITION


@njit(**INNER)
def pose_error(tip: Any, target: Any, error: Any) -> Any:
    """Error of a full pose, current minus desired, world axes: (3) linear in m, (3) rotation vector in rad.

    The rotation vector is that of M = R_tip R_target^T: twice the sine of its angle times its axis is
    (m21 - m12, m02 - m20, m10 - m01), twice the cosine is the trace less one. At half a turn the vector
    vanishes while the angle, which comes back as well, does not.

    Args:
        tip: (12,) rotation row by row, then translation; numbers or registers.
        target: (12,) likewise.
        error: (6,) written.

    Returns:
        Squared distance (m^2) and squared angle (rad^2).
    """
    distance = 0.0
    for i in range(3):
        difference = tip[POSITION + i] - target[POSITION + i]
        error[i] = difference
        distance += difference * difference
    vx = 0.0
    vy = 0.0
    vz = 0.0
    trace = 0.0
    for j in range(3):
        cx = tip[j]
        cy = tip[3 + j]
        cz = tip[6 + j]
        dx = target[j]
        dy = target[3 + j]
        dz = target[6 + j]
        vx += cz * dy - cy * dz
        vy += cx * dz - cz * dx
        vz += cy * dx - cx * dy
        trace += cx * dx + cy * dy + cz * dz
    sine = sqrt(vx * vx + vy * vy + vz * vz + 1e-40)
    angle = atan2(sine, trace - 1.0)
    scale = angle / sine
    error[3] = scale * vx
    error[4] = scale * vy
    error[5] = scale * vz
    return distance, angle * angle
