"""`Srdf`: what an SRDF file says about a robot: groups, states, pairs of links that need no check."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from ..errors import InvalidValueError, SrdfError, StructureError, unknown_name
from ..joints import Joint, PlanarJoint, RevoluteJoint
from ..node_set import NodeSet
from ..skeleton import Skeleton
from ..transforms import Array
from .excluded_pair import ExcludedPair
from .srdf_groups import group_joints, group_node_set
from .srdf_reader import SrdfContent, read_srdf
from .srdf_records import EndEffector, GroupState, SrdfGroup, VirtualJoint

_log = logging.getLogger(__name__)

#: How far from 1 the length of a quaternion may be: files round to three decimals or so.
_ROUNDED = 1e-2


class Srdf:
    """A semantic robot description, made by `Srdf.read` or `Srdf.parse`.

    It is independent of any skeleton; the methods that take one use of the file what that skeleton has. Names that
    it does not have are logged as a warning, each once, and listed by `unknown_names`.
    """

    def __init__(self, content: SrdfContent) -> None:
        self._content = content
        self._told: set[str] = set()

    @classmethod
    def read(cls, path: str | Path) -> Srdf:
        """Reads a file.

        Args:
            path: Of the file.

        Returns:
            What it says.

        Raises:
            SrdfError: It cannot be read or is damaged; the message has the line.
            InvalidValueError: A path that is none.
        """
        if not isinstance(path, str | Path):
            raise InvalidValueError(f"an SRDF file must be given by its path, not by {path!r}")
        try:
            data = Path(path).expanduser().read_bytes()
        except (OSError, ValueError) as error:  # the latter for characters that no path has
            why = getattr(error, "strerror", None) or error
            raise SrdfError(f"SRDF file {str(path)!r} cannot be read: {why}") from None
        return cls(read_srdf(data, str(path)))

    @classmethod
    def parse(cls, text: str | bytes, file: str = "SRDF text") -> Srdf:
        """Reads a text.

        Args:
            text: The document.
            file: What to call it in messages.

        Returns:
            What it says.

        Raises:
            SrdfError: It is damaged; the message has the line.
            InvalidValueError: Something that is no text.
        """
        if not isinstance(text, str | bytes):
            raise InvalidValueError(f"an SRDF text must be given as str or bytes, not as {text!r}")
        if not isinstance(file, str):
            raise InvalidValueError(f"file must be what to call the SRDF text in messages, not {file!r}")
        return cls(read_srdf(text, file))

    # What stands in the file.

    @property
    def name(self) -> str:
        """Name of the robot; empty when the file gives none."""
        return self._content.name

    @property
    def file(self) -> str:
        """Path of the file, or what the text was called."""
        return self._content.file

    @property
    def groups(self) -> Mapping[str, SrdfGroup]:
        """The groups by name, as written."""
        return self._content.groups

    @property
    def states(self) -> tuple[GroupState, ...]:
        """The states of all groups, as written."""
        return self._content.states

    @property
    def end_effectors(self) -> tuple[EndEffector, ...]:
        """The end effectors."""
        return self._content.end_effectors

    @property
    def virtual_joints(self) -> tuple[VirtualJoint, ...]:
        """How the robot is held in the world; the skeleton is not changed by them."""
        return self._content.virtual_joints

    @property
    def passive_joints(self) -> tuple[str, ...]:
        """Names of joints without a motor."""
        return self._content.passive_joints

    @property
    def disabled_pairs(self) -> tuple[ExcludedPair, ...]:
        """Pairs of ``disable_collisions`` with the reason, as written, each once."""
        return self._content.disabled

    @property
    def enabled_pairs(self) -> tuple[tuple[str, str], ...]:
        """Pairs of ``enable_collisions``: checked although `quiet_links` or `disabled_pairs` say otherwise."""
        return self._content.enabled

    @property
    def quiet_links(self) -> tuple[str, ...]:
        """Links of ``disable_default_collisions``: checked against nothing but what is enabled."""
        return self._content.quiet_links

    # What it means for a skeleton.

    def node_set(self, skeleton: Skeleton, group: str) -> NodeSet:
        """The joints of a group and of the groups in it.

        Joints in one line make a `Chain`. Its tip is the link that the last one moves, or the link welded to that
        which an end effector of the group hangs on; a group of one chain has the base and tip that it names. Of a group
        that branches the base is the lowest link that all joints are below of, and the tip the end of the longest line.

        Raises:
            UnknownNameError: There is no such group.
            StructureError: The skeleton has none of its joints, or a chain whose tip is not below its base.
        """
        found = self._group(group)
        self._warn(skeleton)
        joints = group_joints(skeleton, self.groups, group)
        if not joints:
            raise StructureError(f"group {group!r} of {self.file} has no joint that {skeleton.name!r} has")
        return group_node_set(skeleton, found, joints, self.end_effectors)

    def state(self, skeleton: Skeleton, group: str | None, name: str) -> dict[str, Array]:
        """A named state of a group as values (rad, m) by joint, which is accepted wherever a q is.

        Joints that are fixed in the skeleton, or depend on others there, are left out.

        Args:
            skeleton: The robot.
            group: Name of the group; None for states that the file gives without one.
            name: Name of the state.

        Raises:
            UnknownNameError: There is no such group, or no such state of it.
            SrdfError: A joint with another number of values than it has coordinates.
        """
        if group is not None:
            self._group(group)
        states = {each.name: each for each in self.states if each.group == (group or "")}
        where = f"{self.file}, without a group," if group is None else f"group {group!r} of {self.file}"
        if not isinstance(name, str) or name not in states:
            raise unknown_name("state", name, states, where)
        self._warn(skeleton)
        result = {}
        for each, values in states[name].values.items():
            joint = skeleton._joints.get(each)
            if joint is not None and joint.is_moving and not joint.is_dependent:
                result[each] = self._coordinates(joint, np.array(values), f"state {name!r} of {where}")
        return result

    def excluded_pairs(self, skeleton: Skeleton) -> tuple[ExcludedPair, ...]:
        """The pairs of links of the skeleton that the file wants unchecked, with the reason."""
        self._warn(skeleton)
        links = skeleton._links
        enabled = {frozenset(pair) for pair in self.enabled_pairs}
        pairs: dict[frozenset[str], ExcludedPair] = {}
        for first, second, reason in self.disabled_pairs:
            pairs[frozenset({first, second})] = ExcludedPair(first, second, f"disabled in the SRDF file: {reason}")
        for quiet in self.quiet_links:
            for other in links:
                excluded = ExcludedPair(quiet, other, "disabled by default in the SRDF file")
                pairs.setdefault(frozenset({quiet, other}), excluded)
        return tuple(
            excluded
            for pair, excluded in pairs.items()
            if len(pair) == 2 and pair not in enabled and pair <= links.keys()
        )

    def unknown_names(self, skeleton: Skeleton) -> tuple[str, ...]:
        """What the file names and the skeleton, or the file itself, does not have: ``"link 'x'"``, each once.

        Virtual joints are the file's own and count as known.
        """
        return tuple(dict.fromkeys(self._unknown(skeleton)))

    def _unknown(self, skeleton: Skeleton) -> Iterator[str]:
        if not isinstance(skeleton, Skeleton):
            raise InvalidValueError(f"{self!r} needs a Skeleton, not {type(skeleton).__name__}")
        joints = {*skeleton._joints, *(joint.name for joint in self.virtual_joints)}
        for kind, known, names in (
            ("group", self.groups, self._used_groups()),
            ("joint", joints, self._used_joints()),
            ("link", skeleton._links, self._used_links()),
        ):
            for name in names:
                if name not in known:
                    yield f"{kind} {name!r}"

    def _used_groups(self) -> Iterator[str]:
        for group in self.groups.values():
            yield from group.groups
        yield from (state.group for state in self.states if state.group)
        for tool in self.end_effectors:
            yield from (name for name in (tool.group, tool.parent_group) if name)

    def _used_joints(self) -> Iterator[str]:
        for group in self.groups.values():
            yield from group.joints
        for state in self.states:
            yield from state.values
        yield from self.passive_joints

    def _used_links(self) -> Iterator[str]:
        for group in self.groups.values():
            yield from group.links
            for chain in group.chains:
                yield from chain
        yield from (tool.parent_link for tool in self.end_effectors)
        yield from (joint.child_link for joint in self.virtual_joints)
        for pair in self.disabled_pairs:
            yield from pair[:2]
        yield from self.quiet_links
        for enabled in self.enabled_pairs:
            yield from enabled

    def _warn(self, skeleton: Skeleton) -> None:
        """Tells, once each, of the names that the skeleton does not have."""
        for what in self.unknown_names(skeleton):
            if what not in self._told:
                self._told.add(what)
                _log.warning("%s: %r has no %s", self.file, skeleton.name, what)

    def _group(self, name: str) -> SrdfGroup:
        if not isinstance(name, str) or name not in self.groups:
            raise unknown_name("group", name, self.groups, self.file)
        return self.groups[name]

    def _coordinates(self, joint: Joint, values: Array, where: str) -> Array:
        """Values of a file, which may have a quaternion or a cosine and sine, as the coordinates of a joint."""
        count = len(joint.dofs)
        if len(values) == count:
            return values
        theirs = joint._pinocchio_joint()
        turns = isinstance(joint, RevoluteJoint) and len(values) == 2
        if turns or (theirs is not None and theirs.nq == len(values)):
            part = values[-2:] if isinstance(joint, RevoluteJoint | PlanarJoint) else values[-4:]
            length = float(np.linalg.norm(part))
            if abs(length - 1.0) > _ROUNDED:
                raise SrdfError(f"joint {joint.name!r} in {where}: {part} is no rotation, its length is {length:.3g}")
            part /= length
            return np.array([np.arctan2(values[1], values[0])]) if turns else joint._from_pinocchio(values)
        raise SrdfError(f"joint {joint.name!r} has {len(values)} values in {where}; it has {count} coordinates")

    def __repr__(self) -> str:
        name, content = self.name or self.file, self._content
        return f"<Srdf {name!r}: {len(content.groups)} groups, {len(content.disabled)} disabled pairs>"
