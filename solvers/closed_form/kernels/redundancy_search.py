"""The configuration inside the limits that is nearest to a seed, on every branch of a redundant arm.

A branch is a curve of configurations over one number r, the redundancy. At some values of r, the nodes, angles and their
derivatives are known (`redundancy_nodes`); gaps between them that may hold something better are brackets to close
(`redundancy_bracket`). W brackets are worked on at once, in the lanes of a SIMD register, the most promising first.
"""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INLINE, INNER, make_vector, native_width
from . import redundancy_bracket as task_at
from . import redundancy_layout as at
from .redundancy_bracket import bound_of, goes_left, is_edge, is_promising, move_end, next_part, rated, turning_part
from .redundancy_nodes import (
    BEST_MERIT,
    BEST_PIECE,
    BEST_R,
    WAIT_BOUND,
    WAIT_BRANCH,
    WAIT_CHOICE,
    WAIT_NODE,
    WAIT_ROW,
    finish_task,
)
from .redundancy_window import CLOSE, seated

#: Brackets that are worked on at once.
WIDTH = native_width()
#: Rows of the lanes' numbers: what the evaluation reads, angles, derivatives, the margin of what is real.
LOAD_ROWS = 40
LANE_Q = LOAD_ROWS
LANE_D = LANE_Q + at.JOINTS
LANE_MARGIN = LANE_D + at.JOINTS
ROW_OF, TRIES, SLOW = LANE_MARGIN + 1, LANE_MARGIN + 2, LANE_MARGIN + 3
LANE_ROWS = SLOW + 1
#: Values of r that are spent on one bracket, and on one that ends where nothing is real.
_MOST_TRIES, _EDGE_TRIES = 40, 10


def make_search(evaluate, assign, gap_of):
    """The search over all branches of a kind of arm.

    Args:
        evaluate: ``evaluate(numbers, state, load, q, d) -> margin`` in lanes: angles (7,) and derivatives at the value
            of r in ``load[0]``; they are solutions where the margin is not below zero.
        assign: ``assign(numbers, state, branch, piece, lanes, lane)`` writes into a column of ``lanes`` (LANE_ROWS,
            WIDTH) what the evaluation has to know of a branch, or a piece of it.
        gap_of: ``gap_of(nodes, branch, k, task)`` writes what is known of both ends of a gap into a task: r, margin,
            angles (seated) and derivatives.
    """
    vector = make_vector(WIDTH)

    @njit(**INNER)
    def begin(numbers, window, nodes, best, queue, waiting, tasks, lane, exact):
        """The row of the most promising task for a lane; -1 when there is none."""
        while True:
            taken = _take(queue, waiting, best)
            if taken < 0:
                return -1
            row = int(queue[taken, WAIT_ROW])
            if row >= 0:
                return row
            task, branch = tasks[lane], int(queue[taken, WAIT_BRANCH])
            gap_of(nodes, branch, int(queue[taken, WAIT_NODE]), task)
            task[task_at.BRANCH] = branch
            finish_task(numbers, window, int(queue[taken, WAIT_CHOICE]), exact, task)
            if is_promising(numbers, task, best[branch, BEST_MERIT] - CLOSE):
                return lane

    @njit(**INNER)
    def work(numbers, window, state, nodes, best, tasks, queue, waiting, lanes, scratch, exact):
        """Works through the gaps that wait; ``best`` (branches, BEST_ROWS) is what was found so far, and is bettered.

        ``scratch`` (8, 7): rows 2 to 4 are written.
        """
        # Per lane: the row of its task or -1, tries, and how often a bracket shrank by little in a row.
        q, d, counts, row_of, tries, slow = scratch[2], scratch[3], scratch[4], lanes[ROW_OF], lanes[TRIES], lanes[SLOW]
        for lane in range(WIDTH):
            row_of[lane] = -1.0
        counts[0], counts[1] = waiting, WIDTH
        while True:
            busy = 0
            for lane in range(WIDTH):
                if row_of[lane] < 0:
                    row = begin(numbers, window, nodes, best, queue, int(counts[0]), tasks, lane, exact)
                    if row < 0:
                        continue
                    row_of[lane], tries[lane], slow[lane] = row, 0, 0
                    task = tasks[row]
                    assign(numbers, state, int(task[task_at.BRANCH]), int(task[task_at.PIECE]), lanes, lane)
                busy += 1
                task = tasks[int(row_of[lane])]
                lanes[0, lane] = task[task_at.LEFT] + _part(task, slow, lane) * (
                    task[task_at.RIGHT] - task[task_at.LEFT]
                )
            if busy == 0:
                break
            margin = vector(lanes, LANE_MARGIN)
            margin[0] = evaluate(numbers, state, vector(lanes, 0), vector(lanes, LANE_Q), vector(lanes, LANE_D))
            for lane in range(WIDTH):
                if row_of[lane] < 0:
                    continue
                task = tasks[int(row_of[lane])]
                for j in range(at.JOINTS):
                    q[j] = seated(lanes[LANE_Q + j, lane], task[task_at.START + j])
                    d[j] = lanes[LANE_D + j, lane]
                tries[lane] += 1
                if not _learn(numbers, task, lanes, lane, q, d, best, tasks, queue, counts, slow, tries[lane]):
                    row_of[lane] = -1.0

    return work


