"""Arms of seven turning joints by holding the first or the last joint at values, and solving the other six.

Without the joint at an end the other six are the same arm whatever its value: only the goal changes. The nearest
configuration inside the limits is looked for over this value, the seed's own first, then values at even distances, then
between the neighbours of the best ones. Its neighbours at the same value are the other branches that are given.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from ....kinematics.core.whole_turns import TURN
from . import redundancy_layout as at
from .flags import OUT_OF_REACH
from .redundancy_vectors import matrix_times, rotate, subtract, transposed_times, vector_at
from .redundancy_window import OUTSIDE, SLACK, UNREAL, prepare_window

#: Values of the held joint at even distances, how many of the best are looked at closely, and by how many steps.
_VALUES, _CLOSER, _STEPS = 36, 3, 18
_GOLDEN = 0.6180339887498949


@njit(**INNER)
def inner_goal(numbers, goal, value, own):
    """The goal of the other six joints, in their base, when the held joint is at a value."""
    axis = vector_at(numbers, at.HELD_AXIS)
    c, s = math.cos(value), math.sin(value)
    if numbers[at.HELD_LAST] < 0.5:
        # R' = R1' R, p' = R1' (p - p0)
        for k in range(3):
            column = rotate(axis, c, -s, (goal[k], goal[3 + k], goal[6 + k]))
            own[k], own[3 + k], own[6 + k] = column
        away = subtract(vector_at(goal, 9), vector_at(numbers, at.HELD_OFFSET))
        own[9], own[10], own[11] = rotate(axis, c, -s, away)
        return
    # R' = R Rtip' R7', p' = p - R Rtip' p7
    for k in range(3):
        unit = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        column = rotate(axis, c, -s, unit)
        column = matrix_times(goal, 0, transposed_times(numbers, at.HELD_TIP, column))
        own[k], own[3 + k], own[6 + k] = column
    offset = transposed_times(numbers, at.HELD_TIP, vector_at(numbers, at.HELD_OFFSET))
    away = subtract(vector_at(goal, 9), matrix_times(goal, 0, offset))
    own[9], own[10], own[11] = away


@functools.cache
def make_locked(kernel: Any) -> Any:
    """The kernel of a family of six joints, for arms of which the first or the last joint is held.

    Gives ``candidates`` and ``at_redundancy``; the latter gives all branches at a value of the held joint.
    """

    @njit(**INNER)
    def solve(numbers, goal, value, near, q, flags, own, inner, seed):
        """All solutions (count, 7) with the held joint at a value."""
        first = 0 if numbers[at.HELD_LAST] > 0.5 else 1
        held = at.JOINTS - 1 if numbers[at.HELD_LAST] > 0.5 else 0
        inner_goal(numbers, goal, value, own)
        for j in range(6):
            seed[j] = near[first + j]
        count = kernel(numbers[at.HELD_SIZE :], own, seed, inner, flags)
        for row in range(count):
            for j in range(6):
                q[row, first + j] = inner[row, j]
            q[row, held] = value
        return count

    @njit(**INNER)
    def best_at(numbers, window, goal, value, near, q, flags, own, inner, seed):
        """The merit of the best solution at a value of the held joint."""
        count = solve(numbers, goal, value, near, q, flags, own, inner, seed)
        best = 1e300
        for row in range(count):
            merit = _merit(numbers, window, q, row)
            if flags[row] & OUT_OF_REACH:
                merit = UNREAL * (1.0 + merit / OUTSIDE)
            best = min(best, merit)
        return best

    @njit(**JIT)
    def candidates(numbers: Any, goal: Any, seed: Any, q: Any, flags: Any) -> int:
        window, own, inner, part = np.empty((5, at.JOINTS)), np.empty(12), np.empty((len(q), 6)), np.empty(6)
        merits, values = np.empty(_VALUES + 1), np.empty(_VALUES + 1)
        prepare_window(numbers, seed, window)
        held = at.JOINTS - 1 if numbers[at.HELD_LAST] > 0.5 else 0
        low, high = window[1, held] + window[4, held], window[2, held] + window[4, held]
        if high - low >= TURN:
            low = window[0, held] + window[4, held]
            high = low + TURN
        for k in range(_VALUES + 1):
            values[k] = min(max(seed[held], low), high) if k == _VALUES else low + (high - low) * k / (_VALUES - 1)
            merits[k] = best_at(numbers, window, goal, values[k], seed, q, flags, own, inner, part)
        best = 0
        for k in range(_VALUES + 1):
            if merits[k] < merits[best]:
                best = k
        least, place = merits[best], values[best]
        step = (high - low) / (_VALUES - 1)
        for _ in range(_CLOSER):
            best = 0
            for k in range(_VALUES + 1):
                if merits[k] < merits[best]:
                    best = k
            if merits[best] >= UNREAL:
                break
            merits[best] = 1e300
            left, right = max(values[best] - step, low), min(values[best] + step, high)
            a, b = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
            at_a = best_at(numbers, window, goal, a, seed, q, flags, own, inner, part)
            at_b = best_at(numbers, window, goal, b, seed, q, flags, own, inner, part)
            for _ in range(_STEPS):
                if at_a < at_b:
                    right, b, at_b = b, a, at_a
                    a = right - _GOLDEN * (right - left)
                    at_a = best_at(numbers, window, goal, a, seed, q, flags, own, inner, part)
                else:
                    left, a, at_a = a, b, at_b
                    b = left + _GOLDEN * (right - left)
                    at_b = best_at(numbers, window, goal, b, seed, q, flags, own, inner, part)
            if min(at_a, at_b) < least:
                least, place = min(at_a, at_b), a if at_a < at_b else b
        count = solve(numbers, goal, place, seed, q, flags, own, inner, part)
        for row in range(count):
            for j in range(at.JOINTS):
                q[row, j] = _in_window(window, j, q[row, j])
        return count

    @njit(**JIT)
    def at_redundancy(numbers: Any, goal: Any, value: float, q: Any, flags: Any) -> int:
        near, own, inner, part = np.zeros(at.JOINTS), np.empty(12), np.empty((len(q), 6)), np.empty(6)
        return solve(numbers, goal, value, near, q, flags, own, inner, part)

    return candidates, at_redundancy


@njit(**INNER)
def _in_window(window, j, angle):
    start = window[0, j] + window[4, j]
    x = angle + TURN * math.ceil((start - angle) / TURN)
    low, high = window[1, j] + window[4, j], window[2, j] + window[4, j]
    return min(max(x, low), high) if low - 1e-9 < x < high + 1e-9 else x


@njit(**INNER)
def _merit(numbers, window, q, row):
    outside, far, squares = 0.0, 0.0, 0.0
    for j in range(at.JOINTS):
        x = _in_window(window, j, q[row, j]) - window[4, j]
        outside = max(outside, max(window[1, j] - x, x - window[2, j]))
        away = abs(x - window[3, j])
        far = max(far, away)
        squares += numbers[at.WEIGHTS + j] * away * away
    if outside > SLACK:
        return OUTSIDE * (1.0 + outside)
    return squares if numbers[at.MEASURE] > 0.5 else far
