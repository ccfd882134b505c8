"""`GradientDescentSolver`: attempts from many configurations, until one gets there."""

from __future__ import annotations

from . import defaults
from .descent import Descent, Ended, Outcome
from .failure_report import out_of_reach
from .objective_descent import reduce_objectives
from .reason import Reason
from .request import Request
from .search import Search
from .solution import Solution
from .starts import starts


class GradientDescentSolver:
    """Descends from the seed, from further seeds, then from random configurations; the first solution counts.

    It works with every `GradientMethod` and `ErrorMethod`. Nothing but snapshots is moved.
    """

    name = "object"

    def solve(self, request: Request) -> Solution:
        """Solves a request.

        Args:
            request: One call, checked.

        Returns:
            What was found, or the nearest configuration and why it is none.
        """
        search = Search(request, self.name)
        nowhere = search.without_room()
        if nowhere is not None:
            return nowhere
        state = request.active.borrow_state(request.seed)
        try:
            return _run(search, Descent(request, state, search.deadline))
        finally:
            request.active.return_state(state)


def _run(search: Search, descent: Descent) -> Solution:
    request = search.request
    if not len(request.active):
        return _without_dofs(search, descent)
    hopeless, spent, total = "", 0, descent.pace.total
    for start in starts(request.active, request.seed, request.problem):
        if search.attempts == 1 and request.explains:
            # Asked only now, because most requests are solved by the first attempt.
            hopeless = out_of_reach(request)
        if hopeless and search.attempts >= defaults.OUT_OF_REACH_ATTEMPTS:
            break
        search.attempts += 1
        outcome = descent.run(start)
        if outcome.ended is Ended.CONVERGED:
            outcome = _finished(request, descent, outcome)
            if search.accepts(outcome):
                return search.solution(outcome, True, Reason.CONVERGED)
        elif search.nearest is None or outcome.square < search.nearest.square:
            search.nearest = outcome
        spent += outcome.iterations
        if outcome.ended is Ended.OUT_OF_TIME or search.is_late() or (total is not None and spent >= total):
            break
    return search.failure(descent, hopeless)


def _finished(request: Request, descent: Descent, found: Outcome) -> Outcome:
    """The solution with its objectives reduced and its angles near the seed, checked once more."""
    active = request.active
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


def _without_dofs(search: Search, descent: Descent) -> Solution:
    outcome = descent.run(search.request.seed, iterations=0)
    if outcome.ended is Ended.CONVERGED:
        return search.solution(outcome, True, Reason.CONVERGED) if search.accepts(outcome) else search.refusal()
    return search.solution(outcome, False, Reason.NO_DOFS, "there is nothing that may move")
