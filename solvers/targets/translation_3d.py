"""`Translation3D`: a point, turned anyhow."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_POINT
from . import packed_values
from .ik_target import IkTarget
from .ik_type import IkType


class Translation3D(IkTarget):
    """The tool's point at a point; its rotation is open.

    Args:
        point: (3,) in m.
        reference: What it is relative to; the world when None.
    """

    ik_type = IkType.TRANSLATION_3D
    place = AT_POINT
    point = packed_values.Place()

    def __init__(self, point: ArrayLike, *, reference: Frame | None = None) -> None:
        self._set(None, reference, point)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        return (pose.translation,)
