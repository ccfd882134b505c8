"""`StepBounds`: how far joints may go in one step."""

from __future__ import annotations

import math

import numpy as np

from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs


class StepBounds:
    """Position limits, velocity limits and largest changes of k degrees of freedom, for steps of a given time.

    Angles stop at their limits: a robot that follows steps cannot jump by whole turns. Joints whose velocities are not
    the rates of their coordinates (spherical and free ones) have no position limits here.

    Args:
        active: What moves.
        max_step: Largest change of a coordinate (rad or m).
        time_step: Time of a step (s), for the velocity limits; None leaves these out.
        respect_limits: Whether position limits count.
    """

    def __init__(
        self, active: ActiveDofs, max_step: float, time_step: float | None = None, respect_limits: bool = True
    ) -> None:
        free = active.is_curved_column if respect_limits else np.ones(len(active), dtype=bool)
        self.lower = np.where(free, -math.inf, active.lower)
        self.upper = np.where(free, math.inf, active.upper)
        reach = np.full(len(active), max_step)
        if active.max_step is not None:
            reach = np.minimum(reach, active.max_step)
        if time_step is not None:
            reach = np.minimum(reach, time_step * np.array([dof.velocity_limit for dof in active.dofs]))
        self.reach: Array = reach
        self._back = -reach
        #: True when there are no bounds at all.
        self.are_far = not any(np.isfinite(each).any() for each in (reach, self.lower, self.upper))

    def around(self, x: Array) -> tuple[Array, Array]:
        """The least and the largest change (k,) at x (k,). Standing still is always among them.

        A joint outside its limits may only come nearer to them.
        """
        low = np.minimum(np.maximum(self.lower - x, self._back), 0.0)
        high = np.maximum(np.minimum(self.upper - x, self.reach), 0.0)
        return low, high
