"""The natural tip of a robot: where its tool is when nobody says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import StructureError, UnknownNameError, unknown_name
from .frame import Frame
from .link import Link

if TYPE_CHECKING:
    from .skeleton import Skeleton


def tip_of(skeleton: Skeleton) -> tuple[Frame, str]:
    """The tip and the reason for it."""
    if skeleton._tip is not None:
        return skeleton._tip
    if skeleton._root is None:
        raise StructureError(f"skeleton {skeleton.name!r} has no links, so it has no tip")
    return _end_of_longest_chain(skeleton._root), "end of the longest chain"


def set_tip(skeleton: Skeleton, frame: Frame | str | None, source: str) -> None:
    """Names the tip; None goes back to the end of the longest chain."""
    if frame is None:
        skeleton._tip = None
        return
    found = skeleton.frame(frame) if isinstance(frame, str) else frame
    if not isinstance(found, Frame):
        raise UnknownNameError(f"a tip must be a frame or the name of one, not {found!r}")
    if found.skeleton is not skeleton:
        raise unknown_name("frame", found.name, [each.name for each in skeleton.frames], f"skeleton {skeleton.name!r}")
    skeleton._tip = (found, source)


def _end_of_longest_chain(root: Link) -> Link:
    """The link with the most degrees of freedom above it, then the most links; of equal ones the first."""
    best, best_length = root, (-1, -1)
    stack = [(root, 0, 0)]
    while stack:
        link, freedoms, depth = stack.pop()
        joint = link.joint
        freedoms += 0 if joint.is_dependent else joint.num_dofs
        if (freedoms, depth) > best_length:
            best, best_length = link, (freedoms, depth)
        stack.extend((child, freedoms, depth + 1) for child in reversed(link.children))
    return best
