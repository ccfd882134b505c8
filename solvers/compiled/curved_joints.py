"""Kernels: joints whose velocities are not the rates of their coordinates, moved on their manifold."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER, atan2, sincos, sqrt, where
from .layout import FREE, SPHERICAL


@njit(**INNER)
def move_curved(k: int, kind: Any, scale: Any, x: Any, gradient: Any, following: Any) -> None:
    """Moves one joint with the velocity -scale * gradient for one unit of time: the joints' own ``_integrate``.

    Args:
        k: Column of its first coordinate.
        kind: `SPHERICAL`, `FREE` or `PLANAR`.
        scale: A number or register.
        x: (n,) present coordinates.
        gradient: (n,).
        following: (n,) the joint's coordinates are written; may be x.
    """
    if kind == SPHERICAL:
        _turn(k, x, following, -scale * gradient[k], -scale * gradient[k + 1], -scale * gradient[k + 2])
    elif kind == FREE:
        wx = -scale * gradient[k + 3]
        wy = -scale * gradient[k + 4]
        wz = -scale * gradient[k + 5]
        vx, vy, vz = _slide_while_turning(
            -scale * gradient[k], -scale * gradient[k + 1], -scale * gradient[k + 2], wx, wy, wz
        )
        vx, vy, vz = _rotated(x[k + 3], x[k + 4], x[k + 5], vx, vy, vz)
        following[k] = x[k] + vx
        following[k + 1] = x[k + 1] + vy
        following[k + 2] = x[k + 2] + vz
        _turn(k + 3, x, following, wx, wy, wz)
    else:
        turn = -scale * gradient[k + 2]
        vx, vy, _ = _slide_while_turning(
            -scale * gradient[k], -scale * gradient[k + 1], 0.0 * turn, 0.0 * turn, 0.0 * turn, turn
        )
        sine, cosine = sincos(x[k + 2])
        following[k] = x[k] + cosine * vx - sine * vy
        following[k + 1] = x[k + 1] + sine * vx + cosine * vy
        following[k + 2] = x[k + 2] + turn


@njit(**INNER)
def _coefficients(x: Any, y: Any, z: Any) -> Any:
    """Of a rotation vector with angle a: sin a / a, (1 - cos a) / a^2, (a - sin a) / a^3; series for small ones."""
    square = x * x + y * y + z * z
    small = square < 1e-6
    angle = sqrt(where(small, 1.0 + 0.0 * square, square))
    sine, cosine = sincos(angle)
    f = where(small, 1.0 - square / 6.0 + square * square / 120.0, sine / angle)
    g = where(small, 0.5 - square / 24.0 + square * square / 720.0, (1.0 - cosine) / (angle * angle))
    h = where(small, 1.0 / 6.0 - square / 120.0 + square * square / 5040.0, (angle - sine) / (angle * angle * angle))
    return f, g, h


@njit(**INNER)
def _slide_while_turning(vx: Any, vy: Any, vz: Any, wx: Any, wy: Any, wz: Any) -> Any:
    """Where a constant twist leads in one unit of time."""
    _, g, h = _coefficients(wx, wy, wz)
    return _with_crosses(g, h, wx, wy, wz, vx, vy, vz)


@njit(**INNER)
def _rotated(x: Any, y: Any, z: Any, vx: Any, vy: Any, vz: Any) -> Any:
    """A vector turned by a rotation vector."""
    f, g, _ = _coefficients(x, y, z)
    return _with_crosses(f, g, x, y, z, vx, vy, vz)


@njit(**INNER)
def _with_crosses(a: Any, b: Any, x: Any, y: Any, z: Any, vx: Any, vy: Any, vz: Any) -> Any:
    """V + a r x v + b r x (r x v) for r = (x, y, z)."""
    cx = y * vz - z * vy
    cy = z * vx - x * vz
    cz = x * vy - y * vx
    return (
        vx + a * cx + b * (y * cz - z * cy),
        vy + a * cy + b * (z * cx - x * cz),
        vz + a * cz + b * (x * cy - y * cx),
    )


@njit(**INNER)
def _turn(k: int, x: Any, following: Any, wx: Any, wy: Any, wz: Any) -> None:
    """The rotation vector x[k : k + 3] followed by another in the turned axes; its angle comes out at most pi."""
    ax, ay, az, aw = _quaternion(x[k], x[k + 1], x[k + 2])
    bx, by, bz, bw = _quaternion(wx, wy, wz)
    cx = aw * bx + ax * bw + ay * bz - az * by
    cy = aw * by - ax * bz + ay * bw + az * bx
    cz = aw * bz + ax * by - ay * bx + az * bw
    cw = aw * bw - ax * bx - ay * by - az * bz
    sign = where(cw < 0.0, -1.0 + 0.0 * cw, 1.0 + 0.0 * cw)
    sine = sqrt(cx * cx + cy * cy + cz * cz)
    angle = 2.0 * atan2(sine, sign * cw)
    small = sine < 1e-12
    factor = sign * where(small, 2.0 + 0.0 * sine, angle / where(small, 1.0 + 0.0 * sine, sine))
    following[k] = factor * cx
    following[k + 1] = factor * cy
    following[k + 2] = factor * cz


@njit(**INNER)
def _quaternion(x: Any, y: Any, z: Any) -> Any:
    """Unit quaternion x, y, z, w of a rotation vector."""
    f, _, _ = _coefficients(0.5 * x, 0.5 * y, 0.5 * z)
    square = x * x + y * y + z * z
    _, cosine = sincos(0.5 * sqrt(square))
    return 0.5 * f * x, 0.5 * f * y, 0.5 * f * z, cosine
