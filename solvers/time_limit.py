"""`TimeLimit`: seconds for a call that solves many targets."""

from __future__ import annotations

import math

from ..kinematics.core.working_clock import working_time
from .problem import Problem


class TimeIsOverError(Exception):
    """Ends a search from within; whoever set the limit catches it."""


class TimeLimit:
    """Begins when it is made, or when it is told to.

    Args:
        seconds: None for no limit.

    Attributes:
        seconds: See the argument.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self._end = math.inf
        self.begin()

    def begin(self) -> None:
        """Counts from now on; what is loaded or compiled before is so left out."""
        if self.seconds is not None:
            self._end = working_time() + self.seconds

    @property
    def is_over(self) -> bool:
        """False for ever when there is none."""
        return self.seconds is not None and working_time() >= self._end

    def check(self) -> None:
        """Raises `TimeIsOverError` when the time is over."""
        if self.is_over:
            raise TimeIsOverError

    def within(self, problem: Problem) -> Problem:
        """The options with a timeout that ends no later; as they are when there is no limit."""
        if self.seconds is None:
            return problem
        left = max(0.0, self._end - working_time())
        return problem.replaced(timeout=left if problem.timeout is None else min(left, problem.timeout))

    @property
    def detail(self) -> str:
        """What is said of targets that the time was not enough for."""
        return f"not solved: the time for the whole call, {self.seconds:g} s, was over"
