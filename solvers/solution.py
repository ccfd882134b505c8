"""`Solution`: what a solve gives back; `TaskResult`: one task of a hierarchy in it."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..kinematics.transforms import Array
from .reason import Reason


class TaskResult(NamedTuple):
    """How one task of a hierarchy ended.

    Attributes:
        name: The frame or the kind of task.
        level: 0 is the most important one.
        position_error: m.
        orientation_error: rad.
        satisfied: Both within the tolerance.
        required: Whether success needs it.
    """

    name: str
    level: int
    position_error: float
    orientation_error: float
    satisfied: bool
    required: bool = True


class Solution(NamedTuple):
    """The result of a solve; immutable, and true when it is a solution.

    A named tuple because it is made in every call of a control loop, and that is the cheapest kind of object
    that cannot be changed.

    Attributes:
        q: Configuration of the whole skeleton (n,), read-only. The nearest one found when not solved.
        success: Within the tolerance and the limits, checked by forward kinematics at ``q``.
        reason: Why the search ended.
        position_error: How far the target is missed (m).
        orientation_error: True angle by which it is missed (rad).
        iterations: Iterations of the attempt that gave ``q``.
        attempts: Attempts begun.
        elapsed: Time taken (s).
        engine: What computed it.
        detail: What was in the way, in words; empty on success.
        tasks: Each task of a hierarchy; empty otherwise.
    """

    q: Array
    success: bool
    reason: Reason
    position_error: float
    orientation_error: float
    iterations: int
    attempts: int
    elapsed: float
    engine: str = "object"
    detail: str = ""
    tasks: tuple[TaskResult, ...] = ()

    def __bool__(self) -> bool:
        return self.success

    # Tuples compare entry by entry, which is ambiguous for arrays.
    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        head = "solved" if self.success else f"not solved ({self.reason})"
        text = (
            f"{head}: {_count(self.iterations, 'iteration')}, {_count(self.attempts, 'attempt')}, "
            f"{_time(self.elapsed)}; position {self.position_error:.0e} m, "
            f"orientation {self.orientation_error:.0e} rad"
        )
        return f"{text}; {self.detail}" if self.detail else text

    def __repr__(self) -> str:
        return f"<Solution {self}>"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _time(seconds: float) -> str:
    if not math.isfinite(seconds):
        return "? s"
    for unit, size in (("us", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
