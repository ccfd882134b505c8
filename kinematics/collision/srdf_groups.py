"""The joints of an SRDF group in a skeleton, as a `NodeSet` or a `Chain`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..chain import Chain
from ..errors import StructureError
from ..frame import Frame
from ..joints import Joint
from ..link import Link
from ..node_set import NodeSet
from ..skeleton import Skeleton
from ..world import World
from .srdf_records import EndEffector, SrdfGroup


def group_joints(skeleton: Skeleton, groups: Mapping[str, SrdfGroup], name: str) -> list[Joint]:
    """The joints of a group that the skeleton has, with those of the groups in it, in the skeleton's order."""
    found: set[Joint] = set()
    seen: set[str] = set()
    pending = [name]
    while pending:
        current = pending.pop()
        group = groups.get(current)
        if group is None or current in seen:
            continue
        seen.add(current)
        pending.extend(group.groups)
        found.update(skeleton._joints[each] for each in group.joints if each in skeleton._joints)
        found.update(skeleton._links[each].joint for each in group.links if each in skeleton._links)
        for base, tip in group.chains:
            if base in skeleton._links and tip in skeleton._links:
                found.update(_between(skeleton._links[base], skeleton._links[tip], current))
    return [joint for joint in skeleton.joints if joint in found]


def group_node_set(
    skeleton: Skeleton, group: SrdfGroup, joints: Sequence[Joint], tools: Iterable[EndEffector]
) -> NodeSet:
    """A group's joints between a base and a tip.

    See `Srdf.node_set` for what its base and its tip are.

    Args:
        skeleton: The robot.
        group: What is asked for.
        joints: Its joints, one or more, in the skeleton's order.
        tools: The end effectors of the file.
    """
    lines = {joint: _above(joint.child_link) for joint in joints}
    chosen = set(joints)
    last = max(joints, key=lambda joint: len(chosen.intersection(lines[joint])))
    tip = _tool(last, group, tools, skeleton) or last.child_link
    assert tip is not None
    if not chosen.issubset(lines[last]):
        return NodeSet(group.name, joints, _common(joints), tip)
    base: Frame = joints[0].parent_link or World()
    if len(group.chains) == 1 and not (group.joints or group.links or group.groups):
        base, tip = (skeleton.link(each) for each in group.chains[0])
    start = joints[0].child_link
    between = [joint for joint in lines[last] if joint is not joints[0] and _is_below(joint, start)]
    whole = all(joint in chosen for joint in between if joint.is_moving)
    return (Chain if whole else NodeSet)(group.name, joints, base, tip)


def _between(base: Link, tip: Link, group: str) -> list[Joint]:
    joints = []
    link: Link | None = tip
    while link is not None and link is not base:
        joints.append(link.joint)
        link = link.parent_link
    if link is None:
        raise StructureError(f"group {group!r}: no chain goes from link {base.name!r} to link {tip.name!r}")
    return joints


def _above(link: Link | None) -> list[Joint]:
    """The joint of a link and those on the way to the root."""
    joints = []
    while link is not None:
        joints.append(link.joint)
        link = link.parent_link
    return joints


def _is_below(joint: Joint, link: Link | None) -> bool:
    parent = joint.parent_link
    return parent is not None and link is not None and link.joint in _above(parent)


def _tool(last: Joint, group: SrdfGroup, tools: Iterable[EndEffector], skeleton: Skeleton) -> Link | None:
    """The link of an end effector of the group that is welded to the link that its last joint moves."""
    for tool in tools:
        if group.name in (tool.group, tool.parent_group) and tool.parent_link in skeleton._links:
            link: Link | None = skeleton._links[tool.parent_link]
            found = link
            while link is not None and link is not last.child_link and not link.joint.is_moving:
                link = link.parent_link
            if link is last.child_link:
                return found
    return None


def _common(joints: Sequence[Joint]) -> Frame:
    """The lowest link that all joints are below of."""
    shared = _above(joints[0].parent_link)
    for joint in joints[1:]:
        own = set(_above(joint.parent_link))
        shared = [each for each in shared if each in own]
    return (shared[0].child_link if shared else None) or World()
