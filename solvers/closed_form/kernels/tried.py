"""From candidates to solutions, where a goal asks for more than was used to find the candidates."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH, SINGULAR, VALID
from .nearest import nearest, singular

#: Squared distance (sizes, radians) below which a pose is reached.
REACHED = 1e-20
#: Squared distance below which a candidate may be a solution that rounding has moved.
NEAR = 1e-2
#: How many candidates a search for the nearest begins from, where none reaches the pose.
SEARCHED = 12
#: Configurations that are written at most, and candidates that can be tried.
MOST, CANDIDATES = 16, 256


@njit(**INNER)
def tried(numbers, at, n, rotation_at, target, goal, found, total, shown, turned_round, q, flags):
    """Brings every candidate as near to a pose as it goes, and writes those that reach it, else the nearest.

    Args:
        numbers: A chain as `chain_numbers` packs it, and the rotation of its tip.
        at: Where the chain begins.
        n: Number of its joints, at most 6.
        rotation_at: Where the rotation of the tip at zero begins.
        target: The place, three numbers in metres.
        goal: (9 or more,) the rotation.
        found: (total or more, 6) the candidates; changed.
        total: Their number, at most `CANDIDATES`.
        shown: How many of the joints are those of the arm; the others were added.
        turned_round: Whether the joints are counted from the tip.
        q: (`MOST`, shown) receives the configurations.
        flags: (`MOST`,) receives their flags.

    Returns:
        How many were written; the same one is written once.
    """
    costs = np.empty(CANDIDATES)
    best = 1e300
    for k in range(total):
        costs[k] = nearest(numbers, at, n, rotation_at, target, goal, found[k], 0)
        if costs[k] < NEAR:
            costs[k] = nearest(numbers, at, n, rotation_at, target, goal, found[k], 12)
        best = min(best, costs[k])
    if best > REACHED:
        before = costs.copy()
        for k in range(total):
            nearer = 0
            for j in range(total):
                nearer += 1 if before[j] < before[k] else 0
            if nearer < SEARCHED:
                costs[k] = nearest(numbers, at, n, rotation_at, target, goal, found[k], 60)
                best = min(best, costs[k])
    reached = best <= REACHED
    count = 0
    for k in range(total):
        # Where the pose is out of reach, the candidates that come nearest, and not the other minima.
        if count >= MOST or costs[k] > (REACHED if reached else best * 1.0001 + 1e-12):
            continue
        if reached and costs[k] > 1e-26:
            nearest(numbers, at, n, rotation_at, target, goal, found[k], 6)
        known = False
        for j in range(count):
            apart = 0.0
            for i in range(shown):
                step = abs(found[k, i] - q[j, shown - 1 - i if turned_round else i])
                if numbers[at + 1 + i] < 0.5:
                    step = abs(np.sin(0.5 * step)) * 2.0
                apart = max(apart, step)
            known = known or apart < 1e-7
        if known:
            continue
        for i in range(shown):
            q[count, shown - 1 - i if turned_round else i] = found[k, i]
        flags[count] = VALID if reached else OUT_OF_REACH
        if singular(numbers, at, n, rotation_at, found[k]):
            flags[count] |= SINGULAR
        count += 1
    return count
