"""The nodes of a branch of a redundant arm, and which gaps between them may hold something better than the best node.

Over a gap in which an angle does not turn back it runs through all values between those at the ends. So it is known how
near to the seed, or how little outside its limits, each angle comes there, and the greatest of these numbers is a bound
for the gap: most gaps are passed over. A gap in which an angle passes from one end of its limits to the other, a whole
turn away, is noted once for each.
"""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER, absolute, maximum, minimum, native_width, where
from ....kinematics.core.whole_turns import TURN
from . import redundancy_layout as at
from .redundancy_arena import make_load, make_store
from .redundancy_bracket import least_of, merit_of, sat_down, swing_of
from .redundancy_window import REAL, UNREAL, enough_for

#: Nodes, or brackets, that are worked on at once.
WIDTH = native_width()
#: Rows of a table of nodes: r, the piece of the branch that it is on (a gap joins nodes of one piece), the margin of
#: what is real, seven angles, seven derivatives.
NODE_R, NODE_PIECE, NODE_MARGIN, NODE_Q = 0, 1, 2, 3
NODE_D = NODE_Q + at.JOINTS
NODE_ROWS = NODE_D + at.JOINTS
#: Columns that a row of nodes needs beyond them: registers are read and written whole.
SPARE = WIDTH + 1
#: Branches at most, and for each: merit, r, piece.
MOST_BRANCHES = 8
BEST_MERIT, BEST_R, BEST_PIECE, BEST_ROWS = 0, 1, 2, 3
#: A gap that waits: its bound, branch, left node, which angles are to be a turn away (in bits), and the row of a
#: bracket that was split off.
WAIT_BOUND, WAIT_BRANCH, WAIT_NODE, WAIT_TURNS, WAIT_ROW, WAIT_SIZE = 0, 1, 2, 3, 4, 5
MOST_WAITING = 256
#: How far an angle (rad) may go beyond its values at the ends of a gap that reaches to where nothing is real.
_EDGE = 0.5
#: Rows of what is known of nodes and of the gaps behind them: how far outside, how far from the seed, weighted squares;
#: the same as bounds, and a bit for each angle that leaves its window.
OUT, FARTHEST, SQUARES, GAP_OUT, GAP_FARTHEST, GAP_SQUARES, GAP_CROSSING, RATED_ROWS = 0, 1, 2, 3, 4, 5, 6, 7

load, store = make_load(WIDTH), make_store(WIDTH)


@njit(**INNER)
def rate_nodes(numbers, window, table, q, joints, first, count, rated_rows, out):
    """Moves angles of nodes into their window, and works out how far outside and how far from the seed they are.

    Args:
        numbers: What the fit found.
        window: From `prepare_window`.
        table: (rows, nodes) that has the angles of neighbouring joints.
        q: Row of the first angle.
        joints: How many there are.
        first: The first joint.
        count: Number of nodes.
        rated_rows: Written (rows, nodes): three rows.
        out: The first of them.
    """
    for column in range(0, count, WIDTH):
        zero = 0.0 * load(table, q, column)
        outside, farthest, squares = zero, zero, zero
        for i in range(joints):
            j = first + i
            x = sat_down(load(table, q + i, column), window[0, j])
            store(table, q + i, column, x)
            away = absolute(x - window[3, j])
            farthest = maximum(farthest, away)
            squares += numbers[at.WEIGHTS + j] * away * away
            outside = maximum(outside, maximum(window[1, j] - x, x - window[2, j]))
        store(rated_rows, out + OUT, column, outside)
        store(rated_rows, out + FARTHEST, column, farthest)
        store(rated_rows, out + SQUARES, column, squares)


@njit(**INNER)
def rate_gaps(numbers, window, table, q, d, joints, first, count, rated_rows, out):
    """Bounds for the gaps behind nodes (seated by `rate_nodes`), where no angle turns back: four more rows."""
    for column in range(0, count - 1, WIDTH):
        zero = 0.0 * load(table, q, column)
        outside, farthest, squares, crossing = zero, zero, zero, zero
        for i in range(joints):
            j = first + i
            low, high, seed, start = window[1, j], window[2, j], window[3, j], window[0, j]
            x = load(table, q + i, column)
            change = path_of(
                x, load(table, q + i, column + 1), load(table, d + i, column) + load(table, d + i, column + 1)
            )
            p, e = x + minimum(change, zero), x + maximum(change, zero)
            away, near = least_of(low, high, seed, p, e)
            turn = where(e >= start + TURN, zero + TURN, where(p < start, zero - TURN, zero))
            away_too, near_too = least_of(low + turn, high + turn, seed + turn, p, e)
            better = (away_too < away) | ((away_too == away) & (near_too < near))
            crossing += where(turn == 0.0, zero, zero + float(1 << j))
            outside = maximum(outside, where(better, away_too, away))
            near = where(better, near_too, near)
            farthest = maximum(farthest, near)
            squares += numbers[at.WEIGHTS + j] * near * near
        store(rated_rows, out + GAP_OUT, column, outside)
        store(rated_rows, out + GAP_FARTHEST, column, farthest)
        store(rated_rows, out + GAP_SQUARES, column, squares)
        store(rated_rows, out + GAP_CROSSING, column, crossing)


