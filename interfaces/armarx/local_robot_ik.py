"""`LocalRobotIK`: the twelve operations for a robot in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...kinematics import InvalidValueError, PoseLike
from ...solvers import CartesianSelection, Solution
from .checks import as_names, as_number, as_switch, as_text, shown
from .com_ik_descriptor import CoMIKDescriptor
from .delta_step import check_tasks, delta_step
from .explained_robot_ik import ExplainedRobotIK
from .extended_ik_result import ExtendedIKResult
from .framed_pose import FramedPose
from .ik_task import IKTask
from .outcome import Outcome
from .pose_search import SearchOptions, find_balance, find_pose, why_not
from .reachability_spaces import ReachabilitySpaces
from .reading_spaces import as_path
from .refusal import Refusal, explained
from .robot_copy import GLOBAL_NAMES, RobotCopy
from .robot_ik_interface import SAMPLES, STEP_ROTATION
from .served_robot import ServedRobot
from .space_request import SpaceRequest
from .workspace_bounds import WorkspaceBounds


class LocalRobotIK(ExplainedRobotIK):
    """Does what `RobotIK` offers; `RobotIK.explained` gives it.

    Args:
        robot: What moves.
        options: Of searches.
        max_memory: Bytes that a reachability space may take.
    """

    def __init__(self, robot: ServedRobot, options: SearchOptions, max_memory: int | None) -> None:
        self._robot = robot
        self._options = options
        self._spaces = ReachabilitySpaces(robot, max_memory)

    # Inverse kinematics.

    def compute_ik_framed_pose(
        self, node_set: str, pose: FramedPose, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_ik_framed_pose`."""
        part = CartesianSelection.of(selection)
        return self._solved(node_set, _framed(pose), part)

    def compute_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_ik_global_pose`."""
        part = CartesianSelection.of(selection)
        return self._solved(node_set, FramedPose(pose), part)

    def compute_extended_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> Outcome[ExtendedIKResult]:
        """See `RobotIKInterface.compute_extended_ik_global_pose`."""
        part = CartesianSelection.of(selection)
        name, target = as_text("node_set", node_set), FramedPose(pose)

        try:
            with self._robot.borrowed() as robot:
                found = self._found(robot, name, target, part)
                values = robot.values(robot.node_set(name), found.q)
        except Refusal as refusal:
            return Outcome(ExtendedIKResult(), refusal.reason, refusal.detail)
        units = self._robot.units
        result = ExtendedIKResult(
            joint_values=values if found.success else {},
            reachable=found.success,
            position_error=units.of_metres(found.position_error),
            orientation_error=found.orientation_error,
            nearest=values,
        )
        return Outcome(result) if found.success else Outcome(result, why_not(found), units.told(found.detail))

    def compute_com_ik(self, node_set: str, descriptor: CoMIKDescriptor) -> Outcome[dict[str, float]]:
        """See `RobotIKInterface.compute_com_ik`."""
        name = as_text("node_set", node_set)
        if not isinstance(descriptor, CoMIKDescriptor):
            raise InvalidValueError(f"the descriptor must be a CoMIKDescriptor, not {shown(descriptor)}")

        def balanced() -> dict[str, float]:
            with self._robot.borrowed() as robot:
                moving = robot.moving_set(name)
                return robot.values(moving, self._checked(find_balance(robot, moving, descriptor, self._options)).q)

        return explained(balanced, {})

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
        name, size = as_text("node_set", node_set), as_number("step_size", step_size)
        if not 0.0 < size <= 1.0:
            raise InvalidValueError(f"step_size must be more than 0 and at most 1, not {shown(step_size)}")
        avoid = as_switch("avoid_joint_limits", avoid_joint_limits)
        enabled = as_switch("enable_center_of_mass", enable_center_of_mass)
        given = check_tasks(tasks, com, enabled)

        def step() -> dict[str, float]:
            with self._robot.borrowed() as robot:
                moving = robot.moving_set(name)
                change = delta_step(robot, moving, given, com if enabled else None, size, avoid)
                return robot.values(moving, change)

        return explained(step, {})

    # Node sets.

    def define_robot_node_set(self, name: str, nodes: Sequence[str], tcp: str, root: str) -> Outcome[bool]:
        """See `RobotIKInterface.define_robot_node_set`."""
        names = as_names("nodes", nodes)
        wanted, tip, base = as_text("name", name), as_text("tcp", tcp), as_text("root", root)
        return explained(lambda: self._robot.define(wanted, names, tip, base), False)

    # Reachability.

    def create_reachability_space(
        self,
        node_set: str,
        coordinate_system: str = "",
        step_translation: float | None = None,
        step_rotation: float = STEP_ROTATION,
        min_bounds: WorkspaceBounds | None = None,
        max_bounds: WorkspaceBounds | None = None,
        samples: int = SAMPLES,
        *,
        symmetric: bool | None = None,
        progress: Callable[[int, int], Any] | None = None,
    ) -> Outcome[bool]:
        """See `RobotIK.create_reachability_space`."""
        name = as_text("node_set", node_set)
        request = SpaceRequest.checked(
            self._robot.units,
            coordinate_system,
            step_translation,
            step_rotation,
            (min_bounds, max_bounds),
            samples,
            symmetric,
            self._options.seed,
        )
        return explained(lambda: self._spaces.create(name, request, progress), False)

    def has_reachability_space(self, node_set: str) -> Outcome[bool]:
        """See `RobotIKInterface.has_reachability_space`."""
        name = as_text("node_set", node_set)
        return explained(lambda: self._spaces.check(name), False)

    def load_reachability_space(self, filename: str) -> Outcome[bool]:
        """See `RobotIKInterface.load_reachability_space`."""
        name = as_text("filename", filename)
        return explained(lambda: self._spaces.load(as_path(name)), False)

    def save_reachability_space(self, node_set: str, filename: str) -> Outcome[bool]:
        """See `RobotIKInterface.save_reachability_space`."""
        name, file = as_text("node_set", node_set), as_text("filename", filename)
        return explained(lambda: self._spaces.save(name, as_path(file)), False)

    def is_framed_pose_reachable(self, node_set: str, pose: FramedPose) -> Outcome[bool]:
        """See `RobotIKInterface.is_framed_pose_reachable`."""
        return self._covered(node_set, _framed(pose))

    def is_pose_reachable(self, node_set: str, pose: PoseLike) -> Outcome[bool]:
        """See `RobotIKInterface.is_pose_reachable`."""
        return self._covered(node_set, FramedPose(pose))

    # The parts.

    def _solved(self, node_set: str, target: FramedPose, part: CartesianSelection) -> Outcome[dict[str, float]]:
        name = as_text("node_set", node_set)

        def solved() -> dict[str, float]:
            with self._robot.borrowed() as robot:
                found = self._checked(self._found(robot, name, target, part))
                return robot.values(robot.node_set(name), found.q)

        return explained(solved, {})

    def _found(self, robot: RobotCopy, name: str, target: FramedPose, part: CartesianSelection) -> Solution:
        moving = robot.moving_set(name)
        return find_pose(robot, moving, robot.global_pose(target), part, self._options)

    def _checked(self, found: Solution) -> Solution:
        """The solution; refused when there is none."""
        if not found.success:
            raise Refusal(why_not(found), self._robot.units.told(found.detail))
        return found

    def _covered(self, node_set: str, pose: FramedPose) -> Outcome[bool]:
        name = as_text("node_set", node_set)

        def covered() -> bool:
            state = self._robot.state
            if pose.frame in GLOBAL_NAMES:  # where the robot is does not matter
                return self._spaces.covers(name, self._robot.units.pose_in_metres(pose.pose), state)
            with self._robot.borrowed(state) as robot:
                target = robot.global_pose(pose)
            return self._spaces.covers(name, target, state)

        return explained(covered, False)


def _framed(pose: FramedPose) -> FramedPose:
    if not isinstance(pose, FramedPose):
        raise InvalidValueError(f"the pose must be a FramedPose, not {shown(pose)}")
    return pose
