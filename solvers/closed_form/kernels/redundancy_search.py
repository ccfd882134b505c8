"""The configuration inside the limits that is nearest to a seed, on every branch of a redundant arm.

A branch is a curve of configurations over one number r, the redundancy. At some values of r, the nodes, angles and
their derivatives are known (`redundancy_nodes`); gaps between them that may hold something better are brackets to close
(`redundancy_bracket`). W brackets are worked on at once, in the lanes of a SIMD register, the most promising first.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER, make_vector, maximum, minimum, where
from ....kinematics.core.whole_turns import TURN
from . import redundancy_bracket as task_at
from . import redundancy_layout as at
from .redundancy_bracket import TASK_ROWS, is_edge, is_promising, narrow, next_part, rated, sat_down
from .redundancy_nodes import (
    BEST_MERIT,
    BEST_PIECE,
    BEST_R,
    NODE_D,
    NODE_MARGIN,
    NODE_PIECE,
    NODE_Q,
    NODE_R,
    WAIT_BOUND,
    WAIT_BRANCH,
    WAIT_NODE,
    WAIT_ROW,
    WAIT_TURNS,
    WIDTH,
    path_of,
)
from .redundancy_window import enough_for

#: Rows of the lanes' numbers: what the evaluation reads, and the least sine that it writes behind that, angles,
#: derivatives, the margin of what is real, the brackets, the bits of angles that are to be a turn away, the states of
#: the lanes.
LOAD_ROWS = 40
LOAD_SINE = LOAD_ROWS - 1
LANE_Q = LOAD_ROWS
LANE_D = LANE_Q + at.JOINTS
LANE_MARGIN = LANE_D + at.JOINTS
LANE_TASK = LANE_MARGIN + 1
LANE_TURNS = LANE_TASK + TASK_ROWS
LANE_STATE = LANE_TURNS + at.JOINTS
_FINDING = LANE_STATE + 1  #: merit, slope, curve, part where it should be split
LANE_ROWS = _FINDING + 4
#: States of a lane.
_IDLE, _NEW, _SPLIT_OFF, _BUSY = 0.0, 1.0, 2.0, 3.0
#: Brackets that may be split off at once, and how often one may be split.
MOST_SPLIT_OFF, _MOST_SPLITS = 192, 7.0


@njit(**INNER)
def gap_of_table(tables, branch, k, lanes, lane):
    """Writes what a branch's table of nodes knows of a gap into a column of the lanes' brackets."""
    for side in range(2):
        end = LANE_TASK + (task_at.RIGHT if side else task_at.LEFT)
        q, d = (task_at.RIGHT_Q, task_at.RIGHT_D) if side else (task_at.LEFT_Q, task_at.LEFT_D)
        lanes[end, lane] = tables[branch, NODE_R, k + side]
        lanes[end + task_at.MARGIN, lane] = tables[branch, NODE_MARGIN, k + side]
        for j in range(at.JOINTS):
            lanes[LANE_TASK + q + j, lane] = tables[branch, NODE_Q + j, k + side]
            lanes[LANE_TASK + d + j, lane] = tables[branch, NODE_D + j, k + side]
    lanes[LANE_TASK + task_at.PIECE, lane] = tables[branch, NODE_PIECE, k]


def make_search(evaluate: Any, assign: Any, gap_of: Any) -> Any:
    """The search over all branches of a kind of arm.

    Args:
        evaluate: ``evaluate(numbers, state, load, q, d) -> margin`` in lanes: angles (7,) and derivatives at the value
            of r in ``load[0]``; they are solutions where the margin is not below zero. It writes the least sine of an
            angle between axes that must not be in line into ``load[LOAD_SINE]``.
        assign: ``assign(numbers, state, branch, piece, lanes, lane)`` writes into a column of ``lanes`` (LANE_ROWS,
            WIDTH) what the evaluation has to know of a branch, or a piece of it.
        gap_of: ``gap_of(nodes, branch, k, lanes, lane)`` writes what is known of both ends of a gap into a column of
            the lanes' brackets: r, margin, angles (seated) and derivatives, and the piece.
    """
    vector = make_vector(WIDTH)

    @njit(**INNER)
    def refill(numbers, window, state, nodes, best, queue, first, waiting, split_off, lanes, exact):
        """Gives idle lanes the most promising gaps that wait, until all are busy or none waits.

        Returns how many are busy, and before which place of the queue nothing is of use any more.
        """
        while True:
            busy, new = 0, 0
            for lane in range(WIDTH):
                if lanes[LANE_STATE, lane] == _IDLE and first < waiting:
                    taken = _take(queue, first, waiting, best)
                    if taken < 0:
                        first = waiting
                    else:
                        _give(queue, taken, nodes, best, split_off, lanes, lane)
                        branch = int(lanes[LANE_TASK + task_at.BRANCH, lane])
                        assign(numbers, state, branch, int(lanes[LANE_TASK + task_at.PIECE, lane]), lanes, lane)
                        new += 1
                busy += lanes[LANE_STATE, lane] != _IDLE
            if new == 0:
                return busy, first
            _begin(
                numbers, window, vector(lanes, LANE_TASK), vector(lanes, LANE_TURNS), vector(lanes, LANE_STATE), exact
            )

    @njit(**INNER)
    def _give(queue, taken, nodes, best, split_off, lanes, lane):
        branch, row = int(queue[taken, WAIT_BRANCH]), int(queue[taken, WAIT_ROW])
        if row >= 0:
            for k in range(TASK_ROWS):
                lanes[LANE_TASK + k, lane] = split_off[row, k]
            lanes[LANE_STATE, lane] = _SPLIT_OFF
        else:
            gap_of(nodes, branch, int(queue[taken, WAIT_NODE]), lanes, lane)
            turns = int(queue[taken, WAIT_TURNS])
            for j in range(at.JOINTS):
                lanes[LANE_TURNS + j, lane] = float((turns >> j) & 1)
            lanes[LANE_TASK + task_at.BRANCH, lane] = branch
            lanes[LANE_STATE, lane] = _NEW
        lanes[LANE_TASK + task_at.ENOUGH, lane] = enough_for(best[branch, BEST_MERIT])

    @njit(**INNER)
    def work(numbers, window, state, nodes, best, queue, waiting, split_off, lanes, exact):
        """Works through the gaps that wait; betters ``best`` (branches, BEST_ROWS), what was found so far."""
        off, first = 0, 0
        for lane in range(WIDTH):
            lanes[LANE_STATE, lane] = _IDLE
        task, finding, mode = vector(lanes, LANE_TASK), vector(lanes, _FINDING), vector(lanes, LANE_STATE)
        load, q, d, margin = vector(lanes, 0), vector(lanes, LANE_Q), vector(lanes, LANE_D), vector(lanes, LANE_MARGIN)
        while True:
            busy, first = refill(numbers, window, state, nodes, best, queue, first, waiting, split_off, lanes, exact)
            if busy == 0:
                break
            part = next_part(task)
            if not exact:
                finding[3] = task[task_at.PART]
                part = where(finding[3] > 0.0, finding[3], part)
            load[0] = task[task_at.LEFT] + part * (task[task_at.RIGHT] - task[task_at.LEFT])
            margin[0] = evaluate(numbers, state, load, q, d)
            for j in range(at.JOINTS):
                q[j] = sat_down(q[j], task[task_at.START + j])
            merit, slope, curve, bound = rated(numbers, task, load, LANE_Q, LANE_D, margin[0])
            finding[0], finding[1], finding[2] = merit, slope, curve
            _note(best, lanes)
            if not exact:
                waiting, off = _split(queue, waiting, split_off, off, lanes)
            forced = 0.0 * merit if exact else finding[3]
            going = narrow(
                numbers, task, load, 0, LANE_Q, LANE_D, (merit, slope, curve, bound, margin[0]), forced, exact
            )
            mode[0] = where((mode[0] == _BUSY) & (going > 0.5), mode[0], 0.0 * going)

    return work


@njit(**INNER)
def _begin(numbers, window, task, turns, mode, exact):
    """Fills in the rest of new brackets, of which r, margins, angles and derivatives at both ends are there."""
    new = mode[0] == _NEW
    zero = 0.0 * mode[0]
    for j in range(at.JOINTS):
        start, sense, turn, end = zero + window[0, j], zero, zero, task[task_at.RIGHT_Q + j]
        if exact:
            begin = task[task_at.LEFT_Q + j]
            change = path_of(begin, end, task[task_at.LEFT_D + j] + task[task_at.RIGHT_D + j])
            sense = where(change >= 0.0, zero + 1.0, zero - 1.0)
            p, e = begin + minimum(change, zero), begin + maximum(change, zero)
            end = begin + change
            turn = where(e >= start + TURN, zero + TURN, where(p < start, zero - TURN, zero)) * turns[j]
            start = 0.5 * (p + e) - math.pi
        task[task_at.START + j] = where(new, start, task[task_at.START + j])
        task[task_at.RIGHT_Q + j] = where(new, end, task[task_at.RIGHT_Q + j])
        task[task_at.LOWER + j] = where(new, window[1, j] + turn, task[task_at.LOWER + j])
        task[task_at.UPPER + j] = where(new, window[2, j] + turn, task[task_at.UPPER + j])
        task[task_at.SEED + j] = where(new, window[3, j] + turn, task[task_at.SEED + j])
        task[task_at.SENSE + j] = where(new, sense, task[task_at.SENSE + j])
    splits = zero if exact else where(is_edge(task), zero, zero + _MOST_SPLITS)
    task[task_at.SPLITS] = where(new, splits, task[task_at.SPLITS])
    task[task_at.SLOW], task[task_at.TRIES] = (
        where(new, zero, task[task_at.SLOW]),
        where(new, zero, task[task_at.TRIES]),
    )
    merit, slope, curve, _ = rated(
        numbers, task, task, task_at.LEFT_Q, task_at.LEFT_D, task[task_at.LEFT + task_at.MARGIN]
    )
    _put_end(task, task_at.LEFT, new, merit, slope, curve)
    merit, slope, curve, _ = rated(
        numbers, task, task, task_at.RIGHT_Q, task_at.RIGHT_D, task[task_at.RIGHT + task_at.MARGIN]
    )
    _put_end(task, task_at.RIGHT, new, merit, slope, curve)
    promising = is_promising(numbers, task, exact)
    mode[0] = where(new | (mode[0] == _SPLIT_OFF), where(promising > 0.5, zero + _BUSY, zero + _IDLE), mode[0])


@njit(**INLINE)
def _put_end(task, end, new, merit, slope, curve):
    task[end + task_at.MERIT] = where(new, merit, task[end + task_at.MERIT])
    task[end + task_at.SLOPE] = where(new, slope, task[end + task_at.SLOPE])
    task[end + task_at.CURVE] = where(new, curve, task[end + task_at.CURVE])


@njit(**INLINE)
def _note(best, lanes):
    """Notes what is better than what its branch has."""
    for lane in range(WIDTH):
        if lanes[LANE_STATE, lane] == _BUSY:
            branch, merit = int(lanes[LANE_TASK + task_at.BRANCH, lane]), lanes[_FINDING, lane]
            if merit < best[branch, BEST_MERIT]:
                best[branch, BEST_MERIT], best[branch, BEST_R] = merit, lanes[0, lane]
                best[branch, BEST_PIECE] = lanes[LANE_TASK + task_at.PIECE, lane]
    for lane in range(WIDTH):
        if lanes[LANE_STATE, lane] == _BUSY:
            branch = int(lanes[LANE_TASK + task_at.BRANCH, lane])
            lanes[LANE_TASK + task_at.ENOUGH, lane] = enough_for(best[branch, BEST_MERIT])


@njit(**INNER)
def _split(queue, waiting, split_off, off, lanes):
    """Splits off the right part of brackets in which an angle turns back; the left part goes on.

    Gives the number that wait, and of those that were split off.
    """
    for lane in range(WIDTH):
        if lanes[LANE_STATE, lane] != _BUSY or lanes[_FINDING + 3, lane] == 0.0:
            continue
        lanes[LANE_TASK + task_at.SPLITS, lane] -= 1.0
        if waiting < len(queue) and off < len(split_off):
            for k in range(TASK_ROWS):
                split_off[off, k] = lanes[LANE_TASK + k, lane]
            split_off[off, task_at.LEFT] = lanes[0, lane]
            split_off[off, task_at.LEFT + task_at.MARGIN] = lanes[LANE_MARGIN, lane]
            for k in range(3):
                split_off[off, task_at.LEFT + task_at.MERIT + (k if k < 2 else 3)] = lanes[_FINDING + k, lane]
            for j in range(at.JOINTS):
                split_off[off, task_at.LEFT_Q + j] = lanes[LANE_Q + j, lane]
                split_off[off, task_at.LEFT_D + j] = lanes[LANE_D + j, lane]
            queue[waiting, WAIT_BOUND], queue[waiting, WAIT_ROW] = 0.0, off
            queue[waiting, WAIT_BRANCH] = lanes[LANE_TASK + task_at.BRANCH, lane]
            waiting, off = waiting + 1, off + 1
    return waiting, off


@njit(**INNER)
def _take(queue, first, waiting, best):
    """The waiting gap of the least bound that may better its branch; -1 when there is none."""
    found, least = -1, 1e300
    for t in range(first, waiting):
        bound = queue[t, WAIT_BOUND]
        if bound < least:
            if bound < enough_for(best[int(queue[t, WAIT_BRANCH]), BEST_MERIT]):
                found, least = t, bound
            else:
                queue[t, WAIT_BOUND] = 1e300
    if found >= 0:
        queue[found, WAIT_BOUND] = 1e300
    return found
