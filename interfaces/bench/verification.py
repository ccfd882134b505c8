"""`Verification`: what Pinocchio alone says about answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Verification:
    """Answers to m targets, checked by Pinocchio alone.

    Attributes:
        position_error: Distance (m,) of the tip to the target (m); nan without an answer.
        orientation_error: True rotation angle (m,) to the target (rad); 0 when none is asked for.
        inside: Whether all joints are inside their limits (m,); False without an answer.
    """

    position_error: Array
    orientation_error: Array
    inside: NDArray[np.bool_]

    def solved(self, position_tolerance: float, orientation_tolerance: float) -> NDArray[np.bool_]:
        """Which targets (m,) are reached, inside the limits.

        Args:
            position_tolerance: Largest distance (m).
            orientation_tolerance: Largest angle (rad).
        """
        with np.errstate(invalid="ignore"):
            near = (self.position_error <= position_tolerance) & (self.orientation_error <= orientation_tolerance)
        return near & self.inside

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which targets (m,) have an answer, right or wrong."""
        return np.isfinite(self.position_error)


def pose_errors(reached: Array, wanted: Array) -> tuple[Array, Array]:
    """Distances (m,) and true rotation angles (m,) between poses (m, 4, 4).

    The angle comes from sine and cosine together: exact near 0 and near pi.

    Args:
        reached: Where the tip is.
        wanted: Where it should be.
    """
    away = np.linalg.norm(reached[:, :3, 3] - wanted[:, :3, 3], axis=1)
    turn = np.swapaxes(wanted[:, :3, :3], 1, 2) @ reached[:, :3, :3]
    axis = np.stack(
        [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], axis=1
    )
    angle = np.arctan2(np.linalg.norm(axis, axis=1), np.trace(turn, axis1=1, axis2=2) - 1.0)
    return away, angle
