"""`TranslationDirection5D`: a point and a direction."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_POINT, DIRECTION
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType


class TranslationDirection5D(IkTarget):
    """The tool's point at a point and its direction as wanted; its turn about that direction is open.

    Args:
        point: (3,) in m.
        direction: ``"x"``, ``"-z"`` ..., or three numbers.
        tool_direction: The direction of the tool that is to have it; the tool's z when None.
        reference: What they are relative to; the world when None.
    """

    ik_type = IkType.TRANSLATION_DIRECTION_5D
    place, turn = AT_POINT, DIRECTION
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
