"""`TranslationXY2D`: above or below a point of a plane."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_XY
from . import packed_values
from .ik_target import IkTarget
from .ik_type import IkType


class TranslationXY2D(IkTarget):
    """The tool's point at an x and a y; its height and its rotation are open.

    Args:
        point: x and y, (2,) in m.
        reference: Whose x and y; the world's when None.
    """

    ik_type = IkType.TRANSLATION_XY_2D
    place = AT_XY
    point = packed_values.Place(2)

    def __init__(self, point: ArrayLike, *, reference: Frame | None = None) -> None:
        self._set(None, reference, point)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        return (pose.translation[:2],)
