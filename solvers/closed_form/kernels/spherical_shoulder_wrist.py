"""Arms of seven turning joints with a spherical shoulder and a spherical wrist: every branch, by the swivel angle.

With S the shoulder, W the wrist and w = W - S, the elbow's angle follows from |w| alone (subproblem 3). What is left is
to turn the arm about the line through S and W by the swivel angle psi:

    R03 = w w'. + n(psi) e.' + m(psi) f.',   n(psi) = cos psi n + sin psi m,  m(psi) = cos psi m - sin psi n,

with (w, n, m) a triad of the base and (v, e, f) one of the upper arm: v points from S to W, e is the elbow's axis across
v, and n is horizontal: across w and the first axis. So psi is 0 where the elbow's axis is level, and the elbow in
the plane of w and the first axis (the reference plane of Shimizu, Kakuya, Yoon, Kitagaki and Kosuge, 2008, "Analytical
inverse kinematic computation for 7-DOF redundant manipulators with joint limits and its application to redundancy
resolution"). Shoulder and wrist angles are those of two triples of axes, whose rotations are R03 and R4' R03' R07.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INLINE, INNER, JIT, make_vector, minimum, sincos
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
from .redundancy_triple import last_angle, triple
from .redundancy_vectors import (
    add,
    combine,
    cross,
    dot,
    matrix_times,
    rotate,
    scale,
    subtract,
    transposed_times,
    vector_at,
)
from .redundancy_window import (
    REAL,
    in_window,
    prepare_window,
    seated,
)

#: Sines below this are a singular pose.
SINGULAR_SINE = 1e-7

# What is known of an elbow angle at a pose.
_ELBOW, _ELBOW_SINE, _REACH = 0, 1, 2
_BASE = 3  #: w, n, m
_ARM = 12  #: v, e, f
_ENTRIES = 21  #: five entries with cosine and sine of psi, (5, 3), of the shoulder; then of the wrist
_TURNED = 51  #: R u, (3, 3), of the shoulder; then of the wrist, which turns the other way
_SIZE = 69
_vector = make_vector(WIDTH)


@njit(**INNER)
def elbow_angle(numbers, square, flip):
    """Angle of the elbow at a square of the distance from shoulder to wrist; |sin|; how far beyond reach (m^2)."""
    e = at.ELBOW
    cosine = (square - numbers[e + at.ELBOW_MEAN]) / numbers[e + at.ELBOW_SWING]
    beyond = max(abs(cosine) - 1.0, 0.0) * numbers[e + at.ELBOW_SWING]
    cosine = max(min(cosine, 1.0), -1.0)
    sine = math.sqrt(1.0 - cosine * cosine)
    return numbers[e + at.ELBOW_PHASE] + flip * math.atan2(sine, cosine), sine, beyond


@njit(**INLINE)
def _put(state, place, vector):
    state[place], state[place + 1], state[place + 2] = vector


@njit(**INLINE)
def _unit(vector):
    return scale(1.0 / math.sqrt(max(dot(vector, vector), 1e-300)), vector)


@njit(**INLINE)
def _across(vector, axis):
    """The part of a vector across a unit axis."""
    return subtract(vector, scale(dot(vector, axis), axis))


@njit(**INLINE)
def _entry(state, place, base_vector, arm_vector):
    """Base vector . R03(psi) arm vector, as its mean and its parts with the cosine and the sine of psi."""
    w, n, m = vector_at(state, _BASE), vector_at(state, _BASE + 3), vector_at(state, _BASE + 6)
    v, e, f = vector_at(state, _ARM), vector_at(state, _ARM + 3), vector_at(state, _ARM + 6)
    bn, bm = dot(base_vector, n), dot(base_vector, m)
    ae, af = dot(arm_vector, e), dot(arm_vector, f)
    state[place] = dot(base_vector, w) * dot(arm_vector, v)
    state[place + 1] = bn * ae + bm * af
    state[place + 2] = bm * ae - bn * af


@njit(**INLINE)
def tip_turned(numbers, goal, vector):
    """A vector of the hand, given in the base at the zero pose, in the base at the goal: R07 x = R Rtip' x."""
    return matrix_times(goal, 0, transposed_times(numbers, at.TIP_ROTATION, vector))


