"""`PlainRobotIK`: the twelve operations over those that explain themselves."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

from ...kinematics import PoseLike
from ...solvers import CartesianSelection
from .com_ik_descriptor import CoMIKDescriptor
from .explained_robot_ik import ExplainedRobotIK
from .extended_ik_result import ExtendedIKResult
from .framed_pose import FramedPose
from .ik_task import IKTask
from .outcome import Outcome
from .robot_ik_interface import SAMPLES, STEP_ROTATION, RobotIKInterface
from .workspace_bounds import WorkspaceBounds

T = TypeVar("T")


class PlainRobotIK(RobotIKInterface):
    """Gives the value of each `Outcome`, and keeps the outcome for the thread that asked."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    @property
    @abstractmethod
    def explained(self) -> ExplainedRobotIK:
        """The same twelve operations, each with an `Outcome` for a result."""

    @property
    def last_outcome(self) -> Outcome[Any] | None:
        """See `RobotIKInterface.last_outcome`."""
        last: Outcome[Any] | None = getattr(self._of_thread, "outcome", None)
        return last

    def _value(self, outcome: Outcome[T]) -> T:
        self._of_thread.outcome = outcome
        return outcome.value

    def compute_ik_framed_pose(
        self, node_set: str, pose: FramedPose, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> dict[str, float]:
        """See `RobotIKInterface.compute_ik_framed_pose`."""
        return self._value(self.explained.compute_ik_framed_pose(node_set, pose, selection))

    def compute_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> dict[str, float]:
        """See `RobotIKInterface.compute_ik_global_pose`."""
        return self._value(self.explained.compute_ik_global_pose(node_set, pose, selection))

    def compute_extended_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> ExtendedIKResult:
        """See `RobotIKInterface.compute_extended_ik_global_pose`."""
        return self._value(self.explained.compute_extended_ik_global_pose(node_set, pose, selection))

    def compute_com_ik(self, node_set: str, descriptor: CoMIKDescriptor) -> dict[str, float]:
        """See `RobotIKInterface.compute_com_ik`."""
        return self._value(self.explained.compute_com_ik(node_set, descriptor))

    def compute_hierarchical_delta_ik(
        self,
        node_set: str,
        tasks: Sequence[IKTask],
        com: CoMIKDescriptor | None = None,
        step_size: float = 1.0,
        avoid_joint_limits: bool = False,
        enable_center_of_mass: bool = False,
    ) -> dict[str, float]:
        """See `RobotIKInterface.compute_hierarchical_delta_ik`."""
        return self._value(
            self.explained.compute_hierarchical_delta_ik(
                node_set, tasks, com, step_size, avoid_joint_limits, enable_center_of_mass
            )
        )

    def define_robot_node_set(self, name: str, nodes: Sequence[str], tcp: str, root: str) -> bool:
        """See `RobotIKInterface.define_robot_node_set`."""
        return self._value(self.explained.define_robot_node_set(name, nodes, tcp, root))

    def create_reachability_space(
        self,
        node_set: str,
        coordinate_system: str = "",
        step_translation: float | None = None,
        step_rotation: float = STEP_ROTATION,
        min_bounds: WorkspaceBounds | None = None,
        max_bounds: WorkspaceBounds | None = None,
        samples: int = SAMPLES,
    ) -> bool:
        """See `RobotIKInterface.create_reachability_space`."""
        return self._value(
            self.explained.create_reachability_space(
                node_set, coordinate_system, step_translation, step_rotation, min_bounds, max_bounds, samples
            )
        )

    def has_reachability_space(self, node_set: str) -> bool:
        """See `RobotIKInterface.has_reachability_space`."""
        return self._value(self.explained.has_reachability_space(node_set))

    def load_reachability_space(self, filename: str) -> bool:
        """See `RobotIKInterface.load_reachability_space`."""
        return self._value(self.explained.load_reachability_space(filename))

    def save_reachability_space(self, node_set: str, filename: str) -> bool:
        """See `RobotIKInterface.save_reachability_space`."""
        return self._value(self.explained.save_reachability_space(node_set, filename))

    def is_framed_pose_reachable(self, node_set: str, pose: FramedPose) -> bool:
        """See `RobotIKInterface.is_framed_pose_reachable`."""
        return self._value(self.explained.is_framed_pose_reachable(node_set, pose))

    def is_pose_reachable(self, node_set: str, pose: PoseLike) -> bool:
        """See `RobotIKInterface.is_pose_reachable`."""
        return self._value(self.explained.is_pose_reachable(node_set, pose))
