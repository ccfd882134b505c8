"""Dataclasses of the service as JSON, and answers as dataclasses; the other side of `messages`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pinocchio as pin

from ....kinematics import InvalidPoseError, InvalidValueError, PoseLike, as_pose
from ....solvers import CartesianSelection
from ..checks import as_names, as_number
from ..com_ik_descriptor import CoMIKDescriptor
from ..extended_ik_result import ExtendedIKResult
from ..framed_pose import FramedPose
from ..ik_task import IKTask
from ..outcome import FailureReason, Outcome
from ..workspace_bounds import WorkspaceBounds
from .reading import joint_values_in, list_in, number_in, object_in, switch_in, text_in

#: The parts of a selection, larger ones first.
_PARTS = (
    CartesianSelection.ALL,
    CartesianSelection.POSITION,
    CartesianSelection.ORIENTATION,
    CartesianSelection.X,
    CartesianSelection.Y,
    CartesianSelection.Z,
)


def pose_json(pose: PoseLike, name: str = "pose") -> dict[str, Any]:
    """A pose in any form; `InvalidPoseError` for what is none."""
    checked = as_pose(pose, name)
    return {
        "position": checked.translation.tolist(),
        "quaternion": pin.Quaternion(checked.rotation).coeffs().tolist(),
    }


def framed_pose_json(pose: FramedPose) -> dict[str, Any]:
    """A framed pose; `InvalidValueError` for another kind of thing."""
    _check_kind("pose", pose, FramedPose)
    return {**pose_json(pose.pose), "frame": pose.frame, "agent": pose.agent}


def selection_json(selection: CartesianSelection | str) -> str:
    """Names joined by ``|``; `InvalidValueError` for what is no selection."""
    left = CartesianSelection.of(selection)
    names = []
    for part in _PARTS:
        if part in left:
            names.append(part.name or "")
            left &= ~part
    return "|".join(names).lower()


def descriptor_json(descriptor: CoMIKDescriptor) -> dict[str, Any]:
    """Where the centre of mass should be; `InvalidValueError` for another kind of thing."""
    _check_kind("descriptor", descriptor, CoMIKDescriptor)
    return {
        "gx": float(descriptor.gx),
        "gy": float(descriptor.gy),
        "priority": int(descriptor.priority),
        "node_set_bodies": descriptor.node_set_bodies,
        "tolerance": None if descriptor.tolerance is None else float(descriptor.tolerance),
        "coordinate_system": descriptor.coordinate_system,
        "holding": list(descriptor.holding),
        "check_support": bool(descriptor.check_support),
    }


def task_json(task: IKTask) -> dict[str, Any]:
    """A task of a hierarchical step; `InvalidValueError` for another kind of thing."""
    _check_kind("a task", task, IKTask)
    return {
        "tcp": task.tcp,
        "pose": pose_json(task.pose),
        "priority": int(task.priority),
        "selection": selection_json(task.selection),
        "method": task.method.value,
        "coordinate_system": task.coordinate_system,
    }


def bounds_json(name: str, bounds: WorkspaceBounds | None) -> dict[str, float] | None:
    """A corner of the box of a reachability space; `InvalidValueError` for another kind of thing."""
    if bounds is None:
        return None
    _check_kind(name, bounds, WorkspaceBounds)
    return {key: as_number(f"{name}.{key}", getattr(bounds, key)) for key in ("x", "y", "z", "ro", "pi", "ya")}


def names_json(what: str, names: Sequence[str]) -> list[str]:
    """A list of names; `InvalidValueError` for anything else."""
    return list(as_names(what, names))


def tasks_json(tasks: Sequence[IKTask]) -> list[dict[str, Any]]:
    """A list of tasks; `InvalidValueError` for anything else."""
    if not isinstance(tasks, Sequence):
        raise InvalidValueError(f"tasks must be a sequence of IKTask, not {tasks!r}")
    return [task_json(each) for each in tasks]


def joint_values_json(values: Mapping[str, float]) -> dict[str, float]:
    """Numbers by name; `InvalidValueError` for anything else."""
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise InvalidValueError(f"joint values must be a mapping from names to numbers, not {values!r}")
    return {name: as_number(f"the value of {name!r}", value) for name, value in values.items()}


def pose_of(data: dict[str, Any]) -> pin.SE3:
    """A pose from an answer; `InvalidPoseError` for what is none."""
    position, quaternion = ([number_in(each) for each in list_in(data[key])] for key in ("position", "quaternion"))
    if (len(position), len(quaternion)) != (3, 4):
        raise InvalidPoseError("a pose has 3 numbers for the position and 4 for the quaternion")
    return as_pose((position, quaternion), "the answer of the server")


def joint_values_outcome_of(data: dict[str, Any]) -> Outcome[dict[str, float]]:
    """The outcome of an operation that gives joint values."""
    return Outcome(joint_values_in(data["value"]), *_why(data))


def switch_outcome_of(data: dict[str, Any]) -> Outcome[bool]:
    """The outcome of an operation that gives true or false."""
    return Outcome(switch_in(data["value"]), *_why(data))


def extended_outcome_of(data: dict[str, Any]) -> Outcome[ExtendedIKResult]:
    """The outcome of `compute_extended_ik_global_pose`."""
    value = object_in(data["value"])
    position_error, orientation_error = (
        math.inf if value[key] is None else number_in(value[key]) for key in ("position_error", "orientation_error")
    )
    result = ExtendedIKResult(
        joint_values_in(value["joint_values"]),
        switch_in(value["reachable"]),
        position_error,
        orientation_error,
        nearest=joint_values_in(value["nearest"]),
    )
    return Outcome(result, *_why(data))


def _why(data: dict[str, Any]) -> tuple[FailureReason, str]:
    reason = FailureReason(text_in(data["reason"]))
    if switch_in(data["success"]) is not (reason is FailureReason.NONE):
        raise InvalidValueError("success and the reason contradict each other")
    return reason, text_in(data["detail"])


def _check_kind(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise InvalidValueError(f"{name} must be of type {kind.__name__}, not {value!r}")
