"""Kernel: from registers that hold four placements of an arm to configurations."""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_subproblems import REACH
from .registers import as_numbers

#: Rows of four lanes: the six joints, three of them in another solution, flags as a number, and what is missed.
ROWS, FLAGS, MISSED = 11, 9, 10


@njit(**INNER)
def write_lanes(rows: Any, placements: int, first: int, slack: float, q: Any, flags: Any) -> int:
    """Writes each placement as two configurations.

    Args:
        rows: `ROWS` registers of four lanes.
        placements: How many of the lanes count.
        first: Joint with which the three begin that the other solution has different.
        slack: What is missed by less is written in any case; the rest only when nothing is better.
        q: (8, 6) to write to.
        flags: (8,) to write to.

    Returns:
        How many configurations were written.
    """
    lanes = as_numbers(rows)
    least = lanes[4 * MISSED]
    for lane in range(1, placements):
        least = min(least, lanes[4 * MISSED + lane])
    allowed = 1e300 if least > REACH else max(REACH, slack)
    count = 0
    for lane in range(placements):
        if lanes[4 * MISSED + lane] > allowed:
            continue
        said = int(lanes[4 * FLAGS + lane])
        for joint in range(6):
            value = lanes[4 * joint + lane]
            q[count, joint] = value
            q[count + 1, joint] = value
        for joint in range(3):
            q[count + 1, first + joint] = lanes[4 * (6 + joint) + lane]
        flags[count] = said
        flags[count + 1] = said
        count += 2
    return count
