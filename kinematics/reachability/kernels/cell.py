"""Kernels: coordinates of a pose and the cell that they are in, for numbers and for registers."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...core.lanes import INNER, atan2, floor, maximum, minimum, sqrt, where
from ...core.plan import POSITION
from .layout import EDGE, INVERSE, LOWER, TURN


@njit(**INNER)
def pose_coordinates(pose: Any, place: Any) -> None:
    """x, y, z, roll, pitch, yaw of a pose (12,)."""
    for i in range(3):
        place[i] = pose[POSITION + i]
    place[3] = atan2(pose[7], pose[8])
    place[4] = atan2(-pose[6], sqrt(pose[7] * pose[7] + pose[8] * pose[8]))
    place[5] = atan2(pose[3], pose[0])


@njit(**INNER)
def reduced_coordinates(pose: Any, place: Any) -> None:
    """Height, tilt and canonical position of a pose (12,) about the axes z of its frame and of its base."""
    ux = pose[2]
    uy = pose[5]
    length = sqrt(ux * ux + uy * uy)
    upright = length < 1e-9
    scale = 1.0 / where(upright, 1.0, length)
    cosine = where(upright, 1.0, ux * scale)
    sine = where(upright, 0.0, uy * scale)
    place[0] = pose[POSITION + 2]
    place[1] = atan2(length, pose[8])
    place[2] = pose[POSITION] * cosine + pose[POSITION + 1] * sine
    place[3] = pose[POSITION + 1] * cosine - pose[POSITION] * sine


@njit(**INNER)
def cell_of(cells: Any, counts: Any, place: Any) -> None:
    """Entry 6 of a place becomes the number of its cell, -1 outside. A cell's number is exact as a float."""
    index = place[0] * 0.0
    outside = place[0] * 0.0
    for k in range(counts.shape[0]):
        number = counts[k] * 1.0
        f = (place[k] - cells[LOWER, k]) * cells[INVERSE, k]
        turn = cells[TURN, k]
        if turn != 0.0:
            f = f - turn * floor((f + EDGE) / turn)
        outside = where(f < -EDGE, 1.0, outside)
        outside = where(f > number + EDGE, 1.0, outside)
        index = index * number + minimum(maximum(floor(f), 0.0), number - 1.0)
    place[6] = where(outside > 0.5, -1.0, index)
