"""What an SRDF file says, as plain records: groups, their states, end effectors and virtual joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..picklable_record import PicklableRecord


@dataclass(frozen=True)
class SrdfGroup:
    """A named part of a robot, as its file describes it.

    Attributes:
        name: Unique in the file.
        joints: Names of joints.
        links: Names of links; each stands for the joint that moves it.
        chains: (base link, tip link) of serial runs: all joints between the two.
        groups: Names of other groups, all of whose joints belong to this one too.
    """

    name: str
    joints: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    chains: tuple[tuple[str, str], ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class GroupState(PicklableRecord):
    """Named values of the joints of a group.

    Attributes:
        name: Unique in the group.
        group: Name of the group; empty when the file gives none.
        values: The numbers (rad, m) of each joint, by its name; several for joints of several coordinates.
    """

    name: str
    group: str
    values: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True)
class EndEffector:
    """A tool or a limb's end.

    Attributes:
        name: Unique in the file.
        group: Name of the group that the end effector is made of.
        parent_link: Name of the link that carries it.
        parent_group: Name of the group that moves it; empty when the file does not tell.
    """

    name: str
    group: str
    parent_link: str
    parent_group: str = ""


@dataclass(frozen=True)
class VirtualJoint:
    """How the robot is held in the world, as the file has it; the skeleton need not have this joint.

    Attributes:
        name: Of the joint.
        kind: ``"fixed"``, ``"floating"`` or ``"planar"``.
        parent_frame: Name of a frame of the world.
        child_link: Name of the link that it moves.
    """

    name: str
    kind: str
    parent_frame: str
    child_link: str
