"""Asks a caller's constraint, and checks the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kinematics import Skeleton
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from ..errors import ConstraintError

if TYPE_CHECKING:
    from ...kinematics import Collision, CollisionFree


def refusal(constraint: QConstraint | None, q: Array, skeleton: Skeleton | None = None) -> QConstraint | None:
    """What refuses q (n,): the constraint, or the part of it that does; None when q is accepted.

    It gets a copy of q.

    Args:
        constraint: What is asked.
        q: Configuration.
        skeleton: Is put back to where it was when the constraint moves it, whatever happens.

    Raises:
        ConstraintError: It raised, or answered with anything but true or false.
    """
    if constraint is None:
        return None
    before = None if skeleton is None else skeleton.positions
    try:
        return constraint.refusing(q.copy())
    except Exception as problem:
        raise _error(constraint, problem) from problem
    finally:
        if skeleton is not None:
            _put_back(skeleton, before)


def is_accepted(constraint: QConstraint | None, q: Array) -> bool:
    """True when there is no constraint or it accepts q (n,); see `refusal`."""
    return refusal(constraint, q) is None


def explanation(refusing: QConstraint, q: Array) -> str:
    """Why a constraint refuses q (n,), in words.

    Raises:
        ConstraintError: It raised.
    """
    try:
        return refusing.explain(q.copy())
    except Exception as problem:
        raise _error(refusing, problem) from problem


def collisions(refusing: CollisionFree, q: Array) -> tuple[Collision, ...]:
    """All pairs that collide at q (n,), those that overlap most first.

    Raises:
        ConstraintError: The detector raised.
    """
    try:
        return refusing.collisions(q.copy())
    except Exception as problem:
        raise _error(refusing, problem) from problem


def _error(constraint: QConstraint, problem: Exception) -> ConstraintError:
    return ConstraintError(f"constraint {constraint.name!r} raised {type(problem).__name__}: {problem}")


def _put_back(skeleton: Skeleton, before: Array | None) -> None:
    after = skeleton.positions
    if before is not None and after.shape == before.shape and (after != before).any():
        skeleton.positions = before
