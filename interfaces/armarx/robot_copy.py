"""`RobotCopy`: the robot of a service for one call at a time."""

from __future__ import annotations

import pinocchio as pin

from ...kinematics import CollisionDetector, Frame, NodeSet, Skeleton, UnknownNameError, World
from ...kinematics.transforms import Array
from ...solvers import CartesianSelection, InverseKinematics
from .framed_pose import GLOBAL_FRAME, FramedPose
from .named_dofs import NamedDofs
from .outcome import FailureReason
from .pose_module import pose_module
from .recently_used import RecentlyUsed
from .refusal import Refusal
from .robot_state import RobotState
from .units import Units

#: Names of the world; a frame of the robot of one of these names cannot be asked for.
GLOBAL_NAMES = ("", GLOBAL_FRAME, f"armarx::{GLOBAL_FRAME}")

#: How many kinds of requests have what they need kept with a copy: more than a control loop sends.
_KEPT = 16


class RobotCopy:
    """A skeleton that nobody else uses, with what is found by name on it.

    Names that are not there are a `Refusal`.

    Args:
        skeleton: A clone of the service's robot.
        units: Of the service.

    Attributes:
        skeleton: The clone.
        units: As given.
        recent: What was made for some kind of request and serves again for the next one of it.
    """

    def __init__(self, skeleton: Skeleton, units: Units) -> None:
        self.skeleton = skeleton
        self.units = units
        self.recent = RecentlyUsed(_KEPT)
        self._state: RobotState | None = None
        # The joints of a copy are never edited, so what is found once stays.
        self._node_sets: dict[str, NodeSet] = {}
        self._named: dict[str, NamedDofs] = {}
        self._modules: dict[tuple[str, CartesianSelection], InverseKinematics] = {}

    def follow(self, state: RobotState) -> None:
        """Stands as the state says, and has its node sets."""
        last = self._state
        if last is state:
            return
        self._state = None  # until it stands there as a whole
        self.skeleton.positions = state.positions
        root = self.skeleton.root
        # An edit: modules and maps look again at the whole robot, so it is made only when the base has moved.
        if root is not None and (last is None or last.placement is not state.placement):
            root.joint.placement = state.placement
        for name, record in state.node_sets.items():
            if name not in self.skeleton.node_sets:
                self.skeleton.define_node_set(name, record.joints, record.tcp, self.frame(record.root))
        self._state = state

    def node_set(self, name: str) -> NodeSet:
        """The node set of that name."""
        found = self._node_sets.get(name)
        if found is None:
            try:
                found = self._node_sets[name] = self.skeleton.node_set(name)
            except UnknownNameError as error:
                raise Refusal(FailureReason.UNKNOWN_NODE_SET, str(error)) from None
        return found

    def moving_set(self, name: str) -> NodeSet:
        """The same, with something that moves."""
        found = self.node_set(name)
        if not self._dofs(found):
            raise Refusal(
                FailureReason.NO_DEGREES_OF_FREEDOM, f"no joint of node set {name!r} moves by itself: {found!r}"
            )
        return found

    def values(self, node_set: NodeSet, q: Array) -> dict[str, float]:
        """Values by name, in the units, of the degrees of freedom of a set at a configuration (n,)."""
        return self._dofs(node_set).values(q)

    def _dofs(self, node_set: NodeSet) -> NamedDofs:
        found = self._named.get(node_set.name)
        if found is None:
            found = self._named[node_set.name] = NamedDofs(node_set.dofs, self.units)
        return found

    def frame(self, name: str) -> Frame:
        """The frame of that name, which may be the world."""
        return World() if name in GLOBAL_NAMES else self.moved_frame(name)

    def moved_frame(self, name: str) -> Frame:
        """The frame of the robot of that name."""
        try:
            return self.skeleton.frame(name)
        except UnknownNameError as error:
            raise Refusal(FailureReason.UNKNOWN_FRAME, str(error)) from None

    def global_pose(self, pose: FramedPose) -> pin.SE3:
        """A framed pose in the world, in metres, where its frame is now."""
        frame = self.frame(pose.frame)
        if pose.agent not in ("", self.skeleton.name) and not isinstance(frame, World):
            raise Refusal(
                FailureReason.UNKNOWN_AGENT,
                f"frame {pose.frame!r} is of agent {pose.agent!r}, and this service is for {self.skeleton.name!r}",
            )
        return frame.transform() * self.units.pose_in_metres(pose.pose)

    def module(self, node_set: NodeSet, selection: CartesianSelection) -> InverseKinematics:
        """The module for the tcp of a set, kept for later calls."""
        key = (node_set.name, selection)
        if key not in self._modules:
            self._modules[key] = pose_module(node_set, selection)
        return self._modules[key]

    def obstacles_moved(self, detector: CollisionDetector) -> CollisionDetector:
        """A detector for this copy: its robot stands where it stood when it was made, so its obstacles are moved."""
        ours, theirs = self.skeleton.root, detector.skeleton.root
        if ours is None or theirs is None or not detector.obstacles or ours.joint.placement == theirs.joint.placement:
            return detector
        change = theirs.joint.placement * ours.joint.placement.inverse()
        twin = detector.clone()
        for name, obstacle in detector.obstacles.items():
            parent = World() if obstacle.parent is None else obstacle.parent
            twin.move(name, parent.transform().actInv(change * obstacle.transform()))
        return twin
