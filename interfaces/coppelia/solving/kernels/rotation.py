"""Kernels: rotation vectors."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from .....kinematics.core.lanes import INNER


@njit(**INNER)
def quaternion_of(r: Any) -> Any:
    """Quaternion (x, y, z, w) with w >= 0 of a rotation (9,), row by row.

    The largest of the four is worked out first, so that nothing is divided by a small number, at half a turn either.
    """
    trace = r[0] + r[4] + r[8]
    if trace > 0.0:
        w = 0.5 * math.sqrt(trace + 1.0)
        k = 0.25 / w
        return (r[7] - r[5]) * k, (r[2] - r[6]) * k, (r[3] - r[1]) * k, w
    if r[0] >= r[4] and r[0] >= r[8]:
        x = 0.5 * math.sqrt(max(1.0 + r[0] - r[4] - r[8], 0.0))
        k = 0.25 / x
        y, z, w = (r[1] + r[3]) * k, (r[2] + r[6]) * k, (r[7] - r[5]) * k
    elif r[4] >= r[8]:
        y = 0.5 * math.sqrt(max(1.0 + r[4] - r[0] - r[8], 0.0))
        k = 0.25 / y
        x, z, w = (r[1] + r[3]) * k, (r[5] + r[7]) * k, (r[2] - r[6]) * k
    else:
        z = 0.5 * math.sqrt(max(1.0 + r[8] - r[0] - r[4], 0.0))
        k = 0.25 / z
        x, y, w = (r[2] + r[6]) * k, (r[5] + r[7]) * k, (r[3] - r[1]) * k
    if w < 0.0:
        return -x, -y, -z, -w
    return x, y, z, w


@njit(**INNER)
def rotation_vector(r: Any) -> Any:
    """Rotation vector (rad) of a rotation (9,), and its length in [0, pi]."""
    x, y, z, w = quaternion_of(r)
    length = math.sqrt(x * x + y * y + z * z)
    angle = 2.0 * math.atan2(length, w)
    scale = angle / length if length > 1e-150 else 2.0
    return x * scale, y * scale, z * scale, angle


@njit(**INNER)
def turn_about_z(r: Any) -> float:
    """Angle about z in (-pi, pi] that is left of a rotation when the shortest one has made the z axes meet.

    It is the twist of the rotation about z. Where z is upside down every angle will do, and this is 0.
    """
    _, _, z, w = quaternion_of(r)
    if z * z + w * w < 1e-24:
        return 0.0
    return 2.0 * math.atan2(z, w)


@njit(**INNER)
def is_beyond_half_turn(angle: float) -> bool:
    """Whether an angle is outside (-pi, pi]."""
    return angle > math.pi or angle <= -math.pi


@njit(**INNER)
def wrapped(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    if not is_beyond_half_turn(angle):
        return angle
    result = math.atan2(math.sin(angle), math.cos(angle))
    # Rounding may put half a turn on the other side.
    return result if result > -math.pi else math.pi
