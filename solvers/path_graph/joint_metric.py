"""`JointMetric`: what a step of the joints costs."""

from __future__ import annotations

import numpy as np

from ...kinematics import InvalidValueError
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs

METRICS = ("length", "squares", "largest")


class JointMetric:
    """What a step of the joints costs.

    * ``"length"``: the length of the step in the space of the joints. What a path costs is then the length of its
      curve, which does not depend on how finely it is cut into waypoints; a waypoint given twice costs nothing.
    * ``"squares"``: its square, so that many small steps are cheaper than a large one.
    * ``"largest"``: the largest change of a joint, which is what a robot takes time for when all joints are as fast.

    Args:
        name: One of these.
        active: What moves; the square of a joint's step is divided by its weight, so a joint with a smaller weight is
            moved less readily.

    Raises:
        InvalidValueError: Another name.
    """

    def __init__(self, name: str, active: ActiveDofs) -> None:
        if name not in METRICS:
            raise InvalidValueError(f"metric must be one of {', '.join(map(repr, METRICS))}, not {name!r}")
        self.name = name
        # A weight of zero means never; here, only where there is no other way.
        self.scale = 1.0 / np.sqrt([max(dof.weight, 1e-12) for dof in active.dofs])

    def of(self, steps: Array) -> Array:
        """The cost (...) of steps (..., k)."""
        scaled = steps * self.scale
        if self.name == "largest":
            largest: Array = np.abs(scaled).max(axis=-1, initial=0.0)
            return largest
        squares: Array = np.einsum("...k,...k->...", scaled, scaled)
        return np.sqrt(squares) if self.name == "length" else squares
