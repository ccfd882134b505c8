"""`LinkMark`: what is wrong with a link at a configuration, which the viewer shows as a colour."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from ...kinematics import Contact, DegreeOfFreedom, Skeleton
from ...kinematics.transforms import Array

#: How near (rad or m) to a limit a joint is at it: a hundredth of what is seen on the screen.
NEAR_LIMIT = 1e-3
#: By how much (rad or m) a joint may be beyond a limit by rounding.
_ROUNDING = 1e-9


class LinkMark(Enum):
    """What is wrong with a link; of several the last one counts."""

    #: Nothing.
    NORMAL = "normal"
    #: The joint that moves it is at a limit.
    AT_LIMIT = "at a limit"
    #: That joint is beyond a limit, as in branches of a closed form that are no solutions.
    BEYOND_LIMIT = "beyond a limit"
    #: It touches something.
    IN_COLLISION = "in collision"


class LimitNote(NamedTuple):
    """A joint at or beyond one of its limits.

    Attributes:
        dof: The degree of freedom.
        value: Where it is (rad or m).
        is_upper: Whether it is the upper limit.
        is_beyond: Whether it is beyond.
    """

    dof: DegreeOfFreedom
    value: float
    is_upper: bool
    is_beyond: bool

    def __str__(self) -> str:
        which = "upper" if self.is_upper else "lower"
        return f"{self.dof.name!r} is {'beyond' if self.is_beyond else 'at'} its {which} limit"


def limit_notes(robot: Skeleton, q: Array) -> tuple[LimitNote, ...]:
    """The joints that are at or beyond a limit at q (n,). A joint whose limits are the same is held, and is none."""
    notes = []
    for dof, value in zip(robot.dofs, q.tolist(), strict=True):
        lower, upper = dof.lower, dof.upper
        if upper - lower <= 2.0 * NEAR_LIMIT:
            continue
        if value <= lower + NEAR_LIMIT:
            notes.append(LimitNote(dof, value, False, value < lower - _ROUNDING))
        elif value >= upper - NEAR_LIMIT:
            notes.append(LimitNote(dof, value, True, value > upper + _ROUNDING))
    return tuple(notes)


def link_marks(robot: Skeleton, notes: Iterable[LimitNote], contacts: Iterable[Contact]) -> dict[str, LinkMark]:
    """What is wrong with each link, and with each obstacle or attached object that touches something; by name.

    Args:
        robot: The robot.
        notes: What `limit_notes` found.
        contacts: What `CollisionDetector.contacts` found.
    """
    marks = {link.name: LinkMark.NORMAL for link in robot.links}
    moved_by = {joint: link.name for joint, link in zip(robot.joints, robot.links, strict=True)}
    for note in notes:
        name = moved_by[note.dof.joint]
        if note.is_beyond or marks[name] is LinkMark.NORMAL:
            marks[name] = LinkMark.BEYOND_LIMIT if note.is_beyond else LinkMark.AT_LIMIT
    for contact in contacts:
        for name in contact.pair:
            marks[name] = LinkMark.IN_COLLISION
    return marks
