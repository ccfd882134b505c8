"""`SingleAxisJoint`: what revolute, prismatic and screw joints have in common."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..degree_of_freedom import DegreeOfFreedom
from ..transforms import Array, as_axis, read_only
from .joint import Joint


class SingleAxisJoint(Joint):
    """A joint with one axis and one coordinate.

    Args:
        name: Unique in the skeleton; also the name of the degree of freedom.
        axis: ``"x"``, ``"-y"``, ... or a vector (3,) in the joint frame; normalised.
        limits: (lower, upper) in rad or m; None for none.
        velocity_limit: Largest speed (rad/s or m/s).
        effort_limit: Largest torque or force (N m or N).
        rest: Rest position; None for zero or the nearest value inside the limits.
        weight: How readily weighing solvers use the joint.
        max_step: Largest change per solver iteration; None for no bound of its own.

    Raises:
        InvalidValueError: A zero axis, lower > upper, nan.
    """

    _is_angular: ClassVar[bool] = True

    def __init__(
        self,
        name: str,
        axis: str | ArrayLike = "z",
        limits: tuple[float, float] | None = None,
        *,
        velocity_limit: float = math.inf,
        effort_limit: float = math.inf,
        rest: float | None = None,
        weight: float = 1.0,
        max_step: float | None = None,
    ) -> None:
        super().__init__(name)
        self._axis = as_axis(axis, f"axis of joint {name!r}")
        self.dofs = (
            DegreeOfFreedom(
                name,
                self,
                is_angular=self._is_angular,
                limits=limits,
                velocity_limit=velocity_limit,
                effort_limit=effort_limit,
                rest=rest,
                weight=weight,
                max_step=max_step,
            ),
        )

    @property
    def axis(self) -> Array:
        """Unit axis (3,) in the joint frame (a copy to be read; assign to change)."""
        return read_only(self._axis.copy())

    @axis.setter
    def axis(self, value: str | ArrayLike) -> None:
        self._axis = as_axis(value, f"axis of joint {self._name!r}")
        self._structure_changed()

    @abstractmethod
    def transform(self, q: Array) -> pin.SE3:
        """Motion of the joint frame for the coordinate q (1,)."""

    def _letter(self) -> str | None:
        """Capital letter of the axis when it is exactly x, y or z; Pinocchio has faster joints for these."""
        if np.count_nonzero(self._axis) == 1 and self._axis.max() == 1.0:
            return "XYZ"[int(np.argmax(self._axis))]
        return None
