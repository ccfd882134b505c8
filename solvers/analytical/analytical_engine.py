"""`AnalyticalEngine`: solves with closed forms, without iterations."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kinematics.transforms import Array
from .. import defaults
from ..descent import Descent, Ended, Outcome
from ..failure_report import beyond_limits, for_nearest, out_of_reach
from ..few_joints import too_few_joints
from ..joint_change import NearbyDofs
from ..objective import BoundObjective
from ..reason import Reason
from ..request import Request
from ..search import Search
from ..solution import Solution
from .analytical import Analytical
from .validity import Validity

#: Random configurations near which no solution was found either, after which no more are tried.
_FRUITLESS = 20


class AnalyticalEngine:
    """Takes the best solution of an `Analytical` that the caller's constraint accepts; the seed when it is one.

    A redundant arm has more solutions than those nearest to the seed: when these are refused, others are looked for.

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
        nowhere = search.without_room()
        if nowhere is not None:
            return nowhere
        there = _at_the_seed(request)
        if there is not None and search.accepts(there):
            search.attempts = 1
            return search.solution(there, True, Reason.CONVERGED)
        branches = Branches.of(request, request.seed)
        accepted = _accepted(search, branches) or _elsewhere(search)
        if accepted is not None:
            return search.solution(accepted, True, Reason.CONVERGED)
        if search.refusals is not None:
            return search.refusal("solution{} in closed form")
        return _failure(search, branches)


class Branches(NamedTuple):
    """What a closed form gave.

    Attributes:
        found: All solutions, from the best to the worst.
        validity: Their flags.
        places: Those that reach the target inside the limits.
    """

    found: list[Outcome]
    validity: list[int]
    places: list[int]

    @staticmethod
    def of(request: Request, start: Array) -> Branches:
        """The solutions for a request that are nearest to ``start`` (n,), with their angles nearest to the seed."""
        method, active, wide = request.gradient_method, request.active, request.wide or request
        assert isinstance(method, Analytical)
        rows, validity, errors = method.solve_for(request.error_method, start)
        solved = method.solved_dofs()
        if start is not request.seed:
            near = request.seed[solved.indices]
            rows = np.array([solved.nearest(row, near, wide.problem.respect_limits) for row in rows])
        found = [_outcome(request, solved.indices, row, error) for row, error in zip(rows, errors, strict=True)]
        # Reach is judged by the errors: the request's tolerance is another than that of the flags.
        in_the_way = Validity.LIMIT_VIOLATED if wide.problem.respect_limits else Validity.VALID
        tolerance = request.problem.tolerance
        places = [
            k
            for k, each in enumerate(found)
            if not validity[k] & in_the_way
            and each.position_error <= tolerance[0]
            and each.orientation_error <= tolerance[1]
            and (wide is request or not active.is_outside(each.q))
        ]
        return Branches(found, [int(each) for each in validity], places)


def _accepted(search: Search, branches: Branches) -> Outcome | None:
    """The best solution that is accepted."""
    for k in _in_order(search.request, branches.found, branches.places):
        search.attempts += 1
        if search.accepts(branches.found[k], counts=False):
            return branches.found[k]
        if search.is_late():
            break
    return None


def _elsewhere(search: Search) -> Outcome | None:
    """The first accepted solution that is near another configuration than the seed.

    With more joints than the target needs the solutions are curves, of which those nearest to the seed were refused;
    others are looked for from random configurations. With as many joints as needed there are no others.
    """
    request, method = search.request, search.request.gradient_method
    assert isinstance(method, Analytical)
    solved = method.solved_dofs().indices
    if len(solved) <= request.error_method.rows:
        return None
    rng = request.problem.random_seed
    if not isinstance(rng, np.random.Generator):
        rng = np.random.default_rng(rng)
    for attempt in range(1, request.problem.attempts):
        in_vain = search.refusals is None and attempt > _FRUITLESS
        if in_vain or search.is_late() or search.attempts >= request.problem.attempts:
            break
        start = request.seed.copy()
        start[solved] = request.active.random(rng, request.seed)[solved]
        accepted = _accepted(search, Branches.of(request, start))
        if accepted is not None:
            return accepted
    return None


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
    if away > position_tolerance or turned > orientation_tolerance:
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


def _failure(search: Search, branches: Branches) -> Solution:
    """What to say when no branch is valid."""
    request, found = search.request, branches.found
    search.attempts = max(1, len(found))
    state = request.active.borrow_state(request.seed)
    try:
        calm = Descent(request, state, search.deadline).with_method(for_nearest(request.gradient_method))
        nearest = _nearest(request, calm, found)
    finally:
        request.active.return_state(state)
    off = f"the nearest pose found is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
    reason, detail = _why_not(request, branches)
    if nearest.ended is Ended.CONVERGED:
        accepted = _accepted(search, Branches.of(request, nearest.q)) if request.wide is not None else None
        if accepted is not None:
            return search.solution(accepted, True, Reason.CONVERGED)
        # Not a solution of the closed form, for which it would count.
        nearest = _best(found, request.seed)
        reason, detail = Reason.ITERATIONS, f"{detail}, but the target can be reached: a numeric method gets there"
        off = f"the nearest of them is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
    return search.solution(nearest, False, reason, f"{detail}; {off}")


def _why_not(request: Request, branches: Branches) -> tuple[Reason, str]:
    """What is wrong with the branches, in words."""
    found, active = branches.found, request.active
    if request.wide is not None and isinstance(active, NearbyDofs):
        others = Branches.of(request.wide, request.seed)
        if others.places:
            x = others.found[others.places[0]].q[active.indices]
            return Reason.LIMITS, f"reached only with {active.too_far(x)}"
    beyond = [k for k, flags in enumerate(branches.validity) if flags == Validity.LIMIT_VIOLATED]
    if beyond:
        beyond_by = beyond_limits((request.wide or request).active, found[beyond[0]].q[active.indices])
        return Reason.LIMITS, f"reached only beyond joint limits: {beyond_by}"
    far = out_of_reach(request)
    if far:
        return Reason.UNREACHABLE, far
    few = too_few_joints(active, request.error_method, request.seed)
    none = f"none of {len(found)} solutions in closed form reaches the target"
    return Reason.UNREACHABLE, f"{none}: {few}" if few else none


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
