"""Kernel: goals and seeds as they come from outside, looked at."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.finite import all_finite
from ...kinematics.core.lanes import INNER
from .layout import BAD_GOAL, BAD_SEED, LIMITED, LOWER, NOT_FOUND, PLACE, POSES, SEED_OUTSIDE, UPPER

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
    if counts[POSES] != 0 and not _is_pose(goal):
        return BAD_GOAL
    if counts[LIMITED] != 0:
        for k in range(joints.shape[1]):
            value = seed[int(joints[PLACE, k])]
            if value < joints[LOWER, k] or value > joints[UPPER, k]:
                return SEED_OUTSIDE
    return NOT_FOUND


@njit(**INNER)
def _is_pose(goal: Any) -> bool:
    """Whether finite numbers (16,) are a rotation with a translation."""
    for i in range(3):
        for j in range(i + 1):
            dot = goal[4 * i] * goal[4 * j] + goal[4 * i + 1] * goal[4 * j + 1] + goal[4 * i + 2] * goal[4 * j + 2]
            if not (abs(dot - (1.0 if i == j else 0.0)) <= _GOAL_TOLERANCE):
                return False
    handed = (
        goal[0] * (goal[5] * goal[10] - goal[6] * goal[9])
        - goal[1] * (goal[4] * goal[10] - goal[6] * goal[8])
        + goal[2] * (goal[4] * goal[9] - goal[5] * goal[8])
    )
    return handed > 0.5 and goal[12] == 0.0 and goal[13] == 0.0 and goal[14] == 0.0 and goal[15] == 1.0
