"""Kernel: many targets, one in each lane; a lane that is done takes the next target."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import JIT, any_lane
from .angles import near_the_seed
from .arrays import arrays_at, first_rows, make_parts
from .attempts import count_look, is_given_up, keep, keep_nearest
from .input_check import check
from .iteration import make_look, make_step
from .layout import (
    AIM,
    ATTEMPT,
    ATTEMPTS,
    BAD_GOAL,
    BAD_SEED,
    BOOKKEEPING,
    FAR,
    FOUND,
    FROM,
    ITERATION,
    NEAREST,
    ORIENTATION_TOLERANCE,
    PARAMETERS,
    POSITION_TOLERANCE,
    RANDOM_SEED,
    REPORT_SIZE,
    SOLVED,
    SQUARES,
    TARGET,
    TRIED,
)
from .rule import StepKernel
from .start import aim, begin
from .task import CompiledTask

#: What `SOLVED` says of a target that is no pose, or whose seed is not finite.
INVALID = -1.0


@functools.cache
def make_batch(task: CompiledTask, rule: StepKernel, width: int) -> Any:
    """The compiled search for many targets, for a lane width."""
    look, step = make_look(task), make_step(task, rule)
    parts = make_parts(width)

    @njit(**JIT)
    def search(address, first, last):
        """Solves targets first to last - 1 of an argument table, see `layout`, and writes their answers.

        An answer depends on its target and seed alone, not on the other targets. There is a seed for each target,
        or one for all.
        """
        plan, joints, settings, counts, data, goals, seeds, work, answers = arrays_at(address)
        n = joints.shape[1]
        x, best = first_rows(n, plan[0].shape[0])
        er, sq, bk, fresh, tf, tg, fr, xs, jj, gr, rt, sc, bs = parts(work, n, plan[0].shape[0])
        parameters = settings[PARAMETERS:]
        report = answers.shape[1] - REPORT_SIZE
        position, angle = settings[POSITION_TOLERANCE] ** 2, settings[ORIENTATION_TOLERANCE] ** 2
        following, active = first, 0
        for lane in range(width):
            for j in range(12):
                work[AIM + j, lane] = 1.0 if j == 0 or j == 4 or j == 8 else 0.0
            for k in range(n):
                work[x + k, lane] = joints[FROM, k]
            following = _take(lane, following, last, goals, seeds, counts, joints, work, x, answers)
            active += 1 if work[BOOKKEEPING + ATTEMPT, lane] >= 0.0 else 0
        while active > 0:
            look(plan, data, xs, fr, tf, tg, sc, er, sq)
            if any_lane(count_look(n, settings, counts, xs, bs, sq, bk)):
                for lane in range(width):
                    attempt = np.int64(work[BOOKKEEPING + ATTEMPT, lane])
                    if attempt < 0:
                        continue
                    distance, turn = work[SQUARES, lane], work[SQUARES + 1, lane]
                    there = distance <= position and turn <= angle
                    if not there and not is_given_up(lane, counts, work):
                        continue
                    t = np.int64(work[BOOKKEEPING + TARGET, lane])
                    seed, answer = seeds[t if seeds.shape[0] > 1 else 0], answers[t]
                    if there:
                        taken = work[BOOKKEEPING + ITERATION, lane] - 1.0
                        keep(lane, work, x, distance, turn, taken, joints, counts, answer)
                        answer[report + SOLVED], answer[report + FOUND] = 1.0, attempt
                        near_the_seed(joints, counts, seed, answer)
                    else:
                        begin(lane, attempt + 1, counts[ATTEMPTS], counts[RANDOM_SEED], joints, counts, seed, work, x)
                        if work[BOOKKEEPING + ATTEMPT, lane] >= 0.0:
                            continue
                        keep_nearest(lane, work, best, joints, counts, answer)
                    answer[report + TRIED] = attempt + 1.0
                    following = _take(lane, following, last, goals, seeds, counts, joints, work, x, answers)
                    active -= 1 if work[BOOKKEEPING + ATTEMPT, lane] < 0.0 else 0
            if active > 0:
                step(plan, n, joints, counts, parameters, data, xs, fresh, fr, tf, tg, sc, er, jj, gr, rt)

    return search


@njit(**JIT)
def _take(lane: int, t: int, last: int, goals: Any, seeds: Any, counts: Any, joints: Any, work: Any, x: int,
          answers: Any) -> int:  # fmt: skip
    """Gives a lane the next target, or puts it to rest; returns the number of the target after."""
    work[BOOKKEEPING + ATTEMPT, lane] = -1.0
    report = answers.shape[1] - REPORT_SIZE
    while t < last:
        seed = seeds[t if seeds.shape[0] > 1 else 0]
        wrong = check(goals[t], seed, answers.shape[1] - REPORT_SIZE, joints, counts)
        for i in range(REPORT_SIZE):
            answers[t, report + i] = 0.0
        answers[t, report + FOUND] = -1.0
        if wrong != BAD_GOAL and wrong != BAD_SEED:
            for k in range(seed.shape[0]):
                answers[t, k] = seed[k]
            aim(lane, goals[t], work)
            work[BOOKKEEPING + TARGET, lane] = t
            work[BOOKKEEPING + NEAREST, lane] = FAR
            begin(lane, 0, counts[ATTEMPTS], counts[RANDOM_SEED], joints, counts, seed, work, x)
            return t + 1
        answers[t, report + SOLVED] = INVALID
        t += 1
    return t
