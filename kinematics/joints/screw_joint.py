"""`ScrewJoint`: rotation about an axis with an advance along it."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..errors import InvalidValueError
from ..transforms import Array
from .single_axis_joint import SingleAxisJoint


class ScrewJoint(SingleAxisJoint):
    """Rotates about its axis and advances along it; the coordinate is the angle in radians.

    Args:
        name: Unique in the skeleton.
        axis: As for `SingleAxisJoint`.
        lead: Advance in metres per full turn; may be negative (left-handed) or zero.
        limits: (lower, upper) angle in rad; None for none.
        velocity_limit: rad/s.
        effort_limit: N m.
        rest: Rest angle.
        weight: As for `SingleAxisJoint`.
        max_step: As for `SingleAxisJoint`.
    """

    kind = "screw"

    def __init__(
        self,
        name: str,
        axis: str | ArrayLike = "z",
        lead: float = 0.0,
        limits: tuple[float, float] | None = None,
        *,
        velocity_limit: float = math.inf,
        effort_limit: float = math.inf,
        rest: float | None = None,
        weight: float = 1.0,
        max_step: float | None = None,
    ) -> None:
        super().__init__(
            name,
            axis,
            limits,
            velocity_limit=velocity_limit,
            effort_limit=effort_limit,
            rest=rest,
            weight=weight,
            max_step=max_step,
        )
        self._lead = self._checked_lead(lead)

    @property
    def lead(self) -> float:
        """Advance in metres per full turn; assign to change."""
        return self._lead

    @lead.setter
    def lead(self, value: float) -> None:
        self._lead = self._checked_lead(value)
        self._structure_changed()

    def _checked_lead(self, value: float) -> float:
        if not isinstance(value, int | float | np.number) or not math.isfinite(value):
            raise InvalidValueError(f"lead of joint {self._name!r} must be a finite number, not {value!r}")
        return float(value)

    def transform(self, q: Array) -> pin.SE3:
        """Rotation by q[0] rad about the axis and translation by lead * q[0] / (2 pi) along it."""
        return pin.SE3(pin.exp3(self._axis * q[0]), self._axis * (self._lead * q[0] / (2.0 * math.pi)))

    def _pinocchio_joint(self) -> pin.JointModel:
        return pin.JointModelHelicalUnaligned(self._axis, self._lead / (2.0 * math.pi))
