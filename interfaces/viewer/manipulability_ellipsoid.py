"""`ManipulabilityEllipsoid`: how fast a frame can move in each direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, State
from ...kinematics.transforms import Array


@dataclass(frozen=True, eq=False)
class ManipulabilityEllipsoid:
    """The velocities of a frame's origin that joint velocities of length one give.

    See T. Yoshikawa, "Manipulability of robotic mechanisms", International Journal of Robotics Research 4(2), 1985.

    Attributes:
        pose: Its centre in the world, and its axes.
        half_axes: (3,) half axes in m/s, the largest first; zero in directions that the frame cannot move in. Joint
            velocities are in rad/s and m/s.
    """

    pose: pin.SE3
    half_axes: Array

    @property
    def manipulability(self) -> float:
        """Yoshikawa's measure of the position: the product of the half axes; zero where a direction is lost."""
        return float(np.prod(self.half_axes))

    @classmethod
    def of(cls, state: State, frame: Frame) -> ManipulabilityEllipsoid:
        """That of a frame at a state, over the dofs of the state."""
        return cls.of_jacobian(state.jacobian(frame), state.transform(frame).translation)

    @classmethod
    def of_jacobian(cls, jacobian: Array, center: Array) -> ManipulabilityEllipsoid:
        """That of a Jacobian (3 or more, n), whose first three rows are linear, in world axes.

        Args:
            jacobian: The Jacobian (k, n).
            center: Where the frame is (3,) in the world (m).
        """
        axes, lengths, _ = np.linalg.svd(jacobian[:3])
        if np.linalg.det(axes) < 0.0:
            axes[:, 2] = -axes[:, 2]
        half_axes = np.zeros(3)
        half_axes[: len(lengths)] = lengths
        return cls(pin.SE3(axes, np.array(center, dtype=float)), half_axes)
