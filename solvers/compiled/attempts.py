"""Kernels shared by the searches: what a search is told, what it reports, and how an attempt begins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import JIT
from .random_numbers import seeded, uniform

#: Entries of the settings: tolerances (m, rad), largest step, how much of the squared error an iteration may
#: leave to count as progress; from PARAMETERS on four numbers for the step rule.
POSITION_TOLERANCE, ORIENTATION_TOLERANCE, MAX_STEP, KEPT, PARAMETERS = range(5)
#: Length of the settings.
SETTINGS = 8
#: Entries of the counts: iterations an attempt, last attempt plus one, attempts that make no progress before
#: one is given up, random seed, first attempt, rows of the error (6 for a pose, 3 for a position).
ITERATIONS, ATTEMPTS, STRIKES, SEED, FIRST, ROWS = range(6)
#: Entries of the report: solved (1 or 0), attempts begun, iterations of the solving attempt, distance, angle,
#: whether the nearest attempt was still getting nearer when its iterations ran out, the solving attempt.
SOLVED, TRIED, TAKEN, DISTANCE, ANGLE, UNFINISHED, FOUND = range(7)
#: Length of the report.
REPORT = 7
#: Rows of the joints: how each meets its limits, lower and upper limit, lower and upper end of random draws.
KIND, LOWER, UPPER, FROM, TO = range(5)
#: Rows of the bookkeeping of a lane: attempt (-1 at rest), iterations, strikes, squared error before, target,
#: nearest squared error.
ATTEMPT, ITERATION, STRUCK, BEFORE, TARGET, NEAREST = range(6)

#: Larger than any squared error.
FAR = 1e300


#: Rows of the workspace (rows, W) that do not depend on the robot: error, squared errors, bookkeeping, tip, target.
ERROR, SQUARES, BOOKKEEPING, TIP, AIM, FRAMES = 0, 6, 8, 14, 26, 38


@njit(**JIT)
def workspace_rows(n: int, s: int) -> Any:
    """First rows of x, of x before the step, of the Jacobian, of the gradient, and the number of rows in all."""
    x = FRAMES + 12 * (s + 1)
    jacobian = x + 2 * n
    gradient = jacobian + 6 * n
    return x, x + n, jacobian, gradient, gradient + n + 42


@njit(**JIT)
def begin(lane: int, attempt: int, attempts: int, random_seed: Any, joints: Any, seed: Any, work: Any, x: int) -> int:
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
    n = seed.shape[0]
    if attempt == 0:
        for k in range(n):
            work[x + k, lane] = seed[k]
    else:
        state = seeded(random_seed, attempt)
        for k in range(n):
            state, fraction = uniform(state)
            work[x + k, lane] = joints[FROM, k] + fraction * (joints[TO, k] - joints[FROM, k])
    return attempt + 1


@njit(**JIT)
def attempt_is_over(lane: int, total: float, settings: Any, counts: Any, work: Any) -> bool:
    """Counts a look at the error; true when the attempt has no iterations left or makes no progress.

    The error is looked at once more than there are steps, so arriving with the last step counts.
    """
    work[BOOKKEEPING + ITERATION, lane] += 1.0
    if total > settings[KEPT] * work[BOOKKEEPING + BEFORE, lane]:
        work[BOOKKEEPING + STRUCK, lane] += 1.0
    work[BOOKKEEPING + BEFORE, lane] = total
    return (
        work[BOOKKEEPING + STRUCK, lane] >= counts[STRIKES] or work[BOOKKEEPING + ITERATION, lane] > counts[ITERATIONS]
    )


@njit(**JIT)
def keep(lane: int, work: Any, x: int, distance: float, turn: float, result: Any, report: Any) -> None:
    """Notes a configuration with its squared errors."""
    for k in range(result.shape[0]):
        result[k] = work[x + k, lane]
    report[DISTANCE] = np.sqrt(distance)
    report[ANGLE] = np.sqrt(turn)
