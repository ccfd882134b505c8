"""Edits of a skeleton's tree. Each checks everything first, so that a refused edit changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pinocchio as pin

from .errors import DuplicateNameError, InvalidValueError, StructureError, unknown_name
from .frame import Frame
from .joints import FixedJoint, Joint
from .link import Link
from .shapes import Shape
from .simple_frame import SimpleFrame
from .transforms import PoseLike, as_pose

if TYPE_CHECKING:
    from .skeleton import Skeleton


def add_link(
    skeleton: Skeleton,
    name: str,
    joint: Joint | None,
    parent: Link | str | None,
    placement: PoseLike | None,
    child_placement: PoseLike | None,
    inertia: pin.Inertia | None,
    collisions: Iterable[Shape],
    visuals: Iterable[Shape],
) -> Link:
    """See `Skeleton.add_link`."""
    above = None if parent is None else skeleton._own_link(parent)
    if above is None and skeleton._root is not None:
        raise StructureError(
            f"skeleton {skeleton.name!r} has the root {skeleton._root.name!r} already; give link {name!r} a parent"
        )
    if joint is None:
        joint = FixedJoint(_free_name(skeleton, f"{name}_joint"))
    if not isinstance(joint, Joint):
        raise InvalidValueError(f"the joint of link {name!r} must be a Joint, not {type(joint).__name__}")
    if joint.child_link is not None:
        raise StructureError(f"joint {joint.name!r} is part of skeleton {joint.skeleton!r} already")
    _check_names(skeleton, name, joint)
    at = None if placement is None else as_pose(placement, f"placement of joint {joint.name!r}")
    inside = None if child_placement is None else as_pose(child_placement, f"child placement of {joint.name!r}")
    link = Link(name, skeleton, joint, above, inertia, collisions, visuals)

    skeleton._structure_changed()
    joint._placement = joint._placement if at is None else at
    joint._child_placement = joint._child_placement if inside is None else inside
    joint._parent_link, joint._child_link = above, link
    if above is None:
        skeleton._root = link
    else:
        above._children.append(link)
    skeleton._links[name] = link
    skeleton._joints[joint.name] = joint
    return link


def remove_link(skeleton: Skeleton, link: Link) -> None:
    """See `Skeleton.remove_link`."""
    gone = link.subtree()
    joints = {each._joint for each in gone}
    for joint in joints:
        for dependent in joint.dependents:
            if dependent not in joints:
                raise StructureError(
                    f"link {link.name!r} cannot be removed: joint {dependent.name!r} depends on joint {joint.name!r}; "
                    "make it independent first"
                )
    for frame in skeleton._named_frames.values():
        if frame.is_below(link):
            raise StructureError(f"link {link.name!r} cannot be removed: frame {frame.name!r} hangs on it")
    if skeleton._tip is not None and skeleton._tip[0].is_below(link):
        raise StructureError(f"link {link.name!r} cannot be removed: it carries the tip {skeleton._tip[0].name!r}")

    skeleton._structure_changed()
    for joint in joints:
        joint._drop_dependence()
    if link._parent_link is None:
        skeleton._root = None
    else:
        link._parent_link._children.remove(link)
    for each in gone:
        del skeleton._links[each.name]
        del skeleton._joints[each._joint.name]
        each._skeleton = None
        each._joint._parent_link = each._joint._child_link = None


def move_link(
    skeleton: Skeleton, link: Link, parent: Link, placement: PoseLike | None, keep_in_place: bool
) -> None:
    """See `Skeleton.move_link`."""
    if link._parent_link is None:
        raise StructureError(f"link {link.name!r} is the root and cannot be moved")
    if parent.is_below(link):
        raise StructureError(f"link {link.name!r} cannot hang on {parent.name!r}: that hangs on {link.name!r}")
    if placement is not None and keep_in_place:
        raise InvalidValueError("give a placement or keep_in_place, not both")
    joint = link._joint
    at = joint._placement if placement is None else as_pose(placement, f"placement of joint {joint.name!r}")
    if keep_in_place:
        after_joint = joint.transform(joint.positions) * joint._child_placement.inverse()
        at = parent._world_transform().actInv(link._world_transform()) * after_joint.inverse()

    skeleton._structure_changed()
    link._parent_link._children.remove(link)
    parent._children.append(link)
    link._parent_link = parent
    joint._parent_link = parent
    joint._placement = at


def add_frame(
    skeleton: Skeleton, name: str, parent: Link | SimpleFrame | str, relative_transform: PoseLike | None
) -> SimpleFrame:
    """See `Skeleton.add_frame`."""
    on: Frame = skeleton.frame(parent) if isinstance(parent, str) else parent
    if on.skeleton is not skeleton:
        raise unknown_name("frame", on.name, [each.name for each in skeleton.frames], f"skeleton {skeleton.name!r}")
    if skeleton.has_frame(name):
        raise DuplicateNameError(f"skeleton {skeleton.name!r} has a link or frame {name!r} already")
    frame = SimpleFrame(name, on, relative_transform)
    skeleton._named_frames[name] = frame
    return frame


def remove_frame(skeleton: Skeleton, name: str) -> None:
    """See `Skeleton.remove_frame`."""
    frame = skeleton._find("named frame", name, skeleton._named_frames)
    if skeleton._tip is not None and skeleton._tip[0].is_below(frame):
        raise StructureError(f"frame {name!r} cannot be removed: it is the tip")
    del skeleton._named_frames[name]


def clone(skeleton: Skeleton, name: str | None) -> Skeleton:
    """See `Skeleton.clone`."""
    twin = type(skeleton)(skeleton.name if name is None else name)
    twin.source = skeleton.source
    twin.warnings = list(skeleton.warnings)
    for link in skeleton.links:
        parent = None if link._parent_link is None else link._parent_link.name
        twin.add_link(
            link.name,
            link._joint._copy_detached(),
            parent,
            inertia=link._inertia,
            collisions=link.collisions,
            visuals=link.visuals,
        )
    for joint in skeleton.joints:
        rule = joint.dependence
        if rule is not None:
            twin.joint(joint.name).depend_on(
                twin.joint(rule.master.name), rule.multiplier, rule.offset, rule.function, rule.derivative
            )
    for frame in _parents_first(skeleton._named_frames.values()):
        twin.add_frame(frame.name, frame.parent.name, frame.relative_transform)
    if skeleton._tip is not None and twin.has_frame(skeleton._tip[0].name):
        twin._tip = (twin.frame(skeleton._tip[0].name), skeleton._tip[1])
    return twin


def _parents_first(frames: Iterable[SimpleFrame]) -> list[SimpleFrame]:
    return sorted(frames, key=lambda frame: sum(1 for _ in frame.ancestors()))


def _check_names(skeleton: Skeleton, name: str, joint: Joint) -> None:
    if skeleton.has_frame(name):
        raise DuplicateNameError(f"skeleton {skeleton.name!r} has a link or frame {name!r} already")
    if joint.name in skeleton._joints:
        raise DuplicateNameError(f"skeleton {skeleton.name!r} has a joint {joint.name!r} already")
    taken = {dof.name for each in skeleton._joints.values() for dof in each.dofs} | set(skeleton._joints)
    for dof in joint.dofs:
        if dof.name in taken:
            raise DuplicateNameError(f"skeleton {skeleton.name!r} has a degree of freedom {dof.name!r} already")
    if joint.name in taken:
        raise DuplicateNameError(f"skeleton {skeleton.name!r} has a degree of freedom {joint.name!r} already")


def _free_name(skeleton: Skeleton, wanted: str) -> str:
    name, number = wanted, 2
    while name in skeleton._joints:
        name, number = f"{wanted}_{number}", number + 1
    return name
