"""Kernels: a tip at a pose that stands still, or at a position."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.forward import tip_frame
from ...kinematics.core.jacobian import tip_jacobian
from ...kinematics.core.lanes import INLINE
from .pose_error import pose_error
from .task import CompiledTask


@njit(**INLINE)
def _measure(plan: Any, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, squares: Any) -> None:
    _, _, _, _, _, tip_frames, tip_poses = plan
    tip_frame(frames, tip_frames[0], tip_poses, 0, tip)
    distance, turn = pose_error(tip, goal, error)
    squares[0] = distance
    squares[1] = data[0] * turn


@njit(**INLINE)
def _jacobian(
    plan: Any, n: int, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, jacobian: Any
) -> None:
    _, _, entries, rates, carries, _, _ = plan
    tip_jacobian(entries, rates, carries, 0, frames, tip[9], tip[10], tip[11], jacobian, 0, n)


#: The one number of the task: 1 for a pose, 0 for a position, whose error is the first three rows. The error is the
#: displacement of the tip, then the rotation vector from the target to it, along the world's axes.
POSE = CompiledTask("pose", _measure, _jacobian)
