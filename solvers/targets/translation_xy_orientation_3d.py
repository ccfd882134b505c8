"""`TranslationXYOrientation3D`: a place and a heading in a plane."""

from __future__ import annotations

import math
from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_XY, HEADING, SHORTEST_PROJECTION
from . import packed_values
from .ik_target import Direction, IkTarget
from .ik_type import IkType


class TranslationXYOrientation3D(IkTarget):
    """The tool's point at an x and a y, and its direction at an angle from x when seen from above.

    The angle is that of the direction's projection on the plane of x and y, from x towards y. Height and tilt are
    open. It is meant for arms that move in that plane; for them it is the turn about z. A direction along z has no
    angle.

    Args:
        point: x and y, (2,) in m.
        angle: In rad; whole turns do not matter.
        tool_direction: The direction of the tool that is to have it; the tool's *x* when None, so that the
            angle is the one that the tool is turned by about z.
        reference: Whose x, y and z; the world's when None.
    """

    ik_type = IkType.TRANSLATION_XY_ORIENTATION_3D
    tool_axis = "x"
    place, turn = AT_XY, HEADING
    point = packed_values.Place(2)
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
        x, y, _ = (pose.rotation @ direction).tolist()
        if math.hypot(x, y) <= SHORTEST_PROJECTION:
            raise InvalidValueError(
                "the tool's direction is along z, so it has no angle in the plane of x and y; give another direction"
            )
        return pose.translation[:2], math.atan2(y, x)
