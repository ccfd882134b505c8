"""`SceneObject`: what hangs in an environment: a joint or a dummy."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin

from ...kinematics.errors import DuplicateNameError, InvalidValueError, StructureError
from ...kinematics.transforms import PoseLike, as_pose
from .environment_member import EnvironmentMember
from .setting import shown

if TYPE_CHECKING:
    from .environment import Environment


class SceneObject(EnvironmentMember):
    """Something with a place, made by an `Environment`.

    A joint has two parts: its own frame, which poses here speak of, and its motion after that. What hangs on it hangs
    on its full frame, motion included.
    """

    #: What it is called in messages.
    noun = "object"

    def __init__(self, environment: Environment, handle: int, name: str) -> None:
        super().__init__(environment, handle, name)
        self._parent: SceneObject | None = None
        self._children: list[SceneObject] = []
        self._local = np.eye(4)

    def _free_name(self, environment: Environment, name: str) -> str:
        return environment._free_name(name)

    @property
    def parent(self) -> SceneObject | None:
        """What it hangs on; None for the world. Assigning keeps it in place; see `set_parent`."""
        return self._parent

    @parent.setter
    def parent(self, parent: SceneObject | None) -> None:
        self.set_parent(parent)

    @property
    def children(self) -> tuple[SceneObject, ...]:
        """What hangs on it, in the order in which it was made."""
        return tuple(sorted(self._children, key=lambda child: child.handle))

    def set_parent(self, parent: SceneObject | None, keep_in_place: bool = True) -> None:
        """Hangs it on another object.

        Args:
            parent: None for the world.
            keep_in_place: Keep the pose in the world; otherwise the pose relative to the parent is kept.

        Raises:
            StructureError: It would hang on itself, or the parent is of another environment.
        """
        environment = self.environment
        if parent is not None:
            environment._check_owned(parent, f"parent of {self}")
        above = parent
        while above is not None:
            if above is self:
                raise StructureError(f"{self} cannot hang on {parent}, which hangs on it")
            above = above._parent
        # Before anything changes, for a joint that follows a function may not tell where it is.
        local = self._local_below(parent, self.world_pose()) if keep_in_place else None
        self._hang_on(parent)
        environment._note_structure()
        if local is not None:
            self._place(local)

    def _local_below(self, parent: SceneObject | None, pose: pin.SE3) -> pin.SE3:
        """Pose on a parent for a pose in the world."""
        wanted = pose if parent is None else parent.full_pose().actInv(pose)
        return as_pose(wanted, f"pose of {self}")

    def _place(self, local: pin.SE3) -> None:
        """Sets the pose on the parent, which is one for sure."""
        self._local[:] = local.homogeneous
        self.environment._note_pose()

    def _hang_on(self, parent: SceneObject | None) -> None:
        if self._parent is not None:
            self._parent._children.remove(self)
        self._parent = parent
        if parent is not None:
            parent._children.append(self)

    @property
    def pose(self) -> pin.SE3:
        """Pose relative to the parent's full frame, without its own motion. Any form of a pose may be assigned."""
        return pin.SE3(self._local)

    @pose.setter
    def pose(self, pose: PoseLike) -> None:
        self.environment  # noqa: B018 (raises when it was erased)
        self._place(as_pose(pose, f"pose of {self}"))

    def motion(self) -> pin.SE3:
        """What a joint does after its own frame; nothing for others."""
        return pin.SE3.Identity()

    def world_pose(self) -> pin.SE3:
        """Pose in the world, without its own motion."""
        pose, above = self.pose, self._parent
        while above is not None:  # no recursion: trees may be deep
            pose, above = above.pose * (above.motion() * pose), above._parent
        return pose

    def full_pose(self) -> pin.SE3:
        """Pose in the world, its own motion included: where its children hang."""
        return self.world_pose() * self.motion()

    def get_pose(self, relative_to: SceneObject | None = None) -> pin.SE3:
        """Pose, without its own motion, relative to the full frame of another object, or to the world.

        `pose` is the one relative to the parent.
        """
        environment = self.environment
        if relative_to is None:
            return self.world_pose()
        environment._check_owned(relative_to, "relative_to")
        return relative_to.full_pose().actInv(self.world_pose())

    def set_pose(self, pose: PoseLike, relative_to: SceneObject | None = None) -> None:
        """The inverse of `get_pose`.

        Relative to itself, or to what hangs on it, is relative to where that is before.

        Args:
            pose: In any form of a pose.
            relative_to: What the pose is seen from; the world when None.

        Raises:
            InvalidPoseError: No pose.
        """
        environment = self.environment
        wanted = as_pose(pose, f"pose of {self}")
        if relative_to is None and self._parent is None:
            self._place(wanted)
            return
        if relative_to is not None:
            environment._check_owned(relative_to, "relative_to")
            wanted = relative_to.full_pose() * wanted
        self._place(self._local_below(self._parent, wanted))

    def erase(self) -> None:
        """Takes it out of the environment; see `Environment.erase`."""
        self.environment.erase(self)

    def __repr__(self) -> str:
        where = (
            "erased" if self.is_erased else ("in the world" if self._parent is None else f"on {self._parent.name!r}")
        )
        return f"<{type(self).__name__} {self._name!r}, handle {self._handle}, {where}>"


def checked_name(name: Any, taken: Container[str], noun: str) -> str:
    """A name that is text, not empty, and not taken.

    Args:
        name: What was asked for.
        taken: A container of names.
        noun: What is named.
    """
    if not isinstance(name, str) or not name:
        raise InvalidValueError(f"the name of {noun} must be text that is not empty, not {shown(name)}")
    if name in taken:
        raise DuplicateNameError(f"there is {noun} {name!r} already; names must differ")
    return name
