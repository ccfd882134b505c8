"""`CompiledEngine`: the built-in methods for full poses and positions, as compiled kernels with lanes."""

from __future__ import annotations

from typing import Any

from ...kinematics.core.plan import Plan
from ...kinematics.transforms import Array
from .. import defaults
from ..constraint_check import is_accepted
from ..descent import Descent, Ended, Outcome
from ..failure_report import out_of_reach
from ..reason import Reason
from ..request import Request
from ..search import Search
from ..solution import Solution
from .attempts import (
    ANGLE,
    ATTEMPTS,
    DISTANCE,
    FIRST,
    FOUND,
    ITERATIONS,
    KEPT,
    MAX_STEP,
    ORIENTATION_TOLERANCE,
    PARAMETERS,
    POSITION_TOLERANCE,
    ROWS,
    SEED,
    SOLVED,
    STRIKES,
    TAKEN,
    UNFINISHED,
)
from .entry_points import restarts_for
from .pose_search import PoseSearch
from .rules import compiled_rule

#: Attempts between two looks at the clock; a few hundred microseconds.
_CHUNK = 64
_NO_LIMIT = 1e30
#: Attempts for a target that is out of reach for certain.
_HOPELESS_ATTEMPTS = 200
#: Keeps a solution inside the tolerance when whole turns are added to its angles afterwards.
_SLACK = 1.0 - 1e-9


class CompiledEngine:
    """Runs restarts side by side in the lanes of a SIMD register."""

    name = "compiled"

    def solve(self, request: Request) -> Solution:
        """Solves a request that `engine_for` found nothing against."""
        # First, so that the time a solve took leaves out loading or compiling.
        restarts_for(compiled_rule(request.gradient_method)[0])
        search = Search(request, self.name)
        key = _key(request)
        kept = self._borrow(request, key)
        try:
            found = self._run(request, search, kept)
        finally:
            request.active.kept[key].append(kept)
        if found is not None:
            return search.solution(found, True, Reason.CONVERGED)
        state = request.active.borrow_state(request.seed)
        try:
            hopeless = out_of_reach(request) if request.explains else ""
            return search.failure(Descent(request, state, search.deadline), hopeless)
        finally:
            request.active.return_state(state)

    def _run(self, request: Request, search: Search, kept: PoseSearch) -> Outcome | None:
        """The solution, or None with what is nearest noted in ``search``."""
        kernel, plan, seed = self._prepare(request, kept)
        counts, total = kept.counts, request.problem.attempts
        first = 0
        while first < total:
            last = min(total, first + (_CHUNK if first else defaults.OUT_OF_REACH_ATTEMPTS))
            counts[FIRST], counts[ATTEMPTS] = first, last
            kernel(
                plan.integers,
                plan.floats,
                kept.joints,
                kept.settings,
                counts,
                kept.target,
                seed,
                kept.work(plan),
                kept.answer,
            )
            report = kept.answer[len(request.active) :]
            outcome = _outcome(request, kept.answer, report)
            if report[SOLVED] > 0.0:
                # Not those that the other lanes had begun: the number is the same for every lane width.
                search.attempts = int(report[FOUND]) + 1
                outcome = _near_the_seed(request, outcome)
                if is_accepted(request.constraint, outcome.q):
                    return outcome
                search.refused = search.refused or outcome
                # The search goes on behind the attempt that was refused.
                first = search.attempts = int(report[FOUND]) + 1
            else:
                if search.nearest is None or outcome.square < search.nearest.square:
                    search.nearest = outcome
                if first == 0 and last < total and request.explains and out_of_reach(request):
                    # The rest is for the nearest pose; these attempts are cheap.
                    total = min(total, _HOPELESS_ATTEMPTS)
                first = search.attempts = last
            if search.is_late():
                return None
        return None

    @staticmethod
    def _prepare(request: Request, kept: PoseSearch) -> tuple[Any, Plan, Array]:
        """Writes the request into the arrays of the kernel; gives it with the plan and the seed (k,)."""
        problem, method = request.problem, request.gradient_method
        rule, parameters = compiled_rule(method)
        aim = request.error_method.aimed  # type: ignore[attr-defined]  # `engine_for` has looked
        goal, pace = aim.relative.target.pose, problem.pace_for(method)
        kept.target[:9], kept.target[9:] = goal.rotation.ravel(), goal.translation
        kept.respect_limits(problem.respect_limits)
        settings, counts = kept.settings, kept.counts
        settings[POSITION_TOLERANCE] = problem.tolerance[0] * _SLACK
        settings[ORIENTATION_TOLERANCE] = problem.tolerance[1] * _SLACK
        settings[MAX_STEP] = min(problem.max_step, _NO_LIMIT)
        settings[KEPT] = min(pace.improvement, _NO_LIMIT)
        settings[PARAMETERS:] = 0.0
        settings[PARAMETERS : PARAMETERS + len(parameters)] = parameters
        counts[ITERATIONS], counts[STRIKES] = pace.iterations, pace.strikes
        counts[SEED], counts[ROWS] = int(problem.random_seed), 6 if aim.has_rotation else 3  # type: ignore[arg-type]
        x = request.seed[request.active.indices]
        seed = request.active.inside(x) if problem.respect_limits else x
        return restarts_for(rule), kept.plan(request.seed), seed

    @staticmethod
    def _borrow(request: Request, key: Any) -> PoseSearch:
        try:
            return request.active.kept.setdefault(key, []).pop()  # type: ignore[no-any-return]
        except IndexError:
            return PoseSearch(request.active, request.error_method.aimed.relative.tool)  # type: ignore[attr-defined]


def _outcome(request: Request, answer: Array, report: Array) -> Outcome:
    q = request.seed.copy()
    q[request.active.indices] = answer[: len(request.active)]
    ended = Ended.STALLED
    if report[SOLVED] > 0.0:
        ended = Ended.CONVERGED
    elif report[UNFINISHED] > 0.0:
        ended = Ended.OUT_OF_ITERATIONS
    turned = float(report[ANGLE]) if request.error_method.aimed.has_rotation else 0.0  # type: ignore[attr-defined]
    return Outcome(q, ended, float(report[DISTANCE]), turned, int(report[TAKEN]))


def _near_the_seed(request: Request, found: Outcome) -> Outcome:
    """The solution with its angles turned to where they are nearest to the seed."""
    active = request.active
    if not active.wraps:
        return found
    near = active.nearest(found.q[active.indices], request.seed[active.indices], request.problem.respect_limits)
    found.q[active.indices] = near
    return found


def _key(request: Request) -> tuple[Any, ...]:
    """What a `PoseSearch` depends on besides the active degrees of freedom."""
    tool = request.error_method.aimed.relative.tool  # type: ignore[attr-defined]
    return id(tool.link), tool.pose.homogeneous.tobytes()
