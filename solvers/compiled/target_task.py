"""Kernels: targets of the kinds of IKFast; `targets` has the same in Python, and says what each error is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.forward import tip_frame
from ...kinematics.core.jacobian import tip_jacobian
from ...kinematics.core.lanes import JIT
from ...kinematics.core.plan import POSITION
from ...kinematics.transforms import Array
from .target_layout import (
    ANYWHERE,
    AT_XY,
    AXIS,
    LOCAL_AT_POINT,
    ON_LINE,
    PLACE,
    REFERENCE,
    TARGET_SIZE,
    TOOL,
    TURN,
)
from .target_turn import basis_about, measure_turn, to_world, turn_coefficients
from .task import CompiledTask


def target_data(place: int, turn: int, axis: int, tool: Array, reference: Array) -> Array:
    """The task's numbers.

    Args:
        place: What is asked of the tool's point, see `target_layout`.
        turn: What is asked of its axes.
        axis: Of the reference.
        tool: The tool's direction as the last row of a rotation matrix (3, 3).
        reference: Pose of the reference in the world (4, 4).
    """
    data = np.zeros(TARGET_SIZE)
    data[PLACE], data[TURN], data[AXIS] = place, turn, axis
    data[TOOL : TOOL + 9] = tool.ravel()
    data[REFERENCE : REFERENCE + 9] = reference[:3, :3].ravel()
    data[REFERENCE + 9 : REFERENCE + 12] = reference[:3, 3]
    return data


@njit(**JIT)
def _measure(plan: Any, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, squares: Any) -> None:
    """Leaves in two rows of the scratch what `measure_turn` does."""
    _, _, _, _, _, tip_frames, tip_poses = plan
    tip_frame(frames, tip_frames[0], tip_poses, 0, tip)
    place = int(data[PLACE])
    square = 0.0 * tip[0]
    row = 0
    if place != ANYWHERE:
        x, y, z = _tool_point(place, tip, goal)
        x = x - data[REFERENCE + 9]
        y = y - data[REFERENCE + 10]
        z = z - data[REFERENCE + 11]
        away_x = data[REFERENCE] * x + data[REFERENCE + 3] * y + data[REFERENCE + 6] * z - goal[POSITION]
        away_y = data[REFERENCE + 1] * x + data[REFERENCE + 4] * y + data[REFERENCE + 7] * z - goal[POSITION + 1]
        away_z = data[REFERENCE + 2] * x + data[REFERENCE + 5] * y + data[REFERENCE + 8] * z - goal[POSITION + 2]
        if place == ON_LINE:
            ux, uy, uz, vx, vy, vz = basis_about(goal[0], goal[1], goal[2])
            error[0] = ux * away_x + uy * away_y + uz * away_z
            error[1] = vx * away_x + vy * away_y + vz * away_z
            row = 2
        else:
            error[0] = away_x
            error[1] = away_y
            row = 2
            if place != AT_XY:
                error[2] = away_z
                row = 3
        for i in range(row):
            square += error[i] * error[i]
    squares[0] = square
    squares[1] = measure_turn(tip, goal, data, scratch, error, row)


@njit(**JIT)
def _jacobian(
    plan: Any, n: int, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, jacobian: Any
) -> None:
    _, _, entries, rates, carries, _, _ = plan
    place = int(data[PLACE])
    x, y, z = _tool_point(place, tip, goal)
    tip_jacobian(entries, rates, carries, 0, frames, x, y, z, jacobian, 0, n)
    # Rows of the place are p . l, q . l, r . l with l the linear part of a column.
    px, py, pz = to_world(data, 1.0, 0.0, 0.0)
    qx, qy, qz = to_world(data, 0.0, 1.0, 0.0)
    rx, ry, rz = to_world(data, 0.0, 0.0, 1.0)
    zero = 0.0 * tip[0]
    ux, uy, uz, vx, vy, vz = px + zero, py + zero, pz + zero, qx + zero, qy + zero, qz + zero
    if place == ON_LINE:
        ux, uy, uz, vx, vy, vz = basis_about(goal[0], goal[1], goal[2])
        ux, uy, uz = to_world(data, ux, uy, uz)
        vx, vy, vz = to_world(data, vx, vy, vz)
    first = 0 if place == ANYWHERE else 2 if place in (AT_XY, ON_LINE) else 3
    count, ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz, ex, ey, ez = turn_coefficients(tip, goal, data, scratch)
    for k in range(n):
        lx = jacobian[0, k]
        ly = jacobian[1, k]
        lz = jacobian[2, k]
        wx = jacobian[3, k]
        wy = jacobian[4, k]
        wz = jacobian[5, k]
        if first > 0:
            jacobian[0, k] = ux * lx + uy * ly + uz * lz
            jacobian[1, k] = vx * lx + vy * ly + vz * lz
        if first > 2:
            jacobian[2, k] = rx * lx + ry * ly + rz * lz
        if count > 0:
            jacobian[first, k] = ax * wx + ay * wy + az * wz + dx * lx + dy * ly + dz * lz
        if count > 1:
            jacobian[first + 1, k] = bx * wx + by * wy + bz * wz + ex * lx + ey * ly + ez * lz
        if count > 2:
            jacobian[first + 2, k] = cx * wx + cy * wy + cz * wz


@njit(**JIT)
def _tool_point(place: int, tip: Any, goal: Any) -> Any:
    """The point of the tool that the place is of, in the world; the goal has it where it is not the tip itself."""
    x, y, z = tip[POSITION], tip[POSITION + 1], tip[POSITION + 2]
    if place == LOCAL_AT_POINT:
        x += tip[0] * goal[0] + tip[1] * goal[4] + tip[2] * goal[8]
        y += tip[3] * goal[0] + tip[4] * goal[4] + tip[5] * goal[8]
        z += tip[6] * goal[0] + tip[7] * goal[4] + tip[8] * goal[8]
    return x, y, z


#: The goal is what IKFast packs into nine numbers and a translation, in the axes of the reference.
TARGET = CompiledTask("target", _measure, _jacobian, takes_pose=False)
