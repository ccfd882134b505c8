"""Kernels: a tip inside the bounds of a `TaskSpaceRegion` that stands still."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.forward import tip_frame
from ...kinematics.core.jacobian import tip_jacobian
from ...kinematics.core.lanes import JIT, absolute, maximum, minimum, sincos, sqrt, where
from ...kinematics.transforms import Array
from ..tasks.region_bounds import RegionBounds
from .pose_error import pose_error
from .task import CompiledTask

#: Entries of the task's numbers: whether the rotation is wanted exactly, the largest length of the error, whether it is
#: measured from the centre of the bounds, then six of each: lower and upper bound, aim inside them, weight, whether
#: the component is there, whether its bounds meet; then the reference's axes, row by row (9).
_EXACT, _LENGTH, _CENTERED, _LOWER, _UPPER, _AIM, _WEIGHT, _ACTIVE, _MEETS, _AXES = 0, 1, 2, 3, 9, 15, 21, 27, 33, 39
_SIZE = 48
#: Kernels are compiled for finite numbers.
_FAR_AWAY = 1e30


def region_data(bounds: RegionBounds, axes: Array) -> Array:
    """The task's numbers for bounds and the axes (3, 3) of the reference."""
    data = np.zeros(_SIZE)
    data[_EXACT] = bounds.has_exact_rotation
    data[_LENGTH] = min(bounds.clamp, _FAR_AWAY)
    data[_CENTERED] = bounds.from_center
    data[_LOWER : _LOWER + 6] = np.maximum(bounds.lower, -_FAR_AWAY)
    data[_UPPER : _UPPER + 6] = np.minimum(bounds.upper, _FAR_AWAY)
    data[_AIM : _AIM + 6] = bounds.aims
    data[_WEIGHT : _WEIGHT + 6] = bounds.weights
    data[_ACTIVE : _ACTIVE + 6] = bounds.active
    data[_MEETS : _MEETS + 6] = bounds.lower == bounds.upper
    data[_AXES:] = axes.ravel()
    return data


@njit(**JIT)
def _measure(plan: Any, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, squares: Any) -> None:
    """Leaves in row 0 of the scratch the displacement, in row 1 how far it is outside its bounds."""
    _, _, _, _, _, tip_frames, tip_poses = plan
    tip_frame(frames, tip_frames[0], tip_poses, 0, tip)
    pose_error(tip, goal, error)
    square = 0.0
    for part in range(2):
        away = 0.0
        for i in range(3):
            # Along the axes of the reference, whose columns they are.
            along = 0.0
            for j in range(3):
                along += data[_AXES + 3 * j + i] * error[3 * part + j]
            c = 3 * part + i
            beyond = (along - minimum(maximum(along, data[_LOWER + c]), data[_UPPER + c])) * data[_ACTIVE + c]
            scratch[0, c] = along
            scratch[1, c] = beyond
            away += beyond * beyond
        squares[part] = away
    row = 0
    for c in range(6):
        if data[_ACTIVE + c] != 0.0:
            value = scratch[1, c]
            if data[_CENTERED] != 0.0:
                value = where(absolute(value) > 0.0, scratch[0, c] - data[_AIM + c], value)
            value = value * data[_WEIGHT + c]
            error[row] = value
            square += value * value
            row += 1
    shorter = data[_LENGTH] / maximum(sqrt(square + 1e-60), data[_LENGTH] + 0.0 * square)
    for i in range(row):
        error[i] = error[i] * shorter


@njit(**JIT)
def _jacobian(
    plan: Any, n: int, frames: Any, tip: Any, goal: Any, data: Any, scratch: Any, error: Any, jacobian: Any
) -> None:
    _, _, entries, rates, carries, _, _ = plan
    tip_jacobian(entries, rates, carries, 0, frames, tip[9], tip[10], tip[11], jacobian, 0, n)
    exact = data[_EXACT] != 0.0
    x = scratch[0, 3]
    y = scratch[0, 4]
    z = scratch[0, 5]
    factor = _factor(x, y, z)
    for k in range(n):
        lx = _along(data, 0, jacobian, 0, k)
        ly = _along(data, 1, jacobian, 0, k)
        lz = _along(data, 2, jacobian, 0, k)
        wx = _along(data, 0, jacobian, 3, k)
        wy = _along(data, 1, jacobian, 3, k)
        wz = _along(data, 2, jacobian, 3, k)
        if not exact:
            # The rate of the rotation vector r: w - r x w / 2 + c r x (r x w).
            cx = y * wz - z * wy
            cy = z * wx - x * wz
            cz = x * wy - y * wx
            wx = wx - 0.5 * cx + factor * (y * cz - z * cy)
            wy = wy - 0.5 * cy + factor * (z * cx - x * cz)
            wz = wz - 0.5 * cz + factor * (x * cy - y * cx)
        row = 0
        for c in range(6):
            if data[_ACTIVE + c] != 0.0:
                value = lx
                if c == 1:
                    value = ly
                elif c == 2:
                    value = lz
                elif c == 3:
                    value = wx
                elif c == 4:
                    value = wy
                elif c == 5:
                    value = wz
                value = value * data[_WEIGHT + c]
                if data[_MEETS + c] == 0.0:
                    # Inside its bounds a component is zero and stays so.
                    value = where(absolute(scratch[1, c]) > 0.0, value, 0.0 * value)
                jacobian[row, k] = value
                row += 1


@njit(**JIT)
def _along(data: Any, i: int, jacobian: Any, first: int, k: int) -> Any:
    """Component i along the reference's axes of three rows of a column."""
    return (
        data[_AXES + i] * jacobian[first, k]
        + data[_AXES + 3 + i] * jacobian[first + 1, k]
        + data[_AXES + 6 + i] * jacobian[first + 2, k]
    )


@njit(**JIT)
def _factor(x: Any, y: Any, z: Any) -> Any:
    """The c of the inverse left Jacobian of SO(3), see `rotation_vector_derivative`."""
    square = x * x + y * y + z * z
    small = square < 1e-4
    angle = sqrt(where(small, 1.0 + 0.0 * square, square))
    sine, cosine = sincos(0.5 * angle)
    series = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    return where(small, series, (1.0 - 0.5 * angle * cosine / sine) / (angle * angle))


#: The error is the displacement in the reference's axes as far as it is outside its bounds, weighted and shortened.
REGION = CompiledTask("region", _measure, _jacobian)
