"""`Descent`: single attempts, each from one configuration downhill."""

from __future__ import annotations

import copy
import math
from enum import Enum, auto
from typing import NamedTuple, Protocol

from ..kinematics import State
from ..kinematics.core.working_clock import working_time
from ..kinematics.transforms import Array
from .gradient_method import GradientMethod
from .limited_step import LimitedStep, StepRule
from .null_space import project_to_null_space
from .objective import BoundObjective
from .pace import Pace
from .request import Request


class Ended(Enum):
    """How an attempt ended."""

    CONVERGED = auto()
    STALLED = auto()
    OUT_OF_ITERATIONS = auto()
    OUT_OF_TIME = auto()


class Outcome(NamedTuple):
    """What came of an attempt.

    Attributes:
        q: The solution, or the nearest configuration on the way (n,).
        ended: How.
        position_error: There (m).
        orientation_error: There (rad).
        iterations: Steps taken.
    """

    q: Array
    ended: Ended
    position_error: float
    orientation_error: float
    iterations: int

    @property
    def square(self) -> float:
        """What nearness is judged by (m^2 + rad^2)."""
        return self.position_error**2 + self.orientation_error**2


class AnyDescent(Protocol):
    """What looking into a failure needs of a `Descent`, whatever runs it."""

    request: Request
    pace: Pace

    @property
    def respects_limits(self) -> bool:
        """See `Descent`."""

    def without_limits(self) -> AnyDescent:
        """See `Descent`."""

    def without_change_limit(self) -> AnyDescent:
        """See `Descent`."""

    def with_method(self, method: GradientMethod) -> AnyDescent:
        """See `Descent`."""

    def run(self, q: Array, iterations: int | None = None, gives_up: bool = True, steers: bool = True) -> Outcome:
        """See `Descent`."""


class Descent:
    """Runs the attempts of one request.

    Args:
        request: What is to be solved.
        state: A snapshot with the request's active columns, for this descent alone.
        deadline: When to stop, by `working_time`; None for never.
        respect_limits: False ignores the limits, whatever the request says.
    """

    def __init__(
        self, request: Request, state: State, deadline: float | None = None, respect_limits: bool = True
    ) -> None:
        problem = request.problem
        self.request = request
        self.state = state
        self.deadline = deadline
        largest = math.inf if request.gradient_method.takes_whole_steps else problem.max_step
        self.step = LimitedStep(request.active, largest, respect_limits and problem.respect_limits)
        self.pace = problem.pace_for(request.gradient_method)
        side = problem.null_space_objective
        self._side = None if side is None else BoundObjective(side, request.active)
        method = request.gradient_method
        # Our own methods need none of the checks, which would cost a tenth of an iteration.
        self._plain_rule: StepRule = method.gradient if method._is_trusted and method._is_plain else self._checked
        self._iteration = 0

    @property
    def respects_limits(self) -> bool:
        """Whether the joint limits are kept."""
        return self.step.respects_limits

    def without_limits(self) -> Descent:
        """The same, ignoring the limits."""
        return Descent(self.request, self.state, self.deadline, respect_limits=False)

    def without_change_limit(self) -> Descent:
        """The same for joints that may go as far from the seed as their limits let them."""
        wide = self.request.wide
        return self if wide is None else Descent(wide, self.state, self.deadline)

    def with_method(self, method: GradientMethod) -> Descent:
        """The same with another gradient method."""
        if method is self.request.gradient_method:
            return self
        request = copy.copy(self.request)
        request.gradient_method = method
        return Descent(request, self.state, self.deadline, self.step.respects_limits)

    def run(self, q: Array, iterations: int | None = None, gives_up: bool = True, steers: bool = True) -> Outcome:
        """Goes downhill from q (n,).

        Args:
            q: Where to start.
            iterations: At most; the problem's when None.
            gives_up: Whether to stop when the error hardly falls any more.
            steers: Whether the null-space objective bends the way.
        """
        problem, state, move = self.request.problem, self.state, self.step.move
        measure = self.request.error_method.measure
        most = self.pace.iterations if iterations is None else iterations
        position_tolerance, orientation_tolerance = problem.tolerance
        improvement = self.pace.improvement if gives_up else math.inf
        allowed_strikes = self.pace.strikes
        best, before, strikes, iteration = math.inf, math.inf, 0, 0
        nearest, nearest_errors, ended = q, (math.inf, math.inf), Ended.STALLED
        rule = self._plain_rule if self._side is None or not steers else self._steered
        state.set(q)
        while True:
            error, jacobian, away, turned = measure(state)
            if away <= position_tolerance and turned <= orientation_tolerance:
                return Outcome(state.q.copy(), Ended.CONVERGED, away, turned, iteration)
            square = away * away + turned * turned
            if square < best:
                best, nearest, nearest_errors = square, state.q.copy(), (away, turned)
            if square > improvement * before:
                strikes += 1
                if strikes >= allowed_strikes:
                    break
            before = square
            if iteration >= most:
                ended = Ended.OUT_OF_ITERATIONS
                break
            if self.deadline is not None and working_time() >= self.deadline:
                ended = Ended.OUT_OF_TIME
                break
            self._iteration = iteration
            move(state, jacobian, error, rule)
            iteration += 1
        return Outcome(nearest, ended, *nearest_errors, iteration)

    def _checked(self, jacobian: Array, error: Array) -> Array:
        request = self.request
        return request.gradient_method.checked_gradient(
            jacobian, error, self.state, request.module, self._iteration, request.error_method
        )

    def _steered(self, jacobian: Array, error: Array) -> Array:
        """The step with the null-space objective's part."""
        assert self._side is not None
        gradient = self._plain_rule(jacobian, error)
        slope = self._side.gradient(self.state.q)
        roots = self.request.active.root_weights
        aside = project_to_null_space(jacobian, slope if roots is None else roots * slope)
        # No longer than the step towards the goal, so that the last steps are as short as without it.
        length, room = math.sqrt(aside.dot(aside)), math.sqrt(gradient.dot(gradient))
        return gradient + aside * (min(1.0, room / length) if length > 0.0 else 0.0)
