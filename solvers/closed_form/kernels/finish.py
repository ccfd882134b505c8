"""Kernel: from the candidates of a family to the solutions of a real arm: polished, checked, tagged and ranked."""

from __future__ import annotations

import functools
import math
from typing import Any

from numba import njit

from ....kinematics.core.argument_table import float_matrix, float_vector, integer_matrix, integer_vector, table_at
from ....kinematics.core.finite import all_finite
from ....kinematics.core.lanes import INLINE, INNER, JIT, absolute, any_lane, floor, maximum, minimum, where
from ....kinematics.core.whole_turns import TURN
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
    TURNS,
    UNCHECKED,
    UPPER,
)
from ...compiled.task import CompiledTask
from .flags import LIMIT_VIOLATED, OUT_OF_REACH, SINGULAR
from .layout import (
    ANGLE,
    ANSWER,
    BEYOND,
    COUNTS,
    DISTANCE,
    ERRORS,
    FACTS,
    GOALS,
    KEY,
    LOCAL,
    MANY_ANSWERS,
    MANY_VALIDITIES,
    NUMBERS,
    ORDER,
    PLACES,
    RAW,
    RAW_FLAGS,
    SEEDS,
    VALIDITY,
)

#: Squared error (m^2, rad^2) that is left as it is; below it is rounding.
_EXACT = 1e-24
#: Polishing steps at most, and for what does not reach, until the nearest pose is found.
_STEPS, _NEAREST_STEPS = 8, 60
#: Damping of a polishing step: a part of the squared error, and next to nothing. What does not reach gets more, for
#: with an error that stays the curvature of the motion counts as much as the Jacobian.
_DAMPING, _NEAREST_DAMPING, _FLOOR = 0.01, 1.0, 1e-14
#: Largest change of a joint in a polishing step (rad or m).
_LARGEST = 0.3
#: Configurations nearer to one another than this are the same, by their largest difference (rad or m): double roots
#: are known to half the digits; nearest configurations are only as near as the steps got.
_SAME, _SAME_NEAREST = 1e-6, 1e-3
#: Limits count with this slack (rad or m), as `whole_turns.nearest_equivalent` has it.
_SLACK = 1e-12
#: Separates the ranks; larger than any distance.
_RANK = 1e9
#: Bookkeeping of a lane: the part of the squared error that is its damping; the nearest squared errors; the largest
#: difference from the seed, and the number of joints beyond their limits.
_PART, _BEST_DISTANCE, _BEST_ANGLE, _AWAY, _BEYOND = range(5)


@functools.cache
def make_closed_form(candidates: Any, task: CompiledTask, width: int) -> Any:
    """The compiled closed form of a family's kernel for a task and a lane width: for one goal, and for many."""
    look, differentiate = make_look(task), task.jacobian
    parts = make_parts(width)

    @njit(**INLINE)
    def polish(plan, n, rows, data, work, x, best):
        """Moves the configurations of all lanes onto the goal, or as near to it as they get."""
        er, sq, bk, _, tf, tg, fr, xs, jj, gr, _, sc, bs = parts(work, n, plan[0].shape[0])
        look(plan, data, xs, fr, tf, tg, sc, er, sq)
        if not any_lane((sq[0] > _EXACT) | (sq[1] > _EXACT)):
            return
        for k in range(n):
            bs[k] = xs[k]
        bk[_BEST_DISTANCE], bk[_BEST_ANGLE] = sq[0], sq[1]
        steps = _NEAREST_STEPS if any_lane(bk[_PART] > _DAMPING) else _STEPS
        for _ in range(steps):
            differentiate(plan, n, fr, tf, tg, data, sc, er, jj)
            square = 0.0 * er[0]
            for i in range(rows):
                square += er[i] * er[i]
            damped_step(jj, er, rows, n, bk[_PART] * square + _FLOOR, gr)
            largest = 0.0 * square + _LARGEST
            for k in range(n):
                largest = maximum(largest, absolute(gr[k]))
            scale = _LARGEST / largest
            for k in range(n):
                xs[k] = xs[k] - scale * gr[k]
            look(plan, data, xs, fr, tf, tg, sc, er, sq)
            before = bk[_BEST_DISTANCE] + bk[_BEST_ANGLE]
            after = sq[0] + sq[1]
            is_nearer = after < before
            goes_on = (after < 0.9999 * before) & (after > _EXACT)
            bk[_BEST_DISTANCE] = where(is_nearer, sq[0], bk[_BEST_DISTANCE])
            bk[_BEST_ANGLE] = where(is_nearer, sq[1], bk[_BEST_ANGLE])
            for k in range(n):
                bs[k] = where(is_nearer, xs[k], bs[k])
            if not any_lane(goes_on):
                break
        for k in range(n):
            xs[k] = bs[k]
        sq[0], sq[1] = bk[_BEST_DISTANCE], bk[_BEST_ANGLE]

    @njit(**INLINE)
    def look_at_all(count, plan, n, joints, rows, data, work, goal, seed, raw, flags, facts):
        """Polishes the candidates, W at a time, and turns their angles; writes back what is found out about them."""
        x, best = first_rows(n, plan[0].shape[0])
        _, _, bk, _, _, _, _, xs, _, _, _, _, _ = parts(work, n, plan[0].shape[0])
        for i in range(4):
            for j in range(3):
                place = 3 * i + j if i < 3 else 9 + j
                value = goal[4 * i + j] if i < 3 else goal[4 * j + 3]
                for lane in range(width):
                    work[AIM + place, lane] = value
        for first in range(0, count, width):
            for lane in range(width):
                c = min(first + lane, count - 1)
                for k in range(n):
                    work[x + k, lane] = raw[c, k]
                is_near = flags[c] & OUT_OF_REACH != 0
                work[BOOKKEEPING + _PART, lane] = _NEAREST_DAMPING if is_near else _DAMPING
            polish(plan, n, rows, data, work, x, best)
            _turn(n, joints, seed, xs, bk)
            for lane in range(min(width, count - first)):
                for k in range(n):
                    raw[first + lane, k] = work[x + k, lane]
                facts[first + lane, DISTANCE] = work[SQUARES, lane]
                facts[first + lane, ANGLE] = work[SQUARES + 1, lane]
                facts[first + lane, KEY] = work[BOOKKEEPING + _AWAY, lane]
                facts[first + lane, BEYOND] = work[BOOKKEEPING + _BEYOND, lane]

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
        look_at_all(count, plan, n, joints, counts[ROWS], data, work, goal, local, raw, flags, facts)
        tolerance = settings[POSITION_TOLERANCE] ** 2
        for c in range(count):
            _judge(c, tolerance, flags, facts)
        _rank(count, facts)
        return _write(count, n, raw, flags, facts, answer, validity, errors)

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


