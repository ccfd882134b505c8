"""`CompiledBatch`: many targets on the kernels, chunk by chunk, on any number of threads."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...kinematics import KinetreeError, Skeleton, as_pose
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from ..batches.batch_input import BatchInput
from ..batches.batch_solution import write_row
from ..descent import Ended, Outcome
from ..engine import engine_for
from ..goals import as_target
from ..joint_change import NearbyDofs, change_in_the_way, confined
from ..reason import Reason
from ..request import Request, make_request
from ..search import Search
from ..time_limit import TimeLimit
from . import layout
from .batch import INVALID
from .binding import Binding
from .compiled_engine import CompiledEngine
from .entry_points import batch_search_for, search_for
from .form import form_of

#: Attempts with a lane for each target. The few targets that need more then get all lanes, one after another, so
#: that one hard target does not keep the other lanes waiting.
_SHARED_ATTEMPTS = 24
#: Attempts of a hard target between two looks at whether it is solved.
_CHUNK = 256


class CompiledBatch:
    """One batch. Chunks may be solved on several threads at once; each answer depends on its own target alone.

    Args:
        request: Options and task.
        given: Targets and seeds.
        arrays: Of a `BatchSolution`, to be written.
        idle: Bindings of earlier batches of the same module and options, and where those of this one are left.
        change: (n,) how far joints may go from the seeds, see `as_joint_change`; None for no limit.
        limit: Of the time for all targets together.
    """

    def __init__(
        self,
        request: Request,
        given: BatchInput,
        arrays: dict[str, Any],
        idle: list[Any] | None = None,
        change: Array | None = None,
        limit: TimeLimit | None = None,
    ) -> None:
        self._limit = limit or TimeLimit()
        self._request = request
        self._change = change
        self._arrays = arrays
        self._form = form_of(request.error_method)
        self._many = batch_search_for(self._form, request.gradient_method)
        self._one = search_for(self._form, request.gradient_method)
        self._goals = given.goals.reshape(-1, 16)
        self._seeds = np.ascontiguousarray(given.seeds)
        self._idle: list[Binding] = [] if idle is None else idle

    def solve(self, chunk: tuple[int, int]) -> int:
        """Solves the targets from the first to before the last; returns how many. None once the time is over."""
        if self._limit.is_over:
            return chunk[1] - chunk[0]
        binding = self._borrowed()
        if self._change is not None:
            self._solve_nearby(binding, *chunk)
            self._blame_change(binding, *chunk)
        else:
            for first, last in self._runs_of_one_plan(binding, *chunk):
                self._solve_run(binding, first, last, _SHARED_ATTEMPTS)
        self._idle.append(binding)
        return chunk[1] - chunk[0]

    @property
    def skeleton(self) -> Skeleton:
        """Whose configurations are looked for."""
        return self._request.active.skeleton

    def go_on(self, row: int, constraint: QConstraint, refusing: QConstraint) -> None:
        """Goes on with a target whose solution was refused, behind the attempt that found it."""
        arrays, wide = self._arrays, self._request_for(row)
        wide.constraint, wide.problem = constraint, self._limit.within(wide.problem)
        request = confined(wide, self._change)
        engine = CompiledEngine()
        search = Search(request, engine.name)
        search.attempts = int(arrays["attempts"][row])
        errors = float(arrays["position_error"][row]), float(arrays["orientation_error"][row])
        found = Outcome(arrays["q"][row].copy(), Ended.CONVERGED, *errors, int(arrays["iterations"][row]))
        search.refuse(found, refusing)
        binding = self._borrowed()
        write_row(arrays, row, engine.solve_with(request, binding, self._one, search))
        self._idle.append(binding)

    def _request_for(self, row: int) -> Request:
        request = self._request
        target = as_target(request.error_method, self._goals[row].reshape(4, 4))
        return make_request(request.module, target, request.problem, self._seed_of(row), explains=False, warns=False)

    def _solve_nearby(self, binding: Binding, first: int, last: int) -> None:
        """Solves targets whose joints may not go far from their seeds."""
        if len(self._seeds) == 1:
            self._solve_confined(binding, first, last, _SHARED_ATTEMPTS)
            return
        # The kernels know one set of limits for all lanes. So each target gets one attempt without the narrower ones,
        # which leads to a solution near the seed as a rule; only the others are gone on with one after another.
        for begin, end in self._runs_of_one_plan(binding, first, last):
            self._solve_run(binding, begin, end, 1, goes_on=False)
        assert self._change is not None
        places, arrays = self._request.active.indices, self._arrays
        away = np.abs(arrays["q"][first:last] - self._seeds[first:last])[:, places]
        near = arrays["success"][first:last] & (away <= self._change[places]).all(axis=1)
        for row in first + np.flatnonzero(~near & (arrays["reason"][first:last] != Reason.INVALID_INPUT)):
            if self._limit.is_over:
                arrays["success"][row], arrays["reason"][row] = False, Reason.TIMEOUT
                arrays["detail"][row] = self._limit.detail
                continue
            arrays["detail"][row] = ""
            self._solve_confined(binding, int(row), int(row) + 1, 1)

    def _solve_confined(self, binding: Binding, first: int, last: int, shared: int) -> None:
        """Solves targets of one seed within what is near it."""
        assert self._change is not None
        seed, problem = np.nan_to_num(self._seed_of(first)), self._request.problem
        nearby = NearbyDofs(self._request.active, seed, self._change, problem.respect_limits)
        if nearby.is_empty or nearby.turns_far.any():
            for row in range(first, last):
                self._solve_alone(row)
            return
        binding.narrow(nearby)
        try:
            self._solve_run(binding, first, last, shared)
        finally:
            binding.widen()

    def _blame_change(self, binding: Binding, first: int, last: int) -> None:
        """Tells of targets that a few attempts reach when joints may go far from their seeds."""
        arrays, n = self._arrays, len(binding.seed)
        total = min(self._request.problem.attempts, _SHARED_ATTEMPTS)
        reasons = arrays["reason"][first:last]
        failed = (reasons == Reason.UNREACHABLE) | (reasons == Reason.ITERATIONS)
        for row in (first + np.flatnonzero(failed)).tolist():
            if self._limit.is_over:
                break
            binding.seed[:] = self._seed_of(row)
            binding.update_plan()
            answer = np.zeros(n + layout.REPORT_SIZE)
            answer[n + layout.DISTANCE] = np.inf
            self._search_on(binding, self._goals[row], row, answer, 0, total)
            if answer[n + layout.SOLVED] > 0.0:
                told = change_in_the_way(confined(self._request_for(row), self._change), answer[:n])
                if told:
                    arrays["reason"][row] = Reason.LIMITS
                    arrays["detail"][row] = f"{told}; {arrays['detail'][row]}"

    def _solve_alone(self, row: int) -> None:
        """A target that the kernels are not for."""
        if self._arrays["detail"][row]:
            return
        try:
            request = confined(self._request_for(row), self._change)
        except KinetreeError as error:
            self._arrays["detail"][row] = f"target {row}: {error}"
            return
        write_row(self._arrays, row, engine_for(request).solve(request))

    def _borrowed(self) -> Binding:
        """A binding that no other thread has: taking from a list is atomic."""
        try:
            binding = self._idle.pop()
        except IndexError:
            binding = None
        if binding is None or not binding.fits(self._form):
            request = self._request
            return Binding(request.active, self._form, request.gradient_method, request.problem)
        binding.set_form(self._form)
        return binding

    def _runs_of_one_plan(self, binding: Binding, first: int, last: int) -> list[tuple[int, int]]:
        """Cuts a chunk where seeds differ in joints that stand still but carry the tip: those need another plan."""
        if len(self._seeds) == 1 or not binding.has_standing_dofs:
            return [(first, last)]
        still = self._seeds[first:last][:, binding.standing_dofs]
        cuts = first + 1 + np.flatnonzero((still[1:] != still[:-1]).any(axis=1))
        ends = [first, *cuts.tolist(), last]
        return list(itertools.pairwise(ends))

    def _solve_run(self, binding: Binding, first: int, last: int, shared: int, goes_on: bool = True) -> None:
        """Solves targets with one plan: ``shared`` attempts with a lane for each, then all lanes for one at a time."""
        total = self._request.problem.attempts
        binding.seed[:] = np.nan_to_num(self._seed_of(first))
        binding.update_plan()
        seeds = self._seeds if len(self._seeds) == 1 else self._seeds[first:last]
        answers = np.zeros((last - first, len(binding.seed) + layout.REPORT_SIZE))
        table = binding.batch_table(self._goals[first:last], seeds, answers)
        binding.counts[layout.FIRST], binding.counts[layout.ATTEMPTS] = 0, min(total, shared)
        self._many(table.address, 0, last - first)
        solved = answers[:, len(binding.seed) + layout.SOLVED]
        if goes_on and total > shared:
            for row in np.flatnonzero(solved == 0.0):
                self._search_on(binding, self._goals[first + int(row)], first + int(row), answers[row], shared)
        for row in np.flatnonzero(solved == INVALID):
            self._look_into(binding, first + int(row), answers[row])
        self._write(first, last, answers)

    def _look_into(self, binding: Binding, row: int, answer: Array) -> None:
        """A target that the kernel refused: solved when its rotation only needs rounding off, else told of."""
        detail, n = self._arrays["detail"], len(binding.seed)
        if detail[row]:
            return
        try:
            goal = as_pose(self._goals[row].reshape(4, 4), f"target {row}").homogeneous
        except KinetreeError as error:
            detail[row] = str(error)
            return
        answer[:n], answer[n:] = self._seed_of(row), 0.0
        answer[n + layout.DISTANCE] = np.inf
        self._search_on(binding, goal.ravel(), row, answer, 0)

    def _seed_of(self, row: int) -> Array:
        seed: Array = self._seeds[row if len(self._seeds) > 1 else 0]
        return seed

    def _search_on(
        self, binding: Binding, goal: Array, row: int, answer: Array, attempts: int, total: int | None = None
    ) -> None:
        """The attempts for one target from a number on, side by side in the lanes; all of the problem's for None."""
        n = len(binding.seed)
        binding.goal.ravel()[:] = goal
        binding.seed[:] = self._seed_of(row)
        total = self._request.problem.attempts if total is None else total
        while attempts < total and not (attempts and self._limit.is_over):
            binding.counts[layout.FIRST], binding.counts[layout.ATTEMPTS] = attempts, min(total, attempts + _CHUNK)
            found = self._one(binding.address, layout.UNCHECKED, binding.goal, binding.seed) == layout.SOLUTION
            attempts = int(binding.report[layout.FOUND]) + 1 if found else min(total, attempts + _CHUNK)
            if found or _square(binding.report) < _square(answer[n:]):
                answer[:n], answer[n:] = binding.q, binding.report
            answer[n + layout.TRIED] = attempts
            if found:
                return

    def _write(self, first: int, last: int, answers: Array) -> None:
        arrays, n = self._arrays, answers.shape[1] - layout.REPORT_SIZE
        report = answers[:, n:]
        rows = np.flatnonzero(report[:, layout.SOLVED] != INVALID)
        places = first + rows
        report = report[rows]
        solved = report[:, layout.SOLVED] > 0.0
        arrays["q"][places] = answers[rows, :n]
        arrays["success"][places] = solved
        arrays["position_error"][places] = report[:, layout.DISTANCE]
        arrays["orientation_error"][places] = report[:, layout.ANGLE]
        arrays["iterations"][places] = report[:, layout.TAKEN]
        arrays["attempts"][places] = report[:, layout.TRIED]
        reasons = np.full(len(rows), Reason.UNREACHABLE, dtype=object)
        reasons[report[:, layout.UNFINISHED] > 0.0] = Reason.ITERATIONS
        reasons[solved] = Reason.CONVERGED
        if self._limit.is_over:
            reasons[~solved & (report[:, layout.TRIED] < self._request.problem.attempts)] = Reason.TIMEOUT
        arrays["reason"][places] = reasons
        for k in np.flatnonzero(~solved):
            away, turned = report[k, layout.DISTANCE], report[k, layout.ANGLE]
            arrays["detail"][places[k]] = f"the nearest pose found is {away:.3g} m and {turned:.3g} rad off"


def _square(report: Array) -> float:
    return float(report[layout.DISTANCE] ** 2 + report[layout.ANGLE] ** 2)
