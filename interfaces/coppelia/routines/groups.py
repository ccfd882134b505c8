"""Routines for groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .lookup import Array, as_integer, as_name, group_of
from .routine import failed, routine
from .session import present


class GroupHandle(NamedTuple):
    """Handle of a group."""

    success: bool
    ikGroupHandle: int | None


class Flags(NamedTuple):
    """Bits."""

    success: bool
    flags: int | None


class Calculation(NamedTuple):
    """How a group is solved."""

    success: bool
    method: int | None
    damping: float | None
    maxIterations: int | None


class JointHandles(NamedTuple):
    """Handles of joints."""

    success: bool
    jointHandles: list[int] | None


class LimitHits(NamedTuple):
    """Joints that were stopped at a limit, and how far beyond it the step would have led (negative: below)."""

    success: bool
    jointHandles: list[int] | None
    underOrOvershots: Array | None


@routine(failed(GroupHandle))
def ikCreateGroup(ikGroupName: str | None = None) -> GroupHandle:
    """Makes a group; it gets a name when it is given none."""
    return GroupHandle(True, present().add_group(ikGroupName).handle)


@routine(False)
def ikEraseGroup(ikGroupHandle: int) -> bool:
    """Erases a group with its elements."""
    group_of(ikGroupHandle).erase()
    return True


@routine(failed(GroupHandle))
def ikGetGroupHandle(ikGroupName: str) -> GroupHandle:
    """The group with a name."""
    return GroupHandle(True, present().group(as_name(ikGroupName, "ikGroupName")).handle)


@routine(False)
def ikDoesGroupExist(ikGroupName: str) -> bool:
    """Whether a group has a name."""
    name = as_name(ikGroupName, "ikGroupName")
    return any(each.name == name for each in present().groups)


@routine(failed(Flags))
def ikGetGroupFlags(ikGroupHandle: int) -> Flags:
    """The flags of a group."""
    return Flags(True, group_of(ikGroupHandle).flags)


@routine(False)
def ikSetGroupFlags(ikGroupHandle: int, flags: int) -> bool:
    """Sets the flags of a group.

    Args:
        ikGroupHandle: Of the group.
        flags: The bits.
    """
    group_of(ikGroupHandle).flags = as_integer(flags, "flags")
    return True


@routine(failed(Calculation))
def ikGetGroupCalculation(ikGroupHandle: int) -> Calculation:
    """How a group is solved."""
    group = group_of(ikGroupHandle)
    return Calculation(True, int(group.method), group.damping, group.max_iterations)


@routine(False)
def ikSetGroupCalculation(ikGroupHandle: int, method: int, damping: float, maxIterations: int) -> bool:
    """Sets how a group is solved.

    Args:
        ikGroupHandle: Of the group.
        method: ``ik_method_...``.
        damping: Of damped least squares: a factor without unit.
        maxIterations: Steps of a call, at most.
    """
    group_of(ikGroupHandle).set_calculation(as_integer(method, "method"), damping, maxIterations)
    return True


@routine(failed(JointHandles))
def ikGetGroupJoints(ikGroupHandle: int) -> JointHandles:
    """The joints that a group moves, spherical ones once."""
    return JointHandles(True, [joint.handle for joint in group_of(ikGroupHandle).joints])


@routine(failed(LimitHits))
def ikGetGroupJointLimitHits(ikGroupHandle: int) -> LimitHits:
    """Joints that were stopped at a limit when the group was handled last, by handle."""
    hits = sorted(group_of(ikGroupHandle).joint_limit_hits.items(), key=lambda hit: hit[0].handle)
    return LimitHits(True, [joint.handle for joint, _ in hits], np.array([amount for _, amount in hits], dtype=float))
