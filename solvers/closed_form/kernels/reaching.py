"""The places that three joints reach, or else the nearest."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH
from .nearest import nearest
from .three_joint_position import three_joint_position

#: Squared distance, in sizes, at which a point is reached.
REACHED = 1e-22


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
        nothing = np.empty(0)
        for k in range(count):
            if nearest(numbers, at, 3, -1, target, nothing, q[k], 40) <= REACHED:
                flags[k] &= ~OUT_OF_REACH
                reached += 1
    if reached == 0 or reached == count:
        return count
    written = 0
    for k in range(count):
        if not flags[k] & OUT_OF_REACH:
            for i in range(3):
                q[written, i] = q[k, i]
            flags[written] = flags[k]
            written += 1
    return written