@njit(**INNER)
def rate_loose_gaps(numbers, window, table, r, margin, q, d, joints, first, count, rated_rows, out):
    """`rate_gaps` where angles may turn back as far as the derivatives tell; ``r`` and ``margin`` are rows, too."""
    for column in range(0, count - 1, WIDTH):
        zero = 0.0 * load(table, q, column)
        outside, farthest, squares = zero, zero, zero
        width = load(table, r, column + 1) - load(table, r, column)
        m0, m1 = load(table, margin, column), load(table, margin, column + 1)
        edge = minimum(m0, m1) < -REAL
        for i in range(joints):
            j = first + i
            x0, x1 = load(table, q + i, column), load(table, q + i, column + 1)
            swing = swing_of(width, x0, load(table, d + i, column), x1, load(table, d + i, column + 1))
            swing = where(edge, zero + _EDGE, swing)
            p, e = minimum(x0, x1) - swing, maximum(x0, x1) + swing
            away, near = least_of(window[1, j], window[2, j], window[3, j], p, e)
            outside, farthest = maximum(outside, away), maximum(farthest, near)
            squares += numbers[at.WEIGHTS + j] * near * near
        store(rated_rows, out + GAP_OUT, column, outside)
        store(rated_rows, out + GAP_FARTHEST, column, farthest)
        store(rated_rows, out + GAP_SQUARES, column, squares)
        store(rated_rows, out + GAP_CROSSING, column, zero)


@njit(**INLINE)
def path_of(x0, x1, sense):
    """The change of an angle over a gap in which it does not turn back; ``sense`` is the sum of the derivatives."""
    change = x1 - x0
    change = where(change > math.pi, change - TURN, change)
    change = where(change < -math.pi, change + TURN, change)
    # The derivatives tell the sense, unless both ends are turning points.
    sense = where(absolute(sense) < 1e-6, change, sense)
    change = where((sense > 0.0) & (change < -1e-7), change + TURN, change)
    return where((sense < 0.0) & (change > 1e-7), change - TURN, change)


@njit(**INNER)
def note_best(numbers, r, piece, margin, count, rated_rows, best, branch):
    """Notes the best node of a branch, if it is better than what is noted."""
    by_squares = numbers[at.MEASURE] > 0.5
    for k in range(count):
        merit = merit_of(rated_rows[OUT, k], rated_rows[FARTHEST, k], rated_rows[SQUARES, k], by_squares)
        if margin[k] < -REAL:
            merit = UNREAL * (1.0 - margin[k])
        if merit < best[branch, BEST_MERIT]:
            best[branch, BEST_MERIT], best[branch, BEST_R], best[branch, BEST_PIECE] = merit, r[k], piece[k]


@njit(**INNER)
def add_waiting(numbers, r, piece, margin, count, rated_rows, branch, best, queue, waiting):
    """Notes the gaps of a branch in which something better than its best node may be; gives the number that wait."""
    by_squares, enough = numbers[at.MEASURE] > 0.5, enough_for(best[branch, BEST_MERIT])
    for k in range(count - 1):
        bound = merit_of(rated_rows[GAP_OUT, k], rated_rows[GAP_FARTHEST, k], rated_rows[GAP_SQUARES, k], by_squares)
        if bound >= enough or piece[k] != piece[k + 1] or r[k + 1] - r[k] < 1e-12:
            continue
        if margin[k] < -REAL and margin[k + 1] < -REAL:
            continue
        crossing = int(rated_rows[GAP_CROSSING, k])
        turns = crossing
        while waiting < MOST_WAITING:
            queue[waiting, WAIT_BOUND], queue[waiting, WAIT_BRANCH] = bound, branch
            queue[waiting, WAIT_NODE], queue[waiting, WAIT_TURNS], queue[waiting, WAIT_ROW] = k, turns, -1.0
            waiting += 1
            if turns == 0:
                break
            # The next set of the angles that leave their window.
            turns = (turns - 1) & crossing
    return waiting