@njit(**INLINE)
def _part(task, slow, lane):
    """Where to look next in a bracket: where it should be split, else where it may be least, now and then the middle."""
    part = turning_part(task)
    if part > 0.0:
        return part
    if slow[lane] > 2:
        slow[lane] = 0
        return 0.5
    return min(max(next_part(task), 1e-6), 1.0 - 1e-6)


@njit(**INNER)
def _learn(numbers, task, lanes, lane, q, d, best, tasks, queue, counts, slow, tries):
    """Takes account of a point of a bracket; gives whether the bracket is to be closed further."""
    branch = int(task[task_at.BRANCH])
    r, margin, own = lanes[0, lane], lanes[LANE_MARGIN, lane], best[branch]
    merit, slope, curve, bound = rated(numbers, task, q, d, margin)
    if merit < own[BEST_MERIT]:
        own[BEST_MERIT], own[BEST_R], own[BEST_PIECE] = merit, r, task[task_at.PIECE]
    enough = own[BEST_MERIT] - CLOSE
    if turning_part(task) > 0.0:
        # The right part waits, the left one goes on.
        task[task_at.SPLITS] -= 1.0
        waiting, row = int(counts[0]), int(counts[1])
        if waiting < len(queue) and row < len(tasks):
            other = tasks[row]
            for k in range(task_at.TASK_ROWS):
                other[k] = task[k]
            move_end(other, False, r, merit, slope, margin, curve, q, d)
            if is_promising(numbers, other, enough):
                queue[waiting, WAIT_BOUND], queue[waiting, WAIT_BRANCH] = bound_of(numbers, other), branch
                queue[waiting, WAIT_ROW] = row
                counts[0], counts[1] = waiting + 1, row + 1
        move_end(task, True, r, merit, slope, margin, curve, q, d)
        return is_promising(numbers, task, enough)
    before = task[task_at.RIGHT] - task[task_at.LEFT]
    move_end(task, goes_left(task, merit, slope), r, merit, slope, margin, curve, q, d)
    width = task[task_at.RIGHT] - task[task_at.LEFT]
    slow[lane] = slow[lane] + 1 if width > 0.5 * before else 0
    if tries > (_EDGE_TRIES if is_edge(task) else _MOST_TRIES) or width < 1e-10 or bound >= enough:
        return False
    flat = curve == task_at.SUM and abs(slope) * width < CLOSE
    return not flat and is_promising(numbers, task, enough)


@njit(**INNER)
def _take(queue, waiting, best):
    """The waiting gap of the least bound that may better its branch; -1 when there is none."""
    found, least = -1, 1e300
    for t in range(waiting):
        bound = queue[t, WAIT_BOUND]
        if bound < least:
            if bound < best[int(queue[t, WAIT_BRANCH]), BEST_MERIT] - CLOSE:
                found, least = t, bound
            else:
                queue[t, WAIT_BOUND] = 1e300
    if found >= 0:
        queue[found, WAIT_BOUND] = 1e300
    return found
