"""`Rotation3D`: a rotation, anywhere."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame
from ...kinematics.transforms import Array
from ..compiled.target_layout import ROTATION
from . import packed_values
from .ik_target import IkTarget
from .ik_type import IkType


class Rotation3D(IkTarget):
    """The tool turned as wanted; its place is open.

    The error is the rotation vector from the wanted rotation to the tool's.

    Args:
        rotation: Matrix (3, 3), or quaternion x, y, z, w.
        reference: What it is relative to; the world when None.
    """

    ik_type = IkType.ROTATION_3D
    turn = ROTATION
    rotation = packed_values.RotationMatrix()

    def __init__(self, rotation: ArrayLike, *, reference: Frame | None = None) -> None:
        self._set(None, reference, rotation)

    @classmethod
    def _values_at(cls, pose: pin.SE3, direction: Array) -> tuple[Any, ...]:
        return (pose.rotation,)
