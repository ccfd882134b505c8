"""`GraphOptions`: what is wanted of a path through the graph of branches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kinematics import InvalidValueError, ShapeError
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..option_checks import as_choice, as_flag, as_positive, at_least
from .joint_metric import METRICS


@dataclass(frozen=True)
class GraphOptions:
    """What is wanted of a path through the graph of branches; see `InverseKinematics.solve_path`.

    Attributes:
        allow_jumps: Whether the robot may leave the path to get to another branch where there is no other way.
        check_between: Configurations between neighbours that the constraint is asked about too.
        time_step: Time (s) from waypoint to waypoint, one number or one for each; None where speed does not matter.
        metric: See `JointMetric`.
        samples: Samples of the branches; None for the default of the source.
    """

    allow_jumps: bool = False
    check_between: int = 0
    time_step: float | Sequence[float] | None = None
    metric: str = "length"
    samples: int | None = None

    @staticmethod
    def checked(**given: Any) -> GraphOptions:
        """The options, checked, with defaults for those that are None.

        Raises:
            InvalidValueError: One that makes no sense.
        """
        options = {name: value for name, value in given.items() if value is not None}
        options["allow_jumps"] = as_flag("allow_jumps", options.get("allow_jumps", False))
        if "check_between" in options:
            options["check_between"] = at_least(0)("check_between", options["check_between"])
        if "samples" in options:
            options["samples"] = at_least(1)("samples", options["samples"])
        if "time_step" in options and np.ndim(options["time_step"]) == 0:
            options["time_step"] = as_positive("time_step", options["time_step"])
        options["metric"] = as_choice("metric", options.get("metric", "length"), tuple(METRICS))
        return GraphOptions(**options)

    def bounds(self, count: int, continuity: float, active: ActiveDofs) -> Array:
        """(count, k) the largest change of each coordinate from the waypoint before.

        Raises:
            ShapeError: Times for another number of steps.
            InvalidValueError: Times that are not positive.
        """
        bounds = np.full((count, len(active)), continuity)
        if self.time_step is None or not count:
            return bounds
        times = np.asarray(self.time_step, dtype=float)
        if times.ndim and times.shape != (count - 1,):
            raise ShapeError(f"time_step must be one number or {count - 1} for {count} waypoints, not {times.shape}")
        if not (times > 0.0).all():
            raise InvalidValueError(f"time_step must be positive, not {self.time_step!r}")
        speeds = np.array([dof.velocity_limit for dof in active.dofs])
        steps = np.broadcast_to(times, (count - 1,))[:, None] * np.where(speeds > 0.0, speeds, math.inf)
        bounds[1:] = np.minimum(bounds[1:], steps)
        return bounds


def path_options(strategy: str, **given: Any) -> GraphOptions | None:
    """The options of a path by the graph; None for one that is followed, which has none.

    Raises:
        InvalidValueError: Another strategy, or an option that makes no sense or is not for it.
    """
    if as_choice("strategy", strategy, ("follow", "graph")) == "graph":
        return GraphOptions.checked(**given)
    wrong = [name for name, value in given.items() if value is not None]
    if wrong:
        raise InvalidValueError(f"{', '.join(wrong)}: only strategy='graph' has such an option")
    return None
