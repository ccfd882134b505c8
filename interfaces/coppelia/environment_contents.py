"""`EnvironmentContents`: the objects and groups of an environment, all of them and by name or handle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ...kinematics.errors import unknown_name
from .dummy import Dummy
from .environment_member import EnvironmentMember
from .errors import HandleError
from .ik_group import IkGroup
from .joint import Joint
from .scene_object import SceneObject
from .setting import as_handle

Member = TypeVar("Member", bound=EnvironmentMember)

#: Handle of the first group. Those of objects are below.
FIRST_GROUP = 2030003


class EnvironmentContents:
    """The part of an `Environment` that finds what is in it."""

    def __init__(self) -> None:
        self._objects: dict[int, SceneObject] = {}
        self._groups: dict[int, IkGroup] = {}
        self._next_object = 0
        self._next_group = FIRST_GROUP

    @property
    def objects(self) -> tuple[SceneObject, ...]:
        """Joints and dummies, in the order in which they were made."""
        return tuple(self._objects.values())

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints among the objects."""
        return tuple(each for each in self._objects.values() if isinstance(each, Joint))

    @property
    def groups(self) -> tuple[IkGroup, ...]:
        """The groups, in the order in which they were made."""
        return tuple(self._groups.values())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return not self._objects and not self._groups

    def object(self, which: str | int) -> SceneObject:
        """An object by name or handle.

        Raises:
            UnknownNameError: No object has the name.
            HandleError: No object has the handle.
        """
        if isinstance(which, str):
            return _named(which, "object", self._objects.values(), str(self))
        found = self._objects.get(as_handle(which, "object"))
        if found is None:
            known: SceneObject | IkGroup | None = self._groups.get(which)
            raise HandleError(self._no_such("an object", which, known, 0 <= which < self._next_object))
        return found

    def joint(self, which: str | int) -> Joint:
        """The same, of a joint; a HandleError for a dummy."""
        found = self.object(which)
        if not isinstance(found, Joint):
            raise HandleError(f"{found} is no joint")
        return found

    def dummy(self, which: str | int) -> Dummy:
        """The same, of a dummy; a HandleError for a joint."""
        found = self.object(which)
        if not isinstance(found, Dummy):
            raise HandleError(f"{found} is no dummy")
        return found

    def group(self, which: str | int) -> IkGroup:
        """A group by name or handle.

        Raises:
            UnknownNameError: No group has the name.
            HandleError: No group has the handle.
        """
        if isinstance(which, str):
            return _named(which, "group", self._groups.values(), str(self))
        found = self._groups.get(as_handle(which, "group"))
        if found is None:
            known = self._objects.get(which)
            raise HandleError(self._no_such("a group", which, known, FIRST_GROUP <= which < self._next_group))
        return found

    def _no_such(self, noun: str, handle: int, known: SceneObject | IkGroup | None, was_one: bool) -> str:
        if known is not None:
            return f"handle {handle} is {known}, which is not {noun}"
        if was_one:
            return f"handle {handle} is of {noun} that was erased from {self}"
        return f"{self} has no {noun.split()[1]} with handle {handle}"

    def _object_names(self) -> set[str]:
        return {each.name for each in self._objects.values()}

    def _group_names(self) -> set[str]:
        return {each.name for each in self._groups.values()}


def _named(name: str, noun: str, members: Iterable[Member], where: str) -> Member:
    names = []
    for each in members:
        if each.name == name:
            return each
        names.append(each.name)
    raise unknown_name(noun, name, names, where)
