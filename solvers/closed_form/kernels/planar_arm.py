"""Kernel: two links in a plane. Works on numbers and on lanes of numbers alike."""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER, absolute, any_lane, maximum, minimum, sincos, sqrt, where

#: A distance of at most this part of the arm's size is none.
ON_AXIS = 1e-11


@njit(**INNER)
def planar_arm(x: Any, y: Any, first: float, second: float, size: float, free_angle: Any) -> Any:
    """Angles u, v that bring the end of two links to a point: e^(iu) (first + second e^(iv)) = x + iy.

    Args:
        x: The point.
        y: The point.
        first: Length of the first link, not zero.
        second: Length of the second link, not zero.
        size: Of the arm.
        free_angle: u when the point is where the first link begins, and all directions are the same.

    Returns:
        cosine and sine of u, and of v, cosine and sine of u in the other solution, whose v is the negative, by how much
        the cosine of v is beyond 1, and whether u is free.
    """
    square = x * x + y * y
    cosine = (square - first * first - second * second) / (2.0 * first * second)
    miss = maximum(absolute(cosine) - 1.0, 0.0)
    cosine = maximum(minimum(cosine, 1.0), -1.0)
    sine = sqrt(maximum((1.0 - cosine) * (1.0 + cosine), 0.0))
    along, across = first + second * cosine, second * sine
    reached = along * along + across * across
    norm = 1.0 / sqrt(maximum(square * reached, 1e-300))
    c, s = (x * along + y * across) * norm, (y * along - x * across) * norm
    c2, s2 = (x * along - y * across) * norm, (y * along + x * across) * norm
    # Where the links cancel; a point there that they cannot reach is in no direction either.
    is_free = minimum(square, reached) <= (ON_AXIS * size) * (ON_AXIS * size)
    if any_lane(is_free):
        sf, cf = sincos(free_angle)
        c, s = where(is_free, cf, c), where(is_free, sf, s)
        c2, s2 = where(is_free, cf, c2), where(is_free, sf, s2)
    return c, s, cosine, sine, c2, s2, miss, is_free


@njit(**INNER)
def turn_within_reach(
    x: Any, y: Any, u: Any, v: Any, first: float, second: float, cosine: Any, sine: Any
) -> tuple[Any, Any]:
    """The turn nearest to a given one for which two links reach (x, y) - e^(i turn) (u + iv).

    Args:
        x: A point.
        y: The same.
        u: What is turned.
        v: The same.
        first: Length of the first link.
        second: Length of the second link.
        cosine: Of the given turn.
        sine: Of the given turn.

    Returns:
        cosine and sine. Where no turn will do, one for which the point is nearest to the reach.
    """
    # Of e^(i turn) (u + iv) against x + iy: |difference|^2 = |point|^2 + |offset|^2 - 2 (along cosine - across sine).
    along, across = x * u + y * v, y * u - x * v
    both = sqrt(maximum(along * along + across * across, 1e-300))
    squares = x * x + y * y + u * u + v * v
    c, s = (cosine * along + sine * across) / both, (sine * along - cosine * across) / both
    least, most = (absolute(first) - absolute(second)) ** 2, (absolute(first) + absolute(second)) ** 2
    square = squares - 2.0 * both * c
    inside = maximum(minimum(square, most), least)
    near = maximum(minimum((squares - inside) / (2.0 * both), 1.0), -1.0)
    beside = where(s < 0.0, -1.0, 1.0) * sqrt(maximum((1.0 - near) * (1.0 + near), 0.0))
    # A turn of nothing changes nothing.
    moves = (absolute(square - inside) > 0.0) & (both > 1e-24 * squares + 1e-200)
    c, s = where(moves, near, c), where(moves, beside, s)
    return (c * along - s * across) / both, (s * along + c * across) / both
