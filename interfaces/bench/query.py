"""`Query`: one target of a `Workload`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Query:
    """One target.

    Attributes:
        target: Pose of the tip in the world.
        seed: Configuration (n,) to start from, elsewhere at random; the rest of the robot is as at the target.
        witness: A configuration (n,) that reaches it.
    """

    target: pin.SE3
    seed: Array
    witness: Array
