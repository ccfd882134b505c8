"""`ServedRobot`: the robot that a service keeps."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pinocchio as pin

from ...kinematics import (
    CollisionDetector,
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    Joint,
    Link,
    PoseLike,
    Skeleton,
    Srdf,
    as_pose,
    unknown_name,
)
from ...kinematics.transforms import Array
from ...solvers.constraints.same_robot import constraint_for
from .checks import shown
from .default_node_set import add_default_node_set
from .named_dofs import NamedDofs
from .outcome import FailureReason
from .refusal import Refusal
from .robot_copy import RobotCopy
from .robot_state import NodeSetRecord, RobotState
from .units import FARTHEST, Units, read_only


class ServedRobot:
    """A robot's state, and copies of the robot to compute with.

    The state is one object that is replaced as a whole, so a call that has read it goes on with that one whatever
    other threads do; and each call computes with a copy of the robot that no other call has meanwhile. Copies are kept,
    as many as there were calls at once.

    Args:
        skeleton: The robot; it is copied.
        srdf: An SRDF file, or what was read from one, whose groups become node sets. A robot without any gets the
            one of `add_default_node_set`.
        units: Of what is given and asked.

    Raises:
        InvalidValueError: No skeleton, or one without links.
    """

    def __init__(self, skeleton: Skeleton, srdf: Srdf | str | Path | None, units: Units) -> None:
        if not isinstance(skeleton, Skeleton):
            raise InvalidValueError(f"RobotIK needs a Skeleton, such as models.load('panda'), not {shown(skeleton)}")
        # Stands as the state says; copies are made from it. Used under the lock only.
        self._template = skeleton.clone()
        root = self._template.root
        if root is None:
            raise InvalidValueError(f"skeleton {skeleton.name!r} has no links")
        if srdf is not None:
            self._template.add_node_sets(srdf if isinstance(srdf, Srdf) else Srdf.read(srdf))
        add_default_node_set(self._template)
        self.units = units
        self._dofs = NamedDofs(self._template.dofs, units)
        self._lock = threading.Lock()
        self._idle: list[RobotCopy] = []
        self._state = RobotState(read_only(self._template.positions), root.joint.placement, self._records())

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._template.name

    @property
    def state(self) -> RobotState:
        """The present state."""
        return self._state

    @property
    def skeleton(self) -> Skeleton:
        """A clone of the robot as it stands now."""
        with self._lock:
            return self._template.clone()

    # Copies.

    @contextmanager
    def borrowed(self, state: RobotState | None = None) -> Iterator[RobotCopy]:
        """A copy for one call, as a state says; as it is now when None."""
        try:
            copy = self._idle.pop()
        except IndexError:
            copy = self.new_copy()
        copy.follow(self._state if state is None else state)
        try:
            yield copy
        except Refusal:
            self._idle.append(copy)
            raise
        # After any other exception it is left to be forgotten: nobody knows what is in it.
        self._idle.append(copy)

    def new_copy(self) -> RobotCopy:
        """A copy to be kept, which stands nowhere in particular yet."""
        with self._lock:
            return RobotCopy(self._template.clone(), self.units)

    def check_detector(self, detector: CollisionDetector) -> None:
        """Raises `StructureError` when a collision detector is about another robot."""
        with self._lock:
            constraint_for(self._template, detector)

    # The state.

    @property
    def joint_values(self) -> dict[str, float]:
        """A value for each degree of freedom that moves by itself, in the units."""
        return self._dofs.values(self._state.positions)

    def set_joint_values(self, values: Mapping[str, float]) -> None:
        """Moves some or all joints; see `RobotIK.set_joint_values`."""
        if not isinstance(values, Mapping):
            raise InvalidValueError(f"joint values must be a mapping from names to numbers, not {shown(values)}")
        with self._lock:
            q = self._template.positions.copy()
            for name, value in values.items():
                dof = self._template.dof(name)
                q[dof.index] = self.units.coordinate(dof, value)
            self._stand(q)

    @property
    def pose(self) -> pin.SE3:
        """Where the base is in the world, in the units."""
        with self._lock:
            return self.units.pose_of_metres(base_of(self._template).transform())

    def set_pose(self, pose: PoseLike) -> None:
        """Moves the base; see `RobotIK.set_robot_pose`."""
        wanted = self.units.pose_in_metres(as_pose(pose, "robot pose"))
        if not np.abs(wanted.translation).max() <= FARTHEST:
            name, place = self.units.name, self.units.pose_of_metres(wanted).translation
            raise InvalidPoseError(
                f"robot pose is at {place} {name}, and a robot stands within {self.units.of_metres(FARTHEST):.3g} "
                f"{name} of the origin of the world along each axis"
            )
        with self._lock:
            base = base_of(self._template)
            joint = base.joint
            if isinstance(joint, FreeJoint):
                before = base.parent.transform() * joint.placement
                q = self._template.positions.copy()
                q[np.array([dof.index for dof in joint.dofs])] = joint.coordinates(
                    before.actInv(wanted * joint.child_placement)
                )
                self._stand(q)
            else:
                joint.placement = wanted * base.transform().inverse() * joint.placement
                self._state = self._state._replace(placement=joint.placement)

    def _stand(self, q: Array) -> None:
        self._template.positions = q
        self._state = self._state._replace(positions=read_only(q))

    # Node sets.

    def define(self, name: str, nodes: Sequence[str], tcp: str, root: str) -> bool:
        """Adds a node set; see `RobotIKInterface.define_robot_node_set`."""
        with self._lock:
            template = RobotCopy(self._template, self.units)
            _check_name(name)
            joints = [self._joint_of(node) for node in nodes]
            if not self._template.define_node_set(name, joints, template.moved_frame(tcp), template.frame(root)):
                raise Refusal(
                    FailureReason.NAME_TAKEN,
                    f"there is another node set {name!r}: {self._template.node_sets[name]!r}; take another name",
                )
            self._state = self._state._replace(node_sets=self._records())
            return True

    def _joint_of(self, node: str) -> Joint:
        """The joint of that name, or the one that moves the link of that name."""
        skeleton = self._template
        joints = {joint.name: joint for joint in skeleton.joints}
        by_link = {link.name: link.joint for link in skeleton.links}
        found = joints.get(node, by_link.get(node))
        if found is None:
            known = [*joints, *by_link]
            text = str(unknown_name("joint or link", node, known, f"skeleton {skeleton.name!r}"))
            raise Refusal(FailureReason.UNKNOWN_NODE, text)
        return found

    def _records(self) -> Mapping[str, NodeSetRecord]:
        whole = {name: each for name, each in self._template.node_sets.items() if not each.lost}
        return MappingProxyType({name: NodeSetRecord.of(each) for name, each in whole.items()})


def _check_name(name: str) -> None:
    """Refuses what cannot be written to a file or sent to anybody."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Refusal(FailureReason.INVALID_INPUT, f"{name!r} has half a character; take another name") from None
    if "\0" in name:
        raise Refusal(FailureReason.INVALID_INPUT, f"{name!r} has a character NUL; take another name")


def base_of(skeleton: Skeleton) -> Link:
    """The root link; of a robot with a floating base below a massless root the link that floats."""
    root = skeleton.root
    assert root is not None  # it was looked at
    below = root.children
    return below[0] if root.mass == 0.0 and len(below) == 1 and isinstance(below[0].joint, FreeJoint) else root
