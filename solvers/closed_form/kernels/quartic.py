"""Real roots of a quartic in an interval, double ones among them."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER
from .registers import make_stack

#: Newton has converged when a step is smaller than this: the next one would be its square.
_STEP = 1e-8
_STEPS = 60

_bends_room, _inflections_room = make_stack(3), make_stack(2)


@njit(**INNER)
def quartic(a: float, b: float, c: float, d: float, x: float) -> float:
    """x^4 + a x^3 + b x^2 + c x + d."""
    return (((x + a) * x + b) * x + c) * x + d


@njit(**INNER)
def _slope(a: float, b: float, c: float, x: float) -> float:
    return ((4.0 * x + 3.0 * a) * x + 2.0 * b) * x + c


@njit(**INNER)
def _curvature(a: float, b: float, x: float) -> float:
    return (12.0 * x + 6.0 * a) * x + 2.0 * b


@njit(**INNER)
def _root_between(
    a: float, b: float, c: float, d: float, low: float, high: float, rises: bool, of_slope: bool
) -> float:
    """The root of the quartic, or of its slope, between two points of different signs: Newton, kept inside."""
    x = 0.5 * (low + high)
    for _ in range(_STEPS):
        if of_slope:
            value, derivative = _slope(a, b, c, x), _curvature(a, b, x)
        else:
            value, derivative = quartic(a, b, c, d, x), _slope(a, b, c, x)
        if (value > 0.0) == rises:
            high = x
        else:
            low = x
        following = 0.5 * (low + high)
        if abs(derivative) > 1e-300:
            newton = x - value / derivative
            if low < newton < high:
                following = newton
        if abs(following - x) <= _STEP * (1.0 + abs(x)):
            return following
        x = following
    return x


@njit(**INNER)
def roots_and_bends(
    a: float, b: float, c: float, d: float, bound: float, nearness: float, roots: Any
) -> tuple[int, float]:
    """Real roots of x^4 + a x^3 + b x^2 + c x + d in [-bound, bound], and where it nearly has some.

    Its bends, which are found from the slope in the same way, part the interval into pieces where it only rises or
    falls and has one root at most. So none is lost, and a double root that rounding has lifted off zero is among the
    bends.

    Args:
        a: Coefficient.
        b: Coefficient.
        c: Coefficient.
        d: Coefficient.
        bound: Half the length of the interval.
        nearness: A bend counts as a root where the quartic is at most this, either way.
        roots: Room for 7 numbers.

    Returns:
        the number of roots written, and the bend at which the quartic is nearest to zero.
    """
    inflections, bends = _inflections_room(), _bends_room()
    # 12 x^2 + 6 a x + 2 b = 0.
    discriminant = 9.0 * a * a - 24.0 * b
    parts = 0
    if discriminant > 0.0:
        root = math.sqrt(discriminant)
        for sign in (-1.0, 1.0):
            inflections[parts] = min(bound, max(-bound, (sign * root - 3.0 * a) / 12.0))
            parts += 1
    found = 0
    low = -bound
    before = _slope(a, b, c, low)
    for k in range(parts + 1):
        high = inflections[k] if k < parts else bound
        after = _slope(a, b, c, high)
        if (before < 0.0) != (after < 0.0):
            bends[found] = _root_between(a, b, c, d, low, high, after >= 0.0, True)
            found += 1
        low, before = high, after
    count, nearest, smallest = 0, 0.0, 1e300
    low = -bound
    before = quartic(a, b, c, d, low)
    for k in range(found + 1):
        high = bends[k] if k < found else bound
        after = quartic(a, b, c, d, high)
        if (before < 0.0) != (after < 0.0):
            roots[count] = _root_between(a, b, c, d, low, high, after >= 0.0, False)
            count += 1
        if k < found:
            if abs(after) < smallest:
                smallest, nearest = abs(after), high
            if abs(after) <= nearness:
                roots[count] = high
                count += 1
        low, before = high, after
    return count, nearest
