"""Dataclasses of the service as JSON, and answers as dataclasses; the other side of `messages`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pinocchio as pin

from ....kinematics import InvalidValueError, PoseLike, as_pose
from ....solvers import CartesianSelection
from ..com_ik_descriptor import CoMIKDescriptor
from ..extended_ik_result import ExtendedIKResult
from ..framed_pose import FramedPose
from ..ik_task import IKTask
from ..outcome import FailureReason, Outcome
from ..workspace_bounds import WorkspaceBounds

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
    return {key: float(getattr(bounds, key)) for key in ("x", "y", "z", "ro", "pi", "ya")}


def names_json(what: str, names: Sequence[str]) -> list[str]:
    """A list of names; `InvalidValueError` for a single text."""
    if isinstance(names, str):
        raise InvalidValueError(f"{what} must be a sequence of names, not the text {names!r}")
    return list(names)


def pose_of(data: dict[str, Any]) -> pin.SE3:
    """A pose from an answer."""
    return as_pose((data["position"], data["quaternion"]), "the answer of the server")


def outcome_of(data: dict[str, Any]) -> Outcome[Any]:
    """The outcome of an operation, its value as JSON has it."""
    return Outcome(data["value"], FailureReason(data["reason"]), data["detail"])


def extended_outcome_of(data: dict[str, Any]) -> Outcome[ExtendedIKResult]:
    """The outcome of `compute_extended_ik_global_pose`."""
    value = data["value"]
    errors = {key: math.inf if value[key] is None else value[key] for key in ("position_error", "orientation_error")}
    result = ExtendedIKResult(value["joint_values"], value["reachable"], **errors, nearest=value["nearest"])
    return Outcome(result, FailureReason(data["reason"]), data["detail"])


def _check_kind(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise InvalidValueError(f"{name} must be of type {kind.__name__}, not {value!r}")
