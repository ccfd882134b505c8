"""`RelativePose`: where a tool is, seen from a target in the axes of a reference, and how that moves."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, Link, Skeleton, State
from ...kinematics.transforms import Array
from .rotation_vector_derivative import rotation_vector_derivative


class Mount:
    """Where something is fixed: to a link of a skeleton, or to the world.

    Attributes:
        link: The link that carries it; None when the skeleton does not move it.
        pose: Its pose in the link, or in the world.
    """

    __slots__ = ("link", "pose")

    def __init__(self, link: Link | None, pose: pin.SE3) -> None:
        self.link = link
        self.pose = pose

    @classmethod
    def of(cls, frame: Frame, skeleton: Skeleton) -> Mount:
        """The mount of a frame, as the skeleton sees it."""
        link = frame.link
        if link is not None and link.skeleton is not skeleton:
            link = None
        return cls(link, frame.transform(link))

    def at(self, state: State) -> pin.SE3:
        """World pose."""
        return self.pose if self.link is None else state.transform(self.link) * self.pose

    def jacobian(self, state: State) -> Array:
        """Jacobian (6, n), linear first, world axes; zero when the skeleton does not move it."""
        if self.link is None:
            return np.zeros((6, len(state.dofs)))
        return state.jacobian(self.link, self.pose.translation)


class RelativePose:
    """The displacement of a tool from a target: position and rotation vector in the axes of a reference.

    All three may move with the skeleton.

    Args:
        skeleton: What moves.
        frame: The frame that is to be moved.
        offset: The tool point (3,) in it, or None.
        target: Where the tool point and the frame's axes should be; a pose is one in the world.
        reference: The frame whose axes the displacement is given in.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        frame: Frame,
        offset: Array | None,
        target: Frame | pin.SE3,
        reference: Frame,
    ) -> None:
        self.tool = Mount.of(frame, skeleton)
        if offset is not None:
            self.tool.pose = self.tool.pose * pin.SE3(np.eye(3), offset)
        self.target = Mount.of(target, skeleton) if isinstance(target, Frame) else Mount(None, target)
        self.reference = Mount.of(reference, skeleton)

    @property
    def stands_still(self) -> bool:
        """True when the skeleton moves neither the target nor the reference, but the tool."""
        return self.tool.link is not None and self.target.link is None and self.reference.link is None

    def displacement(self, state: State) -> tuple[Array, Array]:
        """Position (3,) of the tool relative to the target, and rotation vector (3,) from target to tool."""
        axes = self.reference.at(state).rotation.T
        tool, target = self.tool.at(state), self.target.at(state)
        position: Array = axes @ (tool.translation - target.translation)
        rotation: Array = pin.log3(axes @ (tool.rotation @ target.rotation.T) @ axes.T)
        return position, rotation

    def derivative(self, state: State, exact_rotation: bool = True) -> tuple[Array, Array]:
        """Derivatives (3, n) of both parts of `displacement`.

        Args:
            state: Where the skeleton is.
            exact_rotation: The derivative of the rotation vector; otherwise the angular velocity of the tool
                relative to the target, to which that is equal along the rotation vector.
        """
        axes = self.reference.at(state).rotation.T
        tool, target = self.tool.at(state), self.target.at(state)
        # Seen in the reference, E = A B^T with A and B the rotations of tool and target; w_E = w_A - E w_B.
        turn = axes @ (tool.rotation @ target.rotation.T) @ axes.T
        linear, angular = np.vsplit(self.tool.jacobian(state), 2)
        angular = axes @ angular
        if self.target.link is not None or self.reference.link is not None:
            j_target, j_reference = self.target.jacobian(state), self.reference.jacobian(state)
            carried = axes @ j_reference[3:]
            angular = angular - carried - turn @ (axes @ j_target[3:] - carried)
            arm = pin.skew(tool.translation - target.translation)
            linear = linear - j_target[:3] + arm @ j_reference[3:]
        if exact_rotation:
            angular = rotation_vector_derivative(pin.log3(turn)) @ angular
        return axes @ linear, angular
