"""`BatchSolution`: what `InverseKinematics.solve_batch` gives back."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from ..reason import Reason
from ..solution import Solution


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """Results of many targets as arrays, one row per target; ``batch[k]`` is a `Solution`.

    Attributes:
        q: (m, n) configurations of the whole skeleton, the nearest ones found where not solved; nan where the input
            was invalid.
        success: (m,) booleans.
        reason: (m,) `Reason` of each.
        position_error: (m,) in m; nan where the input was invalid.
        orientation_error: (m,) in rad.
        iterations: (m,) of the attempt that gave ``q``.
        attempts: (m,) begun.
        detail: (m,) texts: what was wrong with an input, how far off the nearest configuration is, or what the
            constraint refused; empty where solved. What else was in the way is told by `InverseKinematics.solve` for
            that target.
        elapsed: Time taken (s).
        engine: What computed it.
    """

    q: Array
    success: NDArray[np.bool_]
    reason: NDArray[np.object_]
    position_error: Array
    orientation_error: Array
    iterations: NDArray[np.int64]
    attempts: NDArray[np.int64]
    detail: NDArray[np.object_]
    elapsed: float
    engine: str

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, k: int) -> Solution:
        """The result of one target; its ``elapsed`` is the share of one target in the whole."""
        try:
            row = range(len(self))[operator.index(k)]
        except IndexError:
            raise IndexError(f"there are {len(self)} targets, none with number {k}") from None
        return Solution(
            self.q[row], bool(self.success[row]), self.reason[row], float(self.position_error[row]),
            float(self.orientation_error[row]), int(self.iterations[row]), int(self.attempts[row]),
            self.elapsed / len(self), self.engine, self.detail[row],
        )  # fmt: skip

    def __iter__(self) -> Iterator[Solution]:
        return (self[k] for k in range(len(self)))

    def __bool__(self) -> bool:
        """True when all targets are solved."""
        return bool(self.success.all())

    @property
    def reasons(self) -> dict[Reason, int]:
        """How many targets ended for which reason."""
        found: dict[Reason, int] = {}
        for each in self.reason:
            found[each] = found.get(each, 0) + 1
        return found

    def __repr__(self) -> str:
        failed = ", ".join(f"{count} {reason}" for reason, count in self.reasons.items() if reason != Reason.CONVERGED)
        per_target = self.elapsed / len(self) * 1e6 if len(self) else 0.0
        text = f"{int(self.success.sum())} of {len(self)} solved"
        return f"<BatchSolution: {text}{'; ' + failed if failed else ''}; {per_target:.3g} us each, {self.engine}>"


def empty_batch(count: int, size: int, engine: str) -> dict[str, Any]:
    """The arrays of a `BatchSolution` for ``count`` targets of a robot with ``size`` degrees of freedom."""
    return {
        "q": np.full((count, size), np.nan),
        "success": np.zeros(count, dtype=bool),
        "reason": np.full(count, Reason.INVALID_INPUT, dtype=object),
        "position_error": np.full(count, np.nan),
        "orientation_error": np.full(count, np.nan),
        "iterations": np.zeros(count, dtype=np.int64),
        "attempts": np.zeros(count, dtype=np.int64),
        "detail": np.full(count, "", dtype=object),
        "elapsed": 0.0,
        "engine": engine,
    }


def write_row(arrays: dict[str, Any], row: int, solution: Solution) -> None:
    """Writes the result of one target into the arrays of `empty_batch`."""
    for name, values in arrays.items():
        if name not in ("elapsed", "engine"):
            values[row] = getattr(solution, name)
