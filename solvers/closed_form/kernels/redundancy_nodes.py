"""The nodes of a branch of a redundant arm, and which gaps between them may hold something better than the best node.

Over a gap in which an angle does not turn back it runs through all values between those at the ends. So it is known how
near to the seed, or how little outside its limits, each angle comes there, and the greatest of these numbers is a bound
for the gap: most gaps are passed over. A gap in which an angle passes from one end of its limits to the other, a whole
turn away, is noted once for each.
"""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER
from ....kinematics.core.whole_turns import TURN
from . import redundancy_bracket as task_at
from . import redundancy_layout as at
from .redundancy_bracket import is_edge, least_of, rated, swing_of
from .redundancy_window import CLOSE, REAL, UNREAL, merit_of

#: Rows of a table of nodes: r, the piece of the branch that it is on (a gap joins nodes of one piece), the margin of what
#: is real, seven angles, seven derivatives.
NODE_R, NODE_PIECE, NODE_MARGIN, NODE_Q = 0, 1, 2, 3
NODE_D = NODE_Q + at.JOINTS
NODE_ROWS = NODE_D + at.JOINTS
#: Branches at most, and for each: merit, r, piece.
MOST_BRANCHES = 8
BEST_MERIT, BEST_R, BEST_PIECE, BEST_ROWS = 0, 1, 2, 3
#: A gap that waits: its bound, branch, left node, which of its windows, and the row of its task once it has one.
WAIT_BOUND, WAIT_BRANCH, WAIT_NODE, WAIT_CHOICE, WAIT_ROW, WAIT_SIZE = 0, 1, 2, 3, 4, 5
MOST_WAITING = 256
#: Tasks at once: one per lane, and those that splitting makes.
MOST_TASKS, MOST_SPLITS = 64, 7.0
#: How far an angle (rad) may go beyond its values at the ends of a gap that reaches to where nothing is real.
_EDGE = 0.5
#: Rows of what is known of nodes and of the gaps behind them: how far outside, how far from the seed, weighted squares;
#: the same as bounds, and a bit for each angle that leaves its window.
OUT, FARTHEST, SQUARES, GAP_OUT, GAP_FARTHEST, GAP_SQUARES, GAP_CROSSING, RATED_ROWS = 0, 1, 2, 3, 4, 5, 6, 7


@njit(**INNER)
def rate_nodes(numbers, window, q, first, count, rated_rows):
    """Moves angles of nodes into their window, and works out how far outside and how far from the seed they are.

    Args:
        numbers: What the fit found.
        window: From `prepare_window`.
        q: (m, nodes) of neighbouring joints.
        first: The first of these.
        count: Number of nodes.
        rated_rows: Written (RATED_ROWS, nodes): the first three.
    """
    outside, fars, squares = rated_rows[OUT], rated_rows[FARTHEST], rated_rows[SQUARES]
    for k in range(count):
        outside[k] = fars[k] = squares[k] = 0.0
    for i in range(len(q)):
        j = first + i
        start, low, high, seed = window[0, j], window[1, j], window[2, j], window[3, j]
        weight, row = numbers[at.WEIGHTS + j], q[i]
        for k in range(count):
            x = row[k]
            x = x + TURN if x < start else x
            x = x + TURN if x < start else x
            x = x - TURN if x >= start + TURN else x
            x = x - TURN if x >= start + TURN else x
            row[k] = x
            away = abs(x - seed)
            fars[k] = max(fars[k], away)
            squares[k] += weight * away * away
            outside[k] = max(outside[k], max(low - x, x - high))


@njit(**INNER)
def rate_gaps(numbers, window, q, d, first, count, rated_rows):
    """Bounds for the gaps behind nodes (seated by `rate_nodes`), where no angle turns back; the last rows of the rated."""
    outside, fars, squares = rated_rows[GAP_OUT], rated_rows[GAP_FARTHEST], rated_rows[GAP_SQUARES]
    crossing = rated_rows[GAP_CROSSING]
    for k in range(count - 1):
        outside[k] = fars[k] = squares[k] = crossing[k] = 0.0
    for i in range(len(q)):
        j = first + i
        start, low, high, seed = window[0, j], window[1, j], window[2, j], window[3, j]
        weight, bit, x, v = numbers[at.WEIGHTS + j], float(1 << j), q[i], d[i]
        for k in range(count - 1):
            change = path_of(x[k], x[k + 1], v[k] + v[k + 1])
            p, e = x[k] + min(change, 0.0), x[k] + max(change, 0.0)
            away, near = least_of(low, high, seed, p, e)
            over, under = e >= start + TURN, p < start
            turn = TURN if over else (-TURN if under else 0.0)
            away_too, near_too = least_of(low + turn, high + turn, seed + turn, p, e)
            better = away_too < away or (away_too == away and near_too < near)
            away, near = (away_too if better else away), (near_too if better else near)
            crossing[k] += bit if turn != 0.0 else 0.0
            outside[k] = max(outside[k], away)
            fars[k] = max(fars[k], near)
            squares[k] += weight * near * near


@njit(**INNER)
def rate_loose_gaps(numbers, window, table, count, rated_rows):
    """`rate_gaps` for all angles of a table of nodes, where they may turn back as far as the derivatives tell."""
    outside, fars, squares = rated_rows[GAP_OUT], rated_rows[GAP_FARTHEST], rated_rows[GAP_SQUARES]
    for k in range(count - 1):
        outside[k] = fars[k] = squares[k] = rated_rows[GAP_CROSSING, k] = 0.0
    r, margin = table[NODE_R], table[NODE_MARGIN]
    for j in range(at.JOINTS):
        low, high, seed, x, v = window[1, j], window[2, j], window[3, j], table[NODE_Q + j], table[NODE_D + j]
        weight = numbers[at.WEIGHTS + j]
        for k in range(count - 1):
            swing = swing_of(r[k + 1] - r[k], x[k], v[k], x[k + 1], v[k + 1])
            swing = _EDGE if (margin[k] < -REAL) != (margin[k + 1] < -REAL) else swing
            p, e = min(x[k], x[k + 1]) - swing, max(x[k], x[k + 1]) + swing
            away, near = least_of(low, high, seed, p, e)
            outside[k] = max(outside[k], away)
            fars[k] = max(fars[k], near)
            squares[k] += weight * near * near


