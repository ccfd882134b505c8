"""`FixedJoint`: no motion."""

from __future__ import annotations

import pinocchio as pin

from ..transforms import Array
from .joint import Joint


class FixedJoint(Joint):
    """Welds the child link to its parent."""

    kind = "fixed"

    def transform(self, q: Array) -> pin.SE3:
        """The identity."""
        return pin.SE3.Identity()

    def _pinocchio_joint(self) -> None:
        return None
