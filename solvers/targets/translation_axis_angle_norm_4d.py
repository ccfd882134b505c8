"""`TranslationXAxisAngleZNorm4D` and its like: a point, and a direction in a plane by its angle."""

from __future__ import annotations

import math
from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_POINT, IN_PLANE
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType

#: How far (rad) a direction may be out of the plane for a pose to count as fulfilling such a target.
_PLANE_TOLERANCE = 1e-6


class TranslationAxisAngleNorm4D(IkTarget):
    """The tool's point at a point, its direction at right angles to one axis and turned about it from another.

    The angle is counted from the named axis, positive about the norm: from x towards y about z, from y towards z
    about x, from z towards x about y. An arm whose tool stays in that plane anyway has to fulfil four conditions; for
    others the direction is fixed altogether, which makes five. Use one of the three classes for an axis.

    Args:
        point: (3,) in m.
        angle: In rad; whole turns do not matter.
        tool_direction: The tool's direction; its z when None.
        reference: Whose axes, and what the point is relative to; the world when None.
    """

    place, turn = AT_POINT, IN_PLANE
    point = packed_values.Place()
    angle = packed_values.Angle(is_bounded=False)

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
        pointing = (pose.rotation @ direction).tolist()
        start, turned, norm = (pointing[(cls.axis + k) % 3] for k in range(3))
        tilt = math.asin(min(1.0, max(-1.0, norm)))
        if abs(tilt) > _PLANE_TOLERANCE:
            name = "xyz"[(cls.axis + 2) % 3]
            raise InvalidValueError(
                f"the tool's direction is {abs(tilt):.3g} rad out of the plane at right angles to {name}, so that no "
                f"{cls.__name__} describes this pose"
            )
        return pose.translation, math.atan2(turned, start)


class TranslationXAxisAngleZNorm4D(TranslationAxisAngleNorm4D):
    """A point, and a direction at right angles to z by its angle from x; see `TranslationAxisAngleNorm4D`."""

    ik_type = IkType.TRANSLATION_X_AXIS_ANGLE_Z_NORM_4D
    axis = 0


class TranslationYAxisAngleXNorm4D(TranslationAxisAngleNorm4D):
    """A point, and a direction at right angles to x by its angle from y; see `TranslationAxisAngleNorm4D`."""

    ik_type = IkType.TRANSLATION_Y_AXIS_ANGLE_X_NORM_4D
    axis = 1


class TranslationZAxisAngleYNorm4D(TranslationAxisAngleNorm4D):
    """A point, and a direction at right angles to y by its angle from z; see `TranslationAxisAngleNorm4D`."""

    ik_type = IkType.TRANSLATION_Z_AXIS_ANGLE_Y_NORM_4D
    axis = 2
