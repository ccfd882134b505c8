"""`ExplainedRobotIK`: the twelve operations, each with the reason why it failed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ...kinematics import PoseLike
from ...solvers import CartesianSelection
from .com_ik_descriptor import CoMIKDescriptor
from .extended_ik_result import ExtendedIKResult
from .framed_pose import FramedPose
from .ik_task import IKTask
from .outcome import Outcome
from .robot_ik_interface import SAMPLES, STEP_ROTATION
from .workspace_bounds import WorkspaceBounds


class ExplainedRobotIK(ABC):
    """The operations of `RobotIKInterface` with an `Outcome` for a result: nothing is kept between calls.

    Arguments, values and exceptions are those of `RobotIKInterface`.
    """

    @abstractmethod
    def compute_ik_framed_pose(
        self, node_set: str, pose: FramedPose, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_ik_framed_pose`."""

    @abstractmethod
    def compute_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_ik_global_pose`."""

    @abstractmethod
    def compute_extended_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[ExtendedIKResult]:
        """See `RobotIKInterface.compute_extended_ik_global_pose`."""

    @abstractmethod
    def compute_com_ik(self, node_set: str, descriptor: CoMIKDescriptor) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_com_ik`."""

    @abstractmethod
    def compute_hierarchical_delta_ik(
        self,
        node_set: str,
        tasks: Sequence[IKTask],
        com: CoMIKDescriptor | None = None,
        step_size: float = 1.0,
        avoid_joint_limits: bool = False,
        enable_center_of_mass: bool = False,
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_hierarchical_delta_ik`."""

    @abstractmethod
    def define_robot_node_set(self, name: str, nodes: Sequence[str], tcp: str, root: str) -> Outcome[bool]:
        """See `RobotIKInterface.define_robot_node_set`."""

    @abstractmethod
    def create_reachability_space(
        self,
        node_set: str,
        coordinate_system: str = "",
        step_translation: float | None = None,
        step_rotation: float = STEP_ROTATION,
        min_bounds: WorkspaceBounds | None = None,
        max_bounds: WorkspaceBounds | None = None,
        samples: int = SAMPLES,
    ) -> Outcome[bool]:
        """See `RobotIKInterface.create_reachability_space`."""

    @abstractmethod
    def has_reachability_space(self, node_set: str) -> Outcome[bool]:
        """See `RobotIKInterface.has_reachability_space`; a value of False has its reason."""

    @abstractmethod
    def load_reachability_space(self, filename: str) -> Outcome[bool]:
        """See `RobotIKInterface.load_reachability_space`."""

    @abstractmethod
    def save_reachability_space(self, node_set: str, filename: str) -> Outcome[bool]:
        """See `RobotIKInterface.save_reachability_space`."""

    @abstractmethod
    def is_framed_pose_reachable(self, node_set: str, pose: FramedPose) -> Outcome[bool]:
        """See `RobotIKInterface.is_framed_pose_reachable`; a value of False has its reason."""

    @abstractmethod
    def is_pose_reachable(self, node_set: str, pose: PoseLike) -> Outcome[bool]:
        """See `RobotIKInterface.is_pose_reachable`; a value of False has its reason."""
