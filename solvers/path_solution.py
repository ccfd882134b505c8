"""`PathSolution`: what `InverseKinematics.solve_path` gives back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .batch_solution import BatchSolution
from .reason import Reason

#: Failures that `PathSolution.why` tells of.
_MOST_TOLD = 5


@dataclass(frozen=True, eq=False, repr=False)
class PathSolution(BatchSolution):
    """Results along a path, one row per target; see `BatchSolution`.

    Following a path, the configuration of a target that was not reached is the nearest to it that a descent from the
    row before ends at, or the one that the constraint refused. With the graph of branches it is the nearest branch that
    no way leads to; rows behind the end of a path that breaks off are nan, with `Reason.CANCELLED`.

    Attributes:
        jumps: Rows whose configuration could not be reached from the one before by following the path: there the
            robot has to leave the path to get to another branch.
        strategy: How the path was found, ``"follow"`` or ``"graph"``. With the latter, ``engine`` tells where the
            branches came from: ``"closed form"`` (all there are), ``"closed form at samples of ..."``, or
            ``"samples"`` (those that a numeric search has found).
        cost: Of the graph's path, in its metric, with the distance from the seed; nan for others.
        constraint_calls: How often the constraint was asked.
    """

    jumps: tuple[int, ...] = ()
    strategy: str = "follow"
    cost: float = math.nan
    constraint_calls: int = 0

    @property
    def breaks(self) -> tuple[int, ...]:
        """Rows that failed; not those that were not looked at because the path ends before."""
        return tuple(int(row) for row in np.flatnonzero(~self.success) if self.reason[row] is not Reason.CANCELLED)

    @property
    def why(self) -> str:
        """Where the path fails and why, in words; empty when all targets are reached."""
        rows = self.breaks
        told = [f"waypoint {row} ({self.reason[row]}): {self.detail[row]}" for row in rows[:_MOST_TOLD]]
        return "; ".join(told) + (f"; and {len(rows) - _MOST_TOLD} more" if len(rows) > _MOST_TOLD else "")

    def __repr__(self) -> str:
        text = super().__repr__().replace("BatchSolution", "PathSolution", 1)
        where = ", ".join(map(str, self.jumps[:10])) + (", ..." if len(self.jumps) > 10 else "")
        fails = f"; fails at waypoint {self.breaks[0]}" if self.breaks else ""
        return text[:-1] + fails + (f"; jumps at {where}>" if self.jumps else "; no jumps>")
