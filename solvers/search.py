"""`Search`: the bookkeeping of one solve, and what is said at its end; the same for every engine."""

from __future__ import annotations

import time

from . import defaults
from .constraint_check import is_accepted
from .descent import AnyDescent, Ended, Outcome
from .failure_report import for_nearest, out_of_reach, why_not
from .reason import Reason
from .request import Request
from .solution import Solution


class Search:
    """One solve, on its way.

    Args:
        request: What is to be solved.
        engine: What solves it.

    Attributes:
        deadline: When to stop, by ``time.perf_counter``; None for never.
        attempts: Begun so far.
        nearest: The best attempt that did not get there.
        refused: The first one that got there and was refused by the constraint.
    """

    def __init__(self, request: Request, engine: str) -> None:
        self.request = request
        self.engine = engine
        self.begun = time.perf_counter()
        timeout = request.problem.timeout
        self.deadline = None if timeout is None else self.begun + timeout
        self.attempts = 0
        self.nearest: Outcome | None = None
        self.refused: Outcome | None = None

    def begin_after(self, begun: float, attempts: int, nearest: Outcome) -> None:
        """Counts attempts that were made in vain before, since ``begun``."""
        self.begun, self.attempts, self.nearest = begun, attempts, nearest
        if self.deadline is not None:
            self.deadline = begun + self.request.problem.timeout  # type: ignore[operator]

    def is_late(self) -> bool:
        """True when the time is up."""
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def failure(self, descent: AnyDescent, hopeless: str) -> Solution:
        """What to say when nothing was found: the nearest configuration, the reason, what was in the way.

        Args:
            descent: To try with what might be the reason.
            hopeless: Says so when the target is out of reach for certain; else empty.
        """
        nearest = self.nearest
        if self.refused is not None:
            # It reaches the target, so it is nearer than any other.
            detail = (
                f"{self.attempts} attempts; every configuration that reaches the target was refused by the constraint"
            )
            return self.solution(self.refused, False, Reason.CONSTRAINT, detail)
        assert nearest is not None
        if not self.request.explains:
            reason = Reason.ITERATIONS if nearest.ended is Ended.OUT_OF_ITERATIONS else Reason.UNREACHABLE
            return self.solution(nearest, False, reason, _off(nearest))
        if self.is_late():
            timeout = self.request.problem.timeout
            return self.solution(nearest, False, Reason.TIMEOUT, f"not found within {timeout:g} s; {_off(nearest)}")
        hopeless = hopeless or (out_of_reach(self.request) if self.attempts == 1 else "")
        reason, detail = (Reason.UNREACHABLE, hopeless) if hopeless else why_not(descent, nearest, self.attempts)
        if reason is not Reason.ITERATIONS:
            patient = descent.run(nearest.q, defaults.NEAREST_ITERATIONS, gives_up=False, steers=False)
            if patient.ended is Ended.CONVERGED and is_accepted(self.request.constraint, patient.q):
                # More patience than an attempt has was all that was missing.
                return self.solution(patient, True, Reason.CONVERGED)
            calm = descent.with_method(for_nearest(self.request.gradient_method))
            closer = calm.run(nearest.q, defaults.NEAREST_ITERATIONS, gives_up=False, steers=False)
            if closer.ended is Ended.CONVERGED:
                # Not a solution of the method that was asked for, which would count as its success.
                reason, closer = Reason.ITERATIONS, patient
                detail = f"{detail}, but the target can be reached: another gradient method gets there"
            for each in (patient, closer):
                if each.ended is not Ended.CONVERGED and each.square < nearest.square:
                    nearest = each._replace(iterations=nearest.iterations)
        return self.solution(nearest, False, reason, f"{detail}; {_off(nearest)}")

    def solution(self, outcome: Outcome, success: bool, reason: Reason, detail: str = "") -> Solution:
        """The result; its configuration cannot be written to."""
        q = outcome.q
        q.flags.writeable = False
        return Solution(
            q,
            success,
            reason,
            outcome.position_error,
            outcome.orientation_error,
            outcome.iterations,
            self.attempts,
            time.perf_counter() - self.begun,
            self.engine,
            detail,
        )


def _off(nearest: Outcome) -> str:
    return f"the nearest pose found is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