@njit(**INLINE)
def _turn(n: int, joints: Any, seed: Any, x: Any, book: Any) -> None:
    """Turns the angles of configurations x (n,) to where they are inside the limits and nearest to the seed.

    Notes the largest difference from the seed, and in how many joints there is no such place.
    """
    away = 0.0 * x[0]
    beyond = 0.0 * x[0]
    for k in range(n):
        value = x[k]
        near, lower, upper = seed[k], joints[LOWER, k], joints[UPPER, k]
        if joints[TURNS, k] != 0.0:
            turned = value - TURN * floor((value - near) * (1.0 / TURN) + 0.5)
            if any_lane((turned > upper) | (turned < lower)):
                # The first equivalent on the inner side of a limit that it is beyond, if that is inside.
                back = value + TURN * floor((upper + _SLACK - value) * (1.0 / TURN))
                forth = value - TURN * floor((value - lower + _SLACK) * (1.0 / TURN))
                turned = where((turned > upper + _SLACK) & (back >= lower - _SLACK), back, turned)
                turned = where((turned < lower - _SLACK) & (forth <= upper + _SLACK), forth, turned)
            value = turned
        is_beyond = (value > upper + _SLACK) | (value < lower - _SLACK)
        value = where(is_beyond, value, minimum(maximum(value, lower + 0.0 * value), upper + 0.0 * value))
        beyond = where(is_beyond, beyond + 1.0, beyond)
        away = maximum(away, absolute(value - near))
        x[k] = value
    book[_AWAY] = away
    book[_BEYOND] = beyond


@njit(**INNER)
def _judge(c: int, tolerance: float, flags: Any, facts: Any) -> None:
    """Sets the flags of a candidate and what it is ranked by."""
    flag = flags[c] & SINGULAR
    if facts[c, BEYOND] > 0.0:
        flag |= LIMIT_VIOLATED
    if facts[c, DISTANCE] > tolerance or facts[c, ANGLE] > tolerance:
        flag |= OUT_OF_REACH
    flags[c] = flag
    rank = 2.0 if flag & LIMIT_VIOLATED else (1.0 if flag & OUT_OF_REACH else 0.0)
    facts[c, KEY] += rank * _RANK


@njit(**INNER)
def _rank(count: int, facts: Any) -> None:
    """Writes the places of the candidates, from the best to the worst, into the last column of the facts."""
    for c in range(count):
        key, at = facts[c, KEY], c
        while at > 0 and facts[int(facts[at - 1, ORDER]), KEY] > key:
            facts[at, ORDER] = facts[at - 1, ORDER]
            at -= 1
        facts[at, ORDER] = c


@njit(**INNER)
def _is_repeated(place: int, n: int, raw: Any, flags: Any, facts: Any) -> bool:
    """Whether a candidate is the same configuration as one that is ranked before it."""
    c = int(facts[place, ORDER])
    limit = _SAME_NEAREST if flags[c] & OUT_OF_REACH != 0 else _SAME
    for before in range(place - 1, -1, -1):
        other = int(facts[before, ORDER])
        # Their distances from the seed cannot differ by more than they do; ranks are worth more than that.
        if facts[c, KEY] - facts[other, KEY] > limit:
            return False
        is_same = True
        for k in range(n):
            if abs(raw[c, k] - raw[other, k]) > limit:
                is_same = False
                break
        if is_same:
            return True
    return False


@njit(**INNER)
def _write(count: int, n: int, raw: Any, flags: Any, facts: Any, answer: Any, validity: Any, errors: Any) -> int:
    """Writes each configuration once, from the best to the worst; how many."""
    written = 0
    for place in range(count):
        if place > 0 and _is_repeated(place, n, raw, flags, facts):
            continue
        c = int(facts[place, ORDER])
        for k in range(n):
            answer[written, k] = raw[c, k]
        validity[written] = flags[c] & (OUT_OF_REACH | LIMIT_VIOLATED)
        errors[written, 0] = math.sqrt(facts[c, DISTANCE])
        errors[written, 1] = math.sqrt(facts[c, ANGLE])
        errors[written, 2] = 1.0 if flags[c] & SINGULAR else 0.0
        written += 1
    return written
