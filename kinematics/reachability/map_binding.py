"""`MapBinding`: the robot of a map as it was, to tell whether it still is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..frame import Frame
from ..node_set import NodeSet
from ..transforms import Array
from .errors import StaleMapError
from .pose_arrays import inverse_of
from .sampling_plan import SamplingPlan, check_stands_still

#: How far a pose may be off before a map does not hold any more (m, and entries of a rotation).
_TOLERANCE = 1e-9


class MapBinding:
    """A node set and the frame of its map, as they were when the map was made or loaded.

    A map depends on where the base of the set stands in the frame of the map, on the limits of the joints of the set,
    and on all between base and tip that is not of the set. Where the robot as a whole stands does not matter unless
    the frame is one that stays behind, such as the world.

    Args:
        node_set: What the map is of.
        frame: What its poses are relative to.

    Raises:
        StructureError: The set moves the frame or its base.
    """

    def __init__(self, node_set: NodeSet, frame: Frame) -> None:
        check_stands_still(node_set, frame)
        self.node_set = node_set
        self.frame = frame
        self.plan = SamplingPlan.of(node_set)
        self.frame_T_base: Array = self._frame_T_base()
        self._seen = self._look()

    def check(self) -> None:
        """Raises `StaleMapError` when the map does not hold any more; it says what has changed."""
        reason = self.why_stale()
        if reason:
            raise StaleMapError(reason)

    def why_stale(self) -> str:
        """In words what has changed; empty when nothing has."""
        seen = self._look()
        if seen == self._seen:
            return ""
        name = self.node_set.name
        off = np.abs(self._frame_T_base() - self.frame_T_base)
        if off.max() > _TOLERANCE:
            moved = float(np.linalg.norm(off[:3, 3]))
            turned = 2.0 * math.asin(min(float(np.linalg.norm(off[:3, :3])) / math.sqrt(8.0), 1.0))
            return (
                f"the map of {name!r} is in the frame {self.frame.name!r}, and the base {self.node_set.base.name!r} "
                f"has moved in it (by {moved:.3g} m and {turned:.3g} rad); put it back, make the map "
                "anew, or make it in the frame of the base"
            )
        difference = SamplingPlan.of(self.node_set).difference(self.plan)
        if difference:
            return (
                f"the robot of the map of {name!r} has changed ({difference}); joints outside the set between its base "
                "and its tip have to stand where they stood"
            )
        self._seen = seen
        return ""

    @property
    def base_T_frame(self) -> Array:
        """Pose (4, 4) of the frame in the base, as it was."""
        inverse: Array = inverse_of(self.frame_T_base[None])[0]
        return inverse

    def _frame_T_base(self) -> Array:
        frame, base = self.frame.transform().homogeneous, self.node_set.base.transform().homogeneous
        if self.frame is self.node_set.base:
            return np.eye(4)
        pose: Array = inverse_of(frame[None])[0] @ base
        return pose

    def _look(self) -> tuple[Any, ...]:
        """All that the map depends on, cheaper to get than to compare."""
        node_set = self.node_set
        others = node_set.skeleton.positions.copy()
        others[node_set.dof_indices] = 0.0
        link = node_set.tip.link
        assert link is not None
        return (
            node_set.skeleton.version,
            others.tobytes(),
            node_set.tip.transform(link).homogeneous.tobytes(),
            self.frame.transform().homogeneous.tobytes(),
            node_set.base.transform().homogeneous.tobytes(),
        )
