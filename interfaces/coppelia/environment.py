"""`Environment`: joints and dummies, and groups that move them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

from ...kinematics.errors import InvalidValueError, StructureError
from .constants import JointKind
from .dummy import Dummy
from .environment_contents import FIRST_GROUP, EnvironmentContents
from .ik_group import IkGroup
from .joint import Joint
from .scene_object import SceneObject, checked_name
from .setting import shown

if TYPE_CHECKING:
    from .solving import HandleResult, JacobianCallback


class Environment(EnvironmentContents):
    """A scene of its own. Handles count up and are not given out again, so that an old one is not taken for a new.

    (Those of objects begin again at 0 after two million, with those that are free.)
    """

    def __init__(self) -> None:
        super().__init__()
        self._handle = -1
        self._structure_version = 0
        self._pose_version = 0

    @property
    def handle(self) -> int:
        """Its number among the environments of the routines; -1 when it is none of these."""
        return self._handle

    @property
    def structure_version(self) -> int:
        """Goes up with every change of anything but positions, rotations of spherical joints and poses."""
        return self._structure_version

    @property
    def pose_version(self) -> int:
        """Goes up with every change of the pose of an object."""
        return self._pose_version

    # Changing it.

    def add_dummy(self, name: str | None = None) -> Dummy:
        """Makes a dummy in the origin of the world; ``dummy0`` and so on when it is given no name."""
        dummy = Dummy(self, self._free_handle(), self._free_name(name, "dummy"))
        self._add(dummy)
        return dummy

    def add_joint(self, kind: JointKind | int, name: str | None = None) -> Joint:
        """Makes a joint in the origin of the world, its axis along z; ``joint0`` and so on without a name.

        Args:
            kind: Revolute, prismatic or spherical.
            name: Unique among the objects.

        Returns:
            The joint.

        Raises:
            InvalidValueError: Another kind.
        """
        try:
            chosen = JointKind(kind)
        except ValueError:
            names = ", ".join(f"{each.name} ({each.value})" for each in JointKind)
            raise InvalidValueError(f"a joint must be one of {names}, not {shown(kind)}") from None
        joint = Joint(self, self._free_handle(), self._free_name(name, "joint"), chosen)
        self._add(joint)
        return joint

    def add_group(self, name: str | None = None) -> IkGroup:
        """Makes a group without elements; ``ikGroup0`` and so on when it is given no name."""
        names = self._group_names()
        chosen = _first_free("ikGroup", names) if name is None else checked_name(name, names, "group")
        group = IkGroup(self, self._next_group, chosen)
        self._groups[group.handle] = group
        self._next_group += 1
        self._note_structure()
        return group

    def erase(self, erased: SceneObject) -> None:
        """Takes an object out.

        What hangs on it hangs on its parent then, in place. Tips lose it as their target, joints that follow it move
        on their own, and elements that it is tip or a base of are erased. Groups stay, also when they are empty.
        """
        self._check_owned(erased, "what is erased")
        # Worked out before anything changes, for a joint that follows a function may not tell where it is.
        above = erased.parent
        places = {child: child._local_below(above, child.world_pose()) for child in erased.children}
        for child, local in places.items():
            child._hang_on(above)
            child._place(local)
        for each in self._objects.values():
            if isinstance(each, Dummy) and each.target is erased:
                each._target = None
            elif isinstance(each, Joint) and each.dependency is not None and each.dependency.master is erased:
                each._free()
        for group in self._groups.values():
            group._joint_limit_hits = {k: v for k, v in group._joint_limit_hits.items() if k is not erased}
            for element in group.elements:
                if erased in (element.tip, element.base, element.constraints_base):
                    group.erase_element(element)
        erased._hang_on(None)
        del self._objects[erased.handle]
        erased._environment = None
        self._note_structure()

    def erase_group(self, group: IkGroup) -> None:
        """Takes a group out, with its elements."""
        self._check_group(group)
        for element in group.elements:
            group.erase_element(element)
        del self._groups[group.handle]
        group._environment = None
        self._note_structure()

    def handle_groups(
        self, groups: Sequence[IkGroup] | None = None, callback: JacobianCallback | None = None
    ) -> HandleResult:
        """Moves the joints so that the tips of groups get to their targets; see `solving.handle_groups`.

        Args:
            groups: See there, as for the other.
            callback: See there.

        Returns:
            The result bits, and the largest distances that are left.
        """
        from .solving import handle_groups

        for group in groups or ():
            self._check_group(group)
        return handle_groups(self, groups, callback)

    # Copies.

    def save(self) -> bytes:
        """Everything but callbacks as bytes, exactly; see the guide for the format."""
        from .save_file import save

        return save(self)

    @classmethod
    def load(cls, data: bytes) -> Environment:
        """The environment that was saved.

        Raises:
            SaveFileError: The data is damaged, cut off, or something else.
        """
        from .save_file import load

        return load(data)

    def load_into(self, data: bytes) -> None:
        """Fills this environment, which has to be empty, with what was saved.

        Raises:
            StructureError: It is not empty.
            SaveFileError: See `load`; the environment is as before then.
        """
        if not self.is_empty:
            held = f"{len(self._objects)} objects and {len(self._groups)} groups"
            raise StructureError(f"{self} must be empty to be loaded into; it has {held}")
        loaded = Environment.load(data)
        for each in loaded._objects.values():
            each._environment = self
        for group in loaded._groups.values():
            group._environment = self
        self._objects, self._groups = loaded._objects, loaded._groups
        self._next_object, self._next_group = loaded._next_object, loaded._next_group
        self._note_structure()
        self._note_pose()

    def duplicate(self) -> Environment:
        """A copy with the same handles, callbacks and limit hits included."""
        from .save_file import copied

        return copied(self)

    # For what is in it.

    def _add(self, added: SceneObject) -> None:
        self._objects[added.handle] = added
        self._next_object = added.handle + 1
        self._note_structure()
        self._note_pose()

    def _free_handle(self) -> int:
        handle = self._next_object
        while handle in self._objects or handle >= FIRST_GROUP:
            handle = handle + 1 if handle < FIRST_GROUP else 0
        return handle

    def _note_structure(self) -> None:
        self._structure_version += 1

    def _note_pose(self) -> None:
        self._pose_version += 1

    def _check_owned(self, owned: Any, what: str) -> None:
        """Raises unless something is an object of this environment."""
        if not isinstance(owned, SceneObject):
            raise InvalidValueError(f"{what} must be an object of {self}, not {shown(owned)}")
        if owned.environment is not self:
            raise StructureError(f"{what}: {owned} is of another environment")

    def _check_group(self, group: Any) -> None:
        """Raises unless something is a group of this environment."""
        if not isinstance(group, IkGroup):
            raise InvalidValueError(f"{shown(group)} is no group of {self}")
        if group.environment is not self:
            raise StructureError(f"{group} is of another environment")

    def _free_name(self, name: str | None, prefix: str = "") -> str:
        names = self._object_names()
        return _first_free(prefix, names) if name is None else checked_name(name, names, "object")

    def __str__(self) -> str:
        return "environment" if self._handle < 0 else f"environment {self._handle}"

    def __repr__(self) -> str:
        return f"<Environment: {len(self.joints)} joints of {len(self._objects)} objects, {len(self._groups)} groups>"


def _first_free(prefix: str, names: Container[str]) -> str:
    number = 0
    while f"{prefix}{number}" in names:
        number += 1
    return f"{prefix}{number}"
