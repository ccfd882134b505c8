"""`CompiledEngine`: searches as compiled kernels with lanes."""

from __future__ import annotations

import math
from typing import Any

from .. import defaults
from ..descent import Outcome
from ..failure_report import out_of_reach
from ..joint_change import NearbyDofs
from ..kernel import BuiltInKernel, kernel_of
from ..reason import Reason
from ..request import Request
from ..search import Search
from ..solution import Solution
from .binding import Binding
from .entry_points import search_for
from .form import form_of
from .kernel_descent import KernelDescent
from .layout import ANGLE, ATTEMPTS, DISTANCE, FIRST, FOUND, SOLUTION, UNCHECKED
from .outcome import outcome_of

#: Attempts between two looks at the clock; a few hundred microseconds.
_CHUNK = 64
#: Attempts for a target that is out of reach for certain: the nearest pose is wanted, and they are cheap.
_HOPELESS_ATTEMPTS = 200


class CompiledEngine:
    """Runs restarts side by side in the lanes of a SIMD register."""

    name = "compiled"

    def solve(self, request: Request) -> Solution:
        """Solves a request that `engine_for` found nothing against."""
        form = form_of(request.error_method)
        wide = request.wide or request
        binding = Binding(wide.active, form, request.gradient_method, wide.problem)
        kernel = search_for(form, request.gradient_method)
        # Begins here, so that the time a solve took leaves out loading or compiling.
        return self.solve_with(request, binding, kernel, Search(request, self.name))

    def solve_with(self, request: Request, binding: Binding, kernel: Any, search: Search) -> Solution:
        """Solves a request with a binding that fits its form; a search may have attempts behind it.

        Args:
            request: What is to be solved.
            binding: Its goal, seed and attempts are written here; its limits are narrowed for as long as it takes.
            kernel: The compiled search.
            search: At its beginning, or after some attempts in vain.
        """
        nowhere = search.without_room()
        if nowhere is not None:
            return nowhere
        if isinstance(request.active, NearbyDofs):
            binding.narrow(request.active)
        try:
            return self._searched(request, binding, kernel, search)
        finally:
            binding.widen()

    def _searched(self, request: Request, binding: Binding, kernel: Any, search: Search) -> Solution:
        binding.seed[:] = request.seed
        binding.set_form(form_of(request.error_method))
        binding.update_plan()
        total = request.problem.attempts
        found, hopeless = None, ""
        if search.attempts == 0:
            found = self._run(request, binding, kernel, search, min(total, defaults.OUT_OF_REACH_ATTEMPTS))
        if found is None:
            hopeless = out_of_reach(request) if request.explains and search.refused is None else ""
            found = self._run(request, binding, kernel, search, min(total, _HOPELESS_ATTEMPTS) if hopeless else total)
        if found is not None:
            return search.solution(found, True, Reason.CONVERGED)
        if request.explains and not isinstance(kernel_of(type(request.gradient_method)), BuiltInKernel):
            _look_at_the_step(request)
        return search.failure(KernelDescent(request, kernel, binding), hopeless)

    @staticmethod
    def _run(request: Request, binding: Binding, kernel: Any, search: Search, total: int) -> Outcome | None:
        """Goes on to ``total`` attempts; the solution, or None with what is nearest noted in ``search``."""
        while search.attempts < total and not (search.attempts > 0 and search.is_late()):
            first = search.attempts
            last = min(total, first + _CHUNK)
            binding.counts[FIRST], binding.counts[ATTEMPTS] = first, last
            # What is too far away to be compared with anything leaves them as they are.
            binding.report[DISTANCE] = binding.report[ANGLE] = math.inf
            if kernel(binding.address, UNCHECKED, binding.goal, binding.seed) == SOLUTION:
                # Not those that the other lanes had begun.
                search.attempts = int(binding.report[FOUND]) + 1
                outcome = outcome_of(binding)
                if search.accepts(outcome):
                    return outcome
                # The search goes on behind the attempt that was refused.
            else:
                search.attempts = last
                outcome = outcome_of(binding)
                if search.nearest is None or outcome.square < search.nearest.square:
                    search.nearest = outcome
        return None


def _look_at_the_step(request: Request) -> None:
    """Raises `GradientMethodError` when a user's kernel gives nan or infinity, which the compiled loop cannot see."""
    state = request.active.borrow_state(request.seed)
    try:
        error, jacobian, _, _ = request.error_method.measure(state)
        request.gradient_method.checked_gradient(jacobian, error, state, request.module)
    finally:
        request.active.return_state(state)
