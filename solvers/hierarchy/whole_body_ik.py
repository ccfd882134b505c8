"""`WholeBodyIK`: the modules of all frames of a skeleton together."""

from __future__ import annotations

from ...kinematics import Skeleton
from .hierarchical_ik import HierarchicalIK, Task


class WholeBodyIK(HierarchicalIK):
    """A hierarchy of every module that a frame of the skeleton owns (``frame.ik``), looked up at each solve.

    Levels are the modules' `InverseKinematics.hierarchy_level`. Further tasks may be added, such as a
    `CenterOfMassTask`. ``skeleton.ik`` is one.

    Args:
        skeleton: The robot.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        super().__init__(skeleton)

    def _all_tasks(self) -> dict[Task, int]:
        owned: dict[Task, int] = {frame.ik: frame.ik.hierarchy_level for frame in self._skeleton.frames if frame.has_ik}
        return {**owned, **self._tasks}
