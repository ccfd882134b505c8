"""`Reason`: why a search ended."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Why a search ended; `Solution.detail` says it with numbers."""

    #: Found, and checked by forward kinematics.
    CONVERGED = "converged"
    #: Too far away, or no attempt came near enough.
    UNREACHABLE = "unreachable"
    #: Reached only by joints that are beyond their limits.
    LIMITS = "limits"
    #: Reached only in collision.
    COLLISION = "collision"
    #: Every configuration that was found was refused by the caller's constraint.
    CONSTRAINT = "constraint"
    #: On a path: reached only by leaving the path to get to another branch.
    JUMP = "jump"
    #: Iterations or attempts ran out before the search could tell.
    ITERATIONS = "iterations"
    #: The time was over.
    TIMEOUT = "timeout"
    #: The request made no sense (in a batch, where one bad row does not stop the others).
    INVALID_INPUT = "invalid input"
    #: Nothing can move.
    NO_DOFS = "no degrees of freedom"
    #: Stopped from outside, or left out because a path ends before.
    CANCELLED = "cancelled"

    def __str__(self) -> str:
        return self.value
