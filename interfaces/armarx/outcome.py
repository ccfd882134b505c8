"""`Outcome`: what an operation gave, and why it gave no more; `FailureReason`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class FailureReason(Enum):
    """Why an operation did not do what was asked; `Outcome.detail` says it with names and numbers."""

    #: It did.
    NONE = "none"
    #: The robot has no node set of that name.
    UNKNOWN_NODE_SET = "unknown node set"
    #: The robot has no joint or link of that name.
    UNKNOWN_NODE = "unknown node"
    #: There is no frame of that name.
    UNKNOWN_FRAME = "unknown frame"
    #: A pose is of another robot than the service's.
    UNKNOWN_AGENT = "unknown agent"
    #: Too far away, or no attempt came near enough.
    UNREACHABLE = "unreachable"
    #: Reached only by joints that are beyond their limits.
    LIMITS = "limits"
    #: Reached only in collision.
    COLLISION = "collision"
    #: Iterations or attempts ran out before the search could tell.
    NOT_CONVERGED = "not converged"
    #: The time was over.
    TIMEOUT = "timeout"
    #: The node set has nothing that moves by itself.
    NO_DEGREES_OF_FREEDOM = "no degrees of freedom"
    #: What should be balanced weighs nothing.
    NO_MASS = "no mass"
    #: A different node set has the name.
    NAME_TAKEN = "name taken"
    #: There is a reachability space for the node set already.
    EXISTS_ALREADY = "exists already"
    #: There is no reachability space for the node set.
    NO_REACHABILITY_SPACE = "no reachability space"
    #: There is one, but it does not hold where the robot stands now.
    STALE_REACHABILITY_SPACE = "stale reachability space"
    #: There is one, and it does not cover the pose.
    NOT_REACHABLE = "not reachable"
    #: It would take more memory than there is, or than is allowed.
    TOO_LARGE = "too large"
    #: There is no such file.
    FILE_NOT_FOUND = "file not found"
    #: The file is no reachability space, of another version, incomplete or changed.
    FILE_DAMAGED = "file damaged"
    #: The file is of another robot, or of another node set than the one of that name.
    FILE_MISMATCH = "file mismatch"
    #: The file cannot be read or written there.
    FILE_ERROR = "file error"
    #: The service does not touch files of that name.
    FILE_REFUSED = "file refused"
    #: A package of an extra is not installed.
    MISSING_PACKAGE = "missing package"
    #: The request makes no sense for this robot.
    INVALID_INPUT = "invalid input"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Outcome(Generic[T_co]):
    """The value of an operation with the reason when it failed; true when it did not.

    Attributes:
        value: What ArmarX's operation gives: joint values, true or false, an `ExtendedIKResult`.
        reason: `FailureReason.NONE` on success.
        detail: What was in the way, in words; empty on success.
    """

    value: T_co
    reason: FailureReason = FailureReason.NONE
    detail: str = ""

    def __bool__(self) -> bool:
        return self.reason is FailureReason.NONE

    def __str__(self) -> str:
        return "done" if self else f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
