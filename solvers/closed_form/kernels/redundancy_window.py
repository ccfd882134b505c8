"""Which of the equivalents of an angle counts, and how merits are told apart."""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER
from ....kinematics.core.whole_turns import TURN
from . import redundancy_layout as at

#: Merits: below OUTSIDE the distance from the seed; below UNREAL how far outside the limits; else not a real solution.
OUTSIDE, UNREAL = 1e6, 1e12
#: Angles (rad) so little outside a limit are inside.
SLACK = 1e-11
#: Cosines so little beyond 1 are 1.
REAL = 1e-11
#: Distances (rad) are looked for to this.
CLOSE = 1e-6


@njit(**INNER)
def prepare_window(numbers, seed, window):
    """Which equivalent of an angle counts: the one inside the limits that is nearest to the seed.

    All of these lie in one window of a whole turn: about the seed where there are no limits, about the middle of the
    limits where they are narrower than a turn, and as near to the seed as the limits allow in between.

    Args:
        numbers: What the fit found.
        seed: (7,) in the solved order.
        window: Written (5, 7): its beginning, moved by whole turns into [-pi, pi]; limits and seed moved likewise; the
            move itself.
    """
    for j in range(at.JOINTS):
        low, high = numbers[at.LOWER + j], numbers[at.UPPER + j]
        if high - low < TURN:
            start = 0.5 * (low + high) - math.pi
        else:
            start = min(max(seed[j] - math.pi, low), high - TURN)
        # Symmetric limits begin at -pi, and are not to move for a rounding error.
        move = TURN * math.floor((start + math.pi) / TURN + 1e-9)
        window[0, j] = start - move
        window[1, j] = low - move
        window[2, j] = high - move
        window[3, j] = seed[j] - move
        window[4, j] = move


@njit(**INLINE)
def seated(angle, start):
    """An angle moved by one or two whole turns into the turn that begins at ``start``."""
    if angle < start:
        angle += TURN
        if angle < start:
            angle += TURN
    elif angle >= start + TURN:
        angle -= TURN
        if angle >= start + TURN:
            angle -= TURN
    return angle


@njit(**INNER)
def in_window(numbers, window, j, angle):
    """An angle at its equivalent that counts, in the terms of the caller; a rounding error beyond a limit is none."""
    x = seated(angle, window[0, j]) + window[4, j]
    low, high = numbers[at.LOWER + j], numbers[at.UPPER + j]
    return min(max(x, low), high) if low - 2.0 * SLACK < x < high + 2.0 * SLACK else x


@njit(**INNER)
def merit_in_lane(numbers, window, lanes, q, lane):
    """The merit of a configuration whose angles stand in a column from row q on."""
    outside, far, squares = 0.0, 0.0, 0.0
    for j in range(at.JOINTS):
        x = seated(lanes[q + j, lane], window[0, j])
        outside = max(outside, max(window[1, j] - x, x - window[2, j]))
        away = abs(x - window[3, j])
        far, squares = max(far, away), squares + numbers[at.WEIGHTS + j] * away * away
    if outside > SLACK:
        return OUTSIDE * (1.0 + outside)
    return squares if numbers[at.MEASURE] > 0.5 else far


@njit(**INLINE)
def enough_for(merit):
    """What a merit must be below to be of use, where this one is known.

    Where nothing is known inside the limits only that is looked for: how little outside is not worth the time.
    """
    return min(merit - CLOSE, OUTSIDE)
