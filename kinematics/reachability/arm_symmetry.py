"""`ArmSymmetry`: what turning the first and the last joint of an arm leaves as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..core.plan import KIND, MULTIPLIER, ROTATE, SOURCE
from ..transforms import Array
from .errors import SymmetryError
from .sampling_plan import SamplingPlan, matrix_of

#: The least range (rad) of the first and of the last joint that counts as a whole turn. Arms whose middle joints reach
#: a pose in several ways make up for what is missing; below 300 degrees too much is.
LEAST_RANGE = math.radians(300.0)


@dataclass(frozen=True, eq=False)
class ArmSymmetry:
    """The axes of an arm whose first and last joints turn.

    Turning the first joint turns what the arm reaches about its axis, and turning the last one turns the tip about
    its own. So whether a pose is reached depends on four numbers only, provided that both turn all round: how high
    the last axis' frame is along the first axis, how far it is tilted from it, and where it is in the plane across,
    once the tilt is turned to a fixed side (M. Rudorfer, "RM4D: a combined reachability and inverse reachability map
    for common 6-/7-axis robot arms by dimensionality reduction to 4D", 2024).

    Attributes:
        base: (4, 4) pose of a frame whose z is the first axis, in the frame of the map; its origin is the point of the
            axis nearest to that frame's.
        tool: (4, 4) pose of a frame whose z is the last axis, in the tip; its origin is the point nearest to the tip.
        canonical_pose: (12,) the same in what carries the tip: rotation row by row, then translation.
        ranges: (2,) ranges (rad) of the first and the last joint, at most a whole turn. What is missing to a whole
            turn is taken to be reached all the same.
    """

    base: Array
    tool: Array
    canonical_pose: Array
    ranges: tuple[float, float]

    @staticmethod
    def of(plan: SamplingPlan, least_range: float = LEAST_RANGE) -> ArmSymmetry:
        """Finds the axes of a plan.

        Args:
            plan: Seen from the frame of the map.
            least_range: The least range (rad) that counts as a whole turn.

        Returns:
            The symmetry of turning the first and the last joint.

        Raises:
            SymmetryError: The first or the last joint does not turn, turns less than that, or moves another joint too;
                the message says which.
        """
        path = plan.path_to_tip()
        if len(path) < 2:
            raise SymmetryError("an arm with a single joint has no first and last axis; use the plain map")
        ranges = tuple(
            _range_of(plan, frame, name, least_range) for frame, name in ((path[0], "first"), (path[-1], "last"))
        )
        along = float(plan.tip_pose[11])  # of the tip, along the last axis
        canonical = np.eye(4)
        canonical[2, 3] = along
        return ArmSymmetry(
            base=_upright(plan.place_of(path[0])),
            tool=np.linalg.inv(matrix_of(plan.tip_pose)) @ canonical,
            canonical_pose=np.concatenate([np.eye(3).ravel(), canonical[:3, 3]]),
            ranges=(ranges[0], ranges[1]),
        )

    @property
    def missing(self) -> float:
        """The part of all pairs of turns of the first and the last joint that is beyond their limits."""
        return 1.0 - self.ranges[0] * self.ranges[1] / (4.0 * math.pi**2)


def _range_of(plan: SamplingPlan, frame: int, name: str, least_range: float) -> float:
    step = plan.steps[frame - 1]
    if step[KIND] != ROTATE:
        raise SymmetryError(f"the {name} joint does not turn about one axis alone; use the plain map")
    source = int(step[SOURCE])
    driven = plan.drives(source)
    if driven != [frame]:
        raise SymmetryError(f"what turns the {name} joint moves {len(driven) - 1} more; use the plain map")
    reach = abs(float(plan.constants[frame - 1, MULTIPLIER])) * float(plan.upper[source] - plan.lower[source])
    if reach < least_range:
        raise SymmetryError(
            f"the {name} joint turns {math.degrees(reach):.0f} degrees, which is less than "
            f"{math.degrees(least_range):.0f} and far from all round; use the plain map"
        )
    return min(reach, 2.0 * math.pi)


def _upright(pose: Array) -> Array:
    """A frame on the axis z of a pose: origin nearest to the frame of the map, z up, x as near to its x as can be."""
    axis = pose[:3, 2] if pose[2, 2] >= -1e-9 else -pose[:3, 2]
    result = np.eye(4)
    side = np.eye(3)[0] - axis[0] * axis
    if np.linalg.norm(side) < 1e-6:
        side = np.eye(3)[1] - axis[1] * axis
    side = side / np.linalg.norm(side)
    result[:3, :3] = np.column_stack([side, np.cross(axis, side), axis])
    result[:3, 3] = pose[:3, 3] - axis * float(axis @ pose[:3, 3])
    return result
