"""Edits of a skeleton's tree. Each checks everything first, so that a refused edit changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    _check_master(skeleton, joint)
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


def move_link(skeleton: Skeleton, link: Link, parent: Link, placement: PoseLike | None, keep_in_place: bool) -> None:
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


def replace_joint(skeleton: Skeleton, link: Link, joint: Joint) -> None:
    """See `Skeleton.replace_joint`."""
    old = link._joint
    if not isinstance(joint, Joint):
        raise InvalidValueError(f"the joint of link {link.name!r} must be a Joint, not {type(joint).__name__}")
    if joint.child_link is not None:
        raise StructureError(f"joint {joint.name!r} is part of skeleton {joint.skeleton!r} already")
    if old.dependents:
        raise StructureError(
            f"joint {old.name!r} cannot be replaced: joint {old.dependents[0].name!r} depends on it; "
            "make it independent first"
        )
    _check_master(skeleton, joint)
    _check_joint_names(skeleton, joint, without=old)

    skeleton._structure_changed()
    old._drop_dependence()
    joint._placement, joint._child_placement = old._placement, old._child_placement
    joint._parent_link, joint._child_link = old._parent_link, link
    old._parent_link = old._child_link = None
    link._joint = joint
    del skeleton._joints[old.name]
    skeleton._joints[joint.name] = joint
    skeleton._joint_replaced(old, joint)


def add_frame(
    skeleton: Skeleton, name: str, parent: Link | SimpleFrame | str, relative_transform: PoseLike | None
) -> SimpleFrame:
    """See `Skeleton.add_frame`."""
    on: Frame = skeleton.frame(parent) if isinstance(parent, str) else parent
    if not isinstance(on, Frame):
        raise InvalidValueError(f"frame {name!r} needs a frame or the name of one as parent, not {parent!r}")
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
    names = {frame: name for name, frame in skeleton._named_frames.items()}
    for frame in sorted(names, key=lambda each: sum(1 for _ in each.ancestors())):  # parents first
        on = _counterpart(frame.parent, skeleton, twin, names)
        twin._named_frames[names[frame]] = SimpleFrame(names[frame], on, frame.relative_transform)
    if skeleton._tip is not None:
        twin._tip = (_counterpart(skeleton._tip[0], skeleton, twin, names), skeleton._tip[1])
    for own in skeleton._node_sets.values():
        if not own.lost:
            base, tip = (_counterpart(frame, skeleton, twin, names) for frame in (own.base, own.tip))
            twin._node_sets[own.name] = type(own)(own.name, [joint.name for joint in own.joints], base, tip)
    return twin


def _counterpart(frame: Frame, skeleton: Skeleton, twin: Skeleton, names: Mapping[SimpleFrame, str]) -> Frame:
    """The frame of the clone that stands for one of the original; frames elsewhere stand for themselves."""
    if frame.skeleton is not skeleton:
        return frame
    if isinstance(frame, Link):
        return twin._links[frame.name]
    if not isinstance(frame, SimpleFrame):
        return frame
    if frame in names:
        return twin._named_frames[names[frame]]
    # In between hangs a frame that the skeleton does not know by name.
    return SimpleFrame(frame.name, _counterpart(frame.parent, skeleton, twin, names), frame.relative_transform)


def _check_names(skeleton: Skeleton, name: str, joint: Joint) -> None:
    if skeleton.has_frame(name):
        raise DuplicateNameError(f"skeleton {skeleton.name!r} has a link or frame {name!r} already")
    _check_joint_names(skeleton, joint)


def _check_master(skeleton: Skeleton, joint: Joint) -> None:
    if joint.dependence is not None and joint.dependence.master.skeleton is not skeleton:
        raise StructureError(
            f"joint {joint.name!r} depends on joint {joint.dependence.master.name!r}, which is not part of skeleton "
            f"{skeleton.name!r}; add that one first"
        )


def _check_joint_names(skeleton: Skeleton, joint: Joint, without: Joint | None = None) -> None:
    others = [each for each in skeleton._joints.values() if each is not without]
    if any(each.name == joint.name for each in others):
        raise DuplicateNameError(f"skeleton {skeleton.name!r} has a joint {joint.name!r} already")
    taken = {dof.name for each in others for dof in each.dofs} | {each.name for each in others}
    for name in (joint.name, *(dof.name for dof in joint.dofs)):
        if name in taken:
            raise DuplicateNameError(f"skeleton {skeleton.name!r} has a degree of freedom {name!r} already")


def _free_name(skeleton: Skeleton, wanted: str) -> str:
    name, number = wanted, 2
    while name in skeleton._joints:
        name, number = f"{wanted}_{number}", number + 1
    return name
