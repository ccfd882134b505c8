"""`PoseSearch`: what the compiled search for one frame keeps from call to call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kinematics import Frame, SimpleFrame
from ...kinematics.core.lanes import native_width
from ...kinematics.core.plan import Plan
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..relative_pose import Mount
from .attempts import KIND, LOWER, REPORT, SETTINGS, UPPER, workspace_rows
from .iteration import STOPS, UNLIMITED, WRAPS

#: Stands for "no limit": kernels are compiled for finite numbers.
_FAR_AWAY = 1e30


class PoseSearch:
    """Plan and buffers for a frame and the degrees of freedom that may move it.

    Not for two threads at a time.

    Args:
        active: What may move; holds for one version of the skeleton, and so does this.
        tool: What is to be moved.
    """

    def __init__(self, active: ActiveDofs, tool: Mount) -> None:
        self._active = active
        assert tool.link is not None
        self._tool = SimpleFrame("tool", tool.link, tool.pose)
        self._still = _standing_dofs(active, self._tool)
        self._plan: Plan | None = None
        self._plan_key = b""
        n = len(active)
        self.joints = np.zeros((5, n))
        self.joints[3], self.joints[4] = active._draw_from, active._draw_from + active._draw_span
        self._kinds = self._kinds_of(active)
        self.settings = np.zeros(SETTINGS)
        self.counts = np.zeros(6, dtype=np.int64)
        self.target = np.zeros(12)
        self.answer = np.zeros(n + REPORT)
        self._work: Array | None = None

    @staticmethod
    def _kinds_of(active: ActiveDofs) -> Array:
        kinds = np.where(np.isfinite(active.lower) | np.isfinite(active.upper), STOPS, UNLIMITED)
        for column, lower, upper in active.wraps:
            if kinds[column] == STOPS and upper - lower >= 2.0 * np.pi:
                kinds[column] = WRAPS
        return kinds.astype(float)

    def respect_limits(self, respected: bool) -> None:
        """Switches the limits on or off."""
        if respected:
            self.joints[KIND] = self._kinds
            self.joints[LOWER] = np.maximum(self._active.lower, -_FAR_AWAY)
            self.joints[UPPER] = np.minimum(self._active.upper, _FAR_AWAY)
        else:
            self.joints[KIND] = UNLIMITED
            self.joints[LOWER], self.joints[UPPER] = -_FAR_AWAY, _FAR_AWAY

    def plan(self, q: Array) -> Plan:
        """The plan for a configuration (n,) of the whole skeleton, of which only what stands still matters."""
        key = q[self._still].tobytes()
        if self._plan is None or key != self._plan_key:
            self._plan = Plan.build(self._active.skeleton, [self._tool], self._active.indices, q)
            self._plan_key = key
        return self._plan

    def work(self, plan: Plan) -> Array:
        """Room for the kernel's intermediate results."""
        rows = workspace_rows.py_func(len(self._active), len(plan.steps))[-1]
        if self._work is None or len(self._work) != rows:
            self._work = np.zeros((rows, native_width()))
        return self._work


def _standing_dofs(active: ActiveDofs, tool: Frame) -> NDArray[np.intp]:
    """Places of the degrees of freedom that carry the tool and are not active."""
    moving = set(active.indices.tolist())
    found: list[int] = []
    link = tool.link
    while link is not None:
        joint = link.joint
        while joint.dependence is not None:
            joint = joint.dependence.master
        found.extend(dof.index for dof in joint.dofs if dof.index is not None and dof.index not in moving)
        link = link.parent_link
    return np.array(sorted(set(found)), dtype=np.intp)
