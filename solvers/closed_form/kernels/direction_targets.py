"""Rotations by three turning joints, directions by two."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import JIT
from .spatial_vectors import triple
from .three_axis_rotation import rotation_without_tip, three_axis_rotation, two_axis_direction

# What `fit` packs: whether a rotation is asked for or a direction, the rotation of the tip with all joints at zero, the
# tool's direction in the base there, the axes.
IS_ROTATION, TIP, DIRECTION, AXES = 0, 1, 10, 13


@njit(**JIT)
def direction_targets(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.direction_targets`; see `Family`."""
    if numbers[IS_ROTATION] < 0.5:
        return two_axis_direction(numbers, AXES, triple(numbers, DIRECTION), triple(goal, 0), seed, q, flags)
    wanted = np.empty(9)
    rotation_without_tip(goal, numbers, TIP, wanted)
    return three_axis_rotation(numbers, AXES, wanted, seed, q, flags)
