"""`PathSolution`: what `InverseKinematics.solve_path` gives back."""

from __future__ import annotations

from dataclasses import dataclass

from .batch_solution import BatchSolution


@dataclass(frozen=True, eq=False, repr=False)
class PathSolution(BatchSolution):
    """Results along a path, one row per target; see `BatchSolution`.

    The configuration of a target that was not reached is the nearest to it that a descent from the row before ends at.

    Attributes:
        jumps: Rows whose configuration could not be reached from the one before by following the path: there the
            robot has to leave the path to get to another branch.
    """

    jumps: tuple[int, ...] = ()

    def __repr__(self) -> str:
        text = super().__repr__().replace("BatchSolution", "PathSolution", 1)
        where = ", ".join(map(str, self.jumps[:10])) + (", ..." if len(self.jumps) > 10 else "")
        return text[:-1] + (f"; jumps at {where}>" if self.jumps else "; no jumps>")
