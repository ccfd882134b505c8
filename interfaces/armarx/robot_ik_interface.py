"""`RobotIKInterface`: ArmarX's twelve operations."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from ...kinematics import PoseLike
from ...solvers import CartesianSelection
from .com_ik_descriptor import CoMIKDescriptor
from .extended_ik_result import ExtendedIKResult
from .framed_pose import FramedPose
from .ik_task import IKTask
from .outcome import Outcome
from .workspace_bounds import WorkspaceBounds

#: Edge of the cells of a reachability space in the angles (rad): ten to a turn.
STEP_ROTATION: Final = math.pi / 5.0
#: Samples of a reachability space.
SAMPLES: Final = 1_000_000


class RobotIKInterface(ABC):
    """Inverse kinematics as a service, by names: node sets, joint values, frames.

    Positions, translation steps, tolerances and the values of prismatic joints are in the units of the service, angles
    in radians. What cannot be done gives an empty mapping or False, and `last_outcome` tells why. What makes no sense
    for any robot (another type, nan, a wrong number of entries) is an exception.
    """

    @property
    @abstractmethod
    def last_outcome(self) -> Outcome[Any] | None:
        """The outcome of the last of the twelve that this thread called here; None before the first.

        A call that raised leaves it as it was.
        """

    @abstractmethod
    def compute_ik_framed_pose(
        self, node_set: str, pose: FramedPose, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> dict[str, float]:
        """Joint values that bring the tcp of a node set to a pose in any frame.

        The pose is converted to a global one with the present state of the robot. The search begins at the present
        joint values and goes on from random ones. It moves nothing.

        Args:
            node_set: Name of a set that is stored with the robot or was defined by `define_robot_node_set`.
            pose: Where the tcp should be.
            selection: Which part of the pose; coordinates are along the axes of the world.

        Returns:
            A value for each degree of freedom of the set that moves by itself; empty when there is no solution.

        Raises:
            InvalidValueError: A pose or a selection that is none.
        """

    @abstractmethod
    def compute_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> dict[str, float]:
        """The same for a pose in the world.

        Args:
            node_set: See `compute_ik_framed_pose`, as for what is returned.
            pose: Where the tcp should be, in any form of a pose.
            selection: Likewise.

        Raises:
            InvalidPoseError: What is no pose.
            InvalidValueError: A selection that is none.
        """

    @abstractmethod
    def compute_extended_ik_global_pose(
        self, node_set: str, pose: PoseLike, selection: CartesianSelection | str = CartesianSelection.ALL
    ) -> ExtendedIKResult:
        """The same with how far off the nearest configuration is.

        Args:
            node_set: See `compute_ik_global_pose`, as for what is raised.
            pose: Likewise.
            selection: Likewise.
        """

    @abstractmethod
    def compute_com_ik(self, node_set: str, descriptor: CoMIKDescriptor) -> dict[str, float]:
        """Joint values that bring the centre of mass over a point.

        Args:
            node_set: What may move.
            descriptor: Where the centre of mass should be; its priority does not matter here.

        Returns:
            A value for each degree of freedom of the set that moves by itself; empty when there is no solution.

        Raises:
            InvalidValueError: A descriptor that is none.
        """

    @abstractmethod
    def compute_hierarchical_delta_ik(
        self,
        node_set: str,
        tasks: Sequence[IKTask],
        com: CoMIKDescriptor | None = None,
        step_size: float = 1.0,
        avoid_joint_limits: bool = False,
        enable_center_of_mass: bool = False,
    ) -> dict[str, float]:
        """What to add to the present joint values to bring several tasks nearer, by priority.

        The task with the highest number is the first; each is solved in the null space of those above. One step of a
        loop: it is no solution of the tasks.

        Args:
            node_set: What may move.
            tasks: Frames with their poses.
            com: A task for the centre of mass, which counts only when it is enabled.
            step_size: What part of the step that would meet the linearised tasks is taken, more than 0, at most 1.
            avoid_joint_limits: Add a last task that draws joints out of a margin along their limits.
            enable_center_of_mass: Whether ``com`` counts.

        Returns:
            A change for each degree of freedom of the set that moves by itself; empty when a name is not known.

        Raises:
            InvalidValueError: A step size out of range, tasks that are none, tasks of one priority with different
                methods, the centre of mass enabled without ``com``.
        """

    @abstractmethod
    def define_robot_node_set(self, name: str, nodes: Sequence[str], tcp: str, root: str) -> bool:
        """Gives joints, a tcp and a root a name.

        Args:
            name: Of the set, not empty.
            nodes: Names of joints, or of links, which mean the joints that move them; the order does not matter.
            tcp: Name of the frame that the set moves.
            root: Name of its kinematic root; empty or ``"Global"`` for the world.

        Returns:
            True when the set was added or exists already; False when a different one has the name, or the robot lacks
            a name.

        Raises:
            InvalidValueError: No name, no nodes, a node twice, or something that is no text.
        """

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
    ) -> bool:
        """Samples where the tcp of a node set can go, unless there is a space for it already.

        Args:
            node_set: Name of the set.
            coordinate_system: Name of the frame that the space is in; empty or ``"Global"`` for the world. A space in
                the world does not hold any more once the robot moves.
            step_translation: Edge of a cell (units of the service); 5 cm when None.
            step_rotation: The same in the angles (rad).
            min_bounds: Lower corner; give both corners, or none to have them found by sampling. Without corners the
                space of an arm whose first and last axis are free is reduced to four coordinates: it needs far fewer
                samples for the same trust.
            max_bounds: Upper corner.
            samples: How many.

        Returns:
            True when there is a space for the set afterwards.

        Raises:
            InvalidValueError: Steps, bounds or a number of samples that make no box of cells; one corner without the
                other.
        """

    @abstractmethod
    def has_reachability_space(self, node_set: str) -> bool:
        """Whether there is a reachability space for a node set that holds where the robot stands now.

        Args:
            node_set: Name of the set.
        """

    @abstractmethod
    def load_reachability_space(self, filename: str) -> bool:
        """Reads a reachability space; the file tells the node set, which must not have one yet.

        Args:
            filename: Of a file that `save_reachability_space` wrote, on the machine of the service.

        Returns:
            True when the space is ready to be asked.
        """

    @abstractmethod
    def save_reachability_space(self, node_set: str, filename: str) -> bool:
        """Writes the reachability space of a node set.

        Args:
            node_set: Name of the set.
            filename: Of the file, on the machine of the service; one that is there is replaced.

        Returns:
            False when there is no space for the set, or the file cannot be written.
        """

    @abstractmethod
    def is_framed_pose_reachable(self, node_set: str, pose: FramedPose) -> bool:
        """Whether the reachability space of a node set covers a pose in any frame.

        Args:
            node_set: Name of the set.
            pose: Of the tcp; converted to a global one with the present state of the robot.

        Returns:
            False also when there is no space; `last_outcome` tells the two apart.

        Raises:
            InvalidValueError: A pose that is none.
        """

    @abstractmethod
    def is_pose_reachable(self, node_set: str, pose: PoseLike) -> bool:
        """The same for a pose in the world.

        Args:
            node_set: Name of the set.
            pose: Of the tcp, in any form of a pose.

        Raises:
            InvalidPoseError: What is no pose.
        """