@njit(**INLINE)
def shoulder_to_wrist(numbers, goal):
    """From the shoulder's point to the wrist's at the goal."""
    to_tip = tip_turned(numbers, goal, vector_at(numbers, at.WRIST_TO_TIP))
    return subtract(subtract(vector_at(goal, 9), to_tip), vector_at(numbers, at.SHOULDER_POINT))


@njit(**INNER)
def prepare(numbers, goal, seed, flip, state):
    """Fills in what is known of one elbow angle at a pose; gives how far beyond reach the pose is (m^2)."""
    w = shoulder_to_wrist(numbers, goal)
    q4, sine, beyond = elbow_angle(numbers, dot(w, w), flip)
    state[_ELBOW], state[_ELBOW_SINE] = q4, sine
    e = at.ELBOW
    c, s = math.cos(q4), math.sin(q4)
    upper_and_along = add(vector_at(numbers, e + at.ELBOW_UPPER), vector_at(numbers, e + at.ELBOW_ALONG))
    reach = combine(
        upper_and_along, c, vector_at(numbers, e + at.ELBOW_ACROSS), s, vector_at(numbers, e + at.ELBOW_NORMAL)
    )
    v = _unit(reach)
    axis = vector_at(numbers, e + at.ELBOW_AXIS)
    hinge = _across(axis, v)
    if dot(hinge, hinge) < 1e-12:
        hinge = _across(vector_at(numbers, at.SHOULDER + at.COLUMNS + 3), v)
    hinge = _unit(hinge)
    if dot(w, w) < 1e-18:
        # The wrist is in the shoulder and may be seen from anywhere: from where the seed sees it.
        w = v
        for k in range(2, -1, -1):
            joint_axis = vector_at(numbers, at.SHOULDER + _AXES[k])
            w = rotate(joint_axis, math.cos(seed[k]), math.sin(seed[k]), w)
    w = _unit(w)
    n = cross(vector_at(numbers, at.SHOULDER), w)
    if dot(n, n) < 1e-18:
        n = _across(vector_at(numbers, at.SHOULDER + at.ROWS + 3), w)
    n = _unit(n)
    _put(state, _BASE, w)
    _put(state, _BASE + 3, n)
    _put(state, _BASE + 6, cross(w, n))
    _put(state, _ARM, v)
    _put(state, _ARM + 3, hinge)
    _put(state, _ARM + 6, cross(v, hinge))
    _prepare_shoulder(numbers, state)
    _prepare_wrist(numbers, goal, axis, c, s, state)
    return beyond


# Where the axes of a triple stand in its numbers.
_AXES = (at.ROWS, at.MIDDLE, at.COLUMNS)


@njit(**INNER)
def _prepare_shoulder(numbers, state):
    first = vector_at(numbers, at.SHOULDER + at.ROWS)
    last = vector_at(numbers, at.SHOULDER + at.COLUMNS)
    _entry(state, _ENTRIES, first, last)
    for k in range(2):
        _entry(state, _ENTRIES + 3 + 3 * k, vector_at(numbers, at.SHOULDER + at.ROWS + 3 + 3 * k), last)
        _entry(state, _ENTRIES + 9 + 3 * k, first, vector_at(numbers, at.SHOULDER + at.COLUMNS + 3 + 3 * k))
    # R03 u = w (v.u) + cos psi (n (e.u) + m (f.u)) + sin psi (m (e.u) - n (f.u))
    u = vector_at(numbers, at.SHOULDER + at.COLUMNS + 3)
    along = dot(vector_at(state, _ARM), u), dot(vector_at(state, _ARM + 3), u), dot(vector_at(state, _ARM + 6), u)
    n, m = vector_at(state, _BASE + 3), vector_at(state, _BASE + 6)
    _put(state, _TURNED, scale(along[0], vector_at(state, _BASE)))
    _put(state, _TURNED + 3, add(scale(along[1], n), scale(along[2], m)))
    _put(state, _TURNED + 6, subtract(scale(along[1], m), scale(along[2], n)))


