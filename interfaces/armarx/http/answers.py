"""What answers are made of, as pydantic models: they are what the schema promises."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from ..extended_ik_result import ExtendedIKResult
from ..outcome import FailureReason, Outcome

T = TypeVar("T")

JointValues = Annotated[
    dict[str, float], Field(description="By name: radians, or the units of the service. Empty when there are none.")
]


class Answer(BaseModel):
    """Base class of all answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OutcomeAnswer(Answer, Generic[T]):
    """The value of an operation, and the reason when it failed; failure is an answer like any other (status 200)."""

    value: T
    success: bool
    reason: Annotated[FailureReason, Field(description="'none' on success.")]
    detail: Annotated[str, Field(description="What was in the way, in words; empty on success.")]


class ExtendedIKAnswer(Answer):
    """The nearest configuration, whether it is a solution, and how far off it is."""

    joint_values: JointValues
    reachable: bool
    position_error: Annotated[float | None, Field(description="Units of the service; null without a configuration.")]
    orientation_error: Annotated[float | None, Field(description="Radians; null without a configuration.")]
    nearest: JointValues

    @classmethod
    def of(cls, result: ExtendedIKResult) -> ExtendedIKAnswer:
        """JSON has no infinity: where nothing was looked for, errors are null."""
        return cls(
            joint_values=dict(result.joint_values),
            reachable=result.reachable,
            position_error=_finite(result.position_error),
            orientation_error=_finite(result.orientation_error),
            nearest=dict(result.nearest),
        )


JointValuesOutcome = OutcomeAnswer[JointValues]
BoolOutcome = OutcomeAnswer[bool]
ExtendedIKOutcome = OutcomeAnswer[ExtendedIKAnswer]


class PoseAnswer(Answer):
    """A pose: position in the units of the service, rotation as a quaternion."""

    position: Annotated[list[float], Field(min_length=3, max_length=3, description="x, y, z.")]
    quaternion: Annotated[list[float], Field(min_length=4, max_length=4, description="x, y, z, w, of length 1.")]


class JointValuesAnswer(Answer):
    """Values of joints by name."""

    joint_values: JointValues


class RobotPoseAnswer(Answer):
    """Where the root of the robot is in the world."""

    pose: PoseAnswer


class NodeSetAnswer(Answer):
    """A node set by names."""

    name: str
    joints: list[str]
    tcp: str
    root: str


class RobotAnswer(Answer):
    """The robot of the service, and its node sets."""

    robot_name: str
    units: Annotated[str, Field(description="'m' or 'mm', of all lengths.")]
    node_sets: Annotated[list[NodeSetAnswer], Field(description="Of the model, and those that were defined since.")]


class HealthAnswer(Answer):
    """That the server answers."""

    status: str
    version: str


def joint_values_outcome(outcome: Outcome[Mapping[str, float]]) -> JointValuesOutcome:
    """The answer of an operation that gives joint values."""
    return JointValuesOutcome(value=dict(outcome.value), **_why(outcome))


def bool_outcome(outcome: Outcome[bool]) -> BoolOutcome:
    """The answer of an operation that gives true or false."""
    return BoolOutcome(value=outcome.value, **_why(outcome))


def extended_outcome(outcome: Outcome[ExtendedIKResult]) -> ExtendedIKOutcome:
    """The answer of `compute_extended_ik_global_pose`."""
    return ExtendedIKOutcome(value=ExtendedIKAnswer.of(outcome.value), **_why(outcome))


def _why(outcome: Outcome[Any]) -> dict[str, Any]:
    return {"success": bool(outcome), "reason": outcome.reason, "detail": outcome.detail}


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
