"""Kernels: how attempts go on, end, and are told of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import INLINE, INNER, where
from .layout import (
    ANGLE,
    ATTEMPT,
    BEFORE,
    BOOKKEEPING,
    DISTANCE,
    FRESH,
    ITERATION,
    ITERATIONS,
    KEPT,
    NEAREST,
    NEAREST_AT,
    NEAREST_DISTANCE,
    NEAREST_TURN,
    ORIENTATION_TOLERANCE,
    PLACE,
    POSITION_TOLERANCE,
    REPORT_SIZE,
    STRIKES,
    STRUCK,
    TAKEN,
    UNFINISHED,
)


@njit(**INLINE)
def count_look(n: int, settings: Any, counts: Any, x: Any, nearest: Any, squares: Any, book: Any) -> Any:
    """Counts a look at the error in all lanes at once, and notes what is nearest so far.

    The error is looked at once more than there are steps, so arriving with the last step counts.

    Args:
        n: Degrees of freedom.
        settings: See `layout`, as for all others.
        counts: Iterations and strikes of an attempt.
        x: (n,) where the lanes are.
        nearest: (n,) where each was nearest, written.
        squares: (2,) squared distance and angle.
        book: The bookkeeping, written.

    Returns:
        In which lanes something is to be done: it has arrived, has no iterations left or makes no progress.
    """
    total = squares[0] + squares[1]
    is_nearer = total < book[NEAREST]
    book[NEAREST] = where(is_nearer, total, book[NEAREST])
    book[NEAREST_DISTANCE] = where(is_nearer, squares[0], book[NEAREST_DISTANCE])
    book[NEAREST_TURN] = where(is_nearer, squares[1], book[NEAREST_TURN])
    book[NEAREST_AT] = where(is_nearer, book[ITERATION], book[NEAREST_AT])
    for k in range(n):
        nearest[k] = where(is_nearer, x[k], nearest[k])
    book[STRUCK] = book[STRUCK] + where(total > settings[KEPT] * book[BEFORE], 1.0 + 0.0 * total, 0.0 * total)
    book[ITERATION] = book[ITERATION] + 1.0
    book[BEFORE] = total
    book[FRESH] = 0.0 * total
    position = settings[POSITION_TOLERANCE] * settings[POSITION_TOLERANCE]
    angle = settings[ORIENTATION_TOLERANCE] * settings[ORIENTATION_TOLERANCE]
    is_over = (book[STRUCK] >= 1.0 * counts[STRIKES]) | (book[ITERATION] > 1.0 * counts[ITERATIONS])
    return (book[ATTEMPT] >= 0.0) & (is_over | ((squares[0] <= position) & (squares[1] <= angle)))


@njit(**INNER)
def is_given_up(lane: int, counts: Any, work: Any) -> bool:
    """Whether the attempt of a lane, after its last look was counted, is over."""
    return (
        work[BOOKKEEPING + STRUCK, lane] >= counts[STRIKES] or work[BOOKKEEPING + ITERATION, lane] > counts[ITERATIONS]
    )


@njit(**INNER)
def keep(
    lane: int, work: Any, x: int, distance: float, turn: float, taken: float, joints: Any, counts: Any, answer: Any
) -> None:
    """Notes the configuration in rows x of a lane, its squared errors and when it came there in an answer."""
    for k in range(joints.shape[1]):
        answer[int(joints[PLACE, k])] = work[x + k, lane]
    report = answer.shape[0] - REPORT_SIZE
    answer[report + DISTANCE] = np.sqrt(distance)
    answer[report + ANGLE] = np.sqrt(turn)
    answer[report + TAKEN] = taken
    answer[report + UNFINISHED] = 1.0 if taken >= counts[ITERATIONS] else 0.0


@njit(**INNER)
def keep_nearest(lane: int, work: Any, nearest: int, joints: Any, counts: Any, answer: Any) -> None:
    """Notes the nearest configuration of a lane, from rows ``nearest``, in an answer."""
    keep(
        lane,
        work,
        nearest,
        work[BOOKKEEPING + NEAREST_DISTANCE, lane],
        work[BOOKKEEPING + NEAREST_TURN, lane],
        work[BOOKKEEPING + NEAREST_AT, lane],
        joints,
        counts,
        answer,
    )
