"""Reads the elements of an SRDF file into records."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..picklable_record import PicklableRecord
from .excluded_pair import ExcludedPair
from .srdf_records import EndEffector, GroupState, SrdfGroup, VirtualJoint
from .srdf_xml import SrdfElement, parse_srdf_xml

_log = logging.getLogger(__name__)

#: Elements that are read; others (of simulators, of controllers) are left alone.
_KNOWN = (
    "group", "group_state", "end_effector", "virtual_joint", "passive_joint", "disable_collisions",
    "enable_collisions", "disable_default_collisions",
)  # fmt: skip


@dataclass(frozen=True)
class SrdfContent(PicklableRecord):
    """What stands in a file; see `Srdf` for the meaning of each."""

    file: str
    name: str
    groups: Mapping[str, SrdfGroup]
    states: tuple[GroupState, ...]
    end_effectors: tuple[EndEffector, ...]
    virtual_joints: tuple[VirtualJoint, ...]
    passive_joints: tuple[str, ...]
    disabled: tuple[ExcludedPair, ...]
    quiet_links: tuple[str, ...]
    enabled: tuple[tuple[str, str], ...]


def read_srdf(data: bytes | str, file: str) -> SrdfContent:
    """Reads a document.

    Raises:
        SrdfError: No well-formed XML, no ``<robot>``, an element without what it needs, two groups of one name,
            or groups that contain each other in a circle; the message has the line.
    """
    root = parse_srdf_xml(data, file)
    if root.tag != "robot":
        raise root.error("is not the <robot> of an SRDF file")
    _warn_of_misspelled(root)
    groups = _groups(root)
    _refuse_cycles(root, groups)
    return SrdfContent(
        file,
        root.attributes.get("name", "").strip(),
        MappingProxyType(groups),
        _states(root),
        tuple(_end_effector(each) for each in root.all("end_effector")),
        tuple(_virtual_joint(each) for each in root.all("virtual_joint")),
        tuple(each.text("name") for each in root.all("passive_joint")),
        _disabled(root),
        tuple(each.text("link") for each in root.all("disable_default_collisions")),
        tuple((each.text("link1"), each.text("link2")) for each in root.all("enable_collisions")),
    )


def _warn_of_misspelled(root: SrdfElement) -> None:
    for tag in dict.fromkeys(each.tag for each in root.children if each.tag not in _KNOWN):
        close = difflib.get_close_matches(tag, _KNOWN, n=1, cutoff=0.85)
        if close:
            first = root.all(tag)[0]
            _log.warning("%s, line %d: <%s> is unknown; did you mean <%s>?", root.file, first.line, tag, close[0])


def _groups(root: SrdfElement) -> dict[str, SrdfGroup]:
    groups: dict[str, SrdfGroup] = {}
    for element in root.all("group"):
        name = element.text("name")
        if name in groups:
            raise element.error("is there twice")
        groups[name] = SrdfGroup(
            name,
            tuple(each.text("name") for each in element.all("joint")),
            tuple(each.text("name") for each in element.all("link")),
            tuple((each.text("base_link"), each.text("tip_link")) for each in element.all("chain")),
            tuple(each.text("name") for each in element.all("group")),
        )
    return groups


def _refuse_cycles(root: SrdfElement, groups: Mapping[str, SrdfGroup]) -> None:
    inner = {name: [each for each in group.groups if each in groups] for name, group in groups.items()}
    done: set[str] = set()
    while True:  # takes out what holds nothing, or nothing but what was taken out before
        closed = [name for name in inner if name not in done and done.issuperset(inner[name])]
        if not closed:
            break
        done.update(closed)
    path = [name for name in inner if name not in done][:1]
    while path and path.count(path[-1]) < 2:
        path.append(next(name for name in inner[path[-1]] if name not in done))
    if path:
        circle = path[path.index(path[-1]) :]
        element = next(each for each in root.all("group") if each.text("name") == circle[0])
        raise element.error(f"contains itself: {' in '.join(repr(name) for name in reversed(circle))}")


def _states(root: SrdfElement) -> tuple[GroupState, ...]:
    states: dict[tuple[str, str], GroupState] = {}
    for element in root.all("group_state"):
        key = element.attributes.get("group", "").strip(), element.text("name")
        if key in states:
            raise element.error(f"of group {key[0]!r} is there twice")
        values = {each.text("name"): each.numbers("value") for each in element.all("joint")}
        states[key] = GroupState(key[1], key[0], MappingProxyType(values))
    return tuple(states.values())


def _end_effector(element: SrdfElement) -> EndEffector:
    parent_group = element.attributes.get("parent_group", "").strip()
    return EndEffector(element.text("name"), element.text("group"), element.text("parent_link"), parent_group)


def _virtual_joint(element: SrdfElement) -> VirtualJoint:
    names = (element.text(each) for each in ("name", "type", "parent_frame", "child_link"))
    return VirtualJoint(*names)


def _disabled(root: SrdfElement) -> tuple[ExcludedPair, ...]:
    pairs: dict[frozenset[str], ExcludedPair] = {}
    for element in root.all("disable_collisions"):
        first, second = element.text("link1"), element.text("link2")
        reason = element.attributes.get("reason", "").strip()
        pairs.setdefault(frozenset({first, second}), ExcludedPair(first, second, reason or "no reason given"))
    return tuple(pairs.values())
