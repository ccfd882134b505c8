"""`PrismaticJoint`: translation along an axis."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from ..transforms import Array
from .single_axis_joint import SingleAxisJoint


class PrismaticJoint(SingleAxisJoint):
    """Slides along its axis; the coordinate is the distance in metres."""

    kind = "prismatic"
    _is_angular = False

    def transform(self, q: Array) -> pin.SE3:
        """Translation by q[0] m along the axis."""
        return pin.SE3(np.eye(3), self._axis * q[0])

    def _pinocchio_joint(self) -> pin.JointModel:
        letter = self._letter()
        if letter is None:
            return pin.JointModelPrismaticUnaligned(self._axis)
        return getattr(pin, f"JointModelP{letter}")()
