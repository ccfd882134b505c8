"""`ExtendedIKResult`: joint values, whether they are a solution, and how far off they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ExtendedIKResult:
    """The answer of `RobotIKInterface.compute_extended_ik_global_pose`; true when there is a solution.

    Attributes:
        joint_values: Value of each joint in the solution (rad, or the units of the service); empty when there is none.
        reachable: Whether a solution was found.
        position_error: How far the nearest configuration misses the selected part of the position (units of the
            service); infinite when nothing was looked for.
        orientation_error: The true angle (rad) by which it misses the orientation, 0 when that is not selected;
            infinite when nothing was looked for.
        nearest: Joint values of the nearest configuration that was found: the solution when there is one; empty when
            nothing was looked for.
    """

    joint_values: Mapping[str, float] = field(default_factory=dict)
    reachable: bool = False
    position_error: float = math.inf
    orientation_error: float = math.inf
    nearest: Mapping[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.reachable
