"""Kernel: a sequence of targets, each solved from the solution before it; the lanes look ahead."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, any_lane
from .arrays import arrays_at, first_rows, make_parts
from .attempts import count_look, is_given_up, keep
from .iteration import make_look, make_step
from .layout import (
    ATTEMPT,
    BEFORE,
    BOOKKEEPING,
    FAR,
    FRESH,
    ITERATION,
    LIMITED,
    LOWER,
    ORIENTATION_TOLERANCE,
    PARAMETERS,
    PLACE,
    POSITION_TOLERANCE,
    REPORT_SIZE,
    SOLVED,
    SQUARES,
    STRUCK,
    TRIED,
    UPPER,
)
from .rule import StepKernel
from .start import aim
from .task import CompiledTask


@functools.cache
def make_path(task: CompiledTask, rule: StepKernel, width: int) -> Any:
    """The compiled following of a path, for a lane width.

    The next points are solved side by side, each lane from where the path would be if it went on as it did last.
    """
    look, step = make_look(task), make_step(task, rule)
    parts = make_parts(width)

    @njit(**JIT)
    def follow(address, first, last, history, continuity):
        """Follows targets first to last - 1 of an argument table, see `layout`, as far as it goes.

        Args:
            address: Of the table.
            first: Row of the first target; the answer before it is where the path begins.
            last: Row after the last one.
            history: 2 when the two answers before are consecutive points of the path, else 1.
            continuity: Largest change of a coordinate from one point to the next.

        Returns:
            The row of the first target that was not reached within the continuity; ``last`` when all were.
        """
        plan, joints, settings, counts, data, goals, _, work, answers = arrays_at(address)
        n = joints.shape[1]
        x, _ = first_rows(n, plan[0].shape[0])
        er, sq, bk, fresh, tf, tg, fr, xs, jj, gr, rt, sc, bs = parts(work, n, plan[0].shape[0])
        parameters = settings[PARAMETERS:]
        report = answers.shape[1] - REPORT_SIZE
        position, angle = settings[POSITION_TOLERANCE] ** 2, settings[ORIENTATION_TOLERANCE] ** 2
        t = first
        while t < last:
            for lane in range(width):
                _look_ahead(lane, t, last, history, goals, answers, joints, counts, work, x, continuity)
            active = True
            while active:
                look(plan, data, xs, fr, tf, tg, sc, er, sq)
                active = True
                if any_lane(count_look(n, settings, counts, xs, bs, sq, bk)):
                    active = False
                    for lane in range(width):
                        if work[BOOKKEEPING + ATTEMPT, lane] < 0.0:
                            continue
                        distance, turn = work[SQUARES, lane], work[SQUARES + 1, lane]
                        row = t + lane
                        if distance <= position and turn <= angle:
                            taken = work[BOOKKEEPING + ITERATION, lane] - 1.0
                            keep(lane, work, x, distance, turn, taken, joints, counts, answers[row])
                            answers[row, report + SOLVED], answers[row, report + TRIED] = 1.0, 1.0
                            work[BOOKKEEPING + ATTEMPT, lane] = -1.0
                        elif is_given_up(lane, counts, work):
                            work[BOOKKEEPING + ATTEMPT, lane] = -1.0
                        else:
                            active = True
                if active:
                    step(plan, n, joints, counts, parameters, data, xs, fresh, fr, tf, tg, sc, er, jj, gr, rt)
            reached = t
            while reached < min(t + width, last) and _is_continuous(reached, answers, joints, report, continuity):
                reached += 1
            if reached == t:
                return t
            history = 2 if reached - t > 1 else min(2, history + 1)
            t = reached
        return t

    return follow


@njit(**JIT)
def _look_ahead(lane: int, t: int, last: int, history: int, goals: Any, answers: Any, joints: Any, counts: Any,
                work: Any, x: int, continuity: float) -> None:  # fmt: skip
    """Starts a lane at the point ``lane`` points ahead."""
    row = min(t + lane, last - 1)
    aim(lane, goals[row], work)
    work[BOOKKEEPING + ATTEMPT, lane] = 0.0 if t + lane < last else -1.0
    work[BOOKKEEPING + ITERATION, lane] = 0.0
    work[BOOKKEEPING + STRUCK, lane] = 0.0
    work[BOOKKEEPING + BEFORE, lane] = FAR
    work[BOOKKEEPING + FRESH, lane] = 0.0
    for k in range(answers.shape[1]):
        if t + lane < last:
            answers[row, k] = answers[t - 1, k] if k < answers.shape[1] - REPORT_SIZE else 0.0
    for k in range(joints.shape[1]):
        place = int(joints[PLACE, k])
        value = answers[t - 1, place]
        if history > 1:
            change = value - answers[t - 2, place]
            value += (lane + 1.0) * min(max(change, -continuity), continuity)
        if counts[LIMITED] != 0:
            value = min(max(value, joints[LOWER, k]), joints[UPPER, k])
        work[x + k, lane] = value


@njit(**JIT)
def _is_continuous(row: int, answers: Any, joints: Any, report: int, continuity: float) -> bool:
    """Whether a point was reached, not far from the one before."""
    if answers[row, report + SOLVED] == 0.0:
        return False
    for k in range(joints.shape[1]):
        place = int(joints[PLACE, k])
        if abs(answers[row, place] - answers[row - 1, place]) > continuity:
            return False
    return True
