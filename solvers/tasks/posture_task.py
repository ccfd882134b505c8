"""`PostureTask`: joints near a configuration."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import FreeJoint, InvalidValueError, Skeleton, State
from ...kinematics.core.whole_turns import TURN
from ...kinematics.transforms import Array
from ..active_dofs import dof_indices
from .error_method import ErrorMethod


class PostureTask(ErrorMethod):
    """Draws joints towards a configuration: a wish that fills what other tasks leave free.

    The error is a joint velocity, so it is right for free and spherical joints; unlimited angles take the
    shorter way round. In a hierarchy it is not required for success.

    Args:
        q: Configuration (n,) or mapping from names, whose missing entries are rest positions; the rest
            positions when None.
        dofs: Names of the degrees of freedom that count; those in the mapping, else all but those of free
            joints, which are where the robot is rather than how it stands.
        weight: Factor of the error.

    Raises:
        InvalidValueError: A weight that is not positive and finite.
    """

    is_required: ClassVar[bool] = False

    def __init__(
        self,
        q: ArrayLike | Mapping[str, Any] | None = None,
        *,
        dofs: Iterable[str] | None = None,
        weight: float = 1.0,
    ) -> None:
        if not (weight > 0.0 and math.isfinite(weight)):
            raise InvalidValueError(f"weight must be positive and finite, not {weight}")
        self._q = dict(q) if isinstance(q, Mapping) else (None if q is None else np.array(q, dtype=float))
        self._dofs = None if dofs is None else tuple(dofs)
        self._weight = float(weight)
        self._resolved: tuple[Skeleton, int, Array, Any] | None = None

    @property
    def rows(self) -> int:
        """Number of degrees of freedom that count; known once it was used or bound."""
        if self._resolved is not None:
            return len(self._resolved[3])
        return len(self._goal(self.module.skeleton)[1])

    def aimed_at(self, target: Any = None) -> Self:
        """A copy for one call, with another configuration."""
        twin = copy.copy(self)
        if target is not None:
            twin._q = dict(target) if isinstance(target, Mapping) else np.array(target, dtype=float)
            twin._resolved = None
        return twin

    def _goal(self, skeleton: Skeleton) -> tuple[Array, Any]:
        """The configuration (n,) and the indices that count."""
        known = self._resolved
        if known is None or known[0] is not skeleton or known[1] != skeleton.version:
            q = skeleton.as_configuration(
                skeleton.rest_positions if self._q is None else self._q, skeleton.rest_positions, "posture"
            )
            names = self._dofs
            if names is None and isinstance(self._q, Mapping):
                names = tuple(self._q)
            if names is None:
                names = tuple(dof.name for dof in skeleton.dofs if not isinstance(dof.joint, FreeJoint))
            chosen = dof_indices(skeleton, names)
            known = self._resolved = (skeleton, skeleton.version, q, np.array(chosen, dtype=int))
        return known[2], known[3]

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """The joint velocities that lead here from the posture, and their Jacobian."""
        error, chosen = self._error(state)
        skeleton = state.skeleton
        goal, _ = self._goal(skeleton)
        jacobian = np.zeros((len(chosen), len(state.dofs)))
        slots = {int(index): column for column, index in enumerate(state.dofs)}
        full = None
        for row, index in enumerate(chosen):
            dof = skeleton.dofs[index]
            if dof.joint._is_additive:
                if int(index) in slots:
                    jacobian[row, slots[int(index)]] = 1.0
                continue
            if full is None:
                full = _difference_derivative(skeleton, goal, state.q)
            for other in dof.joint.dofs:
                if other.index in slots:
                    jacobian[row, slots[other.index]] = full[index, other.index]
        return self._weight * error, self._weight * jacobian

    def residual(self, state: State) -> tuple[float, float]:
        """Lengths of the linear (m) and of the angular part (rad)."""
        error, chosen = self._error(state)
        dofs = state.skeleton.dofs
        angular = np.array([dofs[index].is_angular for index in chosen], dtype=bool)
        return float(np.linalg.norm(error[~angular])), float(np.linalg.norm(error[angular]))

    def _error(self, state: State) -> tuple[Array, Any]:
        skeleton = state.skeleton
        goal, chosen = self._goal(skeleton)
        difference = skeleton.difference(goal, state.q)
        for index, dof in enumerate(skeleton.dofs):
            if dof.wraps and not dof.is_limited:
                difference[index] -= TURN * round(difference[index] / TURN)
        return difference[chosen], chosen

    @property
    def name(self) -> str:
        """What reports call it."""
        return "posture"


def _difference_derivative(skeleton: Skeleton, start: Array, end: Array) -> Array:
    """Derivative (n, n) of ``skeleton.difference(start, end)`` with respect to the velocity at the end."""
    full = pin.dDifference(
        skeleton.model, skeleton.to_pinocchio(start), skeleton.to_pinocchio(end), pin.ArgumentPosition.ARG1
    )
    columns = skeleton._pinocchio_model().velocity_columns
    result: Array = full[np.ix_(columns, columns)]
    return result
