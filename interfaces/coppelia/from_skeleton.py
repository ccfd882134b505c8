"""`environment_from_skeleton`: a robot of kinetree as joints and dummies."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pinocchio as pin

from ...kinematics import (
    FixedJoint,
    Frame,
    FreeJoint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Skeleton,
    SphericalJoint,
    UniversalJoint,
)
from ...kinematics import Joint as SkeletonJoint
from ...kinematics.degree_of_freedom import DegreeOfFreedom
from ...kinematics.transforms import Array
from .constants import JointKind
from .dependency import Dependency
from .environment import Environment
from .joint import Joint
from .scene_object import SceneObject

#: Interval of a slide without limits (m), and of a screw without limits (turns): an interval has to end somewhere.
_FAR = 1e3


def environment_from_skeleton(
    skeleton: Skeleton, tips: Iterable[Frame | str] | None = None, *, targets: bool = True
) -> Environment:
    """Builds an environment with the joints of a robot, where the robot stands now.

    Joints have the names that the degrees of freedom have in the skeleton, intervals, largest steps, weights,
    positions and dependences as well. A joint of several degrees of freedom becomes several joints, a spherical one
    stays one. Fixed joints are folded into what hangs on them. Each tip becomes a dummy of the frame's name
    (``NAME_tip`` where a joint has that), its target a dummy ``NAME_target`` in the world, where the tip is now.

    Args:
        skeleton: The robot.
        tips: Frames of it; its natural tip when None.
        targets: Whether to make targets for the tips.

    Returns:
        The environment; objects are found by name, ``environment.object("panda_joint1")``.
    """
    frames = [skeleton.tip] if tips is None else [skeleton.frame(t) if isinstance(t, str) else t for t in tips]
    return _Builder(skeleton).build(frames, targets)


class _Builder:
    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.environment = Environment()
        #: For each link: what carries it, and its pose there.
        self.places: dict[object, tuple[SceneObject | None, pin.SE3]] = {}
        self.joints: dict[SkeletonJoint, Joint] = {}

    def build(self, frames: list[Frame], targets: bool) -> Environment:
        for link in self.skeleton.links:
            joint = link.joint
            parent = link.parent_link
            carrier, pose = (None, pin.SE3.Identity()) if parent is None else self.places[parent]
            carrier, pose = self._add(joint, carrier, pose * joint.placement)
            self.places[link] = carrier, pose * joint.child_placement.inverse()
        for joint in self.skeleton.joints:
            if joint.dependence is not None:
                self._depend(joint)
        for frame in frames:
            self._tip(frame, targets)
        return self.environment

    def _add(
        self, joint: SkeletonJoint, carrier: SceneObject | None, pose: pin.SE3
    ) -> tuple[SceneObject | None, pin.SE3]:
        """Adds what moves like a joint; returns what carries the moved frame, and its pose there."""
        if isinstance(joint, FixedJoint):
            return carrier, pose
        if isinstance(joint, RevoluteJoint | PrismaticJoint | ScrewJoint):
            kind = JointKind.PRISMATIC if isinstance(joint, PrismaticJoint) else JointKind.REVOLUTE
            turn = _rotation_from_z_to(joint.axis)
            lead = joint.lead if isinstance(joint, ScrewJoint) else 0.0
            made = self._single(kind, joint.name, joint.dofs[0], carrier, pose * turn, lead)
            self.joints[joint] = made
            return made, turn.inverse()
        values = joint.positions
        if isinstance(joint, UniversalJoint):
            axes = [(JointKind.REVOLUTE, axis) for axis in joint.axes]
        elif isinstance(joint, PlanarJoint):
            plane = joint._alignment().rotation
            axes = [(JointKind.PRISMATIC, plane[:, k]) for k in range(2)] + [(JointKind.REVOLUTE, plane[:, 2])]
        elif isinstance(joint, FreeJoint):
            axes = [(JointKind.PRISMATIC, axis) for axis in np.eye(3)]
        else:
            axes = []
        for (kind, axis), dof in zip(axes, joint.dofs, strict=False):
            turn = _rotation_from_z_to(axis)
            carrier, pose = self._single(kind, dof.name, dof, carrier, pose * turn), turn.inverse()
        if isinstance(joint, SphericalJoint | FreeJoint):
            ball = self.environment.add_joint(JointKind.SPHERICAL, joint.name)
            _hang(ball, carrier, pose)
            ball.rotation = pin.Quaternion(pin.exp3(values[-3:])).coeffs()
            carrier, pose = ball, pin.SE3.Identity()
        return carrier, pose

    def _single(
        self, kind: JointKind, name: str, dof: DegreeOfFreedom, carrier: SceneObject | None, pose: pin.SE3,
        lead: float = 0.0,
    ) -> Joint:  # fmt: skip
        """A joint of one degree of freedom whose axis is the z axis of its pose."""
        joint = self.environment.add_joint(kind, name)
        _hang(joint, carrier, pose)
        is_limited = math.isfinite(dof.lower) and math.isfinite(dof.upper)
        if kind is JointKind.REVOLUTE:
            # A screw has to remember its turns, so it never counts as cyclic.
            joint.cyclic = not is_limited and lead == 0.0
        if not joint.cyclic:
            lower, upper = max(dof.lower, -_FAR), min(dof.upper, _FAR)
            joint.minimum, joint.range = lower, upper - lower
        joint.screw_lead = lead
        joint.weight = dof.weight
        if dof.max_step is not None:
            joint.max_step = dof.max_step
        joint.position = dof.position
        return joint

    def _depend(self, slave: SkeletonJoint) -> None:
        rule = slave.dependence
        assert rule is not None
        callback = None
        if rule.function is not None:

            def callback(environment: int, handle: int, position: float) -> float:
                return rule.position(position)

        joint, master = self.joints[slave], self.joints[rule.master]
        joint.dependency = Dependency(master, rule.multiplier, rule.offset, callback)

    def _tip(self, frame: Frame, targets: bool) -> None:
        link = frame.link
        assert link is not None
        carrier, pose = self.places[link]
        taken = {each.name for each in self.environment.objects}
        name = f"{frame.name}_tip" if frame.name in taken else frame.name
        tip = self.environment.add_dummy(name)
        _hang(tip, carrier, pose * frame.transform(link))
        if targets:
            target = self.environment.add_dummy(f"{name}_target")
            target.pose = tip.world_pose()
            tip.target = target


def _hang(scene_object: SceneObject, carrier: SceneObject | None, pose: pin.SE3) -> None:
    scene_object.parent = carrier
    scene_object.pose = pose


def _rotation_from_z_to(axis: Array) -> pin.SE3:
    """A rotation that takes z to the axis; exact for the coordinate axes, so that zeros stay zeros."""
    if axis[2] > 1.0 - 1e-12:
        return pin.SE3.Identity()
    if axis[2] < -1.0 + 1e-12:
        return pin.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
    turn = pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), axis).toRotationMatrix()
    turn[np.abs(turn) < 1e-15] = 0.0
    return pin.SE3(turn, np.zeros(3))
