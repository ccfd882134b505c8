"""Kernels: goals and seeds as they come from outside, checked, and how an attempt begins."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from ...kinematics.core.finite import all_finite
from ...kinematics.core.lanes import INNER
from ..active_dofs import MOST_TURNED
from .layout import (
    AIM,
    ATTEMPT,
    BAD_GOAL,
    BAD_SEED,
    BEFORE,
    BOOKKEEPING,
    FAR,
    FRESH,
    FROM,
    ITERATION,
    LIMITED,
    LOWER,
    NOT_FOUND,
    PLACE,
    SEED_OUTSIDE,
    STRUCK,
    TO,
    TURNS,
    UPPER,
)
from .random_numbers import seeded, uniform

_TURN = 6.283185307179586
#: How far a goal's axes may be from unit length and right angles; what is further off is left to Python to judge.
_GOAL_TOLERANCE = 1e-12


@njit(**INNER)
def check(goal: Any, seed: Any, size: int, joints: Any, counts: Any) -> int:
    """What is wrong with a goal (16,) or a seed (size,): `BAD_GOAL`, `BAD_SEED`, `SEED_OUTSIDE` or `NOT_FOUND`."""
    if goal.shape[0] != 16:
        return BAD_GOAL
    if seed.shape[0] != size:
        return BAD_SEED
    if not all_finite(goal):
        return BAD_GOAL
    if not all_finite(seed):
        return BAD_SEED
    for i in range(3):
        for j in range(i + 1):
            dot = goal[4 * i] * goal[4 * j] + goal[4 * i + 1] * goal[4 * j + 1] + goal[4 * i + 2] * goal[4 * j + 2]
            if not (abs(dot - (1.0 if i == j else 0.0)) <= _GOAL_TOLERANCE):
                return BAD_GOAL
    handed = (
        goal[0] * (goal[5] * goal[10] - goal[6] * goal[9])
        - goal[1] * (goal[4] * goal[10] - goal[6] * goal[8])
        + goal[2] * (goal[4] * goal[9] - goal[5] * goal[8])
    )
    if not (handed > 0.5) or goal[12] != 0.0 or goal[13] != 0.0 or goal[14] != 0.0 or goal[15] != 1.0:
        return BAD_GOAL
    if counts[LIMITED] != 0:
        for k in range(joints.shape[1]):
            value = seed[int(joints[PLACE, k])]
            if value < joints[LOWER, k] or value > joints[UPPER, k]:
                return SEED_OUTSIDE
    return NOT_FOUND


@njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
def nearest_equivalent(angle: float, near: float, lower: float, upper: float) -> float:
    """As `kinetree.kinematics.configuration.nearest_equivalent`."""
    slack = 1e-12
    candidate = angle + _TURN * math.ceil((near - angle) / _TURN - 0.5)
    if candidate > upper + slack:
        candidate = angle + _TURN * math.floor((upper + slack - angle) / _TURN)
    elif candidate < lower - slack:
        candidate = angle + _TURN * math.ceil((lower - slack - angle) / _TURN)
    if lower - slack <= candidate <= upper + slack:
        return min(max(candidate, lower), upper)
    return angle


@njit(**INNER)
def aim(lane: int, goal: Any, work: Any) -> None:
    """Writes a goal, a 4x4 matrix row by row, into a lane: rotation row by row, then translation."""
    for i in range(3):
        for j in range(3):
            work[AIM + 3 * i + j, lane] = goal[4 * i + j]
        work[AIM + 9 + i, lane] = goal[4 * i + 3]


@njit(**INNER)
def begin(
    lane: int, attempt: int, attempts: int, random_seed: int, joints: Any, counts: Any, seed: Any, work: Any, x: int
) -> int:
    """Starts an attempt in a lane, or puts the lane to rest; returns the number of the attempt after it.

    Attempt 0 starts from the seed, the others from random configurations that depend on the random seed and
    on the attempt's number alone, so that they are the same for every lane width and thread count.
    """
    if attempt >= attempts:
        work[BOOKKEEPING + ATTEMPT, lane] = -1.0
        return attempt
    work[BOOKKEEPING + ATTEMPT, lane] = attempt
    work[BOOKKEEPING + ITERATION, lane] = 0.0
    work[BOOKKEEPING + STRUCK, lane] = 0.0
    work[BOOKKEEPING + BEFORE, lane] = FAR
    work[BOOKKEEPING + FRESH, lane] = 1.0
    n = joints.shape[1]
    if attempt == 0:
        for k in range(n):
            value = _moderate(seed[int(joints[PLACE, k])], joints, k)
            if counts[LIMITED] != 0:
                if joints[TURNS, k] != 0.0 and not (joints[LOWER, k] <= value <= joints[UPPER, k]):
                    value = nearest_equivalent(value, value, joints[LOWER, k], joints[UPPER, k])
                value = min(max(value, joints[LOWER, k]), joints[UPPER, k])
            work[x + k, lane] = value
    else:
        state = seeded(random_seed, attempt)
        for k in range(n):
            state, fraction = uniform(state)
            work[x + k, lane] = _moderate(joints[FROM, k] + fraction * (joints[TO, k] - joints[FROM, k]), joints, k)
    return attempt + 1


@njit(**INNER)
def _moderate(value: float, joints: Any, k: int) -> float:
    """An angle of a great many turns as one of few: sines of such angles are not exact."""
    if joints[TURNS, k] != 0.0 and abs(value) > MOST_TURNED:
        return nearest_equivalent(value, 0.0, joints[LOWER, k], joints[UPPER, k])
    return value


@njit(**INNER)
def near_the_seed(joints: Any, counts: Any, seed: Any, answer: Any) -> None:
    """Adds whole turns to the angles of a configuration (n,), so that they are nearest to the seed's."""
    for k in range(joints.shape[1]):
        if joints[TURNS, k] != 0.0:
            place = int(joints[PLACE, k])
            # Nearer than half a turn it is the nearest already.
            if abs(answer[place] - seed[place]) > 0.5 * _TURN:
                turned = nearest_equivalent(answer[place], seed[place], joints[LOWER, k], joints[UPPER, k])
                if abs(turned) <= MOST_TURNED:
                    answer[place] = turned
