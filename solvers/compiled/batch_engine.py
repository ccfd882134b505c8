"""`CompiledBatch`: many targets on the kernels, chunk by chunk, on any number of threads."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ...kinematics import KinetreeError, as_pose
from ...kinematics.transforms import Array
from ..batch_input import BatchInput
from ..reason import Reason
from ..request import Request
from . import layout
from .batch import INVALID
from .binding import Binding
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
    """

    def __init__(
        self, request: Request, given: BatchInput, arrays: dict[str, Any], idle: list[Any] | None = None
    ) -> None:
        self._request = request
        self._arrays = arrays
        self._form = form_of(request.error_method)
        self._many = batch_search_for(self._form, request.gradient_method)
        self._one = search_for(self._form, request.gradient_method)
        self._goals = given.goals.reshape(-1, 16)
        self._seeds = np.ascontiguousarray(given.seeds)
        self._idle: list[Binding] = [] if idle is None else idle

    def solve(self, chunk: tuple[int, int]) -> int:
        """Solves the targets from the first to before the last; returns how many."""
        binding = self._borrowed()
        for first, last in self._runs_of_one_plan(binding, *chunk):
            self._solve_run(binding, first, last)
        self._idle.append(binding)
        return chunk[1] - chunk[0]

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

    def _solve_run(self, binding: Binding, first: int, last: int) -> None:
        total = self._request.problem.attempts
        binding.seed[:] = np.nan_to_num(self._seed_of(first))
        binding.update_plan()
        seeds = self._seeds if len(self._seeds) == 1 else self._seeds[first:last]
        answers = np.zeros((last - first, len(binding.seed) + layout.REPORT_SIZE))
        table = binding.batch_table(self._goals[first:last], seeds, answers)
        binding.counts[layout.FIRST], binding.counts[layout.ATTEMPTS] = 0, min(total, _SHARED_ATTEMPTS)
        self._many(table.address, 0, last - first)
        solved = answers[:, len(binding.seed) + layout.SOLVED]
        if total > _SHARED_ATTEMPTS:
            for row in np.flatnonzero(solved == 0.0):
                self._go_on(binding, self._goals[first + int(row)], first + int(row), answers[row], _SHARED_ATTEMPTS)
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
        self._go_on(binding, goal.ravel(), row, answer, 0)

    def _seed_of(self, row: int) -> Array:
        seed: Array = self._seeds[row if len(self._seeds) > 1 else 0]
        return seed

    def _go_on(self, binding: Binding, goal: Array, row: int, answer: Array, attempts: int) -> None:
        """The attempts for one target from a number on, side by side in the lanes."""
        n = len(binding.seed)
        binding.goal.ravel()[:] = goal
        binding.seed[:] = self._seed_of(row)
        total = self._request.problem.attempts
        while attempts < total:
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
        arrays["reason"][places] = reasons
        for k in np.flatnonzero(~solved):
            away, turned = report[k, layout.DISTANCE], report[k, layout.ANGLE]
            arrays["detail"][places[k]] = f"the nearest pose found is {away:.3g} m and {turned:.3g} rad off"


def _square(report: Array) -> float:
    return float(report[layout.DISTANCE] ** 2 + report[layout.ANGLE] ** 2)
