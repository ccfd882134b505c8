"""`NodeSetRegistry`: the node sets that a skeleton knows by name."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .errors import DuplicateNameError, InvalidValueError, StructureError, unknown_name
from .frame import Frame
from .joints import Joint
from .world import World

if TYPE_CHECKING:
    from .collision.srdf import Srdf
    from .node_set import NodeSet

_log = logging.getLogger(__name__)


class NodeSetRegistry(ABC):
    """The part of a `Skeleton` that keeps node sets: named selections of its joints with a root and a tcp.

    They follow edits: joints that move to another place or are replaced stay in their sets, and `Skeleton.clone` takes
    the sets along. A set that has lost a joint or a frame says so when it is used, and its name may be given anew.
    """

    name: str
    _node_sets: dict[str, NodeSet]

    @abstractmethod
    def frame(self, name: str) -> Frame:
        """See `Skeleton.frame`."""

    @property
    @abstractmethod
    def frames(self) -> tuple[Frame, ...]:
        """See `Skeleton.frames`."""

    def define_node_set(
        self, name: str, joints: Iterable[Joint | str], tcp: Frame | str, root: Frame | str | None = None
    ) -> bool:
        """Adds a node set under a name.

        Args:
            name: Any text that is not empty.
            joints: Joints of this skeleton or their names; the order does not matter.
            tcp: The frame that the set moves, or its name.
            root: The frame that poses of the set are relative to, or its name; the world when None.

        Returns:
            True when the set was added, or one of the same joints and frames has the name already; False when another
            has it, which is kept then.

        Raises:
            UnknownNameError: A joint or a frame that this skeleton does not have.
            InvalidValueError: No name, no joints, a joint twice, or something that is neither an object nor a name.
        """
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"the name of a node set must be a non-empty string, not {name!r}")
        return self._add(self._made(name, joints, tcp, root))

    def _made(self, name: str, joints: Iterable[Joint | str], tcp: Frame | str, root: Frame | str | None) -> NodeSet:
        from .node_set import NodeSet  # it needs to know of skeletons

        if isinstance(joints, str):
            raise InvalidValueError(f"node set {name!r} needs a list of joints, not the text {joints!r}")
        chosen = list(joints)
        tip = self._as_frame(tcp, f"tcp of node set {name!r}")
        base = World() if root is None else self._as_frame(root, f"root of node set {name!r}")
        if tip.skeleton is not self:
            raise InvalidValueError(
                f"the tcp of node set {name!r} must hang on skeleton {self.name!r}, not {tip.name!r}"
            )
        made = NodeSet(name, chosen, base, tip)
        if not chosen:
            raise InvalidValueError(f"node set {name!r} needs at least one joint")
        names = [each if isinstance(each, str) else each.name for each in chosen]
        twice = [each for each in dict.fromkeys(names) if names.count(each) > 1]
        if twice:
            raise InvalidValueError(f"node set {name!r} names joint {twice[0]!r} twice")
        return made

    def _as_frame(self, frame: Frame | str, what: str) -> Frame:
        if isinstance(frame, str):
            return self.frame(frame)
        if not isinstance(frame, Frame):
            raise InvalidValueError(f"{what} must be a frame or the name of one, not {frame!r}")
        if frame.skeleton is not None and frame.skeleton is not self:
            raise unknown_name("frame", frame.name, [each.name for each in self.frames], f"skeleton {self.name!r}")
        return frame

    def _add(self, made: NodeSet) -> bool:
        known = self._node_sets.get(made.name)
        if known is None or known.lost:
            self._node_sets[made.name] = made
            return True
        return _is_same(known, made)

    def add_node_sets(self, srdf: Srdf) -> tuple[str, ...]:
        """Adds the groups of an SRDF file as node sets, with the base and the tip that `Srdf.node_set` finds.

        Groups that make no set of this skeleton, such as those without joints, are logged and left out.

        Returns:
            Names of the sets that the skeleton has now from that file.

        Raises:
            DuplicateNameError: Another set has the name of a group; nothing is added then.
        """
        made = []
        for group in srdf.groups:
            try:
                made.append(srdf.node_set(self, group))  # type: ignore[arg-type]  # this is a part of a Skeleton
            except StructureError as error:
                _log.warning("group %r of %s makes no node set: %s", group, srdf.file, error)
        for each in made:
            known = self._node_sets.get(each.name)
            if known is not None and not known.lost and not _is_same(known, each):
                raise DuplicateNameError(
                    f"skeleton {self.name!r} has another node set {each.name!r} than {srdf.file}; remove it first"
                )
        for each in made:
            self._add(each)
        return tuple(each.name for each in made)

    def remove_node_set(self, name: str) -> None:
        """Forgets a node set; `UnknownNameError` when there is none of that name."""
        if name not in self._node_sets:
            raise unknown_name("node set", name, self._node_sets, f"skeleton {self.name!r}")
        del self._node_sets[name]

    @property
    def node_sets(self) -> Mapping[str, NodeSet]:
        """All node sets by name, in the order in which they were defined, as a copy; those with losses included."""
        return MappingProxyType(dict(self._node_sets))

    def node_set(self, name: str) -> NodeSet:
        """The node set of that name.

        Raises:
            UnknownNameError: There is none; the message has those that there are.
            StructureError: A joint or a frame of it was removed from the skeleton.
        """
        if not isinstance(name, str) or name not in self._node_sets:
            raise unknown_name("node set", name, self._node_sets, f"skeleton {self.name!r}")
        found = self._node_sets[name]
        found._check()
        return found

    def _joint_replaced(self, old: Joint, new: Joint) -> None:
        """Called by an edit that puts one joint in the place of another."""
        for each in self._node_sets.values():
            each._replace(old, new)


def _is_same(first: NodeSet, second: Any) -> bool:
    ours, theirs = ({joint.name for joint in each.joints} for each in (first, second))
    return ours == theirs and first.base is second.base and first.tip is second.tip
