"""Kernel: the three joints of a spherical wrist from a rotation. Works on numbers and on lanes of numbers alike."""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER, absolute, any_lane, atan2, maximum, minimum, sincos, sqrt, where

#: Sine between the first and the last axis of a wrist below which they are in line, and the first angle is free.
ALIGNED = 1e-11
_PI = 3.141592653589793


@njit(**INNER)
def wrist(r: Any, ca: float, sa: float, cb: float, sb: float, free_angle: Any) -> Any:
    """Angles from R = rot_z(u) rot_x(a) rot_z(v) rot_x(b) rot_z(w), both solutions.

    The middle angle follows from the element of both outer axes, R22 = cos a cos b - sin a sin b cos v, the first one
    from the last column, the last one from what is then left of R, so that they fit together near singularities too.

    Args:
        r: Rotation, row by row (9).
        ca: Cosine of the first twist.
        sa: Its sine, positive.
        cb: Cosine of the second twist.
        sb: Its sine, positive.
        free_angle: u where the outer axes are in line.

    Returns:
        u, v, w of one solution, of the other, by how much the cosine of v is beyond 1, and whether u is free; there
        both solutions are the same.
    """
    square = r[2] * r[2] + r[5] * r[5]
    is_free = square < ALIGNED * ALIGNED
    if ca == 0.0 and cb == 0.0:
        return _perpendicular(r, square, is_free, free_angle)
    cosine = (ca * cb - r[8]) / (sa * sb)
    miss = maximum(absolute(cosine) - 1.0, 0.0)
    cosine = maximum(minimum(cosine, 1.0), -1.0)
    sine = sqrt(maximum((1.0 - cosine) * (1.0 + cosine), 0.0))
    # The last column is rot_z(u) (sin b sin v, y, .): its angle less that of (sin b sin v, y).
    x, y = sb * sine, -(ca * sb * cosine + sa * cb)
    norm = 1.0 / sqrt(maximum(square * (x * x + y * y), 1e-300))
    cu, su = (r[2] * x + r[5] * y) * norm, (r[5] * x - r[2] * y) * norm
    cp, sp = (r[5] * y - r[2] * x) * norm, (-r[5] * x - r[2] * y) * norm
    other_sine = -sine
    if any_lane(is_free):
        s, c = sincos(free_angle)
        cu, su = where(is_free, c, cu), where(is_free, s, su)
        cp, sp = where(is_free, c, cp), where(is_free, s, sp)
        # Straight or folded: what there is of a sine is rounding, which the root has made large.
        sine, other_sine = where(is_free, 0.0, sine), where(is_free, 0.0, other_sine)
        cosine = where(is_free, where(cosine > 0.0, 1.0, -1.0), cosine)
    w = _last(r, cu, su, cosine, sine, ca, sa, cb, sb)
    last = _last(r, cp, sp, cosine, other_sine, ca, sa, cb, sb)
    return atan2(su, cu), atan2(sine, cosine), w, atan2(sp, cp), atan2(other_sine, cosine), last, miss, is_free


@njit(**INNER)
def _last(r: Any, cu: Any, su: Any, c: Any, s: Any, ca: float, sa: float, cb: float, sb: float) -> Any:
    """The last angle, by least squares, from what rot_z(u), rot_x(a), rot_z(v), rot_x(b) leave of R."""
    a, b = cu * r[0] + su * r[3], cu * r[1] + su * r[4]
    d, e = cu * r[3] - su * r[0], cu * r[4] - su * r[1]
    # First two columns of rot_x(a) rot_z(v) rot_x(b).
    f, g, h = c, ca * s, sa * s
    i, j, k = -s * cb, ca * c * cb - sa * sb, sa * c * cb + ca * sb
    cosine = f * a + g * d + h * r[6] + i * b + j * e + k * r[7]
    sine = i * a + j * d + k * r[6] - f * b - g * e - h * r[7]
    return atan2(sine, cosine)


@njit(**INNER)
def _perpendicular(r: Any, square: Any, is_free: Any, free_angle: Any) -> Any:
    """The same for right angles between neighbouring axes."""
    size = sqrt(square)
    # The last column is (cos u sin v, sin u sin v, -cos v).
    factor = 1.0 / maximum(size, 1e-150)
    cu, su = r[2] * factor, r[5] * factor
    if any_lane(is_free):
        s, c = sincos(free_angle)
        cu, su = where(is_free, c, cu), where(is_free, s, su)
    u, v = atan2(su, cu), atan2(size, -r[8])
    w = atan2(su * r[0] - cu * r[3], su * r[1] - cu * r[4])
    # The other solution: half a turn of both outer joints, the middle one mirrored.
    opposite_u = where(u > 0.0, u - _PI, u + _PI)
    opposite_w = where(w > 0.0, w - _PI, w + _PI)
    return (
        u,
        v,
        w,
        where(is_free, u, opposite_u),
        where(is_free, v, -v),
        where(is_free, w, opposite_w),
        0.0 * size,
        is_free,
    )
