"""`Direction3D`: a direction, anywhere."""

from __future__ import annotations

from typing import Any

import pinocchio as pin

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import DIRECTION
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType


class Direction3D(IkTarget):
    """The tool's direction as wanted; its place and its turn about that direction are open. Fixes two.

    Args:
        direction: ``"x"``, ``"-z"`` ..., or three numbers.
        tool_direction: The direction of the tool that is to have it; the tool's z when None.
        reference: What it is relative to; the world when None.
    """

    ik_type = IkType.DIRECTION_3D
    turn = DIRECTION
    direction = packed_values.UnitVector()

    def __init__(
        self, direction: Direction, *, tool_direction: Direction | None = None, reference: Frame | None = None
    ) -> None:
        self._set(tool_direction, reference, direction)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        return (pose.rotation @ direction,)
