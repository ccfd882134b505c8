"""`CompiledEngine`: the built-in methods for full poses and positions, as compiled kernels with lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .. import defaults
from ..constraint_check import is_accepted
from ..descent import Ended, Outcome
from ..failure_report import out_of_reach
from ..gradient_descent_solver import Search
from ..reason import Reason
from ..request import Request
from ..solution import Solution
from ..task_space_region import TaskSpaceRegion
from .attempts import (
    ANGLE,
    ATTEMPTS,
    DISTANCE,
    FIRST,
    FOUND,
    ITERATIONS,
    PARAMETERS,
    ROWS,
    SEED,
    SOLVED,
    STRIKES,
    TAKEN,
    TRIED,
    UNFINISHED,
)
from .entry_points import restarts_for
from .pose_search import PoseSearch
from .rules import compiled_rule

#: Attempts between two looks at the clock; a few hundred microseconds.
_CHUNK = 64
_NO_LIMIT = 1e30
#: Keeps a solution inside the tolerance when whole turns are added to its angles afterwards.
_SLACK = 1.0 - 1e-9


class CompiledEngine:
    """Runs restarts side by side in the lanes of a SIMD register."""

    name = "compiled"

    def can_solve(self, request: Request) -> bool:
        """True for an exact full pose or position that stands still, a compiled method, and no objectives."""
        problem, active, method = request.problem, request.active, request.error_method
        if type(method) is not TaskSpaceRegion or not len(active) or problem.seeds:
            return False
        aim = method.aimed
        return bool(
            aim.is_short
            and not aim.has_weights
            and aim.bounds.clamp == np.inf
            and problem.objective is None
            and problem.null_space_objective is None
            and not isinstance(problem.random_seed, np.random.Generator)
            and not active.is_curved
            and active.max_step is None
            and active.root_weights is None
            and compiled_rule(request.gradient_method) is not None
            and not _depends_through_callable(request)
        )

    def solve(self, request: Request) -> Solution:
        """Solves a request that `can_solve` said yes to."""
        search = Search(request, self.name)
        pose_search = self._borrow(request)
        try:
            found = self._run(request, search, pose_search)
        finally:
            self._give_back(request, pose_search)
        if found is not None:
            return search.solution(found, True, Reason.CONVERGED)
        return search.failure(out_of_reach(request))

    def _run(self, request: Request, search: Search, kept: PoseSearch) -> Outcome | None:
        """The solution, or None with what is nearest noted in ``search``."""
        problem = request.problem
        rule, parameters = compiled_rule(request.gradient_method) or (None, ())
        kernel = restarts_for(rule)
        plan = kept.plan(request.seed)
        aim = request.error_method.aimed  # type: ignore[attr-defined]
        goal = aim.relative.target.pose
        kept.target[:9], kept.target[9:] = goal.rotation.ravel(), goal.translation
        kept.respect_limits(problem.respect_limits)
        settings, counts = kept.settings, kept.counts
        position, orientation = problem.tolerance
        settings[:4] = position * _SLACK, orientation * _SLACK, min(problem.max_step, _NO_LIMIT), min(
            problem.improvement, _NO_LIMIT
        )
        settings[PARAMETERS:] = 0.0
        settings[PARAMETERS : PARAMETERS + len(parameters)] = parameters
        patience = request.gradient_method.patience
        counts[ITERATIONS] = problem.iterations
        counts[STRIKES] = problem.strikes if patience is None else max(patience, problem.strikes)
        counts[SEED] = problem.random_seed
        counts[ROWS] = 6 if aim.full_rotation else 3
        seed = search.inside(request.seed)[request.active.indices]
        work = kept.work(plan)
        total = problem.attempts
        first, chunk = 0, 1 if request.constraint is not None else _CHUNK
        while first < total:
            # With a constraint, attempts are run until one gets there, and the search goes on behind it.
            last = min(total, first + (_CHUNK if chunk > 1 else total))
            if first == 0 and last > defaults.OUT_OF_REACH_ATTEMPTS:
                last = defaults.OUT_OF_REACH_ATTEMPTS
            counts[FIRST], counts[ATTEMPTS] = first, last
            kernel(plan.integers, plan.floats, kept.joints, settings, counts, kept.target, seed, work, kept.answer)
            report = kept.answer[len(request.active) :]
            outcome = self._outcome(request, kept.answer, report)
            if report[SOLVED] > 0.0:
                search.attempts = first + int(report[TRIED])
                outcome = search.finished(outcome)
                if is_accepted(request.constraint, outcome.q):
                    return outcome
                search.refused = search.refused or outcome
                first = int(report[FOUND]) + 1
                search.attempts = first
            else:
                if search.nearest is None or outcome.square < search.nearest.square:
                    search.nearest = outcome
                first = search.attempts = last
                if first == defaults.OUT_OF_REACH_ATTEMPTS and out_of_reach(request):
                    return None
            if search.is_late():
                return None
        return None

    @staticmethod
    def _outcome(request: Request, answer: Array, report: Array) -> Outcome:
        q = request.seed.copy()
        q[request.active.indices] = answer[: len(request.active)]
        ended = Ended.STALLED
        if report[SOLVED] > 0.0:
            ended = Ended.CONVERGED
        elif report[UNFINISHED] > 0.0:
            ended = Ended.OUT_OF_ITERATIONS
        return Outcome(q, ended, float(report[DISTANCE]), float(report[ANGLE]), int(report[TAKEN]))

    @staticmethod
    def _borrow(request: Request) -> PoseSearch:
        key = _key(request)
        kept: dict[Any, list[PoseSearch]] = request.active.kept
        try:
            return kept.setdefault(key, []).pop()
        except IndexError:
            return PoseSearch(request.active, request.module.frame, request.module.offset)

    @staticmethod
    def _give_back(request: Request, search: PoseSearch) -> None:
        request.active.kept[_key(request)].append(search)


def _key(request: Request) -> tuple[Any, ...]:
    """What a `PoseSearch` depends on besides the active degrees of freedom."""
    module = request.module
    frame = module.frame
    link = frame.link
    assert link is not None
    offset = module.offset
    where = b"" if frame is link else frame.transform(link).homogeneous.tobytes()
    return id(frame), where, b"" if offset is None else offset.tobytes()


def _depends_through_callable(request: Request) -> bool:
    """True when a joint that carries the frame follows another one in a way that is not compiled."""
    link = request.module.frame.link
    while link is not None:
        joint = link.joint
        while joint.dependence is not None:
            if not joint.dependence.is_linear:
                return True
            joint = joint.dependence.master
        link = link.parent_link
    return False
