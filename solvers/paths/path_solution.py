"""`PathSolution`: what `InverseKinematics.solve_path` gives back."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from ..batches.batch_solution import BatchSolution
from ..reason import Reason

_NUMBER = re.compile(r"[-+]?\d[\d.]*(e[-+]?\d+)?")
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
        """Where the path fails and why, in words; empty when all targets are reached.

        Neighbouring waypoints that fail for the same, but for numbers, are told of together.
        """
        runs: list[list[int]] = []
        for row in self.breaks:
            if runs and row == runs[-1][-1] + 1 and self._gist(row) == self._gist(runs[-1][0]):
                runs[-1].append(row)
            else:
                runs.append([row])
        more = sum(map(len, runs[_MOST_TOLD:]))
        return "; ".join(map(self._told, runs[:_MOST_TOLD])) + (f"; and {more} more" if more else "")

    def _told(self, rows: list[int]) -> str:
        """What is wrong with neighbouring waypoints that fail for the same."""
        first = rows[0]
        if len(rows) == 1:
            return f"waypoint {first} ({self.reason[first]}): {self.detail[first]}"
        same = all(self.detail[row] == self.detail[first] for row in rows)
        which = "" if same else ", the first"
        return f"waypoints {first} to {rows[-1]} ({self.reason[first]}){which}: {self.detail[first]}"

    def _gist(self, row: int) -> tuple[Reason, str]:
        """Why a row fails, without the numbers; names are in quotes and keep theirs."""
        parts = str(self.detail[row]).split("'")
        parts[::2] = [_NUMBER.sub("#", part) for part in parts[::2]]
        return self.reason[row], "'".join(parts)

    def __repr__(self) -> str:
        text = super().__repr__().replace("BatchSolution", "PathSolution", 1)
        where = ", ".join(map(str, self.jumps[:10])) + (", ..." if len(self.jumps) > 10 else "")
        fails = f"; fails at waypoint {self.breaks[0]}" if self.breaks else ""
        return text[:-1] + fails + (f"; jumps at {where}>" if self.jumps else "; no jumps>")
