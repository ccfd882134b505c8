"""`FramedPose`: a pose in a frame that is given by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pinocchio as pin

from ...kinematics import PoseLike, as_pose
from .checks import as_text

#: The name of the world in ArmarX.
GLOBAL_FRAME: Final = "Global"


@dataclass(frozen=True)
class FramedPose:
    """A pose and the frame that it is in, where that frame is when the service is asked.

    Attributes:
        pose: A ``pinocchio.SE3``; any form of a pose may be given. Its position is in the units of the service, and
            quaternions are x, y, z, w, where ArmarX writes w first.
        frame: Name of a link, of a named frame, or ``"Global"`` (also ``"armarx::Global"`` and the empty text).
        agent: Name of the robot whose frame it is; empty for the robot of the service.

    Raises:
        InvalidPoseError: What is no pose.
        InvalidValueError: A name that is no text.
    """

    pose: PoseLike
    frame: str = GLOBAL_FRAME
    agent: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pose", as_pose(self.pose))
        as_text("frame", self.frame)
        as_text("agent", self.agent)

    @property
    def position(self) -> tuple[float, float, float]:
        """x, y, z in the units of the service."""
        x, y, z = self._se3.translation.tolist()
        return x, y, z

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """x, y, z, w."""
        x, y, z, w = pin.Quaternion(self._se3.rotation).coeffs().tolist()
        return x, y, z, w

    @property
    def _se3(self) -> pin.SE3:
        return self.pose
