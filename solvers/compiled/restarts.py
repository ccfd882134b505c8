"""Kernel: one target, several attempts side by side in the lanes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, make_matrix, make_vector
from ...kinematics.core.unpacking import unpacked
from .attempts import (
    AIM,
    ATTEMPT,
    ATTEMPTS,
    BOOKKEEPING,
    ERROR,
    FAR,
    FIRST,
    FOUND,
    FRAMES,
    ITERATION,
    ITERATIONS,
    MAX_STEP,
    ORIENTATION_TOLERANCE,
    PARAMETERS,
    POSITION_TOLERANCE,
    ROWS,
    SEED,
    SETTINGS,
    SOLVED,
    SQUARES,
    TAKEN,
    TIP,
    TRIED,
    UNFINISHED,
    attempt_is_over,
    begin,
    keep,
    workspace_rows,
)
from .iteration import make_iteration


@functools.cache
def make_restarts(rule: Callable[..., None], width: int) -> Any:
    """The compiled search for one target with a step rule, for a lane width.

    A solution of attempt 0, the one from the seed, is preferred: when another attempt gets there first, the
    search waits until attempt 0 has got there too or has been given up.
    """
    iterate = make_iteration(rule)
    vector, matrix = make_vector(width), make_matrix(width)

    @njit(**JIT)
    def search(integers, floats, joints, settings, counts, target, seed, work, answer):
        """Writes answer (n + 7,): the configuration, then the report."""
        steps, constants, entries, rates, carries, tip_frames, tip_poses = unpacked(integers, floats)
        n = seed.shape[0]
        x, before, jacobian, gradient, _ = workspace_rows(n, steps.shape[0])
        xs, fr, tf, tg, er = (
            vector(work, x),
            matrix(work, FRAMES, 12),
            vector(work, TIP),
            vector(work, AIM),
            vector(work, ERROR),
        )
        jj, gr, sq = matrix(work, jacobian, n), vector(work, gradient), vector(work, SQUARES)
        result, report = answer[:n], answer[n:]
        parameters = settings[PARAMETERS:SETTINGS]
        attempts, following = counts[ATTEMPTS], counts[FIRST]
        position, angle = settings[POSITION_TOLERANCE] ** 2, settings[ORIENTATION_TOLERANCE] ** 2
        nearest, found, found_taken = FAR, -1.0, 0.0
        report[UNFINISHED] = 0.0
        for lane in range(width):
            for j in range(12):
                work[AIM + j, lane] = target[j]
            following = begin(lane, following, attempts, counts[SEED], joints, seed, work, x)
        active = attempts > counts[FIRST]
        while active:
            for k in range(n):
                work[before + k] = work[x + k]
            iterate(steps, constants, entries, rates, carries, tip_frames, tip_poses, n, joints,
                    counts[ROWS], settings[MAX_STEP], parameters, xs, fr, tf, tg, er, jj, gr, sq)  # fmt: skip
            active = False
            for lane in range(width):
                attempt = work[BOOKKEEPING + ATTEMPT, lane]
                if attempt < 0.0:
                    continue
                distance, turn = work[SQUARES, lane], work[SQUARES + 1, lane]
                total = distance + turn
                there = distance <= position and turn <= angle
                if there and (found < 0.0 or attempt < found):
                    found, found_taken = attempt, work[BOOKKEEPING + ITERATION, lane]
                    keep(lane, work, before, distance, turn, result, report)
                elif found < 0.0 and total < nearest:
                    nearest = total
                    report[TAKEN] = work[BOOKKEEPING + ITERATION, lane]
                    keep(lane, work, before, distance, turn, result, report)
                    report[UNFINISHED] = 1.0 if work[BOOKKEEPING + ITERATION, lane] >= counts[ITERATIONS] else 0.0
                over = attempt_is_over(lane, total, settings, counts, work)
                if found >= 0.0 and (there or over or attempt > 0.0):
                    work[BOOKKEEPING + ATTEMPT, lane] = -1.0
                elif over:
                    following = begin(lane, following, attempts, counts[SEED], joints, seed, work, x)
                active = active or work[BOOKKEEPING + ATTEMPT, lane] >= 0.0
        report[SOLVED] = 1.0 if found >= 0.0 else 0.0
        report[TRIED] = following - counts[FIRST]
        if found >= 0.0:
            report[TAKEN] = found_taken
        report[FOUND] = found

    return search
