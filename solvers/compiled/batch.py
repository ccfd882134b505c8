"""Kernel: many targets, one in each lane; a lane that is done takes the next target."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
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
    FOUND,
    FRAMES,
    FROM,
    ITERATION,
    ITERATIONS,
    MAX_STEP,
    NEAREST,
    ORIENTATION_TOLERANCE,
    PARAMETERS,
    POSITION_TOLERANCE,
    REPORT,
    ROWS,
    SEED,
    SETTINGS,
    SOLVED,
    SQUARES,
    TAKEN,
    TARGET,
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
def make_batch(rule: Callable[..., None], width: int) -> Any:
    """The compiled search for many targets with a step rule, for a lane width."""
    iterate = make_iteration(rule)
    vector, matrix = make_vector(width), make_matrix(width)

    @njit(**JIT)
    def search(integers, floats, joints, settings, counts, targets, seeds, skip, first, last, work, answers):
        """Solves targets[first:last] where ``skip`` is 0; writes answers (m, n + 7), one row per target."""
        steps, constants, entries, rates, carries, tip_frames, tip_poses = unpacked(integers, floats)
        n = seeds.shape[1]
        x, before, jacobian, gradient, _ = workspace_rows(n, steps.shape[0])
        xs, fr, tf, tg, er = (
            vector(work, x),
            matrix(work, FRAMES, 12),
            vector(work, TIP),
            vector(work, AIM),
            vector(work, ERROR),
        )
        jj, gr, sq = matrix(work, jacobian, n), vector(work, gradient), vector(work, SQUARES)
        parameters = settings[PARAMETERS:SETTINGS]
        position, angle = settings[POSITION_TOLERANCE] ** 2, settings[ORIENTATION_TOLERANCE] ** 2
        following, active = first, 0
        for lane in range(width):
            for j in range(12):
                work[AIM + j, lane] = 1.0 if j == 0 or j == 4 or j == 8 else 0.0
            for k in range(n):
                work[x + k, lane] = joints[FROM, k]
            work[BOOKKEEPING + ATTEMPT, lane] = -1.0
            following = _take(lane, following, last, targets, seeds, skip, counts, joints, work, x, answers)
            active += 1 if work[BOOKKEEPING + ATTEMPT, lane] >= 0.0 else 0
        while active > 0:
            for k in range(n):
                work[before + k] = work[x + k]
            iterate(steps, constants, entries, rates, carries, tip_frames, tip_poses, n, joints,
                    counts[ROWS], settings[MAX_STEP], parameters, xs, fr, tf, tg, er, jj, gr, sq)  # fmt: skip
            for lane in range(width):
                attempt = np.int64(work[BOOKKEEPING + ATTEMPT, lane])
                if attempt < 0:
                    continue
                t = np.int64(work[BOOKKEEPING + TARGET, lane])
                result, report = answers[t, :n], answers[t, n:]
                distance, turn = work[SQUARES, lane], work[SQUARES + 1, lane]
                total = distance + turn
                there = distance <= position and turn <= angle
                if there or total < work[BOOKKEEPING + NEAREST, lane]:
                    work[BOOKKEEPING + NEAREST, lane] = total
                    report[TAKEN] = work[BOOKKEEPING + ITERATION, lane]
                    keep(lane, work, before, distance, turn, result, report)
                    report[UNFINISHED] = 1.0 if work[BOOKKEEPING + ITERATION, lane] >= counts[ITERATIONS] else 0.0
                over = attempt_is_over(lane, total, settings, counts, work)
                if there:
                    report[SOLVED] = 1.0
                    report[FOUND] = attempt
                if over and not there:
                    stream = np.uint64(counts[SEED]) + np.uint64(t + 1) * np.uint64(0xD1342543DE82EF95)
                    begin(lane, attempt + 1, counts[ATTEMPTS], stream, joints, seeds[t], work, x)
                if there or work[BOOKKEEPING + ATTEMPT, lane] < 0.0:
                    report[TRIED] = attempt + 1.0
                    following = _take(lane, following, last, targets, seeds, skip, counts, joints, work, x, answers)
                    active -= 1 if work[BOOKKEEPING + ATTEMPT, lane] < 0.0 else 0

    return search


@njit(**JIT)
def _take(lane: int, t: int, last: int, targets: Any, seeds: Any, skip: Any, counts: Any, joints: Any, work: Any,
          x: int, answers: Any) -> int:  # fmt: skip
    """Gives a lane the next target, or puts it to rest; returns the number of the target after."""
    work[BOOKKEEPING + ATTEMPT, lane] = -1.0
    while t < last and skip[t] != 0:
        t += 1
    if t >= last:
        return t
    n = seeds.shape[1]
    for j in range(12):
        work[AIM + j, lane] = targets[t, j]
    for i in range(REPORT):
        answers[t, n + i] = 0.0
    work[BOOKKEEPING + TARGET, lane] = t
    work[BOOKKEEPING + NEAREST, lane] = FAR
    begin(lane, 0, counts[ATTEMPTS], np.uint64(0), joints, seeds[t], work, x)
    return t + 1
