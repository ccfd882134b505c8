"""Arms of seven turning joints with a spherical shoulder and a spherical wrist: every branch, by the swivel angle.

With S the shoulder, W the wrist and w = W - S, the elbow's angle follows from |w| alone (subproblem 3). What is left is
to turn the arm about the line through S and W by the swivel angle psi:

    R03 = w w'. + n(psi) e.' + m(psi) f.',   n(psi) = cos psi n + sin psi m,  m(psi) = cos psi m - sin psi n,

with (w, n, m) a triad of the base and (v, e, f) one of the upper arm: v points from S to W, e is the elbow's axis
across v, and n is horizontal: across w and the first axis. So psi is 0 where the elbow's axis is level, and the
elbow in the plane of w and the first axis (the reference plane of Shimizu, Kakuya, Yoon, Kitagaki and Kosuge, 2008,
"Analytical inverse kinematic computation for 7-DOF redundant manipulators with joint limits and its application to
redundancy resolution"). Shoulder and wrist angles are those of two triples of axes, whose rotations are R03 and
R4' R03' R07.
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
from ....kinematics.core.whole_turns import TURN
from . import redundancy_bracket as task_at
from . import redundancy_layout as at
from .flags import OUT_OF_REACH, SINGULAR
from .redundancy_arena import borrowed, matrix_in
from .redundancy_bracket import TASK_ROWS
from .redundancy_nodes import (
    BEST_MERIT,
    BEST_R,
    BEST_ROWS,
    FARTHEST,
    GAP_CROSSING,
    GAP_OUT,
    MOST_BRANCHES,
    MOST_WAITING,
    OUT,
    RATED_ROWS,
    SPARE,
    SQUARES,
    WAIT_SIZE,
    WIDTH,
    add_waiting,
    note_best,
    rate_gaps,
    rate_loose_gaps,
    rate_nodes,
    store,
)
from .redundancy_search import (
    LANE_D,
    LANE_MARGIN,
    LANE_Q,
    LANE_ROWS,
    LANE_TASK,
    LOAD_SINE,
    MOST_SPLIT_OFF,
    make_search,
)
from .redundancy_window import REAL, in_window, merit_in_lane, prepare_window, seated
from .spherical_shoulder_wrist_pose import (
    ELBOW_ANGLE,
    ELBOW_SINE,
    ENTRIES,
    LOAD_FLIPS,
    SIZE,
    assign,
    evaluate,
    is_in_line,
    prepare,
    straighten,
    swivel_of,
)

#: Sines below this are a singular pose.
SINGULAR_SINE = 1e-7
_vector = make_vector(WIDTH)

# Rows of what is known of shoulder or wrist at the nodes: angles, derivatives, margin, and what is rated of them.
_PART_Q, _PART_D, _PART_MARGIN, _PART_RATED = 0, 3, 6, 7
_PART_R = _PART_RATED + RATED_ROWS
_PART_ROWS = _PART_R + 1


@njit(**INNER)
def gap_of(nodes, branch, k, lanes, lane):
    """Writes what is known of both ends of a gap of a branch into a column of the lanes' brackets."""
    r, parts, elbows = nodes
    elbow = branch & 1
    shoulder, wrist = 4 * elbow + ((branch >> 1) & 1), 4 * elbow + 2 + (branch >> 2)
    for side in range(2):
        end = LANE_TASK + (task_at.RIGHT if side else task_at.LEFT)
        q = LANE_TASK + (task_at.RIGHT_Q if side else task_at.LEFT_Q)
        d = LANE_TASK + (task_at.RIGHT_D if side else task_at.LEFT_D)
        for j in range(3):
            lanes[q + j, lane] = parts[shoulder, _PART_Q + j, k + side]
            lanes[d + j, lane] = parts[shoulder, _PART_D + j, k + side]
            lanes[q + 4 + j, lane] = parts[wrist, _PART_Q + j, k + side]
            lanes[d + 4 + j, lane] = parts[wrist, _PART_D + j, k + side]
        lanes[q + 3, lane], lanes[d + 3, lane] = elbows[elbow], 0.0
        lanes[end, lane] = r[elbow, k + side]
        lanes[end + task_at.MARGIN, lane] = min(
            parts[shoulder, _PART_MARGIN, k + side], parts[wrist, _PART_MARGIN, k + side]
        )
    lanes[LANE_TASK + task_at.PIECE, lane] = 0.0


_work = make_search(evaluate, assign, gap_of)


