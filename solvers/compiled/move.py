"""Kernels: from a configuration along a step to the next one, on whatever manifold each joint moves."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER, atan2, maximum, minimum, sincos, sqrt, where
from .layout import FOLLOWS, FREE, KIND, LOWER, SPHERICAL, TURNS, UNLIMITED, UPPER, WRAPS

_TURN = 6.283185307179586


@njit(**INNER)
def move(n: int, joints: Any, scale: Any, x: Any, fresh: Any, gradient: Any) -> None:
    """Goes from x by minus ``scale`` times the gradient, inside the limits.

    Args:
        n: Degrees of freedom.
        joints: See `layout`.
        scale: A number or register.
        x: (n,) changed.
        fresh: (1,) lanes where it is positive stay where they are.
        gradient: (n,), changed.
    """
    for k in range(n):
        kind = joints[KIND, k]
        if kind <= WRAPS:
            moved = x[k] - scale * gradient[k]
            if joints[TURNS, k] != 0.0:
                # On the other side of the gap between the limits, if the step leads over it.
                back = moved - _TURN
                moved = where((moved > joints[UPPER, k]) & (back >= joints[LOWER, k]), back, moved)
                forth = moved + _TURN
                moved = where((moved < joints[LOWER, k]) & (forth <= joints[UPPER, k]), forth, moved)
            if kind != UNLIMITED:
                moved = minimum(maximum(moved, joints[LOWER, k]), joints[UPPER, k])
            x[k] = where(fresh[0] > 0.0, x[k], moved)
        elif kind != FOLLOWS:
            _move_curved(k, kind, joints, where(fresh[0] > 0.0, 0.0 * scale, scale), x, gradient)


@njit(**INNER)
def _move_curved(k: int, kind: Any, joints: Any, scale: Any, x: Any, gradient: Any) -> None:
    """A joint whose velocities are not the rates of its coordinates; limits by cutting off."""
    count = 3
    if kind == SPHERICAL:
        _turn(k, x, -scale * gradient[k], -scale * gradient[k + 1], -scale * gradient[k + 2])
    elif kind == FREE:
        count = 6
        wx = -scale * gradient[k + 3]
        wy = -scale * gradient[k + 4]
        wz = -scale * gradient[k + 5]
        vx, vy, vz = _slide_while_turning(
            -scale * gradient[k], -scale * gradient[k + 1], -scale * gradient[k + 2], wx, wy, wz
        )
        vx, vy, vz = _rotated(x[k + 3], x[k + 4], x[k + 5], vx, vy, vz)
        x[k] = x[k] + vx
        x[k + 1] = x[k + 1] + vy
        x[k + 2] = x[k + 2] + vz
        _turn(k + 3, x, wx, wy, wz)
    else:
        turn = -scale * gradient[k + 2]
        vx, vy, _ = _slide_while_turning(
            -scale * gradient[k], -scale * gradient[k + 1], 0.0 * turn, 0.0 * turn, 0.0 * turn, turn
        )
        sine, cosine = sincos(x[k + 2])
        x[k] = x[k] + cosine * vx - sine * vy
        x[k + 1] = x[k + 1] + sine * vx + cosine * vy
        x[k + 2] = x[k + 2] + turn
    for j in range(k, k + count):
        x[j] = minimum(maximum(x[j], joints[LOWER, j]), joints[UPPER, j])


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
    """Where a constant twist leads in one unit of time: v + g w x v + h w x (w x v)."""
    _, g, h = _coefficients(wx, wy, wz)
    cx = wy * vz - wz * vy
    cy = wz * vx - wx * vz
    cz = wx * vy - wy * vx
    return (
        vx + g * cx + h * (wy * cz - wz * cy),
        vy + g * cy + h * (wz * cx - wx * cz),
        vz + g * cz + h * (wx * cy - wy * cx),
    )


@njit(**INNER)
def _rotated(x: Any, y: Any, z: Any, vx: Any, vy: Any, vz: Any) -> Any:
    """A vector turned by a rotation vector: v + f r x v + g r x (r x v)."""
    f, g, _ = _coefficients(x, y, z)
    cx = y * vz - z * vy
    cy = z * vx - x * vz
    cz = x * vy - y * vx
    return (
        vx + f * cx + g * (y * cz - z * cy),
        vy + f * cy + g * (z * cx - x * cz),
        vz + f * cz + g * (x * cy - y * cx),
    )


@njit(**INNER)
def _turn(k: int, x: Any, wx: Any, wy: Any, wz: Any) -> None:
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
    x[k] = factor * cx
    x[k + 1] = factor * cy
    x[k + 2] = factor * cz


@njit(**INNER)
def _quaternion(x: Any, y: Any, z: Any) -> Any:
    """Unit quaternion x, y, z, w of a rotation vector."""
    f, _, _ = _coefficients(0.5 * x, 0.5 * y, 0.5 * z)
    square = x * x + y * y + z * z
    _, cosine = sincos(0.5 * sqrt(square))
    return 0.5 * f * x, 0.5 * f * y, 0.5 * f * z, cosine
