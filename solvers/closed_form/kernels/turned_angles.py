"""Kernel: the angles of candidates where they are wanted: inside the limits, near the seed."""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INLINE, absolute, any_lane, floor, maximum, minimum, where
from ....kinematics.core.whole_turns import TURN
from ...compiled.layout import LOWER, TURNS, UPPER
from .layout import AWAY, BEYOND_LIMITS, HARDLY, HARDLY_BEYOND, SLACK


@njit(**INLINE)
def turn_into_limits(n: int, joints: Any, seed: Any, x: Any, book: Any) -> None:
    """Turns the angles of configurations x (n,) to where they are inside the limits and nearest to the seed.

    Notes the largest difference from the seed, and in how many joints there is no such place, or only just not.
    """
    away = 0.0 * x[0]
    beyond = 0.0 * x[0]
    hardly = 0.0 * x[0]
    for k in range(n):
        value = x[k]
        near, lower, upper = seed[k], joints[LOWER, k], joints[UPPER, k]
        if joints[TURNS, k] != 0.0:
            turned = value - TURN * floor((value - near) * (1.0 / TURN) + 0.5)
            if any_lane((turned > upper) | (turned < lower)):
                # The first equivalent on the inner side of a limit that it is beyond, if that is inside.
                back = value + TURN * floor((upper + SLACK - value) * (1.0 / TURN))
                forth = value - TURN * floor((value - lower + SLACK) * (1.0 / TURN))
                turned = where((turned > upper + SLACK) & (back >= lower - SLACK), back, turned)
                turned = where((turned < lower - SLACK) & (forth <= upper + SLACK), forth, turned)
            value = turned
        is_beyond = (value > upper + SLACK) | (value < lower - SLACK)
        value = where(is_beyond, value, minimum(maximum(value, lower + 0.0 * value), upper + 0.0 * value))
        beyond = where(is_beyond, beyond + 1.0, beyond)
        is_hardly = is_beyond & (value <= upper + HARDLY) & (value >= lower - HARDLY)
        hardly = where(is_hardly, hardly + 1.0, hardly)
        away = maximum(away, absolute(value - near))
        x[k] = value
    book[AWAY] = away
    book[BEYOND_LIMITS] = beyond
    book[HARDLY_BEYOND] = hardly
