"""`Measurement`: what a variant did with the targets of a workload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .call import Array
from .timing import Timing


@dataclass(frozen=True, eq=False)
class Measurement:
    """What a variant did, target by target; m targets were tried, the first ones of the workload.

    Attributes:
        name: Of the variant.
        description: Of it.
        seconds: Time (m,) of each call.
        solved: Which targets (m,) have an answer that Pinocchio finds at the target and inside the limits.
        answered: Which targets (m,) have an answer, right or wrong.
        iterations: Of the attempts (m,) that gave the answers; nan where the solver does not say.
        attempts: Begun (m,); nan where the solver does not say.
        needed: The fewest attempts (m,) that were seen to be enough; infinite where unsolved, nan where not known.
        position_error: By how much the worst answer misses (m); nan without any.
        orientation_error: The same (rad).
        note: Why there are no figures, or what went wrong; empty as a rule.
        missed: How many answers miss the target.
        outside: How many are outside the limits; one may do both.
        beyond: (joint, how many of these are beyond its limits), most first; one may be beyond several.
    """

    name: str
    description: str
    seconds: Array
    solved: NDArray[np.bool_]
    answered: NDArray[np.bool_]
    iterations: Array
    attempts: Array
    needed: Array
    position_error: float
    orientation_error: float
    note: str = ""
    missed: int = 0
    outside: int = 0
    beyond: tuple[tuple[str, int], ...] = ()

    def __len__(self) -> int:
        return len(self.seconds)

    def __bool__(self) -> bool:
        """True when there are figures."""
        return len(self.seconds) > 0

    @property
    def success(self) -> float:
        """Part of the targets that are solved; nan when none was tried."""
        return float(self.solved.mean()) if len(self) else float("nan")

    @property
    def wrong(self) -> int:
        """Answers that miss the target or are outside the limits."""
        return int((self.answered & ~self.solved).sum())

    @property
    def timing(self) -> Timing | None:
        """Of all calls, those without an answer too; None when none was tried."""
        return Timing.of([1e9 * self.seconds]) if len(self) else None

    def success_within(self, seconds: float) -> float:
        """Part of the targets that are solved in a time (s) at most."""
        return float((self.solved & (self.seconds <= seconds)).mean())

    def success_after(self, attempts: int) -> float | None:
        """Part of the targets for which so many attempts are enough; None when that is not known."""
        if np.isnan(self.needed[self.solved]).any():
            return None
        return float((self.solved & (self.needed <= attempts)).mean())

    @property
    def median_iterations(self) -> float | None:
        """Of the attempts that got there; None when that is not known."""
        return _of_known(np.median, self.iterations[self.solved])

    @property
    def mean_attempts(self) -> float | None:
        """Attempts that were begun, where solved; None when that is not known."""
        return _of_known(np.mean, self.attempts[self.solved])

    def __repr__(self) -> str:
        if not self:
            return f"<Measurement of {self.name!r}: {self.note or 'nothing was tried'}>"
        return f"<Measurement of {self.name!r}: {self.solved.sum()} of {len(self)} targets solved>"


def _of_known(figure: Callable[[Array], Any], values: Array) -> float | None:
    return float(figure(values)) if len(values) and np.isfinite(values).all() else None
