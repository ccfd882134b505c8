"""`Call`: one way to solve, ready for the targets of a workload."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Answer(NamedTuple):
    """What a call came to.

    Attributes:
        q: Configuration (n,) of the whole robot; None when none was found.
        iterations: Of the attempt that gave it; None when that is not said.
        attempts: Attempts begun; None when that is not said.
        reason: Why there is none, in words; empty when that is not said.
    """

    q: Array | None
    iterations: int | None = None
    attempts: int | None = None
    reason: str = ""


class Call(ABC):
    """One way to solve. Only `solve` is timed: what a program would do once beforehand, or afterwards, is apart.

    Attributes:
        remark: What whoever reads the figures has to know about them; empty as a rule.
    """

    remark: str = ""

    @abstractmethod
    def query(self, target: pin.SE3, seed: Array) -> Any:
        """What `solve` takes.

        Args:
            target: Pose of the frame in the world.
            seed: Configuration (n,) of the whole robot to start from.
        """

    @abstractmethod
    def solve(self, query: Any) -> Any:
        """The call that is timed."""

    @abstractmethod
    def answer(self, result: Any) -> Answer:
        """What a result of `solve` says."""

    def solves_within(self, query: Any, attempts: int) -> bool | None:
        """Whether so many attempts would have been enough; None when they cannot be chosen, as here."""
        return None
