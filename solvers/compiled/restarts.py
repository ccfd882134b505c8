"""Kernel: one target, several attempts side by side in the lanes."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, any_lane
from .angles import near_the_seed
from .arrays import arrays_at, first_rows, make_parts
from .attempts import count_look, is_given_up, keep, keep_nearest
from .input_check import check
from .iteration import make_look, make_step
from .layout import (
    ATTEMPT,
    ATTEMPTS,
    BAD_GOAL,
    BOOKKEEPING,
    FAR,
    FIRST,
    FOUND,
    ITERATION,
    NEAREST,
    NOT_FOUND,
    ORIENTATION_TOLERANCE,
    PARAMETERS,
    POSITION_TOLERANCE,
    RANDOM_SEED,
    REPORT_SIZE,
    SOLUTION,
    SOLVED,
    SQUARES,
    TRIED,
    UNCHECKED,
    UNFINISHED,
)
from .rule import StepKernel
from .start import aim, begin
from .task import CompiledTask

#: Squared error (m^2 + rad^2) of attempt 0 up to which a solution of another attempt waits for it.
NEAR_ENOUGH_TO_WAIT = 0.1


@functools.cache
def make_restarts(task: CompiledTask, rule: StepKernel, width: int) -> Any:
    """The compiled search for one target, for a lane width.

    A solution of attempt 0, the one from the seed, is preferred: when another attempt gets there first, the search
    waits until attempt 0 has got there too or has been given up, unless that is still far from the target.
    """
    look, step = make_look(task), make_step(task, rule)
    parts = make_parts(width)

    @njit(**JIT)
    def search(address, mode, pose, seed):
        """Searches with the arrays of an argument table, see `layout`, which the answer is written to.

        Goal and seed are given apart from the table, because a call that passes them on is cheaper than one that
        copies them. Something wrong with one of them ends the search before it begins, unless it is `UNCHECKED`.

        Args:
            address: Of the table.
            mode: `CHECKED`, or `UNCHECKED` when goal and seed are known to be good.
            pose: Goal (4, 4).
            seed: Configuration (n,).

        Returns:
            What was found, see `NOT_FOUND`.
        """
        plan, joints, settings, counts, data, _, _, work, answers = arrays_at(address)
        goal, answer = pose.ravel(), answers[0]
        if pose.shape[0] != 4 or pose.shape[1] != 4:
            return BAD_GOAL
        if mode != UNCHECKED:
            wrong = check(goal, seed, answer.shape[0] - REPORT_SIZE, joints, counts)
            if wrong != NOT_FOUND:
                return wrong
        n = joints.shape[1]
        x, best = first_rows(n, plan[0].shape[0])
        er, sq, bk, fresh, tf, tg, fr, xs, jj, gr, rt, sc, bs = parts(work, n, plan[0].shape[0])
        parameters = settings[PARAMETERS:]
        for k in range(seed.shape[0]):
            answer[k] = seed[k]
        report = answer[answer.shape[0] - REPORT_SIZE :]
        attempts, following, random_seed = counts[ATTEMPTS], counts[FIRST], counts[RANDOM_SEED]
        position, angle = settings[POSITION_TOLERANCE] ** 2, settings[ORIENTATION_TOLERANCE] ** 2
        nearest, found = FAR, -1.0
        report[UNFINISHED] = 0.0
        for lane in range(width):
            aim(lane, goal, work)
            work[BOOKKEEPING + NEAREST, lane] = FAR
            following = begin(lane, following, attempts, random_seed, joints, counts, seed, work, x)
        active = True
        while True:
            look(plan, data, xs, fr, tf, tg, sc, er, sq)
            news = count_look(n, settings, counts, xs, bs, sq, bk)
            if found >= 0.0 or any_lane(news):
                active = False
                for lane in range(width):
                    attempt = work[BOOKKEEPING + ATTEMPT, lane]
                    if attempt < 0.0:
                        continue
                    distance, turn = work[SQUARES, lane], work[SQUARES + 1, lane]
                    there = distance <= position and turn <= angle
                    over = is_given_up(lane, counts, work)
                    if there and (found < 0.0 or attempt < found):
                        found = attempt
                        taken = work[BOOKKEEPING + ITERATION, lane] - 1.0
                        keep(lane, work, x, distance, turn, taken, joints, counts, answer)
                    elif found < 0.0 and over and work[BOOKKEEPING + NEAREST, lane] < nearest:
                        nearest = work[BOOKKEEPING + NEAREST, lane]
                        keep_nearest(lane, work, best, joints, counts, answer)
                    is_far = distance + turn > NEAR_ENOUGH_TO_WAIT
                    if found >= 0.0 and (there or over or attempt > 0.0 or is_far):
                        work[BOOKKEEPING + ATTEMPT, lane] = -1.0
                    elif over:
                        work[BOOKKEEPING + NEAREST, lane] = FAR
                        following = begin(lane, following, attempts, random_seed, joints, counts, seed, work, x)
                    active = active or work[BOOKKEEPING + ATTEMPT, lane] >= 0.0
            if not active:
                break
            step(plan, n, joints, counts, parameters, data, xs, fresh, fr, tf, tg, sc, er, jj, gr, rt)
        report[SOLVED] = 1.0 if found >= 0.0 else 0.0
        report[TRIED] = following - counts[FIRST]
        report[FOUND] = found
        if found < 0.0:
            return NOT_FOUND
        near_the_seed(joints, counts, seed, answer)
        return SOLUTION

    return search
