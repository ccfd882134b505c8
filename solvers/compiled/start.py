"""Kernels: how an attempt begins."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER
from .angles import moderate, nearest_equivalent
from .layout import (
    AIM,
    ATTEMPT,
    BEFORE,
    BOOKKEEPING,
    FAR,
    FRESH,
    FROM,
    ITERATION,
    LIMITED,
    LOWER,
    PLACE,
    STRUCK,
    TO,
    TURNS,
    UPPER,
)
from .random_numbers import seeded, uniform


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
            value = moderate(seed[int(joints[PLACE, k])], joints, k)
            if counts[LIMITED] != 0:
                if joints[TURNS, k] != 0.0 and not (joints[LOWER, k] <= value <= joints[UPPER, k]):
                    value = nearest_equivalent(value, value, joints[LOWER, k], joints[UPPER, k])
                value = min(max(value, joints[LOWER, k]), joints[UPPER, k])
            work[x + k, lane] = value
    else:
        state = seeded(random_seed, attempt)
        for k in range(n):
            state, fraction = uniform(state)
            work[x + k, lane] = moderate(joints[FROM, k] + fraction * (joints[TO, k] - joints[FROM, k]), joints, k)
    return attempt + 1
