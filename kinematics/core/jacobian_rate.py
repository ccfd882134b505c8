"""Kernel: how the Jacobian of a tip changes while the degrees of freedom move."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import JIT
from .plan import AXIS, COLUMN, FRAME, PARENT, POSITION, SLIDING, TURNING


@njit(**JIT)
def jacobian_rate(
    steps: Any,
    entries: Any,
    rates: Any,
    carries: Any,
    tip_frames: Any,
    tip: int,
    frames: Any,
    px: Any,
    py: Any,
    pz: Any,
    velocity: Any,
    twists: Any,
    rate: Any,
    row: int,
    n: int,
) -> None:
    """Six rows: the time derivative of what `tip_jacobian` writes, while the tip carries the point (px, py, pz).

    A column of the Jacobian is made of an axis a and of a x (p - o). With w the angular velocity of the frame
    that the axis belongs to and v that of its origin o, these change by w x a and by
    (w x a) x (p - o) + a x (dp/dt - v). Velocities are the ones that the Jacobian is about: for a ball or a free
    joint the twist in the child's axes, which for the derivative counts as constant.

    Args:
        steps: `Plan.steps`.
        entries: `Plan.entries`.
        rates: `Plan.rates`.
        carries: `Plan.carries`.
        tip_frames: `Plan.tip_frames`.
        tip: Which tip.
        frames: (s + 1, 12) as `forward` leaves them.
        px: x of the point in the world, a number or a register; likewise y and z.
        py: y of the point.
        pz: z of the point.
        velocity: (n,) numbers or registers.
        twists: (s + 1, 6) room for the frames' twists, see `frame_twists`.
        rate: (rows, n), written.
        row: First of the six rows.
        n: Number of columns.
    """
    frame_twists(steps, entries, rates, frames, velocity, twists)
    ux, uy, uz = _point_velocity(frames, twists, tip_frames[tip], px, py, pz)
    for i in range(6):
        for k in range(n):
            rate[row + i, k] = 0.0
    for e in range(entries.shape[0]):
        if carries[tip, e] == 0:
            continue
        frame = entries[e, FRAME]
        axis = entries[e, AXIS]
        ax = frames[frame, axis]
        ay = frames[frame, 3 + axis]
        az = frames[frame, 6 + axis]
        wx = twists[frame, 3]
        wy = twists[frame, 4]
        wz = twists[frame, 5]
        bx = wy * az - wz * ay
        by = wz * ax - wx * az
        bz = wx * ay - wy * ax
        dx = px - frames[frame, POSITION]
        dy = py - frames[frame, POSITION + 1]
        dz = pz - frames[frame, POSITION + 2]
        sx = ux - twists[frame, 0]
        sy = uy - twists[frame, 1]
        sz = uz - twists[frame, 2]
        turning = rates[e, TURNING]
        sliding = rates[e, SLIDING]
        k = entries[e, COLUMN]
        rate[row, k] += sliding * bx + turning * (by * dz - bz * dy + ay * sz - az * sy)
        rate[row + 1, k] += sliding * by + turning * (bz * dx - bx * dz + az * sx - ax * sz)
        rate[row + 2, k] += sliding * bz + turning * (bx * dy - by * dx + ax * sy - ay * sx)
        rate[row + 3, k] += turning * bx
        rate[row + 4, k] += turning * by
        rate[row + 5, k] += turning * bz


@njit(**JIT)
def _point_velocity(frames: Any, twists: Any, frame: int, px: Any, py: Any, pz: Any) -> Any:
    """World velocity of a point that moves with a frame: v + w x (p - o)."""
    dx = px - frames[frame, POSITION]
    dy = py - frames[frame, POSITION + 1]
    dz = pz - frames[frame, POSITION + 2]
    ux = twists[frame, 0] + twists[frame, 4] * dz - twists[frame, 5] * dy
    uy = twists[frame, 1] + twists[frame, 5] * dx - twists[frame, 3] * dz
    uz = twists[frame, 2] + twists[frame, 3] * dy - twists[frame, 4] * dx
    return ux, uy, uz


@njit(**JIT)
def frame_twists(steps: Any, entries: Any, rates: Any, frames: Any, velocity: Any, twists: Any) -> None:
    """World twists of all frames that entries belong to: velocity of the origin, then angular velocity.

    What a joint of several steps adds is counted in its last frame, the one that its entries belong to; the
    frames between are carried along like parts of the parent, and nothing else stands on them.

    Args:
        steps: `Plan.steps`.
        entries: `Plan.entries`.
        rates: `Plan.rates`.
        frames: (s + 1, 12) as `forward` leaves them.
        velocity: (n,) numbers or registers.
        twists: (s + 1, 6) numbers or registers, written; row 0 is the world.
    """
    for k in range(steps.shape[0] + 1):
        for i in range(6):
            twists[k, i] = 0.0
    for e in range(entries.shape[0]):
        frame = entries[e, FRAME]
        axis = entries[e, AXIS]
        speed = velocity[entries[e, COLUMN]]
        for i in range(3):
            along = speed * frames[frame, 3 * i + axis]
            twists[frame, i] += rates[e, SLIDING] * along
            twists[frame, 3 + i] += rates[e, TURNING] * along
    for k in range(steps.shape[0]):
        parent = steps[k, PARENT]
        wx = twists[parent, 3]
        wy = twists[parent, 4]
        wz = twists[parent, 5]
        dx = frames[k + 1, POSITION] - frames[parent, POSITION]
        dy = frames[k + 1, POSITION + 1] - frames[parent, POSITION + 1]
        dz = frames[k + 1, POSITION + 2] - frames[parent, POSITION + 2]
        twists[k + 1, 0] += twists[parent, 0] + wy * dz - wz * dy
        twists[k + 1, 1] += twists[parent, 1] + wz * dx - wx * dz
        twists[k + 1, 2] += twists[parent, 2] + wx * dy - wy * dx
        twists[k + 1, 3] += wx
        twists[k + 1, 4] += wy
        twists[k + 1, 5] += wz
