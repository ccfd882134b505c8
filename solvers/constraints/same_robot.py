"""Whether what one robot's configurations mean is the same for another: for constraints and detectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics import Joint, Skeleton, StructureError
from ...kinematics.q_constraint import QConstraint, as_constraint

#: Placements that differ by less than this (m, and entries of rotations) are the same.
_ROUNDING = 1e-9


def constraint_for(skeleton: Skeleton, value: Any) -> QConstraint | None:
    """What a caller gave as a constraint for a robot, see `as_constraint`.

    Raises:
        InvalidValueError: It is none.
        StructureError: It, or a part of it, is about another robot.
    """
    constraint = as_constraint(value)
    check_robot(constraint, skeleton)
    return constraint


def check_robot(constraint: QConstraint | None, skeleton: Skeleton) -> None:
    """Raises `StructureError` when a constraint, or a part of it, is about another robot than this or its clone."""
    for other in () if constraint is None else constraint.skeletons:
        if not is_same_robot(other, skeleton):
            raise StructureError(
                f"constraint {constraint.name!r} is about {other.name!r}, not about {skeleton.name!r}: their "  # type: ignore[union-attr]
                f"configurations mean different things; make it for {skeleton.name!r} or for a clone of that"
            )


def is_same_robot(first: Skeleton, second: Skeleton) -> bool:
    """Whether a configuration means the same for both: they are one, or the one may be a clone of the other.

    A clone has moving joints of the same kinds and names between links of the same names, in the same order; and it has
    the robot's name or, renamed, its measures. So it may have another tool, or be calibrated anew.
    """
    if first is second:
        return True
    joints, others = _moving(first), _moving(second)
    if [_names(joint) for joint in joints] != [_names(joint) for joint in others]:
        return False
    return first.name == second.name or all(map(_is_placed_alike, joints, others))


def _moving(skeleton: Skeleton) -> list[Joint]:
    return [joint for joint in skeleton.joints if joint.is_moving]


def _names(joint: Joint) -> tuple[Any, ...]:
    parent, child = joint.parent_link, joint.child_link
    names = tuple(None if link is None else link.name for link in (parent, child))
    return (type(joint), joint.name, *names, tuple(dof.name for dof in joint.dofs), joint.is_dependent)


def _is_placed_alike(first: Joint, second: Joint) -> bool:
    return bool(np.allclose(first.placement.homogeneous, second.placement.homogeneous, rtol=0.0, atol=_ROUNDING))
