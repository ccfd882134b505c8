"""Kernel: from the candidates of a family to the solutions of a real arm: polished, checked, tagged and ranked."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit

from ....kinematics.core.argument_table import float_matrix, float_vector, integer_matrix, integer_vector, table_at
from ....kinematics.core.finite import all_finite
from ....kinematics.core.lanes import INLINE, INNER, JIT, absolute, any_lane, maximum, minimum, where
from ...compiled.arrays import arrays_at, first_rows, make_parts
from ...compiled.damped_step import damped_step
from ...compiled.input_check import check
from ...compiled.iteration import make_look
from ...compiled.layout import (
    AIM,
    BOOKKEEPING,
    CHECKED,
    LOWER,
    NOT_FOUND,
    PLACE,
    POSITION_TOLERANCE,
    REPORT_SIZE,
    ROWS,
    SQUARES,
    UNCHECKED,
    UPPER,
)
from ...compiled.task import CompiledTask
from .flags import OUT_OF_REACH
from .layout import (
    ANGLE,
    ANSWER,
    AWAY,
    BEST_ANGLE,
    BEST_DISTANCE,
    BEYOND,
    BEYOND_LIMITS,
    COUNTS,
    DAMPED_BY,
    DISTANCE,
    ERRORS,
    FACTS,
    GOALS,
    HARDLY,
    HARDLY_BEYOND,
    KEY,
    LOCAL,
    MANY_ANSWERS,
    MANY_VALIDITIES,
    NUMBERS,
    PLACES,
    RAW,
    RAW_FLAGS,
    SEEDS,
    VALIDITY,
)
from .near_misses import near_miss, shaken, those_that_reach
from .ranking import judge, rank, write
from .turned_angles import turn_into_limits

#: Squared error (m^2, rad^2) that is left as it is; below it is rounding.
_EXACT = 1e-24
#: Polishing steps at most, and for what does not reach, until the nearest pose is found.
_STEPS, _NEAREST_STEPS = 8, 60
#: Damping of a polishing step: a part of the squared error, and next to nothing. What does not reach gets more, for
#: with an error that stays the curvature of the motion counts as much as the Jacobian.
_DAMPING, _NEAREST_DAMPING, _FLOOR = 0.01, 1.0, 1e-14
#: Largest change of a joint in a polishing step (rad or m).
_LARGEST = 0.3


@functools.cache
def make_closed_form(candidates: Any, task: CompiledTask, width: int) -> Any:
    """The compiled closed form of a family's kernel for a task and a lane width: for one goal, and for many."""
    look, differentiate = make_look(task), task.jacobian
    parts = make_parts(width)

    @njit(**INLINE)
    def polish(plan, n, rows, data, work, steps):
        """Moves the configurations of all lanes onto the goal, or as near to it as they get."""
        er, sq, bk, _, tf, tg, fr, xs, jj, gr, _, sc, bs = parts(work, n, plan[0].shape[0])
        look(plan, data, xs, fr, tf, tg, sc, er, sq)
        if not any_lane((sq[0] > _EXACT) | (sq[1] > _EXACT)):
            return
        for k in range(n):
            bs[k] = xs[k]
        bk[BEST_DISTANCE], bk[BEST_ANGLE] = sq[0], sq[1]
        for _ in range(steps):
            differentiate(plan, n, fr, tf, tg, data, sc, er, jj)
            square = 0.0 * er[0]
            for i in range(rows):
                square += er[i] * er[i]
            damped_step(jj, er, rows, n, bk[DAMPED_BY] * square + _FLOOR, gr)
            largest = 0.0 * square + _LARGEST
            for k in range(n):
                largest = maximum(largest, absolute(gr[k]))
            scale = _LARGEST / largest
            for k in range(n):
                xs[k] = xs[k] - scale * gr[k]
            look(plan, data, xs, fr, tf, tg, sc, er, sq)
            before = bk[BEST_DISTANCE] + bk[BEST_ANGLE]
            after = sq[0] + sq[1]
            is_nearer = after < before
            goes_on = (after < 0.9999 * before) & (after > _EXACT)
            bk[BEST_DISTANCE] = where(is_nearer, sq[0], bk[BEST_DISTANCE])
            bk[BEST_ANGLE] = where(is_nearer, sq[1], bk[BEST_ANGLE])
            for k in range(n):
                bs[k] = where(is_nearer, xs[k], bs[k])
            if not any_lane(goes_on):
                break
        for k in range(n):
            xs[k] = bs[k]
        sq[0], sq[1] = bk[BEST_DISTANCE], bk[BEST_ANGLE]

    @njit(**INLINE)
    def put_inside(plan, n, joints, data, work, tolerance):
        """Puts joints that are a hair beyond their limits onto them, where the goal is still reached then.

        Double roots are known to half the digits only, and a joint at its limit is one now and then.
        """
        er, sq, bk, _, tf, tg, fr, xs, _, _, _, sc, bs = parts(work, n, plan[0].shape[0])
        if not any_lane(bk[HARDLY_BEYOND] > 0.0):
            return
        bk[BEST_DISTANCE], bk[BEST_ANGLE] = sq[0], sq[1]
        for k in range(n):
            bs[k] = xs[k]
            lower, upper = joints[LOWER, k] + 0.0 * xs[k], joints[UPPER, k] + 0.0 * xs[k]
            inside = minimum(maximum(xs[k], lower), upper)
            xs[k] = where(absolute(inside - xs[k]) <= HARDLY, inside, xs[k])
        look(plan, data, xs, fr, tf, tg, sc, er, sq)
        reaches = (sq[0] <= tolerance) & (sq[1] <= tolerance) & (bk[HARDLY_BEYOND] > 0.0)
        sq[0], sq[1] = where(reaches, sq[0], bk[BEST_DISTANCE]), where(reaches, sq[1], bk[BEST_ANGLE])
        for k in range(n):
            xs[k] = where(reaches, xs[k], bs[k])
        bk[BEYOND_LIMITS] = where(reaches, bk[BEYOND_LIMITS] - bk[HARDLY_BEYOND], bk[BEYOND_LIMITS])

    @njit(**INLINE)
    def look_at(first, count, damping, plan, n, joints, rows, data, tolerance, work, seed, raw, flags, facts):
        """Polishes W candidates and turns their angles; writes back what is found out about them."""
        x, _ = first_rows(n, plan[0].shape[0])
        _, _, bk, _, _, _, _, xs, _, _, _, _, _ = parts(work, n, plan[0].shape[0])
        is_long = False
        for lane in range(width):
            c = min(first + lane, count - 1)
            for k in range(n):
                work[x + k, lane] = raw[c, k]
            is_near = flags[c] & OUT_OF_REACH != 0
            is_long = is_long or is_near
            work[BOOKKEEPING + DAMPED_BY, lane] = damping if is_near else _DAMPING
        polish(plan, n, rows, data, work, _NEAREST_STEPS if is_long else _STEPS)
        turn_into_limits(n, joints, seed, xs, bk)
        put_inside(plan, n, joints, data, work, tolerance)
        for lane in range(min(width, count - first)):
            for k in range(n):
                raw[first + lane, k] = work[x + k, lane]
            facts[first + lane, DISTANCE] = work[SQUARES, lane]
            facts[first + lane, ANGLE] = work[SQUARES + 1, lane]
            facts[first + lane, KEY] = work[BOOKKEEPING + AWAY, lane]
            facts[first + lane, BEYOND] = work[BOOKKEEPING + BEYOND_LIMITS, lane]

    @njit(**INNER)
    def look_at_all(count, plan, n, joints, rows, data, tolerance, work, goal, seed, raw, flags, facts):
        """Looks at all candidates, and around those that miss the goal by little; how many there are then."""
        for i in range(4):
            for j in range(3):
                place = 3 * i + j if i < 3 else 9 + j
                value = goal[4 * i + j] if i < 3 else goal[4 * j + 3]
                for lane in range(width):
                    work[AIM + place, lane] = value
        first = 0
        while first < count:
            look_at(
                first, count, _NEAREST_DAMPING, plan, n, joints, rows, data, tolerance, work, seed, raw, flags, facts
            )
            first += width
            if first >= count and first < raw.shape[0] - width:
                # An arm that is only nearly one of its family may reach where that does not, and at the end of a
                # stretched arm there is no slope that would lead there.
                nearest = near_miss(count, tolerance, facts)
                if nearest >= 0:
                    for lane in range(width):
                        shaken(lane, n, raw[nearest], raw[count + lane])
                        flags[count + lane] = OUT_OF_REACH
                    look_at(
                        count,
                        count + width,
                        _DAMPING,
                        plan,
                        n,
                        joints,
                        rows,
                        data,
                        tolerance,
                        work,
                        seed,
                        raw,
                        flags,
                        facts,
                    )
                    return those_that_reach(count, count + width, n, tolerance, raw, flags, facts)
        return count

    @njit(**INNER)
    def solve_goal(address, closed, mode, goal, seed, answer, validity, errors):
        """All solutions for one goal (16,); see `solve`. The answer goes where it is told to."""
        plan, joints, settings, counts, data, _, _, work, answers = arrays_at(address)
        table = table_at(closed, PLACES)
        local, raw = float_vector(table[LOCAL]), float_matrix(table[RAW])
        flags, facts = integer_vector(table[RAW_FLAGS]), float_matrix(table[FACTS])
        if mode != UNCHECKED:
            wrong = check(goal, seed, answers.shape[1] - REPORT_SIZE, joints, counts)
            if wrong != NOT_FOUND:
                return -wrong
        n = joints.shape[1]
        for k in range(n):
            local[k] = seed[int(joints[PLACE, k])]
        aimed = local[n : n + 12]
        for i in range(3):
            for j in range(3):
                aimed[3 * i + j] = goal[4 * i + j]
            aimed[9 + i] = goal[4 * i + 3]
        count = candidates(float_vector(table[NUMBERS]), aimed, local[:n], raw, flags)
        count = _without_faults(count, n, raw, flags)
        if count == 0:
            return 0
        tolerance = settings[POSITION_TOLERANCE] ** 2
        count = look_at_all(count, plan, n, joints, counts[ROWS], data, tolerance, work, goal, local, raw, flags, facts)
        for c in range(count):
            judge(c, tolerance, flags, facts)
        rank(count, facts)
        return write(count, n, raw, flags, facts, answer, validity, errors)

    @njit(**JIT)
    def solve(address, closed, mode, pose, seed):
        """All solutions for a goal.

        Args:
            address: Of the table of a search.
            closed: Of the table of the closed form; both tables are written to.
            mode: `CHECKED`, or `UNCHECKED` when goal and seed are known to be good.
            pose: Goal (4, 4).
            seed: Configuration (n,) of the whole skeleton.

        Returns:
            How many, or minus what is wrong with goal or seed, see `solvers.compiled.layout`.
        """
        table = table_at(closed, PLACES)
        answer, validity = float_matrix(table[ANSWER]), integer_vector(table[VALIDITY])
        return solve_goal(address, closed, mode, pose.ravel(), seed, answer, validity, float_matrix(table[ERRORS]))

    @njit(**JIT)
    def solve_many(address, closed, first, last):
        """All solutions for the goals of the table from the first to before the last; counts as `solve`."""
        table = table_at(closed, PLACES)
        goals, seeds = float_matrix(table[GOALS]), float_matrix(table[SEEDS])
        answers, validities = float_matrix(table[MANY_ANSWERS]), integer_matrix(table[MANY_VALIDITIES])
        counts, errors = integer_vector(table[COUNTS]), float_matrix(table[ERRORS])
        most = validities.shape[1]
        for row in range(first, last):
            seed = seeds[row if seeds.shape[0] > 1 else 0]
            answer = answers[row * most : (row + 1) * most]
            counts[row] = solve_goal(address, closed, CHECKED, goals[row], seed, answer, validities[row], errors)

    return solve, solve_many


@njit(**INNER)
def _without_faults(count: int, n: int, raw: Any, flags: Any) -> int:
    """Takes out what is not finite, which no kernel should give; how many are left."""
    if all_finite(raw[:count].ravel()):
        return count
    kept = 0
    for c in range(count):
        if all_finite(raw[c]):
            if kept != c:
                for k in range(n):
                    raw[kept, k] = raw[c, k]
                flags[kept] = flags[c]
            kept += 1
    return kept