@njit(**INLINE)
def path_of(x0, x1, sense):
    """The change of an angle over a gap in which it does not turn back; ``sense`` is the sum of the derivatives."""
    change = x1 - x0
    change = change - TURN if change > math.pi else change
    change = change + TURN if change < -math.pi else change
    # The derivatives tell the sense, unless both ends are turning points.
    sense = change if abs(sense) < 1e-6 else sense
    change = change + TURN if sense > 0.0 and change < -1e-7 else change
    return change - TURN if sense < 0.0 and change > 1e-7 else change


@njit(**INNER)
def note_best(numbers, r, piece, margin, count, rated_rows, best):
    """Notes the best node of a branch, if it is better than what is noted."""
    by_squares = numbers[at.MEASURE] > 0.5
    for k in range(count):
        merit = merit_of(rated_rows[OUT, k], rated_rows[FARTHEST, k], rated_rows[SQUARES, k], by_squares)
        if margin[k] < -REAL:
            merit = UNREAL * (1.0 - margin[k])
        if merit < best[BEST_MERIT]:
            best[BEST_MERIT], best[BEST_R], best[BEST_PIECE] = merit, r[k], piece[k]


@njit(**INNER)
def add_waiting(numbers, r, piece, margin, count, rated_rows, branch, best, queue, waiting):
    """Notes the gaps of a branch in which something better than its best node may be; gives the number that wait."""
    by_squares = numbers[at.MEASURE] > 0.5
    for k in range(count - 1):
        bound = merit_of(rated_rows[GAP_OUT, k], rated_rows[GAP_FARTHEST, k], rated_rows[GAP_SQUARES, k], by_squares)
        if bound >= best[BEST_MERIT] - CLOSE or piece[k] != piece[k + 1] or r[k + 1] - r[k] < 1e-12:
            continue
        if margin[k] < -REAL and margin[k + 1] < -REAL:
            continue
        crossing, windows = int(rated_rows[GAP_CROSSING, k]), 1
        while crossing:
            windows, crossing = windows << (crossing & 1), crossing >> 1
        for choice in range(windows):
            if waiting < MOST_WAITING:
                queue[waiting, WAIT_BOUND], queue[waiting, WAIT_BRANCH] = bound, branch
                queue[waiting, WAIT_NODE], queue[waiting, WAIT_CHOICE], queue[waiting, WAIT_ROW] = k, choice, -1.0
                waiting += 1
    return waiting


@njit(**INNER)
def finish_task(numbers, window, choice, exact, task):
    """Fills in the rest of a task of which r, margins, angles and derivatives at both ends are there.

    ``choice`` has a bit for each angle that leaves its window.
    """
    bit = 0
    for j in range(at.JOINTS):
        turn, sense, start = 0.0, 0.0, window[0, j]
        if exact:
            begin = task[task_at.LEFT_Q + j]
            change = path_of(begin, task[task_at.RIGHT_Q + j], task[task_at.LEFT_D + j] + task[task_at.RIGHT_D + j])
            sense = 1.0 if change >= 0.0 else -1.0
            p, e = begin + min(change, 0.0), begin + max(change, 0.0)
            task[task_at.RIGHT_Q + j] = begin + change
            if e >= start + TURN or p < start:
                if (choice >> bit) & 1:
                    turn = TURN if e >= start + TURN else -TURN
                bit += 1
            start = 0.5 * (p + e) - math.pi
        task[task_at.START + j] = start
        task[task_at.LOWER + j], task[task_at.UPPER + j] = window[1, j] + turn, window[2, j] + turn
        task[task_at.SEED + j], task[task_at.SENSE + j] = window[3, j] + turn, sense
    edge = is_edge(task)
    task[task_at.SPLITS] = 0.0 if exact or edge else MOST_SPLITS
    for side in range(2):
        end = task_at.RIGHT if side else task_at.LEFT
        first_q, first_d = (task_at.RIGHT_Q, task_at.RIGHT_D) if side else (task_at.LEFT_Q, task_at.LEFT_D)
        q, d = task[first_q : first_q + at.JOINTS], task[first_d : first_d + at.JOINTS]
        merit, slope, curve, _ = rated(numbers, task, q, d, task[end + task_at.MARGIN])
        task[end + task_at.MERIT], task[end + task_at.SLOPE], task[end + task_at.CURVE] = merit, slope, curve


@njit(**INNER)
def take_gap(table, k, task):
    """Writes what a table of nodes knows of the gap behind a node into a task."""
    for side in range(2):
        end = task_at.RIGHT if side else task_at.LEFT
        first_q, first_d = (task_at.RIGHT_Q, task_at.RIGHT_D) if side else (task_at.LEFT_Q, task_at.LEFT_D)
        task[end], task[end + task_at.MARGIN] = table[NODE_R, k + side], table[NODE_MARGIN, k + side]
        for j in range(at.JOINTS):
            task[first_q + j], task[first_d + j] = table[NODE_Q + j, k + side], table[NODE_D + j, k + side]
    task[task_at.PIECE] = table[NODE_PIECE, k]
