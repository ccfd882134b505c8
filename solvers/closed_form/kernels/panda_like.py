"""Arms of seven turning joints with a spherical wrist, a first joint that is free, and two axes that meet behind it.

Axes 5, 6 and 7 meet in W, axes 2 and 3 in P. With joint 1 at r the wrist W is where the pose has it, and P is known, so
that one after the other

    |P W| gives joint 4 (subproblem 3), two ways,
    h3.R2' u = h3.v gives joint 2 (subproblem 4), two ways, and R3 v = R2' u joint 3 (subproblem 1),

with u the vector from P to W seen from joint 1 and v the same seen from joint 3; and joints 5, 6 and 7 are a triple of
axes, two ways. Franka's Panda and FR3 and UFACTORY's xArm 7 are such arms seen from their hand: there joint 7 is the
free one (He and Liu, 2021, "Analytical inverse kinematics for Franka Emika Panda - a geometrical solver for 7-DOF
manipulators with unconventional design"; Tittel, 2021). The kernels work in the order in which the arm is solved.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ....kinematics.core.lanes import (
    INNER,
    JIT,
    make_vector,
)
from . import redundancy_layout as at
from .flags import OUT_OF_REACH, SINGULAR
from .panda_like_pieces import END, MOST_NODES, add_piece, choose_pieces, free_range, nodes_of_piece
from .panda_like_pose import MOST_PIECES, PIECES, SIZE, assign, evaluate, prepare, solved_goal, straighten
from .redundancy_arena import borrowed, matrix_in
from .redundancy_bracket import TASK_ROWS
from .redundancy_nodes import (
    BEST_MERIT,
    BEST_PIECE,
    BEST_R,
    BEST_ROWS,
    MOST_BRANCHES,
    MOST_WAITING,
    NODE_D,
    NODE_MARGIN,
    NODE_PIECE,
    NODE_Q,
    NODE_R,
    NODE_ROWS,
    RATED_ROWS,
    SPARE,
    WAIT_SIZE,
    WIDTH,
    add_waiting,
    note_best,
    rate_loose_gaps,
    rate_nodes,
    store,
)
from .redundancy_search import (
    LANE_D,
    LANE_MARGIN,
    LANE_Q,
    LANE_ROWS,
    LOAD_SINE,
    MOST_SPLIT_OFF,
    gap_of_table,
    make_search,
)
from .redundancy_window import REAL, SLACK, UNREAL, in_window, merit_in_lane, prepare_window

#: Sines below this are a singular pose.
SINGULAR_SINE = 1e-7
#: Nodes where a branch has no solutions inside the limits.
_COARSE = 8
_ARENA = (
    5 * at.JOINTS
    + 3 * SIZE
    + LANE_ROWS * WIDTH
    + MOST_BRANCHES * BEST_ROWS
    + MOST_WAITING * WAIT_SIZE
    + MOST_SPLIT_OFF * TASK_ROWS
    + (RATED_ROWS + MOST_BRANCHES * NODE_ROWS) * (MOST_NODES + SPARE)
)


_vector = make_vector(WIDTH)
_work = make_search(evaluate, assign, gap_of_table)


@njit(**INNER)
def _evaluate_nodes(numbers, state, branch, table, count, lanes):
    """Fills in the nodes of a branch."""
    for first in range(0, count, WIDTH):
        for lane in range(WIDTH):
            k = min(first + lane, count - 1)
            assign(numbers, state, branch, int(table[NODE_PIECE, k]), lanes, lane)
            lanes[0, lane] = table[NODE_R, k]
        q, d = _vector(lanes, LANE_Q), _vector(lanes, LANE_D)
        store(table, NODE_MARGIN, first, evaluate(numbers, state, _vector(lanes, 0), q, d))
        for j in range(at.JOINTS):
            store(table, NODE_Q + j, first, q[j])
            store(table, NODE_D + j, first, d[j])


@njit(**JIT)
def candidates(numbers, goal, seed, q, flags):
    """For each branch the configuration inside the limits that is nearest to the seed; see `Family`.

    Where a branch has none inside the limits, one that is little outside; branches that exist nowhere are left out.
    """
    # Arrays that are not counted: see `redundancy_arena`.
    arena = np.empty(_ARENA)
    written = _candidates(
        borrowed(numbers), borrowed(goal), borrowed(seed), borrowed(q), borrowed(flags), borrowed(arena)
    )
    arena[0] = 0.0
    return written


@njit(**INNER)
def _candidates(numbers, goal, seed, q, flags, arena):
    most = MOST_NODES + SPARE
    window, first = matrix_in(arena, 0, 5, at.JOINTS), 5 * at.JOINTS
    lanes, first = matrix_in(arena, first, LANE_ROWS, WIDTH), first + LANE_ROWS * WIDTH
    best, first = matrix_in(arena, first, MOST_BRANCHES, BEST_ROWS), first + MOST_BRANCHES * BEST_ROWS
    queue, first = matrix_in(arena, first, MOST_WAITING, WAIT_SIZE), first + MOST_WAITING * WAIT_SIZE
    split_off, first = matrix_in(arena, first, MOST_SPLIT_OFF, TASK_ROWS), first + MOST_SPLIT_OFF * TASK_ROWS
    poses, first = matrix_in(arena, first, 3, SIZE), first + 3 * SIZE
    rated_rows, first = matrix_in(arena, first, RATED_ROWS, most), first + RATED_ROWS * most
    tables = matrix_in(arena, first, MOST_BRANCHES * NODE_ROWS, most).reshape((MOST_BRANCHES, NODE_ROWS, most))
    state, own, near = poses[0], poses[1], poses[2]
    for j in range(at.JOINTS):
        near[j] = seed[at.JOINTS - 1 - j] if numbers[at.REVERSED] > 0.5 else seed[j]
    solved_goal(numbers, goal, own)
    prepare_window(numbers, near, window)
    prepare(numbers, own, state)
    # The first piece is all that joint 1 may do, for branches with nothing inside the limits.
    low, high = free_range(window)
    waiting, pieces = 0, add_piece(low, max(high, low + 1e-6), state, 0)
    for elbow in range(2):
        old = pieces
        pieces = choose_pieces(numbers, window, state, 1.0 - 2.0 * elbow, rated_rows[0], pieces)
        for pair in range(4):
            branch = elbow + 2 * pair
            best[branch, BEST_MERIT], best[branch, BEST_R], best[branch, BEST_PIECE] = 1e300, 0.0, 0.0
            table, count = tables[branch], 0
            for piece in range(old, pieces):
                count = nodes_of_piece(state, piece, table, count)
            if count > 0:
                if pair > 1 and numbers[at.WRIST + at.SQUARE] > 0.5:
                    _mirror(numbers, tables, branch, count)
                else:
                    _evaluate_nodes(numbers, state, branch, table, count, lanes)
        for pair in range(4 if count > 0 else 0):
            branch = elbow + 2 * pair
            table = tables[branch]
            if count > 0:
                _rate_branch(numbers, window, branch, table, count, rated_rows, best)
                rate_loose_gaps(
                    numbers, window, table, NODE_R, NODE_MARGIN, NODE_Q, NODE_D, at.JOINTS, 0, count, rated_rows, 0
                )
                r, piece, margin = table[NODE_R], table[NODE_PIECE], table[NODE_MARGIN]
                waiting = add_waiting(numbers, r, piece, margin, count, rated_rows, branch, best, queue, waiting)
    _look_at_seed(numbers, window, state, near, best, lanes)
    _work(numbers, window, state, tables, best, queue, waiting, split_off, lanes, False)
    _look_elsewhere(numbers, window, state, tables, rated_rows, best, lanes)
    return _write_all(numbers, window, state, best, near, lanes, q, flags)


@njit(**INNER)
def _look_elsewhere(numbers, window, state, tables, rated_rows, best, lanes):
    """Looks for something outside the limits where a branch has nothing inside: at a few values, else anywhere."""
    found = False
    for branch in range(8):
        if best[branch, BEST_MERIT] >= UNREAL:
            for k in range(_COARSE):
                tables[branch, NODE_R, k] = END + (math.pi - 2.0 * END) * k / (_COARSE - 1)
                tables[branch, NODE_PIECE, k] = 0.0
            _evaluate_nodes(numbers, state, branch, tables[branch], _COARSE, lanes)
            _rate_branch(numbers, window, branch, tables[branch], _COARSE, rated_rows, best)
        found = found or best[branch, BEST_MERIT] < UNREAL
    if found:
        return
    # Any value of joints 1 and 4.
    low1, high1, low4, high4 = window[1, 0], window[2, 0], window[1, 3], window[2, 3]
    window[1, 0] = window[1, 3] = -at.UNLIMITED
    window[2, 0] = window[2, 3] = at.UNLIMITED
    for elbow in range(2):
        old = 1
        pieces = choose_pieces(numbers, window, state, 1.0 - 2.0 * elbow, rated_rows[0], old)
        for pair in range(4):
            table, count = tables[elbow + 2 * pair], 0
            for piece in range(old, pieces):
                count = nodes_of_piece(state, piece, table, count)
            if count > 0:
                _evaluate_nodes(numbers, state, elbow + 2 * pair, table, count, lanes)
                window[1, 0], window[2, 0], window[1, 3], window[2, 3] = low1, high1, low4, high4
                _rate_branch(numbers, window, elbow + 2 * pair, table, count, rated_rows, best)
                window[1, 0] = window[1, 3] = -at.UNLIMITED
                window[2, 0] = window[2, 3] = at.UNLIMITED
    window[1, 0], window[2, 0], window[1, 3], window[2, 3] = low1, high1, low4, high4


@njit(**INNER)
def _look_at_seed(numbers, window, state, near, best, lanes):
    """Rates all branches at the seed's own value of joint 1; where axes are in line there, the first angle is that too.

    Between neighbouring values angles about such axes swing, so that this is looked at for itself.
    """
    if not window[1, 0] - SLACK <= window[3, 0] <= window[2, 0] + SLACK:
        return
    state[PIECES + 2 * MOST_PIECES - 2], state[PIECES + 2 * MOST_PIECES - 1] = window[3, 0], 0.0
    for first in range(0, 8, WIDTH):
        for lane in range(WIDTH):
            assign(numbers, state, min(first + lane, 7), MOST_PIECES - 1, lanes, lane)
            lanes[0, lane] = 0.0
        margin = _vector(lanes, LANE_MARGIN)
        margin[0] = evaluate(numbers, state, _vector(lanes, 0), _vector(lanes, LANE_Q), _vector(lanes, LANE_D))
        for lane in range(min(WIDTH, 8 - first)):
            if lanes[LANE_MARGIN, lane] < -REAL:
                continue
            if lanes[LOAD_SINE, lane] < 1e-2:
                straighten(numbers, state, near, lanes, lane)
            merit = merit_in_lane(numbers, window, lanes, LANE_Q, lane)
            if merit < best[first + lane, BEST_MERIT]:
                best[first + lane, BEST_MERIT], best[first + lane, BEST_R] = merit, 0.0
                best[first + lane, BEST_PIECE] = MOST_PIECES - 1


@njit(**INNER)
def _mirror(numbers, tables, branch, count):
    """The nodes of the other flip of a wrist whose axes are at right angles, from those of the first (branch - 4)."""
    phase = 2.0 * numbers[at.WRIST + at.PHASE]
    one, other = tables[branch - 4], tables[branch]
    for k in range(count):
        other[NODE_MARGIN, k] = one[NODE_MARGIN, k]
        for j in range(4):
            other[NODE_Q + j, k], other[NODE_D + j, k] = one[NODE_Q + j, k], one[NODE_D + j, k]
        other[NODE_Q + 4, k], other[NODE_D + 4, k] = one[NODE_Q + 4, k] + math.pi, one[NODE_D + 4, k]
        other[NODE_Q + 5, k], other[NODE_D + 5, k] = phase - one[NODE_Q + 5, k], -one[NODE_D + 5, k]
        other[NODE_Q + 6, k], other[NODE_D + 6, k] = one[NODE_Q + 6, k] + math.pi, one[NODE_D + 6, k]


@njit(**INNER)
def _rate_branch(numbers, window, branch, table, count, rated_rows, best):
    """Rates the nodes of a branch, and notes the best one."""
    rate_nodes(numbers, window, table, NODE_Q, at.JOINTS, 0, count, rated_rows, 0)
    note_best(numbers, table[NODE_R], table[NODE_PIECE], table[NODE_MARGIN], count, rated_rows, best, branch)


@njit(**INNER)
def _write_all(numbers, window, state, best, near, lanes, q, flags):
    """Writes the configurations at the best places of the branches that exist, or the nearest; gives their number."""
    written = 0
    for first in range(0, 8, WIDTH):
        _place(numbers, state, best, first, lanes)
        for lane in range(min(WIDTH, 8 - first)):
            if best[first + lane, BEST_MERIT] < UNREAL:
                written = _write(numbers, window, state, near, lanes, lane, written, q, flags)
    if written == 0:
        # Out of reach: what comes nearest.
        least = 0
        for branch in range(8):
            if best[branch, BEST_MERIT] < best[least, BEST_MERIT]:
                least = branch
        first = least - least % WIDTH
        _place(numbers, state, best, first, lanes)
        written = _write(numbers, window, state, near, lanes, least - first, written, q, flags)
    return written


@njit(**INNER)
def _place(numbers, state, best, first, lanes):
    """Evaluates branches from the first one on at their best places."""
    for lane in range(WIDTH):
        branch = min(first + lane, 7)
        assign(numbers, state, branch, int(best[branch, BEST_PIECE]), lanes, lane)
        lanes[0, lane] = best[branch, BEST_R]
    margin = _vector(lanes, LANE_MARGIN)
    margin[0] = evaluate(numbers, state, _vector(lanes, 0), _vector(lanes, LANE_Q), _vector(lanes, LANE_D))


@njit(**INNER)
def _write(numbers, window, state, near, lanes, lane, written, q, flags):
    """Writes a configuration that was evaluated in a lane, each angle in its window; gives the number written."""
    if lanes[LOAD_SINE, lane] < 1e-2:
        straighten(numbers, state, near, lanes, lane)
    for j in range(at.JOINTS):
        place = at.JOINTS - 1 - j if numbers[at.REVERSED] > 0.5 else j
        q[written, place] = in_window(numbers, window, j, lanes[LANE_Q + j, lane])
    flags[written] = 0
    if lanes[LANE_MARGIN, lane] < -REAL:
        flags[written] = OUT_OF_REACH
    if lanes[LOAD_SINE, lane] < SINGULAR_SINE:
        flags[written] |= SINGULAR
    return written + 1


@njit(**JIT)
def at_redundancy(numbers, goal, value, q, flags):
    """Every branch at a value (rad) of the free joint, each angle in [-pi, pi); gives their number."""
    window, state, own, near = np.empty((5, at.JOINTS)), np.empty(SIZE), np.empty(12), np.zeros(at.JOINTS)
    best, lanes = np.zeros((MOST_BRANCHES, BEST_ROWS)), np.empty((LANE_ROWS, WIDTH))
    for j in range(at.JOINTS):
        window[0, j], window[4, j] = -math.pi, 0.0
    solved_goal(numbers, goal, own)
    prepare(numbers, own, state)
    state[PIECES], state[PIECES + 1] = value, 0.0
    written = 0
    for first in range(0, 8, WIDTH):
        _place(numbers, state, best, first, lanes)
        for lane in range(min(WIDTH, 8 - first)):
            if lanes[LANE_MARGIN, lane] >= -REAL:
                written = _write(numbers, window, state, near, lanes, lane, written, q, flags)
    return written
