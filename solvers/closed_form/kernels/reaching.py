"""The places that three joints reach, or else the nearest."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH
from .nearest import nearest
from .three_joint_position import SIZE, SLIDES, three_joint_position

#: Squared distance, in sizes, at which a point is reached.
REACHED = 1e-22
#: What `three_joint_position` writes at most, and how many searches begin elsewhere where nothing reaches the point.
MOST, SPREAD = 8, 12


@njit(**INNER)
def reaching(numbers, at, target, seed, q, flags):
    """What `three_joint_position` finds: only what reaches the point if something does, else the nearest to it.

    Where the equations are singular, its representatives may miss a point that can be reached; so they are moved to
    where they come nearest before that is said of them. Arguments and what is given back are the same.
    """
    count = three_joint_position(numbers, at, target, seed, q, flags)
    reached = 0
    for k in range(count):
        reached += 0 if flags[k] & OUT_OF_REACH else 1
    if reached == 0:
        return _nearest_of_many(numbers, at, target, seed, count, q, flags)
    written = 0
    for k in range(count):
        if not flags[k] & OUT_OF_REACH:
            for i in range(3):
                q[written, i] = q[k, i]
            flags[written] = flags[k]
            written += 1
    return written


@njit(**INNER)
def _nearest_of_many(numbers, at, target, seed, count, q, flags):
    # The candidates, the seed and places all over, each moved to where it is nearest; the best of them are kept.
    starts, marks, costs = (
        np.empty((MOST + SPREAD, 3)),
        np.empty(MOST + SPREAD, dtype=np.int64),
        np.empty(MOST + SPREAD),
    )
    nothing = np.empty(0)
    best = 1e300
    for k in range(count + SPREAD):
        marks[k] = flags[k] if k < count else OUT_OF_REACH
        for i in range(3):
            if k < count:
                starts[k, i] = q[k, i]
            elif numbers[at + SLIDES + i] > 0.5:
                starts[k, i] = seed[i] + numbers[at + SIZE] * ((k - count + i) % 3 - 1.0)
            else:
                starts[k, i] = seed[i] + 2.4 * (k - count) * (1.0 + 0.37 * i)
        costs[k] = nearest(numbers, at, 3, -1, target, nothing, starts[k], 60)
        best = min(best, costs[k])
    written = 0
    for k in range(count + SPREAD):
        limit = REACHED if best <= REACHED else best * (1.0 + 1e-6) + 1e-14
        if written == MOST or costs[k] > limit:
            continue
        known = False
        for j in range(written):
            apart = 0.0
            for i in range(3):
                step = abs(starts[k, i] - q[j, i])
                if numbers[at + SLIDES + i] < 0.5:
                    step = 2.0 * abs(np.sin(0.5 * step))
                apart = max(apart, step)
            known = known or apart < 1e-4
        if known:
            continue
        for i in range(3):
            q[written, i] = starts[k, i]
        flags[written] = marks[k] & ~OUT_OF_REACH if best <= REACHED else marks[k] | OUT_OF_REACH
        written += 1
    return written
