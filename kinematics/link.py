"""`Link`: a rigid body of a skeleton, moved by its parent joint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pinocchio as pin

from .errors import InvalidValueError
from .frame import Frame
from .shapes import Shape, as_shapes
from .world import World

if TYPE_CHECKING:
    from .joints.joint import Joint
    from .skeleton import Skeleton


class Link(Frame):
    """A body of a `Skeleton`; made by `Skeleton.add_link`, never directly.

    Attributes:
        collisions: Shapes that may collide.
        visuals: Shapes that are drawn.
    """

    __slots__ = ("_children", "_inertia", "_joint", "_parent_link", "_pose", "_pose_stamp", "_skeleton",
                 "collisions", "visuals")  # fmt: skip

    def __init__(
        self,
        name: str,
        skeleton: Skeleton,
        joint: Joint,
        parent: Link | None,
        inertia: pin.Inertia | None = None,
        collisions: Iterable[Shape] = (),
        visuals: Iterable[Shape] = (),
    ) -> None:
        super().__init__(name)
        self._skeleton: Skeleton | None = skeleton
        self._joint = joint
        self._parent_link = parent
        self._children: list[Link] = []
        self._inertia = _checked_inertia(name, inertia)
        self.collisions: list[Shape] = as_shapes(collisions, f"link {name!r}")
        self.visuals: list[Shape] = as_shapes(visuals, f"link {name!r}")
        self._pose = pin.SE3.Identity()
        self._pose_stamp = -1

    @property
    def joint(self) -> Joint:
        """The joint that moves this link; a root without one of its own has a `FixedJoint`."""
        return self._joint

    @property
    def parent(self) -> Frame:
        """The parent link; the world for the root."""
        return World() if self._parent_link is None else self._parent_link

    @property
    def parent_link(self) -> Link | None:
        """The parent link; None for the root."""
        return self._parent_link

    @property
    def children(self) -> tuple[Link, ...]:
        """The links whose parent joint hangs on this one, in the order in which they were added."""
        return tuple(self._children)

    def subtree(self) -> list[Link]:
        """This link and all below it, parents first."""
        found = [self]
        for child in self._children:
            found.extend(child.subtree())
        return found

    @property
    def inertia(self) -> pin.Inertia:
        """Mass, centre of mass and inertia in this link's frame; assign to change."""
        return pin.Inertia(self._inertia)

    @inertia.setter
    def inertia(self, value: pin.Inertia | None) -> None:
        self._inertia = _checked_inertia(self.name, value)
        if self._skeleton is not None:
            self._skeleton._properties_changed()

    @property
    def mass(self) -> float:
        """Mass in kg."""
        return float(self._inertia.mass)

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton; None once the link was removed from it."""
        return self._skeleton

    def _as_link(self) -> Link:
        return self

    def _world_transform(self) -> pin.SE3:
        skeleton = self._skeleton
        if skeleton is None or self._pose_stamp != skeleton._pose_stamp:
            stamp = -1 if skeleton is None else skeleton._pose_stamp
            local = self._joint.relative_transform()
            parent = self._parent_link
            self._pose = local if parent is None else parent._world_transform() * local
            self._pose_stamp = stamp
        return self._pose


def _checked_inertia(name: str, inertia: pin.Inertia | None) -> pin.Inertia:
    if inertia is None:
        return pin.Inertia.Zero()
    if not isinstance(inertia, pin.Inertia):
        raise InvalidValueError(f"inertia of link {name!r} must be a pinocchio.Inertia, not {type(inertia).__name__}")
    if not (np.all(np.isfinite(inertia.matrix())) and inertia.mass >= 0.0):
        raise InvalidValueError(f"inertia of link {name!r} must be finite with a mass of zero or more")
    return pin.Inertia(inertia)
