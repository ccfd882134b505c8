"""Kernel: poses of all steps and tips of a plan."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import INNER, sincos, sqrt, where
from .plan import ADVANCE, BALL, KIND, MULTIPLIER, OFFSET, PARENT, POSITION, SLIDE, SOURCE


@njit(**INNER)
def forward(steps: Any, constants: Any, x: Any, frames: Any) -> None:
    """World poses of all steps.

    A pose is twelve numbers: the rotation row by row, then the translation. Row 0 of ``frames`` is the world,
    row k + 1 is step k. Each row of a rotation can be worked out without the others.

    Args:
        steps: `Plan.steps`.
        constants: `Plan.constants`.
        x: (n,) numbers or registers, the values of the plan's degrees of freedom.
        frames: (s + 1, 12) numbers or registers, written.
    """
    for j in range(12):
        frames[0, j] = 1.0 if j == 0 or j == 4 or j == 8 else 0.0
    for k in range(steps.shape[0]):
        source = steps[k, SOURCE]
        if steps[k, KIND] == BALL:
            _turn_by_ball(k, steps[k, PARENT], constants, x[source], x[source + 1], x[source + 2], frames)
        else:
            value = constants[k, MULTIPLIER] * x[source] + constants[k, OFFSET]
            _turn_and_slide(k, steps[k, PARENT], constants, steps[k, KIND] == SLIDE, value, frames)


@njit(**INNER)
def _turn_and_slide(k: int, parent: int, constants: Any, slides: bool, value: Any, frames: Any) -> None:
    """Frame k + 1 = parent * constant pose * turn about z and slide along z."""
    advance = constants[k, ADVANCE]
    if slides:
        sine = value * 0.0
        cosine = sine + 1.0
    else:
        sine, cosine = sincos(value)
    for i in range(3):
        rx = frames[parent, 3 * i]
        ry = frames[parent, 3 * i + 1]
        rz = frames[parent, 3 * i + 2]
        a = rx * constants[k, 0] + ry * constants[k, 3] + rz * constants[k, 6]
        b = rx * constants[k, 1] + ry * constants[k, 4] + rz * constants[k, 7]
        c = rx * constants[k, 2] + ry * constants[k, 5] + rz * constants[k, 8]
        p = frames[parent, 9 + i] + rx * constants[k, 9] + ry * constants[k, 10] + rz * constants[k, 11]
        frames[k + 1, 3 * i] = a * cosine + b * sine
        frames[k + 1, 3 * i + 1] = b * cosine - a * sine
        frames[k + 1, 3 * i + 2] = c
        if advance != 0.0:
            p += c * (advance * value)
        frames[k + 1, POSITION + i] = p


@njit(**INNER)
def _turn_by_ball(k: int, parent: int, constants: Any, vx: Any, vy: Any, vz: Any, frames: Any) -> None:
    """Frame k + 1 = parent * constant pose * exp of a rotation vector v.

    exp v = cos a I + (sin a / a) [v] + ((1 - cos a) / a^2) v v^T with a = |v|.
    """
    square = vx * vx + vy * vy + vz * vz
    small = square < 1e-8
    angle = sqrt(where(small, 1.0, square))
    sine, cosine = sincos(angle)
    # Below 1e-4 rad the series are exact to the last digit, and nothing is divided by zero.
    d = where(small, 1.0 - 0.5 * square, cosine)
    f = where(small, 1.0 - square / 6.0, sine / angle)
    g = where(small, 0.5 - square / 24.0, (1.0 - cosine) / (angle * angle))
    for i in range(3):
        rx = frames[parent, 3 * i]
        ry = frames[parent, 3 * i + 1]
        rz = frames[parent, 3 * i + 2]
        a = rx * constants[k, 0] + ry * constants[k, 3] + rz * constants[k, 6]
        b = rx * constants[k, 1] + ry * constants[k, 4] + rz * constants[k, 7]
        c = rx * constants[k, 2] + ry * constants[k, 5] + rz * constants[k, 8]
        along = g * (a * vx + b * vy + c * vz)
        frames[k + 1, 3 * i] = a * d + f * (b * vz - c * vy) + along * vx
        frames[k + 1, 3 * i + 1] = b * d + f * (c * vx - a * vz) + along * vy
        frames[k + 1, 3 * i + 2] = c * d + f * (a * vy - b * vx) + along * vz
        p = frames[parent, 9 + i] + rx * constants[k, 9] + ry * constants[k, 10] + rz * constants[k, 11]
        frames[k + 1, POSITION + i] = p


@njit(**INNER)
def tip_frame(frames: Any, row: int, poses: Any, tip: int, result: Any) -> None:
    """World pose of one tip: result (12,) = frames[row] * poses[tip].

    Args:
        frames: (s + 1, 12) as `forward` leaves them.
        row: The row of what carries the tip.
        poses: `Plan.tip_poses`.
        tip: Which of them.
        result: (12,) numbers or registers, written.
    """
    for i in range(3):
        rx = frames[row, 3 * i]
        ry = frames[row, 3 * i + 1]
        rz = frames[row, 3 * i + 2]
        for j in range(3):
            result[3 * i + j] = rx * poses[tip, j] + ry * poses[tip, 3 + j] + rz * poses[tip, 6 + j]
        result[POSITION + i] = frames[row, 9 + i] + rx * poses[tip, 9] + ry * poses[tip, 10] + rz * poses[tip, 11]
