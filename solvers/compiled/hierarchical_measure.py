"""Kernel: errors and Jacobians of all tasks of a hierarchy."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.center_of_mass import center_of_mass, center_of_mass_jacobian, subtree_moments
from ...kinematics.core.forward import tip_frame
from ...kinematics.core.jacobian import tip_jacobian
from ...kinematics.core.lanes import JIT, sqrt
from .hierarchical_layout import FULL_MASK
from .pose_error import pose_error


@njit(**JIT)
def measure_pose(
    plan: Any, tip_row: int, tip: int, frames: Any, target: Any, weights: Any, mask: int, row: int, n: int,
    scratch: Any, jacobian: Any, error: Any, misses: Any,
) -> None:  # fmt: skip
    """The rows of a task for the pose of a tip.

    Args:
        plan: entries, rates, carries, tip_poses of the plan.
        tip_row: The row of ``frames`` that carries the tip.
        tip: Which tip.
        frames: (s + 1, 12) as `forward` leaves them.
        target: (12,) rotation row by row, then translation.
        weights: (6,) factors of the components.
        mask: Bit i is set for component i, world axes, linear first.
        row: First row of the task.
        n: Number of columns.
        scratch: Room for the pose of the tip (12,), an error (6,) and a Jacobian (6, n).
        jacobian: (m, n), the task's rows are written.
        error: (m,) likewise.
        misses: (2,) written: distance (m) and angle (rad) that are missing, without weights.
    """
    entries, rates, carries, tip_poses = plan
    pose, six, part = scratch
    tip_frame(frames, tip_row, tip_poses, tip, pose)
    pose_error(pose, target, six)
    away = 0.0
    turned = 0.0
    for i in range(3):
        if (mask >> i) & 1:
            away += six[i] * six[i]
        if (mask >> (i + 3)) & 1:
            turned += six[3 + i] * six[3 + i]
    misses[0] = sqrt(away)
    misses[1] = sqrt(turned)
    if mask == FULL_MASK:
        tip_jacobian(entries, rates, carries, tip, frames, pose[9], pose[10], pose[11], jacobian, row, n)
        for i in range(6):
            _weigh(jacobian, error, row + i, n, weights[i], six[i])
    else:
        tip_jacobian(entries, rates, carries, tip, frames, pose[9], pose[10], pose[11], part, 0, n)
        _choose(part, six, weights, mask, 6, row, n, jacobian, error)


@njit(**JIT)
def measure_center(
    plan: Any, frames: Any, target: Any, weights: Any, mask: int, row: int, n: int, scratch: Any, jacobian: Any,
    error: Any, misses: Any,
) -> None:  # fmt: skip
    """The rows of a task for the centre of mass.

    Args:
        plan: steps, entries, rates, masses, centres, masses of subtrees, and (5,) the centre of what does not
            move, its mass, and the mass of everything.
        frames: See `measure_pose`, as for the others.
        target: The translation is used.
        weights: (6,), the first three are used.
        mask: Bits 0 to 2.
        row: First row of the task.
        n: Number of columns.
        scratch: Room for moments (s, 3), an error (6,) and a Jacobian (6, n).
        jacobian: (m, n), the task's rows are written.
        error: (m,) likewise.
        misses: (2,) written: distance (m) and zero.
    """
    steps, entries, rates, masses, centres, subtrees, fixed = plan
    moments, six, part = scratch
    total = fixed[4]
    subtree_moments(steps, masses, centres, frames, moments)
    center_of_mass(steps, moments, fixed[3], fixed, total, six)
    center_of_mass_jacobian(entries, rates, subtrees, frames, moments, total, part, 0, n)
    away = 0.0
    for i in range(3):
        six[i] -= target[9 + i]
        if (mask >> i) & 1:
            away += six[i] * six[i]
    misses[0] = sqrt(away)
    misses[1] = 0.0
    _choose(part, six, weights, mask, 3, row, n, jacobian, error)


@njit(**JIT)
def _choose(
    part: Any, six: Any, weights: Any, mask: int, count: int, row: int, n: int, jacobian: Any, error: Any
) -> None:
    """Copies the rows of a mask."""
    for i in range(count):
        if (mask >> i) & 1:
            for k in range(n):
                jacobian[row, k] = part[i, k]
            _weigh(jacobian, error, row, n, weights[i], six[i])
            row += 1


@njit(**JIT)
def _weigh(jacobian: Any, error: Any, row: int, n: int, weight: float, value: float) -> None:
    error[row] = weight * value
    if weight != 1.0:
        for k in range(n):
            jacobian[row, k] *= weight
