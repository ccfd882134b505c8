"""`RobotIK`: ArmarX's inverse kinematics for a robot, in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pinocchio as pin

from ...kinematics import CollisionDetector, InvalidValueError, PoseLike, Skeleton, Srdf
from ...solvers import defaults
from .checks import as_count, as_positive, as_whole, shown
from .local_robot_ik import LocalRobotIK
from .plain_robot_ik import PlainRobotIK
from .pose_search import SearchOptions
from .robot_ik_interface import SAMPLES, STEP_ROTATION
from .robot_state import NodeSetRecord
from .served_robot import ServedRobot
from .units import Units
from .workspace_bounds import WorkspaceBounds


class RobotIK(PlainRobotIK):
    """The twelve operations of ArmarX's ``RobotIKInterface``, for a copy of a robot that the service keeps.

    The state of the copy is what `set_joint_values` and `set_robot_pose` say; no operation moves it. Frames are asked
    for by name; ``"Global"``, ``"armarx::Global"`` and the empty text mean the world.

    All methods may be called from several threads at once: a call reads the state once, as one object, and computes
    with a copy of the robot that no other call has meanwhile. The same request in the same state has the same answer,
    whatever other threads do.

    Args:
        skeleton: The robot. Its node sets are there from the beginning. A robot without any has one by the name
            ``"default"`` (`DEFAULT_NODE_SET`): the chain to its natural tip, `Skeleton.tip`. It is like any other:
            defining the same again is true, and a different one of that name false.
        units: ``"m"``, or ``"mm"`` as ArmarX has it: for positions, bounds, translation steps, tolerances, values of
            prismatic joints and goals of the centre of mass. Angles are in radians.
        srdf: An SRDF file, or what was read from one: its groups become node sets too.
        collision_detector: Solutions in collision are refused. Its own robot is where its obstacles are counted from:
            obstacles stay where they are when the base of the service's copy moves.
        attempts: Attempts of a search, at most; the solvers' own number (1000) when None.
        timeout: Seconds for a search; None for no bound.
        seed: Of the random configurations that searches begin at, and of the samples of reachability spaces.
        max_memory: Bytes that a reachability space may take; 80 % of the free memory when None.

    Raises:
        InvalidValueError: No skeleton, or an option that makes no sense.
        DuplicateNameError: A group of the SRDF file has the name of a different node set.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        *,
        units: str = "m",
        srdf: Srdf | str | Path | None = None,
        collision_detector: CollisionDetector | None = None,
        attempts: int | None = None,
        timeout: float | None = None,
        seed: int = defaults.RANDOM_SEED,
        max_memory: int | None = None,
    ) -> None:
        super().__init__()
        if collision_detector is not None and not isinstance(collision_detector, CollisionDetector):
            raise InvalidValueError(f"collision_detector must be a CollisionDetector, not {shown(collision_detector)}")
        options = SearchOptions(
            collision_detector,
            None if attempts is None else as_count("attempts", attempts),
            None if timeout is None else as_positive("timeout", timeout),
            as_whole("seed", seed),
        )
        if options.seed < 0:
            raise InvalidValueError(f"seed must be a whole number from 0 on, not {shown(seed)}")
        memory = None if max_memory is None else as_count("max_memory", max_memory)
        self._robot = ServedRobot(skeleton, srdf, Units(units))
        if collision_detector is not None:
            self._robot.check_detector(collision_detector)
        self._explained = LocalRobotIK(self._robot, options, memory)

    @property
    def explained(self) -> LocalRobotIK:
        """The same twelve operations, each with an `Outcome` for a result."""
        return self._explained

    # The state.

    @property
    def units(self) -> str:
        """``"m"`` or ``"mm"``."""
        return self._robot.units.name

    @property
    def robot_name(self) -> str:
        """The name of the robot, which is the agent of its frames."""
        return self._robot.name

    @property
    def skeleton(self) -> Skeleton:
        """A copy of the robot as it stands now, in metres; changing it changes nothing here."""
        return self._robot.skeleton

    @property
    def joint_values(self) -> dict[str, float]:
        """The present value of each degree of freedom that moves by itself (rad, or the units)."""
        return self._robot.joint_values

    def set_joint_values(self, values: Mapping[str, float]) -> None:
        """Tells how the robot stands; joints that are not named stay. Values beyond limits are taken as they are.

        Args:
            values: By the names of degrees of freedom, as in `joint_values` (rad, or the units).

        Raises:
            UnknownNameError: A name that is not there; nothing is changed then.
            InvalidValueError: A value that is no finite number, or beyond 1e9 (rad or m); likewise.
        """
        self._robot.set_joint_values(values)

    @property
    def robot_pose(self) -> pin.SE3:
        """Where the root of the robot is in the world, its position in the units; see `set_robot_pose`."""
        return self._robot.pose

    def set_robot_pose(self, pose: PoseLike) -> None:
        """Tells where the robot stands.

        Args:
            pose: Of the root link in the world; with a floating base, of the link that floats, whose degrees of freedom
                take it then.

        Raises:
            InvalidPoseError: What is no pose, or one more than 1e9 m from the origin of the world along an axis.
        """
        self._robot.set_pose(pose)

    @property
    def node_sets(self) -> Mapping[str, NodeSetRecord]:
        """The node sets by name, each as the names of its joints, tcp and root."""
        return self._robot.state.node_sets

    # What can be asked of a reachability space here and not in ArmarX.

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
    ) -> bool:
        """See `RobotIKInterface.create_reachability_space`.

        Args:
            node_set: As there.
            coordinate_system: As there.
            step_translation: As there.
            step_rotation: As there.
            min_bounds: As there.
            max_bounds: As there.
            samples: As there.
            symmetric: Make a reduced space, which needs far fewer samples (see `ReachabilityMap.create`); only without
                corners. When None it is made where the arm allows and there are no corners.
            progress: Called with the samples so far and in all; what it raises ends the sampling and is raised here.
        """
        return self._value(
            self._explained.create_reachability_space(
                node_set,
                coordinate_system,
                step_translation,
                step_rotation,
                min_bounds,
                max_bounds,
                samples,
                symmetric=symmetric,
                progress=progress,
            )
        )

    def __repr__(self) -> str:
        names = ", ".join(f"{name!r} (to {each.tcp!r})" for name, each in self.node_sets.items()) or "none"
        return f"<RobotIK of {self.robot_name!r} in {self.units}; node sets: {names}>"
