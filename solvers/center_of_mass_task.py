"""`CenterOfMassTask`: the centre of mass over a point, or at one."""

from __future__ import annotations

import copy
import math
from typing import Any, Self

from numpy.typing import ArrayLike

from ..kinematics import InvalidValueError, State, as_vector
from ..kinematics.transforms import Array
from .error_method import ErrorMethod


class CenterOfMassTask(ErrorMethod):
    """Brings the centre of mass of the skeleton over a point of the floor, or to a point in space.

    Args:
        over: (x, y) in the world; the height is free.
        point: (x, y, z) in the world. Give exactly one of the two.
        weight: Factor of the error; it shapes steps, not what counts as reached.
    """

    def __init__(self, over: ArrayLike | None = None, *, point: ArrayLike | None = None, weight: float = 1.0) -> None:
        if (over is None) == (point is None):
            raise InvalidValueError("CenterOfMassTask needs over=(x, y) or point=(x, y, z), and not both")
        if not (weight > 0.0 and math.isfinite(weight)):
            raise InvalidValueError(f"weight must be positive and finite, not {weight}")
        self._goal = as_vector(over, 2, "over") if over is not None else as_vector(point, 3, "point")  # type: ignore[arg-type]
        self._weight = float(weight)

    @property
    def goal(self) -> Array:
        """Where the centre of mass should be (2,) or (3,), a copy; assign as many numbers to change it."""
        return self._goal.copy()

    @goal.setter
    def goal(self, goal: ArrayLike) -> None:
        self._goal = as_vector(goal, self.rows, "goal")
        self._revision += 1

    @property
    def weight(self) -> float:
        """Factor of the error."""
        return self._weight

    @property
    def rows(self) -> int:
        """2 over a point of the floor, 3 at a point in space."""
        return len(self._goal)

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """Horizontal or full displacement of the centre of mass (m), and its Jacobian."""
        rows = len(self._goal)
        error: Array = self._weight * (state.com()[:rows] - self._goal)
        return error, self._weight * state.com_jacobian()[:rows]

    def residual(self, state: State) -> tuple[float, float]:
        """Distance (m), and no angle."""
        away = state.com()[: len(self._goal)] - self._goal
        return math.sqrt(away.dot(away)), 0.0

    def aimed_at(self, target: Any = None) -> Self:
        """A copy for one call, with another goal."""
        twin = copy.copy(self)
        if target is not None:
            twin._goal = as_vector(target, self.rows, "target")
        return twin

    @property
    def name(self) -> str:
        """What reports call it."""
        return "centre of mass"
