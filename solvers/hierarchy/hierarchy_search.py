"""The search of a hierarchy: attempts from several configurations, levels before levels, wishes last."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...kinematics import State
from ...kinematics.core.working_clock import working_time
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..constraints.constraint_check import refusal
from ..constraints.refused_solutions import RefusedSolutions
from ..errors import SolverError
from ..few_joints import fixed_coordinates, too_few_joints
from ..gradient_method import GradientMethod
from ..limited_step import LimitedStep, StepRule
from ..problem import Problem
from ..reason import Reason
from ..solution import Solution, TaskResult
from ..starts import starts
from .hierarchical_step import Level, hierarchical_gradient
from .hierarchy_tasks import HierarchyTasks, Measured, compiled_obstacle


class HierarchyRequest(NamedTuple):
    """What is to be solved."""

    active: ActiveDofs
    tasks: HierarchyTasks
    problem: Problem
    seed: Array
    constraint: QConstraint | None


class _Reached(NamedTuple):
    """Where an attempt got to; the one with the smaller rank is better."""

    q: Array
    missed: tuple[float, ...]
    wish: float
    iterations: int
    ran_out: bool = False

    @property
    def rank(self) -> tuple[float, ...]:
        return (*self.missed, self.wish)

    @property
    def is_solved(self) -> bool:
        return not any(self.missed)


class HierarchySearch:
    """One solve of a `HierarchicalIK`."""

    def __init__(self, request: HierarchyRequest) -> None:
        self.request = request
        self.tasks = request.tasks
        self.begun = working_time()
        timeout = request.problem.timeout
        self.deadline = math.inf if timeout is None else self.begun + timeout
        self.attempts = 0
        self._compiled_walk = _compiled_walk(request)

    def run(self) -> Solution:
        """Searches."""
        request = self.request
        state = request.active.skeleton.state(request.seed, request.active.indices)
        best: _Reached | None = None
        refused: _Reached | None = None
        refusals = RefusedSolutions(request.active)
        for start in starts(request.active, request.seed, request.problem):
            self.attempts += 1
            reached = self._attempt(state, start)
            if reached.is_solved:
                reached = self._near_seed(state, reached)
                if not refusals.knows(reached.q):
                    refusing = refusal(request.constraint, reached.q, request.active.skeleton)
                    if refusing is None:
                        return self._solution(state, reached, Reason.CONVERGED)
                    refusals.add(reached.q, refusing)
                    refused = refused or reached
            elif best is None or reached.rank < best.rank:
                best = reached
            if not len(request.active) or self._is_late():
                break
        if refused is not None:
            reason = Reason.TIMEOUT if self._is_late() else refusals.reason
            said = refusals.text(looks=0) if self._is_late() else refusals.text()
            also = "" if self._is_late() else refusals.at_the_start(request.seed)
            text = f"all tasks are met, but refused: {said}{f'; {also}' if also else ''}"
            return self._solution(state, refused, reason, text)
        assert best is not None
        return self._solution(state, best, self._reason(best))

    def _reason(self, best: _Reached) -> Reason:
        if not len(self.request.active):
            return Reason.NO_DOFS
        if self._is_late():
            return Reason.TIMEOUT
        return Reason.ITERATIONS if best.ran_out else Reason.UNREACHABLE

    def _is_late(self) -> bool:
        return working_time() >= self.deadline

    def _attempt(self, state: State, start: Array) -> _Reached:
        """First the required tasks together; then, if some cannot be met, level by level; wishes last."""
        pace = self.request.problem.pace_for(self.tasks.methods[0]) if self.tasks.methods else None
        count = len(self.tasks.levels)
        if pace is None or not len(self.request.active):
            state.set(start)
            return self._reached(state, 0)
        reached = self._descend(state, start, count, pace.iterations, pace.strikes, pace.improvement)
        if not reached.is_solved:
            settled = self._settled(state)._replace(iterations=reached.iterations, ran_out=reached.ran_out)
            reached = min(reached, settled, key=lambda each: each.rank)
        return self._follow_wishes(state, reached) if self.tasks.has_wishes else reached

    def _settled(self, state: State) -> _Reached:
        """From where the state is, the levels one after another as far as they can be met.

        A level that cannot be met keeps moving, which disturbs those above to second order; so at the end
        they settle without it.
        """
        count = len(self.tasks.levels)
        for settling in range(1, count):
            reached = self._descend(state, state.q.copy(), settling, defaults.SETTLE_ITERATIONS, 2, 0.9)
            if any(reached.missed[:settling]):
                break
        return self._reached(state, 0)

    def _reached(self, state: State, iterations: int) -> _Reached:
        now = self.tasks.measure(state)
        return _Reached(state.q.copy(), now.missed, now.wish, iterations)

    def _descend(
        self,
        state: State,
        start: Array,
        count: int,
        iterations: int,
        allowed_strikes: int,
        improvement: float,
    ) -> _Reached:
        """Goes downhill with the required tasks of the first ``count`` levels, until these are met.

        Returns the best configuration on the way; the state stays at the last one.
        """
        walk = self._compiled_walk or _ObjectWalk(self, state)
        walk.begin(start, count)
        best: _Reached | None = None
        before, strikes, iteration, falls = math.inf, 0, 0, False
        while True:
            missed, wish = walk.measure()
            if best is None or missed < best.missed:
                best = _Reached(walk.q.copy(), missed, wish, iteration)
            if not any(missed[:count]):
                break
            total = sum(missed[:count])
            falls = total <= improvement * before
            strikes += 0 if falls else 1
            before = total
            if strikes >= allowed_strikes or iteration >= iterations or self._is_late():
                break
            walk.move(iteration)
            iteration += 1
        if self._compiled_walk is not None:
            state.set(walk.q)
        return best._replace(iterations=iteration, ran_out=falls and iteration >= iterations)

    def _follow_wishes(self, state: State, reached: _Reached) -> _Reached:
        """Moves on for the wishes while the required tasks stay as they are.

        After each step of all tasks the required ones settle again; a step after which they do not, or that
        brings the wishes no nearer, is tried again at half its size.
        """
        problem, count = self.request.problem, len(self.tasks.levels)
        size = defaults.WISH_STEP
        for _ in range(defaults.WISH_STEPS):
            if reached.wish == 0.0 or size < defaults.WISH_LEAST_STEP or self._is_late():
                break
            state.set(reached.q)
            active = self.request.active
            step = LimitedStep(active, min(size, problem.max_step), problem.respect_limits, rounds=len(active))
            self._move(state, step, self.tasks.measure(state), count, True, reached.iterations)
            moved = self._descend(state, state.q.copy(), count, defaults.SETTLE_ITERATIONS, 3, 0.9)
            better = moved.missed <= reached.missed and moved.wish < defaults.WISH_IMPROVEMENT * reached.wish
            if better:
                reached = moved._replace(iterations=reached.iterations + 1, ran_out=reached.ran_out)
                size = min(2.0 * size, defaults.WISH_STEP)
            else:
                size *= 0.5
        return reached

    def _move(self, state: State, step: LimitedStep, now: Measured, count: int, wishes: bool, iteration: int) -> None:
        columns = len(self.request.active)
        parts = [
            (slice(first, end if wishes else required), self._rule(state, method, iteration))
            for (first, required, end), method in zip(now.rows[:count], self.tasks.methods[:count], strict=True)
        ]

        def rule(jacobian: Array, error: Array) -> Array:
            levels = [Level(jacobian[rows], error[rows], own) for rows, own in parts]
            return hierarchical_gradient(levels, columns)

        step.move(state, now.jacobian, now.error, rule)

    @staticmethod
    def _rule(state: State, method: GradientMethod, iteration: int) -> StepRule:
        return lambda jacobian, error: method.checked_gradient(jacobian, error, state, method.ik, iteration)

    def _near_seed(self, state: State, reached: _Reached) -> _Reached:
        """The same with angles moved by whole turns to where they are nearest to the seed."""
        active, q = self.request.active, reached.q.copy()
        respect = self.request.problem.respect_limits
        q[active.indices] = active.nearest(q[active.indices], self.request.seed[active.indices], respect)
        state.set(q)
        near = self._reached(state, reached.iterations)
        return near if near.is_solved else reached

    def _solution(self, state: State, reached: _Reached, reason: Reason, detail: str = "") -> Solution:
        state.set(reached.q)
        results = tuple(self._results(self.tasks.measure(state)))
        needed = [task for task in results if task.required]
        q = reached.q.copy()
        q.flags.writeable = False
        return Solution(
            q,
            reason is Reason.CONVERGED,
            reason,
            max((task.position_error for task in needed), default=0.0),
            max((task.orientation_error for task in needed), default=0.0),
            reached.iterations,
            self.attempts,
            working_time() - self.begun,
            "object" if self._compiled_walk is None else "compiled",
            "" if reason is Reason.CONVERGED else detail or _missed(needed) + self._too_few_joints(needed),
            results,
        )

    def _too_few_joints(self, needed: list[TaskResult]) -> str:
        """Which missed task fixes more than the joints set, or that all of them together do; empty when none does."""
        if self._is_late():
            return ""
        active, seed = self.request.active, self.request.seed
        required = [task for task in self.tasks.all if task.is_required]
        for task, result in zip(required, needed, strict=True):
            few = "" if result.satisfied else too_few_joints(active, task.error_method, seed)
            if few:
                return f"; {task.name!r}: {few}"
        asked = sum(fixed_coordinates(task.error_method) for task in required)
        if len(active) >= asked:
            return ""
        return f"; {len(active)} joints, and the tasks fix {asked} coordinates: fix less, or make some of them wishes"

    def _results(self, now: Measured) -> Iterator[TaskResult]:
        for task, (away, turned) in zip(self.tasks.all, now.misses, strict=True):
            met = self.tasks.is_met(away, turned)
            yield TaskResult(task.name, task.level, away, turned, met, task.is_required)


class _ObjectWalk:
    """Steps of a descent in Python on Pinocchio; `CompiledWalk` is its twin."""

    def __init__(self, search: HierarchySearch, state: State) -> None:
        problem = search.request.problem
        self._search, self._state = search, state
        active = search.request.active
        self._step = LimitedStep(active, problem.max_step, problem.respect_limits, rounds=len(active))

    @property
    def q(self) -> Array:
        return self._state.q

    def begin(self, start: Array, count: int) -> None:
        self._count = count
        self._state.set(start)

    def measure(self) -> tuple[tuple[float, ...], float]:
        self._now = self._search.tasks.measure(self._state)
        return self._now.missed, self._now.wish

    def move(self, iteration: int) -> None:
        self._search._move(self._state, self._step, self._now, self._count, False, iteration)


def _compiled_walk(request: HierarchyRequest) -> Any:
    """Steps of a descent in the compiled kernels, or None for the object path.

    Raises:
        SolverError: The problem asks for the compiled engine, which cannot do this.
    """
    wanted = request.problem.engine
    if wanted == "object":
        return None
    obstacle = compiled_obstacle(request.tasks, request.active)
    if not obstacle:
        # Imported late, and only when it is used: it takes Numba along.
        from ..compiled.hierarchical_walk import CompiledWalk

        return CompiledWalk(request)
    if wanted == "compiled":
        raise SolverError(f"the compiled engine cannot solve this: {obstacle}; use engine='auto'")
    return None


def _missed(needed: list[TaskResult]) -> str:
    missed = [
        f"level {task.level}, {task.name!r}: {task.position_error:.3g} m and {task.orientation_error:.3g} rad off"
        for task in needed
        if not task.satisfied
    ]
    return "missed: " + "; ".join(missed)
