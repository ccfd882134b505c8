"""`ExplainedRobotIKClient`: the twelve operations of a server, each with the reason why it failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....kinematics import PoseLike
from ....solvers import CartesianSelection
from ..com_ik_descriptor import CoMIKDescriptor
from ..explained_robot_ik import ExplainedRobotIK
from ..extended_ik_result import ExtendedIKResult
from ..framed_pose import FramedPose
from ..ik_task import IKTask
from ..outcome import Outcome
from ..robot_ik_interface import SAMPLES, STEP_ROTATION
from ..workspace_bounds import WorkspaceBounds
from .connection import Connection
from .encoding import (
    bounds_json,
    descriptor_json,
    extended_outcome_of,
    framed_pose_json,
    joint_values_outcome_of,
    names_json,
    pose_json,
    selection_json,
    switch_outcome_of,
    tasks_json,
)


class ExplainedRobotIKClient(ExplainedRobotIK):
    """What `RobotIKClient.explained` is: each operation is one request, and its outcome is the server's.

    Args:
        connection: To the server.
        map_timeout: How long to wait where reachability spaces are made, loaded or saved (s).
    """

    def __init__(self, connection: Connection, map_timeout: float) -> None:
        self._connection = connection
        self._map_timeout = map_timeout

    def compute_ik_framed_pose(
        self, node_set: str, pose: FramedPose, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_ik_framed_pose`."""
        return self._joint_values(
            "compute_ik_framed_pose",
            node_set=node_set,
            pose=framed_pose_json(pose),
            selection=selection_json(selection),
        )

    def compute_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_ik_global_pose`."""
        return self._joint_values(
            "compute_ik_global_pose", node_set=node_set, pose=pose_json(pose), selection=selection_json(selection)
        )

    def compute_extended_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[ExtendedIKResult]:
        """See `RobotIKInterface.compute_extended_ik_global_pose`."""
        content = {"node_set": node_set, "pose": pose_json(pose), "selection": selection_json(selection)}
        return self._connection.operation("compute_extended_ik_global_pose", content, extended_outcome_of)

    def compute_com_ik(self, node_set: str, descriptor: CoMIKDescriptor) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_com_ik`."""
        return self._joint_values("compute_com_ik", node_set=node_set, descriptor=descriptor_json(descriptor))

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
        return self._joint_values(
            "compute_hierarchical_delta_ik",
            node_set=node_set,
            tasks=tasks_json(tasks),
            com=None if com is None else descriptor_json(com),
            step_size=step_size,
            avoid_joint_limits=avoid_joint_limits,
            enable_center_of_mass=enable_center_of_mass,
        )

    def define_robot_node_set(self, name: str, nodes: Sequence[str], tcp: str, root: str) -> Outcome[bool]:
        """See `RobotIKInterface.define_robot_node_set`."""
        return self._switch("define_robot_node_set", name=name, nodes=names_json("nodes", nodes), tcp=tcp, root=root)

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
        return self._switch(
            "create_reachability_space",
            self._map_timeout,
            node_set=node_set,
            coordinate_system=coordinate_system,
            step_translation=step_translation,
            step_rotation=step_rotation,
            min_bounds=bounds_json("min_bounds", min_bounds),
            max_bounds=bounds_json("max_bounds", max_bounds),
            samples=samples,
        )

    def has_reachability_space(self, node_set: str) -> Outcome[bool]:
        """See `RobotIKInterface.has_reachability_space`."""
        return self._switch("has_reachability_space", node_set=node_set)

    def load_reachability_space(self, filename: str) -> Outcome[bool]:
        """See `RobotIKInterface.load_reachability_space`; a plain name of a file in the folder of the server."""
        return self._switch("load_reachability_space", self._map_timeout, filename=filename)

    def save_reachability_space(self, node_set: str, filename: str) -> Outcome[bool]:
        """See `RobotIKInterface.save_reachability_space`; a plain name of a file in the folder of the server."""
        return self._switch("save_reachability_space", self._map_timeout, node_set=node_set, filename=filename)

    def is_framed_pose_reachable(self, node_set: str, pose: FramedPose) -> Outcome[bool]:
        """See `RobotIKInterface.is_framed_pose_reachable`."""
        return self._switch("is_framed_pose_reachable", node_set=node_set, pose=framed_pose_json(pose))

    def is_pose_reachable(self, node_set: str, pose: PoseLike) -> Outcome[bool]:
        """See `RobotIKInterface.is_pose_reachable`."""
        return self._switch("is_pose_reachable", node_set=node_set, pose=pose_json(pose))

    def _joint_values(self, operation: str, /, **content: Any) -> Outcome[dict[str, float]]:
        return self._connection.operation(operation, content, joint_values_outcome_of)

    def _switch(self, operation: str, timeout: float | None = None, /, **content: Any) -> Outcome[bool]:
        return self._connection.operation(operation, content, switch_outcome_of, timeout)
