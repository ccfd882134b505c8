"""`Lookat3D`: at a point, from anywhere."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError
from ...kinematics.transforms import Array
from ..compiled.target_layout import LOOK_AT
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType


class Lookat3D(IkTarget):
    """The tool's direction points at a point, which is in front of it, not behind; its place is open. Fixes two.

    The error is the angle between the direction and the line of sight.

    Args:
        point: What to look at (3,), in m.
        tool_direction: The direction that the tool looks in; the tool's z when None.
        reference: What the point is relative to; the world when None.
    """

    ik_type = IkType.LOOKAT_3D
    turn = LOOK_AT
    point = packed_values.Place()

    def __init__(
        self, point: ArrayLike, *, tool_direction: Direction | None = None, reference: Frame | None = None
    ) -> None:
        self._set(tool_direction, reference, point)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array, *, distance: float = 1.0) -> tuple[Any, ...]:
        """The point at a distance (m) in front, as OpenRAVE has it."""
        if not distance > 0.0:
            raise InvalidValueError(f"distance must be positive, not {distance}: the point is in front of the tool")
        return (pose.translation + distance * (pose.rotation @ direction),)
