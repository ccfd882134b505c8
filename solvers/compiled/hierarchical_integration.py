"""Kernel: joints whose velocities are not the rates of their coordinates, moved on their manifold."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, atan2, sincos, sqrt

#: Kinds of such joints.
FREE, SPHERICAL, PLANAR = range(3)


@njit(**JIT)
def move_curved(kind: int, first: int, x: Any, gradient: Any, following: Any) -> None:
    """Moves one joint with the velocity -gradient for one unit of time: the joints' own ``_integrate``.

    Args:
        kind: `FREE`, `SPHERICAL` or `PLANAR`.
        first: Column of its first coordinate.
        x: (n,) present coordinates.
        gradient: (n,).
        following: (n,) the joint's coordinates are written.
    """
    if kind == FREE:
        _move_free(first, x, gradient, following)
    elif kind == SPHERICAL:
        _turn(first, x, gradient, following)
    else:
        _move_planar(first, x, gradient, following)


@njit(**JIT)
def _move_free(first: int, x: Any, gradient: Any, following: Any) -> None:
    """The position moves by R(x) V(w) v, where V is the integral of the turning; the rotation turns by w."""
    vx, vy, vz = -gradient[first], -gradient[first + 1], -gradient[first + 2]
    wx, wy, wz = -gradient[first + 3], -gradient[first + 4], -gradient[first + 5]
    _, f, g = _series(wx * wx + wy * wy + wz * wz)
    ax, ay, az = wy * vz - wz * vy, wz * vx - wx * vz, wx * vy - wy * vx
    bx, by, bz = wy * az - wz * ay, wz * ax - wx * az, wx * ay - wy * ax
    tx, ty, tz = vx + f * ax + g * bx, vy + f * ay + g * by, vz + f * az + g * bz
    qx, qy, qz, qw = _quaternion(x[first + 3], x[first + 4], x[first + 5])
    ux, uy, uz = qy * tz - qz * ty, qz * tx - qx * tz, qx * ty - qy * tx
    following[first] = x[first] + tx + 2.0 * (qw * ux + qy * uz - qz * uy)
    following[first + 1] = x[first + 1] + ty + 2.0 * (qw * uy + qz * ux - qx * uz)
    following[first + 2] = x[first + 2] + tz + 2.0 * (qw * uz + qx * uy - qy * ux)
    _turn(first + 3, x, gradient, following)


@njit(**JIT)
def _move_planar(first: int, x: Any, gradient: Any, following: Any) -> None:
    vx, vy, w = -gradient[first], -gradient[first + 1], -gradient[first + 2]
    _, f, g = _series(w * w)
    tx = vx - f * w * vy - g * w * w * vx
    ty = vy + f * w * vx - g * w * w * vy
    sine, cosine = sincos(x[first + 2])
    following[first] = x[first] + cosine * tx - sine * ty
    following[first + 1] = x[first + 1] + sine * tx + cosine * ty
    following[first + 2] = x[first + 2] + w


@njit(**JIT)
def _series(square: float) -> Any:
    """Gives sin a / a, (1 - cos a) / a^2 and (a - sin a) / a^3 for the square of a."""
    if square < 1e-6:
        return 1.0 - square / 6.0, 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    angle = sqrt(square)
    sine, cosine = sincos(angle)
    return sine / angle, (1.0 - cosine) / square, (1.0 - sine / angle) / square


@njit(**JIT)
def _turn(first: int, x: Any, gradient: Any, following: Any) -> None:
    """The rotation vector of the rotation x followed by -gradient in the turned axes."""
    ax, ay, az, aw = _quaternion(x[first], x[first + 1], x[first + 2])
    bx, by, bz, bw = _quaternion(-gradient[first], -gradient[first + 1], -gradient[first + 2])
    qx = aw * bx + ax * bw + ay * bz - az * by
    qy = aw * by + ay * bw + az * bx - ax * bz
    qz = aw * bz + az * bw + ax * by - ay * bx
    qw = aw * bw - ax * bx - ay * by - az * bz
    sign = -1.0 if qw < 0.0 else 1.0
    sine = sqrt(qx * qx + qy * qy + qz * qz)
    # Behind so small a turn the vector is twice the quaternion's to the last digit.
    scale = sign * (2.0 * atan2(sine, sign * qw) / sine if sine > 1e-12 else 2.0)
    following[first] = qx * scale
    following[first + 1] = qy * scale
    following[first + 2] = qz * scale


@njit(**JIT)
def _quaternion(x: float, y: float, z: float) -> Any:
    """Unit quaternion x, y, z, w of a rotation vector."""
    square = x * x + y * y + z * z
    angle = sqrt(square)
    sine, cosine = sincos(0.5 * angle)
    scale = sine / angle if angle > 1e-4 else 0.5 - square / 48.0
    return x * scale, y * scale, z * scale, cosine
