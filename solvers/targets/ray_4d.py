"""`Ray4D`: along a line in space."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import DIRECTION, ON_LINE
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType


class Ray4D(IkTarget):
    """The tool's point anywhere on a line, and its direction along it, in the same sense.

    Open are how far along the line the tool is, before or behind the point, and its turn about the line.

    Args:
        point: A point (3,) of the line, in m.
        direction: Of the line: ``"x"``, ``"-z"`` ..., or three numbers.
        tool_direction: The direction of the tool that is to have it; the tool's z when None.
        reference: What they are relative to; the world when None.
    """

    ik_type = IkType.RAY_4D
    place, turn = ON_LINE, DIRECTION
    point = packed_values.Place()
    direction = packed_values.UnitVector()

    def __init__(
        self,
        point: ArrayLike,
        direction: Direction,
        *,
        tool_direction: Direction | None = None,
        reference: Frame | None = None,
    ) -> None:
        self._set(tool_direction, reference, point, direction)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        return pose.translation, pose.rotation @ direction
