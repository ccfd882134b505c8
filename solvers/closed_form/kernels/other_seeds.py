"""Other members of a family of solutions, where the one near the seed fails in what comes after it."""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH, SINGULAR

#: How many are tried.
OTHERS = 16


@njit(**INNER)
def others_wanted(flags, count):
    """Whether nothing reaches the goal, but something was free."""
    free = False
    for k in range(count):
        if not flags[k] & OUT_OF_REACH:
            return False
        free = free or flags[k] & SINGULAR != 0
    return free


@njit(**INNER)
def other_seed(seed, n, which, result):
    """The seed with all angles moved round by steps of a quarter and an eighth of a turn."""
    for k in range(n):
        result[k] = seed[k] + 0.39269908169872414 * (which + 1) * (1 + 2 * (k % 2))
