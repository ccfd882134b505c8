"""`ToolMotion`: where a tool is, seen from the frame that a target is given in, and how it moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pinocchio as pin

from ...kinematics import State
from ...kinematics.transforms import Array
from ..tasks.relative_pose import Mount


class ToolMotion(NamedTuple):
    """A tool in the axes of a reference, which may move itself.

    Attributes:
        position: (3,) of the tool's point in the reference.
        rotation: (3, 3) of the tool in the reference.
        linear: (3, n) its velocity relative to the reference, by joint velocities.
        angular: (3, n) likewise.
    """

    position: Array
    rotation: Array
    linear: Array
    angular: Array

    @classmethod
    def of(cls, tool: Mount, reference: Mount, state: State) -> ToolMotion:
        """The motion of a tool relative to a reference at a state."""
        linear, angular = np.vsplit(tool.jacobian(state), 2)
        at, origin = tool.at(state), reference.at(state)
        axes = origin.rotation.T
        away = at.translation - origin.translation
        if reference.link is not None:
            carried = reference.jacobian(state)
            linear = linear - carried[:3] + pin.skew(away) @ carried[3:]
            angular = angular - carried[3:]
        return cls(axes @ away, axes @ at.rotation, axes @ linear, axes @ angular)

    def moved_to(self, point: Array) -> ToolMotion:
        """The same tool by another of its points (3,), given in the tool."""
        arm = self.rotation @ point
        return self._replace(position=self.position + arm, linear=self.linear - pin.skew(arm) @ self.angular)