@njit(**INNER)
def _prepare_wrist(numbers, goal, axis, c, s, state):
    # a.R47 c = (R4 a).R03'(R07 c): R4 a is a vector of the upper arm, R07 c one of the base.
    first = rotate(axis, c, s, vector_at(numbers, at.WRIST + at.ROWS))
    last = tip_turned(numbers, goal, vector_at(numbers, at.WRIST + at.COLUMNS))
    place = _ENTRIES + 15
    _entry(state, place, last, first)
    for k in range(2):
        row = rotate(axis, c, s, vector_at(numbers, at.WRIST + at.ROWS + 3 + 3 * k))
        _entry(state, place + 3 + 3 * k, last, row)
        column = tip_turned(numbers, goal, vector_at(numbers, at.WRIST + at.COLUMNS + 3 + 3 * k))
        _entry(state, place + 9 + 3 * k, column, first)
    # R47 u = R4' (v (w.x) + e (n(psi).x) + f (m(psi).x)), x = R07 u
    u = tip_turned(numbers, goal, vector_at(numbers, at.WRIST + at.COLUMNS + 3))
    along = dot(vector_at(state, _BASE), u), dot(vector_at(state, _BASE + 3), u), dot(vector_at(state, _BASE + 6), u)
    e = rotate(axis, c, -s, vector_at(state, _ARM + 3))
    f = rotate(axis, c, -s, vector_at(state, _ARM + 6))
    place = _TURNED + 9
    _put(state, place, scale(along[0], rotate(axis, c, -s, vector_at(state, _ARM))))
    _put(state, place + 3, add(scale(along[1], e), scale(along[2], f)))
    _put(state, place + 6, subtract(scale(along[2], e), scale(along[1], f)))


@njit(**INLINE)
def _entries_at(state, place, c, s):
    """The five entries of a triple, and their derivatives with psi."""
    values = (
        state[place] + state[place + 1] * c + state[place + 2] * s,
        state[place + 3] + state[place + 4] * c + state[place + 5] * s,
        state[place + 6] + state[place + 7] * c + state[place + 8] * s,
        state[place + 9] + state[place + 10] * c + state[place + 11] * s,
        state[place + 12] + state[place + 13] * c + state[place + 14] * s,
    )
    rates = (
        state[place + 2] * c - state[place + 1] * s,
        state[place + 5] * c - state[place + 4] * s,
        state[place + 8] * c - state[place + 7] * s,
        state[place + 11] * c - state[place + 10] * s,
        state[place + 14] * c - state[place + 13] * s,
    )
    return values, rates


@njit(**INLINE)
def flips(branch):
    """1.0 or -1.0 for the elbow, the shoulder and the wrist of a branch 0 to 7."""
    return 1.0 - 2.0 * (branch & 1), 1.0 - (branch & 2), 1.0 - 0.5 * (branch & 4)


# What the lanes know of a branch: the swivel angle, the flips of shoulder and wrist, the elbow, and the entries.
_LOAD_FLIPS, _LOAD_ELBOW, _LOAD_ENTRIES = 1, 3, 4


@njit(**INNER)
def evaluate(numbers, state, load, q, d):
    """Angles (7,) at swivel angles and their derivatives, in lanes; gives the margin of what is real."""
    s, c = sincos(load[0])
    values, rates = _entries_at(load, _LOAD_ENTRIES, c, s)
    q[0], q[1], q[2], d[0], d[1], d[2], sine, margin = triple(numbers, at.SHOULDER, values, rates, load[_LOAD_FLIPS])
    q[3], d[3] = load[_LOAD_ELBOW], 0.0
    values, rates = _entries_at(load, _LOAD_ENTRIES + 15, c, s)
    q[4], q[5], q[6], d[4], d[5], d[6], too, margin_too = triple(numbers, at.WRIST, values, rates, load[_LOAD_FLIPS + 1])
    load[LOAD_SINE] = minimum(sine, too)
    return minimum(margin, margin_too)


@njit(**INNER)
def assign(numbers, state, branch, piece, lanes, lane):
    """Writes what `evaluate` has to know of a branch into a column of the lanes."""
    elbow = branch & 1
    _, lanes[_LOAD_FLIPS, lane], lanes[_LOAD_FLIPS + 1, lane] = flips(branch)
    lanes[_LOAD_ELBOW, lane] = state[elbow, _ELBOW]
    for k in range(30):
        lanes[_LOAD_ENTRIES + k, lane] = state[elbow, _ENTRIES + k]


