"""`KernelDescent`: single attempts on the kernel, for looking into a failure."""

from __future__ import annotations

from typing import Any

from ...kinematics.transforms import Array
from .. import defaults
from ..descent import Outcome
from ..gradient_method import GradientMethod
from ..pace import Pace
from ..request import Request
from . import layout
from .binding import Binding
from .entry_points import search_for
from .outcome import outcome_of


class KernelDescent:
    """What `Descent` does, compiled; see there.

    Args:
        request: What is to be solved.
        kernel: The compiled search.
        binding: With the goal, and a plan, of the request.
        method: Gives the parameters of the step rule; the request's when None.
    """

    def __init__(self, request: Request, kernel: Any, binding: Binding, method: GradientMethod | None = None) -> None:
        self.request = request
        self.pace: Pace = request.problem.pace_for(request.gradient_method)
        self._kernel = kernel
        self._binding = binding
        self._method = request.gradient_method if method is None else method

    @property
    def respects_limits(self) -> bool:
        """Whether the joint limits are kept."""
        return bool(self._binding.counts[layout.LIMITED])

    def without_limits(self) -> KernelDescent:
        """The same, ignoring the limits."""
        return KernelDescent(self.request, self._kernel, self._binding.without_limits(), self._method)

    def without_change_limit(self) -> KernelDescent:
        """The same for joints that may go as far from the seed as their limits let them."""
        wide = self.request.wide
        return self if wide is None else KernelDescent(wide, self._kernel, self._binding.widened(), self._method)

    def with_method(self, method: GradientMethod) -> KernelDescent:
        """The same with another gradient method."""
        kernel = self._kernel
        if type(method) is not type(self._method):
            kernel = search_for(self._binding.form, method)
        return KernelDescent(self.request, kernel, self._binding, method)

    def run(self, q: Array, iterations: int | None = None, gives_up: bool = True, steers: bool = True) -> Outcome:
        """One attempt from q (n,); see `Descent.run`. Compiled iterations cost little, so it is given more of them."""
        binding, counts = self._binding, self._binding.counts
        kept = counts.copy()
        counts[layout.FIRST], counts[layout.ATTEMPTS] = 0, 1
        if iterations is not None:
            counts[layout.ITERATIONS] = defaults.NEAREST_KERNEL_ITERATIONS
        if not gives_up:
            counts[layout.STRIKES] = defaults.NEAREST_KERNEL_ITERATIONS
        binding.write_parameters(self._method)
        try:
            self._kernel(binding.address, layout.UNCHECKED, binding.goal, q)
        finally:
            counts[:] = kept
            binding.write_parameters(self.request.gradient_method)
        return outcome_of(binding)
