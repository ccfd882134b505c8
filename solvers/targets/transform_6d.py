"""`Transform6D`: a pose."""

from __future__ import annotations

from typing import Any

import pinocchio as pin

from ...kinematics import Frame, PoseLike
from ...kinematics.transforms import Array
from ..compiled.target_layout import AT_POINT, POSE_ROTATION
from . import packed_values
from .ik_target import IkTarget
from .ik_type import IkType


class Transform6D(IkTarget):
    """The tool at a pose: point and rotation. Nothing is left open.

    The rotation rows of the Jacobian are the angular velocity, as those of a plain pose are.

    Args:
        pose: In any form that poses have.
        reference: What it is relative to; the world when None.
    """

    ik_type = IkType.TRANSFORM_6D
    place, turn = AT_POINT, POSE_ROTATION
    pose = packed_values.Pose()

    def __init__(self, pose: PoseLike, *, reference: Frame | None = None) -> None:
        self._set(None, reference, pose)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        return (pose,)
