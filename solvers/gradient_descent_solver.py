"""`GradientDescentSolver`: attempts from many configurations, until one gets there."""

from __future__ import annotations

import time

from . import defaults
from .constraint_check import is_accepted
from .descent import Descent, Ended, Outcome
from .failure_report import out_of_reach, why_not
from .objective_descent import reduce_objectives
from .reason import Reason
from .request import Request
from .solution import Solution
from .starts import starts


class GradientDescentSolver:
    """Descends from the seed, from further seeds, then from random configurations; the first solution counts.

    It works with every `GradientMethod` and `ErrorMethod`. Nothing but snapshots is moved.
    """

    name = "object"

    def solve(self, request: Request) -> Solution:
        """Solves a request."""
        search = _Search(request)
        state = request.active.borrow_state(request.seed)
        try:
            return search.run(Descent(request, state, search.deadline))
        finally:
            request.active.return_state(state)


class _Search:
    """One solve, on its way."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.begun = time.perf_counter()
        timeout = request.problem.timeout
        self.deadline = None if timeout is None else self.begun + timeout
        self.attempts = 0
        self.nearest: Outcome | None = None
        self.refused: Outcome | None = None

    def run(self, descent: Descent) -> Solution:
        request = self.request
        if not len(request.active):
            return self._without_dofs(descent)
        hopeless, spent, total = "", 0, descent.pace.total
        for start in starts(request.active, request.seed, request.problem):
            if self.attempts == 1 and request.explains:
                # Asked only now, because most requests are solved by the first attempt.
                hopeless = out_of_reach(request)
            if hopeless and self.attempts >= defaults.OUT_OF_REACH_ATTEMPTS:
                break
            self.attempts += 1
            outcome = descent.run(start)
            if outcome.ended is Ended.CONVERGED:
                outcome = self._finished(descent, outcome)
                if is_accepted(request.constraint, outcome.q):
                    return self._solution(outcome, True, Reason.CONVERGED)
                self.refused = self.refused or outcome
            elif self.nearest is None or outcome.square < self.nearest.square:
                self.nearest = outcome
            spent += outcome.iterations
            if (
                outcome.ended is Ended.OUT_OF_TIME
                or self._is_late()
                or (total is not None and spent >= total)
            ):
                break
        return self._failure(descent, hopeless)

    def _finished(self, descent: Descent, found: Outcome) -> Outcome:
        """The solution with its objectives reduced and its angles near the seed, checked once more."""
        request, active = self.request, self.request.active
        found = reduce_objectives(descent, found)
        if not active.wraps:
            return found
        x = found.q[active.indices]
        near = active.nearest(x, request.seed[active.indices], request.problem.respect_limits)
        if (near == x).all():
            return found
        q = found.q.copy()
        q[active.indices] = near
        descent.state.set(q)
        away, turned = request.error_method.residual(descent.state)
        position_tolerance, orientation_tolerance = request.problem.tolerance
        if away <= position_tolerance and turned <= orientation_tolerance:
            return found._replace(q=q, position_error=away, orientation_error=turned)
        return found

    def _is_late(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def _without_dofs(self, descent: Descent) -> Solution:
        outcome = descent.run(self.request.seed, iterations=0)
        if outcome.ended is Ended.CONVERGED and is_accepted(self.request.constraint, outcome.q):
            return self._solution(outcome, True, Reason.CONVERGED)
        return self._solution(outcome, False, Reason.NO_DOFS, "there is nothing that may move")

    def _failure(self, descent: Descent, hopeless: str) -> Solution:
        nearest = self.nearest
        if self.refused is not None:
            # It reaches the target, so it is nearer than any other.
            detail = f"{self.attempts} attempts; every configuration that reaches the target was refused by the constraint"
            return self._solution(self.refused, False, Reason.CONSTRAINT, detail)
        assert nearest is not None
        if not self.request.explains:
            reason = Reason.ITERATIONS if nearest.ended is Ended.OUT_OF_ITERATIONS else Reason.UNREACHABLE
            return self._solution(nearest, False, reason, _off(nearest))
        if self._is_late():
            timeout = self.request.problem.timeout
            return self._solution(
                nearest, False, Reason.TIMEOUT, f"not found within {timeout:g} s; {_off(nearest)}"
            )
        hopeless = hopeless or (out_of_reach(self.request) if self.attempts == 1 else "")
        reason, detail = (
            (Reason.UNREACHABLE, hopeless) if hopeless else why_not(descent, nearest, self.attempts)
        )
        if reason is not Reason.ITERATIONS:
            closer = descent.run(nearest.q, defaults.NEAREST_ITERATIONS, gives_up=False, steers=False)
            if closer.ended is not Ended.CONVERGED and closer.square < nearest.square:
                nearest = closer._replace(iterations=nearest.iterations)
        return self._solution(nearest, False, reason, f"{detail}; {_off(nearest)}")

    def _solution(self, outcome: Outcome, success: bool, reason: Reason, detail: str = "") -> Solution:
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
            GradientDescentSolver.name,
            detail,
        )


def _off(nearest: Outcome) -> str:
    return f"the nearest pose found is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
