"""Full poses by three joints of any kinds that bring the centre of a wrist to its place, and the wrist."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import JIT
from .reaching import reaching
from .spatial_vectors import apply, apply_transposed, minus, times, triple, turned
from .three_axis_rotation import rotation_without_tip, three_axis_rotation
from .three_joint_position import AXES, SLIDES

# What `fit` packs: whether the arm was turned round (its wrist is at its base), the rotation of the tip with all joints
# at zero, the tip from the centre of the wrist, the axes of the wrist, the chain of three joints.
TURNED_ROUND, TIP, BEYOND, WRIST, CHAIN = 0, 1, 10, 13, 22


@njit(**JIT)
def positioning_with_wrist(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.positioning_with_wrist`; see `Family`."""
    round_ = numbers[TURNED_ROUND] > 0.5
    pose, start = np.empty(12), np.empty(6)
    for k in range(12):
        pose[k] = goal[k]
    for k in range(6):
        start[k] = seed[5 - k] if round_ else seed[k]
    if round_:
        for i in range(3):
            for j in range(3):
                pose[3 * i + j] = goal[3 * j + i]
        back = times(-1.0, apply_transposed(goal, 0, triple(goal, 9)))
        pose[9], pose[10], pose[11] = back[0], back[1], back[2]
    wanted, left = np.empty(9), np.empty(9)
    rotation_without_tip(pose, numbers, TIP, wanted)
    centre = minus(triple(pose, 9), apply(wanted, 0, triple(numbers, BEYOND)))
    places, place_flags = np.empty((8, 3)), np.empty(8, dtype=np.int64)
    turns, turn_flags = np.empty((2, 3)), np.empty(2, dtype=np.int64)
    found = reaching(numbers, CHAIN, centre, start, places, place_flags)
    count = 0
    for k in range(found):
        for j in range(3):
            column = (wanted[j], wanted[3 + j], wanted[6 + j])
            for i in range(3):
                if numbers[CHAIN + SLIDES + i] < 0.5:
                    h = triple(numbers, CHAIN + AXES + 3 * i)
                    column = turned(h, np.cos(places[k, i]), -np.sin(places[k, i]), column)
            left[j], left[3 + j], left[6 + j] = column[0], column[1], column[2]
        turned_to = three_axis_rotation(numbers, WRIST, left, start[3:6], turns, turn_flags)
        for j in range(turned_to):
            for i in range(3):
                q[count, 5 - i if round_ else i] = places[k, i]
                q[count, 2 - i if round_ else 3 + i] = turns[j, i]
            flags[count] = place_flags[k] | turn_flags[j]
            count += 1
    return count
