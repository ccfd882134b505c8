"""Kernels: the surroundings of a candidate that misses the goal by little."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER
from .layout import ANGLE, DISTANCE

#: Squared error (m^2 + rad^2) up to which the surroundings of a candidate are looked at, and how far (rad, m).
_NEAR_MISS, _SHAKE = 1e-4, 0.05


@njit(**INNER)
def near_miss(count: int, tolerance: float, facts: Any) -> int:
    """The candidate that misses the goal by least, if all miss it and that one by little; else -1."""
    nearest, least = -1, _NEAR_MISS
    for c in range(count):
        if facts[c, DISTANCE] <= tolerance and facts[c, ANGLE] <= tolerance:
            return -1
        square = facts[c, DISTANCE] + facts[c, ANGLE]
        if square < least:
            nearest, least = c, square
    return nearest


@njit(**INNER)
def shaken(lane: int, n: int, x: Any, result: Any) -> None:
    """A configuration near another one, or further away, in a direction that each lane has for itself."""
    size = _SHAKE * (1.0 if lane % 2 == 0 else 8.0 * (lane + 1))
    for k in range(n):
        result[k] = x[k] + size * math.sin(1.0 + 2.4 * lane + 1.7 * k * (lane + 1))


@njit(**INNER)
def those_that_reach(first: int, last: int, n: int, tolerance: float, raw: Any, flags: Any, facts: Any) -> int:
    """Of the candidates from the first to before the last keeps those that reach; how many there are in all."""
    kept = first
    for c in range(first, last):
        if facts[c, DISTANCE] <= tolerance and facts[c, ANGLE] <= tolerance:
            for k in range(n):
                raw[kept, k] = raw[c, k]
            for k in range(facts.shape[1]):
                facts[kept, k] = facts[c, k]
            flags[kept] = flags[c]
            kept += 1
    return kept
