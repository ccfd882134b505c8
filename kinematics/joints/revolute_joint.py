"""`RevoluteJoint`: rotation about an axis; continuous when it has no limits."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from ..transforms import Array
from .single_axis_joint import SingleAxisJoint


class RevoluteJoint(SingleAxisJoint):
    """Rotates about its axis; the coordinate is the angle in radians. Without limits it is continuous."""

    kind = "revolute"
    _is_periodic = True

    @property
    def is_continuous(self) -> bool:
        """True when the joint has no limits."""
        return not self.dofs[0].is_limited

    def transform(self, q: Array) -> pin.SE3:
        """Rotation by q[0] rad about the axis."""
        return pin.SE3(pin.exp3(self._axis * q[0]), np.zeros(3))

    def _pinocchio_joint(self) -> pin.JointModel:
        letter = self._letter()
        if letter is None:
            return pin.JointModelRevoluteUnaligned(self._axis)
        return getattr(pin, f"JointModelR{letter}")()
