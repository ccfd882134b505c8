"""`TranslationXAxisAngle4D` and its like: a point, and an angle with an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_POINT, CONE
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType


class TranslationAxisAngle4D(IkTarget):
    """The tool's point at a point, its direction at an angle with an axis: anywhere on a cone about it.

    Open are the turn of the cone and the tool's turn about its direction. Use one of the three classes for an axis.

    Args:
        point: (3,) in m.
        angle: Between the tool's direction and the axis, in [0, pi] rad.
        tool_direction: The tool's direction; its z when None.
        reference: Whose axis, and what the point is relative to; the world when None.
    """

    place, turn = AT_POINT, CONE
    point = packed_values.Place()
    angle = packed_values.Angle(is_bounded=True)

    def __init__(
        self,
        point: ArrayLike,
        angle: float,
        *,
        tool_direction: Direction | None = None,
        reference: Frame | None = None,
    ) -> None:
        self._set(tool_direction, reference, point, angle)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        pointing = pose.rotation @ direction
        across = np.delete(pointing, cls.axis)
        return pose.translation, math.atan2(math.hypot(*across), pointing[cls.axis])


class TranslationXAxisAngle4D(TranslationAxisAngle4D):
    """The tool's point at a point, its direction at an angle with the x axis; see `TranslationAxisAngle4D`."""

    ik_type = IkType.TRANSLATION_X_AXIS_ANGLE_4D
    axis = 0


class TranslationYAxisAngle4D(TranslationAxisAngle4D):
    """The tool's point at a point, its direction at an angle with the y axis; see `TranslationAxisAngle4D`."""

    ik_type = IkType.TRANSLATION_Y_AXIS_ANGLE_4D
    axis = 1


class TranslationZAxisAngle4D(TranslationAxisAngle4D):
    """The tool's point at a point, its direction at an angle with the z axis; see `TranslationAxisAngle4D`."""

    ik_type = IkType.TRANSLATION_Z_AXIS_ANGLE_4D
    axis = 2
