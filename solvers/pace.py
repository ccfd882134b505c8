"""`Pace`: how long an attempt may take."""

from __future__ import annotations

from typing import NamedTuple

from . import defaults


class Pace(NamedTuple):
    """How long an attempt goes on.

    Attributes:
        iterations: At most.
        improvement: An iteration that leaves more than this part of the squared error makes little progress.
        strikes: Iterations with little progress after which the attempt is given up.
        total: Iterations of all attempts together, after which no new one is begun; None for no bound.
    """

    iterations: int
    improvement: float
    strikes: int
    total: int | None = None


#: For second-order methods: those that get there need about ten iterations, so a new attempt is cheaper than
#: an old one that creeps.
FAST = Pace(defaults.ITERATIONS, defaults.IMPROVEMENT, defaults.STRIKES)

#: For methods that converge linearly: a fixed damping halves the error at best where the robot is nearly singular.
STEADY = Pace(
    defaults.STEADY_ITERATIONS,
    defaults.STEADY_IMPROVEMENT,
    defaults.STEADY_STRIKES,
    defaults.SLOW_TOTAL_ITERATIONS,
)

#: For methods of first order, and for all that we do not know: they creep by nature.
SLOW = Pace(defaults.SLOW_ITERATIONS, defaults.SLOW_IMPROVEMENT, defaults.SLOW_STRIKES, defaults.SLOW_TOTAL_ITERATIONS)
