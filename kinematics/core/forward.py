"""Kernel: poses of all steps and tips of a plan."""

from __future__ import annotations

from typing import Any

from numba import njit

from .lanes import JIT, sincos, sqrt, where
from .plan import ADVANCE, BALL, KIND, MULTIPLIER, OFFSET, PARENT, ROTATE, SCREW, SLIDE, SOURCE

#: Where the parts of a pose are in a row of `frames`: origin, then the three axes in the world.
ORIGIN, X_AXIS, Y_AXIS, Z_AXIS = 0, 3, 6, 9


@njit(**JIT)
def ball_rotation(vx: Any, vy: Any, vz: Any) -> Any:
    """Entries r00, r01, ... r22 of exp of a rotation vector: cos a I + (sin a / a) [v] + ((1 - cos a) / a^2) v v^T."""
    square = vx * vx + vy * vy + vz * vz
    small = square < 1e-8
    angle = sqrt(where(small, 1.0, square))
    sine, cosine = sincos(angle)
    # Below 1e-4 rad the series are exact to the last digit, and nothing is divided by zero.
    c = where(small, 1.0 - 0.5 * square, cosine)
    f = where(small, 1.0 - square / 6.0, sine / angle)
    g = where(small, 0.5 - square / 24.0, (1.0 - cosine) / (angle * angle))
    gxy, gxz, gyz = g * vx * vy, g * vx * vz, g * vy * vz
    return (
        c + g * vx * vx, gxy - f * vz, gxz + f * vy,
        gxy + f * vz, c + g * vy * vy, gyz - f * vx,
        gxz - f * vy, gyz + f * vx, c + g * vz * vz,
    )  # fmt: skip


@njit(**JIT)
def forward(steps: Any, constants: Any, x: Any, frames: Any) -> None:
    """World poses of all steps: frames[k] = origin, x axis, y axis, z axis (12 numbers each).

    Args:
        steps: `Plan.steps`.
        constants: `Plan.constants`.
        x: (n,) numbers or registers, the values of the plan's degrees of freedom.
        frames: (s, 12) numbers or registers, written.
    """
    px, py, pz = 0.0, 0.0, 0.0
    xx, xy, xz = 1.0, 0.0, 0.0
    yx, yy, yz = 0.0, 1.0, 0.0
    zx, zy, zz = 0.0, 0.0, 1.0
    for k in range(steps.shape[0]):
        parent = steps[k, PARENT]
        if parent != k - 1 or k == 0:  # otherwise the parent's pose is still in the variables
            if parent < 0:
                px, py, pz = 0.0, 0.0, 0.0
                xx, xy, xz = 1.0, 0.0, 0.0
                yx, yy, yz = 0.0, 1.0, 0.0
                zx, zy, zz = 0.0, 0.0, 1.0
            else:
                px, py, pz = frames[parent, 0], frames[parent, 1], frames[parent, 2]
                xx, xy, xz = frames[parent, 3], frames[parent, 4], frames[parent, 5]
                yx, yy, yz = frames[parent, 6], frames[parent, 7], frames[parent, 8]
                zx, zy, zz = frames[parent, 9], frames[parent, 10], frames[parent, 11]
        tx, ty, tz = constants[k, 9], constants[k, 10], constants[k, 11]
        px = px + xx * tx + yx * ty + zx * tz
        py = py + xy * tx + yy * ty + zy * tz
        pz = pz + xz * tx + yz * ty + zz * tz
        r00, r01, r02 = constants[k, 0], constants[k, 1], constants[k, 2]
        r10, r11, r12 = constants[k, 3], constants[k, 4], constants[k, 5]
        r20, r21, r22 = constants[k, 6], constants[k, 7], constants[k, 8]
        ax, ay, az = xx * r00 + yx * r10 + zx * r20, xy * r00 + yy * r10 + zy * r20, xz * r00 + yz * r10 + zz * r20
        bx, by, bz = xx * r01 + yx * r11 + zx * r21, xy * r01 + yy * r11 + zy * r21, xz * r01 + yz * r11 + zz * r21
        cx, cy, cz = xx * r02 + yx * r12 + zx * r22, xy * r02 + yy * r12 + zy * r22, xz * r02 + yz * r12 + zz * r22
        kind = steps[k, KIND]
        source = steps[k, SOURCE]
        if kind == BALL:
            m00, m01, m02, m10, m11, m12, m20, m21, m22 = ball_rotation(x[source], x[source + 1], x[source + 2])
            xx, xy, xz = ax * m00 + bx * m10 + cx * m20, ay * m00 + by * m10 + cy * m20, az * m00 + bz * m10 + cz * m20
            yx, yy, yz = ax * m01 + bx * m11 + cx * m21, ay * m01 + by * m11 + cy * m21, az * m01 + bz * m11 + cz * m21
            zx, zy, zz = ax * m02 + bx * m12 + cx * m22, ay * m02 + by * m12 + cy * m22, az * m02 + bz * m12 + cz * m22
        else:
            value = constants[k, MULTIPLIER] * x[source] + constants[k, OFFSET]
            if kind == SLIDE or kind == SCREW:
                slide = value
                if kind == SCREW:
                    slide = constants[k, ADVANCE] * value
                px, py, pz = px + cx * slide, py + cy * slide, pz + cz * slide
            if kind == ROTATE or kind == SCREW:
                s, c = sincos(value)
                xx, xy, xz = ax * c + bx * s, ay * c + by * s, az * c + bz * s
                yx, yy, yz = bx * c - ax * s, by * c - ay * s, bz * c - az * s
            else:
                xx, xy, xz = ax * 1.0, ay * 1.0, az * 1.0
                yx, yy, yz = bx * 1.0, by * 1.0, bz * 1.0
            zx, zy, zz = cx * 1.0, cy * 1.0, cz * 1.0
        frames[k, 0], frames[k, 1], frames[k, 2] = px, py, pz
        frames[k, 3], frames[k, 4], frames[k, 5] = xx, xy, xz
        frames[k, 6], frames[k, 7], frames[k, 8] = yx, yy, yz
        frames[k, 9], frames[k, 10], frames[k, 11] = zx, zy, zz


@njit(**JIT)
def tip_frame(frames: Any, step: int, poses: Any, tip: int, result: Any) -> None:
    """World pose of one tip: result (12,) = origin, x axis, y axis, z axis.

    Args:
        frames: (s, 12) as `forward` leaves them.
        step: The step that carries the tip; -1 for one that does not move.
        poses: `Plan.tip_poses`.
        tip: Which of them.
        result: (12,) numbers or registers, written.
    """
    if step < 0:
        for i in range(3):
            result[i] = poses[tip, 9 + i]
            for j in range(3):
                result[3 + 3 * j + i] = poses[tip, 3 * i + j]
        return
    for i in range(3):
        ox, oy, oz = frames[step, 3 + i], frames[step, 6 + i], frames[step, 9 + i]
        result[i] = frames[step, i] + ox * poses[tip, 9] + oy * poses[tip, 10] + oz * poses[tip, 11]
        for j in range(3):
            result[3 + 3 * j + i] = ox * poses[tip, j] + oy * poses[tip, 3 + j] + oz * poses[tip, 6 + j]
