"""Points to be reached by three joints, and what comes down to that with a joint added."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import JIT
from .flags import OUT_OF_REACH
from .reaching import reaching
from .spatial_vectors import apply, plus, times, triple
from .three_joint_position import LENGTH, OFFSETS, SIZE

# What is asked: the point, a point that the goal gives in the axes of the tip, a direction that points at the point
# (the third joint is a slide along it), or x and y of the tip alone (the first joint is a slide along z).
POINT, LOCAL_POINT, LOOK_AT, ACROSS_Z = 0, 1, 2, 3
# What `fit` packs: what is asked, the rotation of the tip with all joints at zero, the chain of three joints.
ASKED, TIP, CHAIN = 0, 1, 10


@njit(**JIT)
def point_targets(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.point_targets`; see `Family`."""
    asked = int(numbers[ASKED])
    arm = np.empty(LENGTH)
    for k in range(LENGTH):
        arm[k] = numbers[CHAIN + k]
    target = triple(goal, 9)
    first, last = 0, 3
    if asked == LOCAL_POINT:
        local = (goal[0], goal[4], goal[8])
        point = plus(triple(arm, OFFSETS + 9), times(1.0 / arm[SIZE], apply(numbers, TIP, local)))
        for i in range(3):
            arm[OFFSETS + 9 + i] = point[i]
    elif asked == LOOK_AT:
        last = 2
    elif asked == ACROSS_Z:
        first = 1
        target = (target[0], target[1], 0.0)
    start = np.zeros(3)
    for k in range(first, last):
        start[k] = seed[k - first]
    found, marks = np.empty((8, 3)), np.empty(8, dtype=np.int64)
    count = reaching(arm, 0, target, start, found, marks)
    written, towards = 0, 0
    for k in range(count):
        if asked == LOOK_AT and found[k, 2] <= 1e-7 * arm[SIZE]:
            # Who looks away from the point, or is there, does not look at it.
            marks[k] |= OUT_OF_REACH
        towards += 0 if marks[k] & OUT_OF_REACH else 1
    for k in range(count):
        if marks[k] & OUT_OF_REACH and towards > 0:
            continue
        for i in range(first, last):
            q[written, i - first] = found[k, i]
        flags[written] = marks[k]
        written += 1
    return written
