"""`AnalyticalEngine`: solves with closed forms, without iterations."""

from __future__ import annotations

import math
from typing import Any

from ..kinematics.transforms import Array
from . import defaults
from .analytical import Analytical
from .constraint_check import is_accepted
from .descent import Descent, Ended, Outcome
from .failure_report import beyond_limits, for_nearest, out_of_reach
from .objective import BoundObjective
from .reason import Reason
from .request import Request
from .search import Search
from .solution import Solution
from .validity import Validity


class AnalyticalEngine:
    """Takes the best solution of an `Analytical` that the caller's constraint accepts; the seed when it is one.

    An objective chooses among the valid solutions instead of the distance from the seed. When no branch is valid, the
    nearest configuration inside the limits is looked for numerically, from the best of them.
    """

    name = "closed form"

    def solve(self, request: Request) -> Solution:
        """Solves a request that `analytical_obstacle` found nothing against."""
        search = Search(request, self.name)
        method = request.gradient_method
        assert isinstance(method, Analytical)
        _serve(method, request)
        there = _at_the_seed(request)
        if there is not None:
            search.attempts = 1
            return search.solution(there, True, Reason.CONVERGED)
        rows, validity, errors = method.solve_for(request.error_method, request.seed)
        indices = method.solved_dofs().indices
        tolerance = request.problem.tolerance
        found = [_outcome(request, indices, row, error) for row, error in zip(rows, errors, strict=True)]
        # Reach is judged by the errors: the request's tolerance is another than that of the flags.
        in_the_way = Validity.LIMIT_VIOLATED if request.problem.respect_limits else Validity.VALID
        places = [
            k
            for k, each in enumerate(found)
            if not validity[k] & in_the_way
            and each.position_error <= tolerance[0]
            and each.orientation_error <= tolerance[1]
        ]
        for k in _in_order(request, found, places):
            search.attempts += 1
            if is_accepted(request.constraint, found[k].q):
                return search.solution(found[k], True, Reason.CONVERGED)
            search.refused = search.refused or found[k]
        if search.refused is not None:
            count = f"{search.attempts} solution{'' if search.attempts == 1 else 's'} in closed form"
            detail = f"{count}; every one was refused by the constraint"
            return search.solution(search.refused, False, Reason.CONSTRAINT, detail)
        search.attempts = max(1, len(found))
        return _failure(search, found, validity)


def analytical_obstacle(request: Request) -> str:
    """What keeps a request from being solved in closed form; empty when nothing does."""
    method = request.gradient_method
    if not isinstance(method, Analytical):
        return f"{type(method).__name__} is no closed form"
    if method.extra_dof_utilization.is_before or method.extra_dof_utilization.is_after:
        return "dofs that are not solved for are to move as well"
    if request.problem.null_space_objective is not None:
        return "there is a null-space objective"
    _serve(method, request)
    return method.obstacle_to_solving(request.error_method)


def _serve(method: Analytical, request: Request) -> None:
    """A method object may serve several modules, one after another."""
    if method.ik is not request.module:
        method.bind(request.module)


def _at_the_seed(request: Request) -> Outcome | None:
    """The seed itself when it is a solution, and nothing else is asked of one; as with every other method."""
    if request.problem.objective is not None:
        return None
    if request.problem.respect_limits and request.active.is_outside(request.seed):
        return None
    state = request.active.borrow_state(request.seed)
    try:
        away, turned = request.error_method.residual(state)
    finally:
        request.active.return_state(state)
    position_tolerance, orientation_tolerance = request.problem.tolerance
    if away > position_tolerance or turned > orientation_tolerance or not is_accepted(request.constraint, request.seed):
        return None
    return Outcome(request.seed.copy(), Ended.CONVERGED, away, turned, 0)


def _outcome(request: Request, indices: Any, row: Array, error: Array) -> Outcome:
    q = request.seed.copy()
    q[indices] = row
    return Outcome(q, Ended.CONVERGED, float(error[0]), float(error[1]), 0)


def _in_order(request: Request, found: list[Outcome], places: list[int]) -> list[int]:
    objective = request.problem.objective
    if objective is None:
        return places
    bound = BoundObjective(objective, request.active)
    return sorted(places, key=lambda k: bound.value(found[k].q))


def _failure(search: Search, found: list[Outcome], validity: Any) -> Solution:
    """What to say when no branch is valid."""
    request = search.request
    state = request.active.borrow_state(request.seed)
    try:
        calm = Descent(request, state, search.deadline).with_method(for_nearest(request.gradient_method))
        nearest = _nearest(request, calm, found)
    finally:
        request.active.return_state(state)
    beyond = [k for k in range(len(found)) if validity[k] == Validity.LIMIT_VIOLATED]
    off = f"the nearest pose found is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
    if beyond:
        beyond_by = beyond_limits(request.active, found[beyond[0]].q[request.active.indices])
        reason, detail = Reason.LIMITS, f"reached only beyond joint limits: {beyond_by}"
    else:
        reason = Reason.UNREACHABLE
        detail = out_of_reach(request) or f"none of {len(found)} solutions in closed form reaches the target"
    if nearest.ended is Ended.CONVERGED:
        # Not a solution of the closed form, for which it would count.
        nearest = _best(found, request.seed)
        reason, detail = Reason.ITERATIONS, f"{detail}, but the target can be reached: a numeric method gets there"
        off = f"the nearest of them is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
    return search.solution(nearest, False, reason, f"{detail}; {off}")


def _nearest(request: Request, descent: Descent, found: list[Outcome]) -> Outcome:
    """The nearest configuration inside the limits that a descent from a branch, or from the seed, comes to."""
    best: Outcome | None = None
    for each in [*(outcome.q for outcome in found[:4]), request.seed]:
        q = each.copy()
        if request.problem.respect_limits:
            q[request.active.indices] = request.active.inside(q[request.active.indices])
        outcome = descent.run(q, defaults.NEAREST_ITERATIONS, gives_up=False, steers=False)
        if best is None or outcome.square < best.square:
            best = outcome
    assert best is not None
    return best


def _best(found: list[Outcome], seed: Array) -> Outcome:
    """The first solution, or the seed when there is none."""
    return found[0] if found else Outcome(seed.copy(), Ended.STALLED, math.inf, math.inf, 0)
