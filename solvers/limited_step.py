"""`LimitedStep`: from a configuration to the next one, inside the joint limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..kinematics import State
from ..kinematics.core.whole_turns import nearest_equivalent
from ..kinematics.transforms import Array
from .active_dofs import ActiveDofs

#: Gives the uphill step (k,) for a Jacobian (m, k) and an error (m,); called again with joints taken out of
#: it.
StepRule = Callable[[Array, Array], Array]


class LimitedStep:
    """Moves a state against a gradient, without leaving the limits.

    A joint that stands at its limit and would be pushed outwards is taken out of the Jacobian, and the step
    is computed once more, so that the other joints make up for it. Merely cutting the step off at the limits would
    let the error creep. In the next iteration all joints are free again. An angle whose step leads over the gap
    between its limits goes on behind it.

    Args:
        active: What may move.
        max_step: Largest change of a coordinate in one step.
        respect_limits: False lets joints go anywhere.
        rounds: How often joints that the others push outwards are taken out in turn; after that the step is cut off
            at the limits. Once gains as much as more often, but for hierarchies, whose levels must not be cut off.
    """

    def __init__(self, active: ActiveDofs, max_step: float, respect_limits: bool = True, rounds: int = 1) -> None:
        self.active = active
        self._rounds = rounds
        self.respects_limits = respect_limits
        free = active.is_curved_column if respect_limits else np.ones(len(active), dtype=bool)
        self._lower = np.where(free, -math.inf, active.lower)
        self._upper = np.where(free, math.inf, active.upper)
        self._low, self._high = self._lower.tolist(), self._upper.tolist()
        wrapping = {column for column, _, _ in active.wraps}
        self._wraps = [column in wrapping for column in range(len(active))]
        #: How far an angle at its limit has to go to be inside again; infinite for all else.
        self._gaps = np.where(self._wraps, 2.0 * math.pi - (active.upper - active.lower), math.inf)
        self._max_step = max_step
        self._max_square = max_step * max_step
        self._own_max_step = None if active.max_step is None else np.minimum(active.max_step, max_step)

    def move(self, state: State, jacobian: Array, error: Array, rule: StepRule) -> None:
        """Takes one step: ``state`` goes to its configuration minus the gradient that ``rule`` gives."""
        gradient = self._gradient(jacobian, error, rule)
        start = state.x
        end = start - gradient
        inside = np.minimum(np.maximum(end, self._lower), self._upper)
        beyond = inside - end
        if beyond.dot(beyond) != 0.0:
            gradient, inside = self._held(start, gradient, jacobian, error, rule)
        if self.active.is_curved:
            self._move_curved(state, gradient)
        else:
            state.set_dofs(inside)

    def _gradient(self, jacobian: Array, error: Array, rule: StepRule) -> Array:
        """The rule's gradient, scaled so that no component is larger than allowed."""
        roots = self.active.root_weights
        # Joints of small weight are made unattractive by scaling their columns down.
        gradient: Array = rule(jacobian, error) if roots is None else roots * rule(jacobian * roots, error)
        if self._own_max_step is not None:
            size = np.abs(gradient)
            over = size > self._own_max_step
            scale = float((self._own_max_step[over] / size[over]).min()) if over.any() else 1.0
            return scale * gradient
        # The length bounds every component, so most steps need no look at the components.
        if gradient.dot(gradient) > self._max_square:
            largest = max(map(abs, gradient.tolist()))
            if largest > self._max_step:
                gradient = gradient * (self._max_step / largest)
        return gradient

    def _held(
        self, start: Array, gradient: Array, jacobian: Array, error: Array, rule: StepRule
    ) -> tuple[Array, Array]:
        """The gradient that leaves pushed joints where they are, and where it leads; see the class."""
        held = np.zeros(len(start), dtype=bool)
        for _ in range(self._rounds):
            pushed = ((start <= self._lower) & (gradient > 0.0)) | ((start >= self._upper) & (gradient < 0.0))
            pushed &= np.abs(gradient) < self._gaps
            if not pushed.any():
                break
            held |= pushed
            jacobian = np.where(held, 0.0, jacobian)
            gradient = self._gradient(jacobian, error, rule).copy()
            gradient[held] = 0.0  # a rule may move a joint that it has no Jacobian for
        # Plain numbers: for the few joints of a robot they are several times faster than arrays.
        end = (start - gradient).tolist()
        for k, (value, lower, upper) in enumerate(zip(end, self._low, self._high, strict=True)):
            if not lower <= value <= upper:
                if self._wraps[k]:
                    value = nearest_equivalent(value, value, lower, upper)
                end[k] = min(max(value, lower), upper)
        return gradient, np.array(end)

    def _move_curved(self, state: State, gradient: Array) -> None:
        """Joints whose velocities are not the rates of their coordinates move on their manifold.

        Limits of such coordinates are kept by projection alone.
        """
        q = state.moved(-gradient)
        if self.respects_limits:
            q[self.active.indices] = self.active.inside(q[self.active.indices])
        state.set(q)
