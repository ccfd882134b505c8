"""`JointLimitTask`: joints away from their limits."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ...kinematics import InvalidValueError, State
from ...kinematics.transforms import Array
from .error_method import ErrorMethod

#: Weight of a joint beyond its limit. In the balance of squares that such a joint is in with others, it ends at most a
#: hundredth of the way that these give it, which is inside unless they are far in their own margins.
_BEYOND = 10.0


class JointLimitTask(ErrorMethod):
    """Draws joints out of a margin along their limits: a wish that fills what other tasks leave free.

    A joint between the margins is no error. A joint beyond its limit weighs ten times as much as one that is still
    inside, so that it comes back though others must go into their margins for it. In a hierarchy the task is not
    required for success.

    Args:
        margin: Width of the margin as a part of the joint's range, for joints with both limits.
        weight: Factor of the error.

    Raises:
        InvalidValueError: A margin outside (0, 0.5], or a weight that is not positive and finite.
    """

    is_required: ClassVar[bool] = False

    def __init__(self, margin: float = 0.1, *, weight: float = 1.0) -> None:
        if not 0.0 < margin <= 0.5:
            raise InvalidValueError(f"margin must be in (0, 0.5], not {margin}")
        if not (weight > 0.0 and math.isfinite(weight)):
            raise InvalidValueError(f"weight must be positive and finite, not {weight}")
        self._margin = float(margin)
        self._weight = float(weight)
        self._rows: int | None = None

    @property
    def rows(self) -> int:
        """Number of degrees of freedom; known once it was used or bound."""
        return self.module.skeleton.num_dofs if self._rows is None else self._rows

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """How far each joint is in its margin (rad or m), positive at the upper limit, and the Jacobian."""
        error = self._error(state)
        q, skeleton = state.q, state.skeleton
        beyond = (error != 0.0) & ((q < skeleton.lower_limits) | (q > skeleton.upper_limits))
        weights = self._weight * np.where(beyond, _BEYOND, 1.0)
        jacobian = np.zeros((len(error), len(state.dofs)))
        columns = np.arange(len(state.dofs))
        jacobian[state.dofs, columns] = np.where(error != 0.0, weights, 0.0)[state.dofs]
        return weights * error, jacobian

    def residual(self, state: State) -> tuple[float, float]:
        """Lengths of the linear (m) and of the angular part (rad)."""
        error = self._error(state)
        angular = np.array([dof.is_angular for dof in state.skeleton.dofs], dtype=bool)
        return float(np.linalg.norm(error[~angular])), float(np.linalg.norm(error[angular]))

    def _error(self, state: State) -> Array:
        skeleton = state.skeleton
        lower, upper = skeleton.lower_limits, skeleton.upper_limits
        self._rows = len(lower)
        # Coordinates of spherical and free joints are not moved by their own velocity alone.
        counted = np.array([dof.is_limited and dof.joint._is_additive for dof in skeleton.dofs], dtype=bool)
        counted &= np.isfinite(lower) & np.isfinite(upper)
        with np.errstate(invalid="ignore"):
            width = np.where(counted, self._margin * (upper - lower), 0.0)
        q = state.q
        inner = np.where(counted, np.minimum(np.maximum(q, lower + width), upper - width), q)
        result: Array = q - inner
        return result

    @property
    def name(self) -> str:
        """What reports call it."""
        return "joint limits"
