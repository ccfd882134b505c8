"""`CompiledEngine`: searches as compiled kernels with lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .. import defaults
from ..constraint_check import is_accepted
from ..descent import Descent, Ended, Outcome
from ..failure_report import for_nearest, out_of_reach
from ..kernel import kernel_of
from ..levenberg_marquardt import LevenbergMarquardt
from ..reason import Reason
from ..request import Request
from ..search import Search
from ..solution import Solution
from .binding import Binding
from .entry_points import restarts_for
from .form import form_of
from .layout import (
    ANGLE,
    ATTEMPTS,
    DISTANCE,
    FIRST,
    FOUND,
    ITERATIONS,
    SOLUTION,
    STRIKES,
    TAKEN,
    UNFINISHED,
)

#: Attempts between two looks at the clock; a few hundred microseconds.
_CHUNK = 64
#: Attempts for a target that is out of reach for certain: the nearest pose is wanted, and they are cheap.
_HOPELESS_ATTEMPTS = 200
#: The kernel is not to check what was checked already.
_UNCHECKED = 1


class CompiledEngine:
    """Runs restarts side by side in the lanes of a SIMD register."""

    name = "compiled"

    def solve(self, request: Request) -> Solution:
        """Solves a request that `engine_for` found nothing against."""
        form = form_of(request.error_method)
        binding = Binding(request.active, form, request.gradient_method, request.problem)
        kernel = search_for(form, request.gradient_method)
        # Begins here, so that the time a solve took leaves out loading or compiling.
        return self.solve_with(request, binding, kernel, Search(request, self.name))

    def solve_with(self, request: Request, binding: Binding, kernel: Any, search: Search) -> Solution:
        """Solves a request with a binding that fits its form; a search may have attempts behind it.

        Args:
            request: What is to be solved.
            binding: Its goal, seed and attempts are written here.
            kernel: The compiled search.
            search: At its beginning, or after some attempts in vain.
        """
        binding.seed[:] = request.seed
        binding.set_form(form_of(request.error_method))
        binding.update_plan()
        total = request.problem.attempts
        found, hopeless = None, ""
        if search.attempts == 0:
            found = self._run(request, binding, kernel, search, min(total, defaults.OUT_OF_REACH_ATTEMPTS))
        if found is None:
            hopeless = out_of_reach(request) if request.explains else ""
            found = self._run(request, binding, kernel, search, min(total, _HOPELESS_ATTEMPTS) if hopeless else total)
        if found is not None:
            return search.solution(found, True, Reason.CONVERGED)
        if hopeless or search.attempts >= defaults.DIAGNOSIS_ATTEMPTS:
            self._come_nearer(request, binding, kernel, search)
        state = request.active.borrow_state(request.seed)
        try:
            return search.failure(Descent(request, state, search.deadline), hopeless)
        finally:
            request.active.return_state(state)

    @staticmethod
    def _come_nearer(request: Request, binding: Binding, kernel: Any, search: Search) -> None:
        """Goes on from the nearest configuration with more patience than an attempt has."""
        nearest, counts, method = search.nearest, binding.counts, request.gradient_method
        if nearest is None or not request.explains or nearest.ended is Ended.OUT_OF_ITERATIONS:
            return
        if type(method) is not LevenbergMarquardt:
            return  # compiling another search would take longer than what follows in Python
        kept = counts.copy()
        counts[FIRST], counts[ATTEMPTS] = 0, 1
        counts[ITERATIONS] = counts[STRIKES] = defaults.NEAREST_KERNEL_ITERATIONS
        binding.write_parameters(for_nearest(method))
        try:
            kernel(binding.address, _UNCHECKED, binding.goal, nearest.q)
        finally:
            counts[:] = kept
            binding.write_parameters(method)
        outcome = outcome_of(binding)
        if outcome.square < nearest.square:
            search.nearest = outcome._replace(ended=nearest.ended, iterations=nearest.iterations)

    @staticmethod
    def _run(request: Request, binding: Binding, kernel: Any, search: Search, total: int) -> Outcome | None:
        """Goes on to ``total`` attempts; the solution, or None with what is nearest noted in ``search``."""
        while search.attempts < total and not (search.attempts > 0 and search.is_late()):
            first = search.attempts
            last = min(total, first + _CHUNK)
            binding.counts[FIRST], binding.counts[ATTEMPTS] = first, last
            if kernel(binding.address, _UNCHECKED, binding.goal, binding.seed) == SOLUTION:
                # Not those that the other lanes had begun.
                search.attempts = int(binding.report[FOUND]) + 1
                outcome = outcome_of(binding)
                if is_accepted(request.constraint, outcome.q):
                    return outcome
                # The search goes on behind the attempt that was refused.
                search.refused = search.refused or outcome
            else:
                search.attempts = last
                outcome = outcome_of(binding)
                if search.nearest is None or outcome.square < search.nearest.square:
                    search.nearest = outcome
        return None


def search_for(form: Any, method: Any) -> Any:
    """The compiled search for one target."""
    kernel = kernel_of(type(method))
    assert kernel is not None  # `engine_for` has looked
    return restarts_for(form.task, kernel.compiled)


def outcome_of(binding: Binding) -> Outcome:
    """What the last search of a binding came to."""
    report = binding.report.tolist()
    ended = Ended.STALLED
    if report[FOUND] >= 0.0:
        ended = Ended.CONVERGED
    elif report[UNFINISHED] > 0.0:
        ended = Ended.OUT_OF_ITERATIONS
    q: Array = np.array(binding.q)
    return Outcome(q, ended, report[DISTANCE], report[ANGLE], int(report[TAKEN]))