@njit(**INNER)
def straighten(numbers, state, elbow, psi, seed, lanes, lane):
    """The last angles of shoulder and wrist to the last digits where axes are nearly in line.

    The sum of the first and the last angle is more certain than both then; where axes are in line the first is the seed's.
    """
    c, s = math.cos(psi), math.sin(psi)
    for k in range(2):
        entries, turned = _ENTRIES + 15 * k, _TURNED + 9 * k
        x = state[elbow, entries + 3] + state[elbow, entries + 4] * c + state[elbow, entries + 5] * s
        y = state[elbow, entries + 6] + state[elbow, entries + 7] * c + state[elbow, entries + 8] * s
        q = LANE_Q + 4 * k
        if x * x + y * y < 1e-22:
            lanes[q, lane] = seed[4 * k]
        if x * x + y * y < 1e-6:
            own = state[elbow]
            u = combine(vector_at(own, turned), c, vector_at(own, turned + 3), s, vector_at(own, turned + 6))
            base = at.SHOULDER if k == 0 else at.WRIST
            lanes[q + 2, lane] = last_angle(numbers, base, lanes[q, lane], lanes[q + 1, lane], u)


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


@njit(**INNER)
def swivel_of(numbers, state, q):
    """The swivel angle at which the elbow's axis points nearest to where it points at some configuration (7,)."""
    x = vector_at(state, _ARM + 3)
    for k in range(2, -1, -1):
        x = rotate(vector_at(numbers, at.SHOULDER + _AXES[k]), math.cos(q[k]), math.sin(q[k]), x)
    return math.atan2(dot(x, vector_at(state, _BASE + 6)), dot(x, vector_at(state, _BASE + 3)))


#: Nodes: the turning points of six angles, and the seed's swivel angle, which is the first and the last one.
_TURNING = 12
_GRID = 32
_ARENA = (
    5 * at.JOINTS
    + 4
    + 2 * _SIZE
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
            place = _ENTRIES + 15 * (k // 3)
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
    written = _candidates(borrowed(numbers), borrowed(goal), borrowed(seed), borrowed(q), borrowed(flags), borrowed(arena))
    arena[0] = 0.0
    return written


@njit(**INNER)
def _candidates(numbers, goal, seed, q, flags, arena):
    exact = numbers[at.SHOULDER + at.SQUARE] > 0.5 and numbers[at.WRIST + at.SQUARE] > 0.5
    most = (_TURNING + 2 if exact else _GRID + 1) + SPARE
    window, first = matrix_in(arena, 0, 5, at.JOINTS), 5 * at.JOINTS
    state, first = matrix_in(arena, first, 2, _SIZE), first + 2 * _SIZE
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
        if elbow == 1 and own[_ELBOW_SINE] == 0.0:
            ways = 1
            break
        elbow_q[elbow] = seated(own[_ELBOW], window[0, 3])
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
                    numbers, window, part, _PART_R, _PART_MARGIN, _PART_Q, _PART_D, 3, 4 * (i >> 1), count, part, _PART_RATED
                )
        waiting = _add_branches(
            numbers, window, elbow, elbow_q[elbow], r[elbow], count, parts, shared, best, queue, waiting
        )
    _work(numbers, window, state, (r, parts, elbow_q), best, queue, waiting, split_off, lanes, exact)
    return _write(numbers, window, state, ways, best, beyond, seed, lanes, q, flags)


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
            if min(lanes[LOAD_SINE, lane], state[elbow, _ELBOW_SINE]) < SINGULAR_SINE:
                flags[written] |= SINGULAR
            written += 1
    return written


@njit(**INNER)
def _evaluate_nodes(numbers, state, elbow, flip, r, count, lanes, parts):
    """Shoulder and wrist for one flip of both at the nodes: (8, _PART_ROWS, nodes), by elbow, shoulder or wrist, flip."""
    for lane in range(WIDTH):
        assign(numbers, state, elbow, 0, lanes, lane)
        lanes[_LOAD_FLIPS, lane] = lanes[_LOAD_FLIPS + 1, lane] = 1.0 - 2.0 * flip
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
    window, state, lanes = np.empty((5, at.JOINTS)), np.empty((2, _SIZE)), np.empty((LANE_ROWS, WIDTH))
    best, beyond, seed = np.empty((MOST_BRANCHES, BEST_ROWS)), np.zeros(2), np.zeros(at.JOINTS)
    for j in range(at.JOINTS):
        window[0, j], window[4, j] = -math.pi, 0.0
    for branch in range(8):
        best[branch, BEST_R] = value
    for elbow in range(2):
        beyond[elbow] = prepare(numbers, goal, seed, 1.0 - 2.0 * elbow, state[elbow])
    ways = 1 if state[1, _ELBOW_SINE] == 0.0 else 2
    return _write(numbers, window, state, ways, best, beyond, seed, lanes, q, flags)