#: Nodes: the turning points of six angles, and the seed's swivel angle, which is the first and the last one.
_TURNING = 12
_GRID = 32
_ARENA = (
    5 * at.JOINTS
    + 4
    + 2 * SIZE
    + LANE_ROWS * WIDTH
    + MOST_BRANCHES * BEST_ROWS
    + MOST_WAITING * WAIT_SIZE
    + MOST_SPLIT_OFF * TASK_ROWS
    + (4 + RATED_ROWS + 8 * _PART_ROWS) * (_GRID + 1 + SPARE)
)


@njit(**INNER)
def _choose_nodes(numbers, state, start, r):
    """Writes the swivel angles of the nodes, in order; gives their number.

    Where neighbouring axes are at right angles the angles are those of points (x, y), which run along ellipses as
    psi grows, and of a height. They turn back where x y' - y x', or the height's derivative, is zero, all of the form
    alpha + beta cos psi + gamma sin psi. Else, values at even distances.
    """
    count = 0
    if numbers[at.SHOULDER + at.SQUARE] > 0.5 and numbers[at.WRIST + at.SQUARE] > 0.5:
        for k in range(6):
            place = ENTRIES + 15 * (k // 3)
            if k % 3 == 0:
                alpha, beta, gamma = 0.0, state[place + 2], -state[place + 1]
            else:
                x, y = place + 6 * (k % 3) - 3, place + 6 * (k % 3)
                alpha = state[x + 1] * state[y + 2] - state[y + 1] * state[x + 2]
                beta = state[x] * state[y + 2] - state[y] * state[x + 2]
                gamma = state[y] * state[x + 1] - state[x] * state[y + 1]
            middle = math.atan2(gamma, beta)
            half = math.atan2(math.sqrt(max(beta * beta + gamma * gamma - alpha * alpha, 0.0)), -alpha)
            for side in range(2):
                psi = middle + half if side == 0 else middle - half
                psi -= TURN * math.floor((psi - start) / TURN)
                i = count
                while i > 0 and r[i] > psi:
                    r[i + 1] = r[i]
                    i -= 1
                r[i + 1] = psi
                count += 1
        r[0] = start
        count += 1
    else:
        for k in range(_GRID):
            r[k] = start + k * (TURN / _GRID)
        count = _GRID
    r[count] = start + TURN
    return count + 1


@njit(**JIT)
def candidates(numbers, goal, seed, q, flags):
    """For each branch the configuration inside the limits that is nearest to the seed; see `Family`.

    Where a branch has none inside the limits, the one least far outside that was found.
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
    exact = numbers[at.SHOULDER + at.SQUARE] > 0.5 and numbers[at.WRIST + at.SQUARE] > 0.5
    most = (_TURNING + 2 if exact else _GRID + 1) + SPARE
    window, first = matrix_in(arena, 0, 5, at.JOINTS), 5 * at.JOINTS
    state, first = matrix_in(arena, first, 2, SIZE), first + 2 * SIZE
    lanes, first = matrix_in(arena, first, LANE_ROWS, WIDTH), first + LANE_ROWS * WIDTH
    best, first = matrix_in(arena, first, MOST_BRANCHES, BEST_ROWS), first + MOST_BRANCHES * BEST_ROWS
    queue, first = matrix_in(arena, first, MOST_WAITING, WAIT_SIZE), first + MOST_WAITING * WAIT_SIZE
    split_off, first = matrix_in(arena, first, MOST_SPLIT_OFF, TASK_ROWS), first + MOST_SPLIT_OFF * TASK_ROWS
    elbows, first = matrix_in(arena, first, 2, 2), first + 4
    r, first = matrix_in(arena, first, 2, most), first + 2 * most
    shared, first = matrix_in(arena, first, RATED_ROWS + 2, most), first + (RATED_ROWS + 2) * most
    parts = matrix_in(arena, first, 8 * _PART_ROWS, most).reshape((8, _PART_ROWS, most))
    beyond, elbow_q = elbows[0], elbows[1]
    prepare_window(numbers, seed, window)
    waiting, ways = 0, 2
    for elbow in range(2):
        own = state[elbow]
        beyond[elbow] = prepare(numbers, goal, seed, 1.0 - 2.0 * elbow, own)
        if elbow == 1 and own[ELBOW_SINE] == 0.0:
            ways = 1
            break
        elbow_q[elbow] = seated(own[ELBOW_ANGLE], window[0, 3])
        count = _choose_nodes(numbers, own, swivel_of(numbers, own, seed), r[elbow])
        for flip in range(1 if exact else 2):
            _evaluate_nodes(numbers, state, elbow, flip, r[elbow], count, lanes, parts)
        for i in range(4):
            part = parts[4 * elbow + i]
            if exact and not i & 1:
                _mirror(numbers, i >> 1, count, parts, 4 * elbow + i)
            rate_nodes(numbers, window, part, _PART_Q, 3, 4 * (i >> 1), count, part, _PART_RATED)
            if exact:
                rate_gaps(numbers, window, part, _PART_Q, _PART_D, 3, 4 * (i >> 1), count, part, _PART_RATED)
            else:
                for k in range(count):
                    part[_PART_R, k] = r[elbow, k]
                rate_loose_gaps(
                    numbers,
                    window,
                    part,
                    _PART_R,
                    _PART_MARGIN,
                    _PART_Q,
                    _PART_D,
                    3,
                    4 * (i >> 1),
                    count,
                    part,
                    _PART_RATED,
                )
        waiting = _add_branches(
            numbers, window, elbow, elbow_q[elbow], r[elbow], count, parts, shared, best, queue, waiting
        )
    _look_at_seed(numbers, window, state, ways, r, seed, best, lanes)
    _work(numbers, window, state, (r, parts, elbow_q), best, queue, waiting, split_off, lanes, exact)
    for elbow in range(ways):
        if is_in_line(state[elbow]):
            for pair in range(4):
                best[elbow + 2 * pair, BEST_R] = r[elbow, 0]
    return _write(numbers, window, state, ways, best, beyond, seed, lanes, q, flags)


@njit(**INNER)
def _look_at_seed(numbers, window, state, ways, r, seed, best, lanes):
    """Rates all branches at the seed's own swivel angle where axes are in line there: their first angle is the seed's.

    Between neighbouring values angles about such axes swing, so that this is looked at for itself.
    """
    for first in range(0, 8, WIDTH):
        for lane in range(WIDTH):
            branch = min(first + lane, 7) if ways == 2 else min(first + lane, 7) & 6
            assign(numbers, state, branch, 0, lanes, lane)
            lanes[0, lane] = r[branch & 1, 0]
        margin = _vector(lanes, LANE_MARGIN)
        margin[0] = evaluate(numbers, state, _vector(lanes, 0), _vector(lanes, LANE_Q), _vector(lanes, LANE_D))
        for lane in range(min(WIDTH, 8 - first)):
            branch = first + lane
            if lanes[LOAD_SINE, lane] > 1e-6 or lanes[LANE_MARGIN, lane] < -REAL or branch & 1 >= ways:
                continue
            straighten(numbers, state, branch & 1, r[branch & 1, 0], seed, lanes, lane)
            merit = merit_in_lane(numbers, window, lanes, LANE_Q, lane)
            if merit < best[branch, BEST_MERIT]:
                best[branch, BEST_MERIT], best[branch, BEST_R] = merit, r[branch & 1, 0]


@njit(**INNER)
def _write(numbers, window, state, ways, best, beyond, seed, lanes, q, flags):
    """Writes the configurations at the best places of all branches, each angle in its window; gives their number."""
    written = 0
    for first in range(0, 8, WIDTH):
        for lane in range(WIDTH):
            branch = min(first + lane, 7) if ways == 2 else min(first + lane, 7) & 6
            assign(numbers, state, branch, 0, lanes, lane)
            lanes[0, lane] = best[branch, BEST_R]
        margin = _vector(lanes, LANE_MARGIN)
        margin[0] = evaluate(numbers, state, _vector(lanes, 0), _vector(lanes, LANE_Q), _vector(lanes, LANE_D))
        for lane in range(min(WIDTH, 8 - first)):
            branch = first + lane
            elbow = branch & 1
            # A pose out of reach has nearest configurations; other branches that exist nowhere are left out.
            if elbow >= ways or (lanes[LANE_MARGIN, lane] < -REAL and beyond[elbow] <= 1e-12):
                continue
            if lanes[LOAD_SINE, lane] < 1e-2:
                straighten(numbers, state, elbow, best[branch, BEST_R], seed, lanes, lane)
            for j in range(at.JOINTS):
                q[written, j] = in_window(numbers, window, j, lanes[LANE_Q + j, lane])
            flags[written] = 0
            if beyond[elbow] > 1e-12 or lanes[LANE_MARGIN, lane] < -REAL:
                flags[written] = OUT_OF_REACH
            if min(lanes[LOAD_SINE, lane], state[elbow, ELBOW_SINE]) < SINGULAR_SINE:
                flags[written] |= SINGULAR
            written += 1
    return written


@njit(**INNER)
def _evaluate_nodes(numbers, state, elbow, flip, r, count, lanes, parts):
    """Shoulder and wrist for one flip of both at the nodes: (8, _PART_ROWS, nodes), by elbow, part and flip."""
    for lane in range(WIDTH):
        assign(numbers, state, elbow, 0, lanes, lane)
        lanes[LOAD_FLIPS, lane] = lanes[LOAD_FLIPS + 1, lane] = 1.0 - 2.0 * flip
    for first in range(0, count, WIDTH):
        for lane in range(WIDTH):
            lanes[0, lane] = r[min(first + lane, count - 1)]
        q, d = _vector(lanes, LANE_Q), _vector(lanes, LANE_D)
        margin = evaluate(numbers, state, _vector(lanes, 0), q, d)
        for part in range(2):
            rows = parts[4 * elbow + 2 * part + flip]
            for j in range(3):
                store(rows, _PART_Q + j, first, q[4 * part + j])
                store(rows, _PART_D + j, first, d[4 * part + j])
            store(rows, _PART_MARGIN, first, margin)


@njit(**INNER)
def _mirror(numbers, part, count, parts, i):
    """The other flip where axes are at right angles: both outer angles half a turn on, the middle one mirrored."""
    phase = 2.0 * numbers[(at.SHOULDER if part == 0 else at.WRIST) + at.PHASE]
    one, other = parts[i], parts[i + 1]
    for k in range(count):
        other[0, k], other[1, k], other[2, k] = one[0, k] + math.pi, phase - one[1, k], one[2, k] + math.pi
        other[3, k], other[4, k], other[5, k], other[6, k] = one[3, k], -one[4, k], one[5, k], one[6, k]


@njit(**INNER)
def _add_branches(numbers, window, elbow, elbow_q, r, count, parts, shared, best, queue, waiting):
    """Rates the branches of an elbow angle, and notes gaps that may hold something better than their best node."""
    away = abs(elbow_q - window[3, 3])
    outside = max(window[1, 3] - elbow_q, elbow_q - window[2, 3])
    weighted = numbers[at.WEIGHTS + 3] * away * away
    piece, margin = shared[RATED_ROWS], shared[RATED_ROWS + 1]
    for k in range(count):
        piece[k] = 0.0
    for pair in range(4):
        branch = elbow + 2 * pair
        one, two = parts[4 * elbow + (pair & 1)], parts[4 * elbow + 2 + (pair >> 1)]
        for k in range(count):
            margin[k] = min(one[_PART_MARGIN, k], two[_PART_MARGIN, k])
        for gaps in range(2):
            row = GAP_OUT * gaps
            o, f, s = _PART_RATED + row + OUT, _PART_RATED + row + FARTHEST, _PART_RATED + row + SQUARES
            for k in range(count - gaps):
                shared[row + OUT, k] = max(max(one[o, k], two[o, k]), outside)
                shared[row + FARTHEST, k] = max(max(one[f, k], two[f, k]), away)
                shared[row + SQUARES, k] = one[s, k] + two[s, k] + weighted
        for k in range(count - 1):
            shared[GAP_CROSSING, k] = one[_PART_RATED + GAP_CROSSING, k] + two[_PART_RATED + GAP_CROSSING, k]
        best[branch, BEST_MERIT], best[branch, BEST_R] = 1e300, r[0]
        note_best(numbers, r, piece, margin, count, shared, best, branch)
        waiting = add_waiting(numbers, r, piece, margin, count, shared, branch, best, queue, waiting)
    return waiting


@njit(**JIT)
def at_redundancy(numbers, goal, value, q, flags):
    """Every branch at a swivel angle (rad), each angle in [-pi, pi); gives their number."""
    window, state, lanes = np.empty((5, at.JOINTS)), np.empty((2, SIZE)), np.empty((LANE_ROWS, WIDTH))
    best, beyond, seed = np.empty((MOST_BRANCHES, BEST_ROWS)), np.zeros(2), np.zeros(at.JOINTS)
    for j in range(at.JOINTS):
        window[0, j], window[4, j] = -math.pi, 0.0
    for branch in range(8):
        best[branch, BEST_R] = value
    for elbow in range(2):
        beyond[elbow] = prepare(numbers, goal, seed, 1.0 - 2.0 * elbow, state[elbow])
    ways = 1 if state[1, ELBOW_SINE] == 0.0 else 2
    return _write(numbers, window, state, ways, best, beyond, seed, lanes, q, flags)
