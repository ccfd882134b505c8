"""Kernels: how an attempt goes on, ends, and is told of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import INNER
from .layout import (
    ANGLE,
    BEFORE,
    BOOKKEEPING,
    DISTANCE,
    ITERATION,
    ITERATIONS,
    KEPT,
    PLACE,
    STRIKES,
    STRUCK,
    TAKEN,
    UNFINISHED,
)


@njit(**INNER)
def attempt_is_over(lane: int, total: float, settings: Any, counts: Any, work: Any) -> bool:
    """Counts a look at the error; true when the attempt has no iterations left or makes no progress.

    The error is looked at once more than there are steps, so arriving with the last step counts.
    """
    work[BOOKKEEPING + ITERATION, lane] += 1.0
    if total > settings[KEPT] * work[BOOKKEEPING + BEFORE, lane]:
        work[BOOKKEEPING + STRUCK, lane] += 1.0
    work[BOOKKEEPING + BEFORE, lane] = total
    return (
        work[BOOKKEEPING + STRUCK, lane] >= counts[STRIKES] or work[BOOKKEEPING + ITERATION, lane] > counts[ITERATIONS]
    )


@njit(**INNER)
def keep(lane: int, work: Any, x: int, distance: float, turn: float, joints: Any, counts: Any, answer: Any) -> None:
    """Notes the configuration of a lane, its squared errors and how it came there in an answer (q, then report)."""
    for k in range(joints.shape[1]):
        answer[int(joints[PLACE, k])] = work[x + k, lane]
    report = answer.shape[0] - 7
    answer[report + DISTANCE] = np.sqrt(distance)
    answer[report + ANGLE] = np.sqrt(turn)
    answer[report + TAKEN] = work[BOOKKEEPING + ITERATION, lane]
    answer[report + UNFINISHED] = 1.0 if work[BOOKKEEPING + ITERATION, lane] >= counts[ITERATIONS] else 0.0
