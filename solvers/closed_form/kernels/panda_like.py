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
    INLINE,
    INNER,
    JIT,
    absolute,
    atan2,
    make_vector,
    maximum,
    minimum,
    sincos,
    sqrt,
    where,
)
from ....kinematics.core.whole_turns import TURN
from . import redundancy_layout as at
from .flags import OUT_OF_REACH, SINGULAR
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
    UNREAL,
    in_window,
    prepare_window,
)

#: Sines below this are a singular pose.
SINGULAR_SINE = 1e-7

# What is known of a pose: u and two directions of the hand, each constant, with cosine and with sine of r.
_TO_WRIST, _LAST_AXIS, _LAST_ACROSS = 0, 9, 18
_SQUARE = 27  #: |u|^2 = mean + swing cos(r - phase)
_PIECES = 30  #: middle and half length of each piece
_MOST_PIECES = 24
_SIZE = _PIECES + 2 * _MOST_PIECES
_vector = make_vector(WIDTH)


@njit(**INLINE)
def _put_turning(state, place, axis, vector):
    """R1' x = (part along the axis) + cos r (part across) - sin r (axis x vector)."""
    along = scale(dot(axis, vector), axis)
    part, normal = subtract(vector, along), cross(axis, vector)
    for k in range(3):
        state[place + k], state[place + 3 + k], state[place + 6 + k] = along[k], part[k], -normal[k]


@njit(**INNER)
def solved_goal(numbers, goal, own):
    """The goal in the order in which the arm is solved: of the base seen from the tip, for an arm that is reversed."""
    if numbers[at.REVERSED] < 0.5:
        for k in range(12):
            own[k] = goal[k]
        return
    for i in range(3):
        for k in range(3):
            own[3 * i + k] = goal[3 * k + i]
    away = transposed_times(goal, 0, vector_at(goal, 9))
    own[9], own[10], own[11] = -away[0], -away[1], -away[2]


@njit(**INNER)
def prepare(numbers, goal, state):
    """Fills in what is known of a pose (in the solved order)."""
    tip = transposed_times(numbers, at.TIP_ROTATION, vector_at(numbers, at.WRIST_TO_TIP))
    w = subtract(subtract(vector_at(goal, 9), matrix_times(goal, 0, tip)), vector_at(numbers, at.SHOULDER_POINT))
    axis = vector_at(numbers, at.FIRST_AXIS)
    _put_turning(state, _TO_WRIST, axis, w)
    for k in range(3):
        state[_TO_WRIST + k] -= numbers[at.TO_MEETING + k]
    for k in range(2):
        x = vector_at(numbers, at.WRIST + at.COLUMNS + 3 * k)
        x = matrix_times(goal, 0, transposed_times(numbers, at.TIP_ROTATION, x))
        _put_turning(state, _LAST_AXIS + 9 * k, axis, x)
    u, c, s = vector_at(state, _TO_WRIST), vector_at(state, _TO_WRIST + 3), vector_at(state, _TO_WRIST + 6)
    cosine, sine = 2.0 * dot(u, c), 2.0 * dot(u, s)
    state[_SQUARE] = dot(u, u) + dot(c, c)
    state[_SQUARE + 1] = math.hypot(cosine, sine)
    state[_SQUARE + 2] = math.atan2(sine, cosine)


@njit(**INLINE)
def _turning_at(state, place, c, s):
    return combine(vector_at(state, place), c, vector_at(state, place + 3), s, vector_at(state, place + 6))


@njit(**INLINE)
def _turning_rate(state, place, c, s):
    a, b = vector_at(state, place + 3), vector_at(state, place + 6)
    return c * b[0] - s * a[0], c * b[1] - s * a[1], c * b[2] - s * a[2]


@njit(**INLINE)
def _safe(x):
    """A number that can be divided by."""
    return where(absolute(x) < 1e-12, where(x < 0.0, -1e-12, 1e-12) + 0.0 * x, x)


# What the lanes know of a branch: t, the flips of joints 4, 2 and 6, and the piece of it, on which
# r = middle - half cos t with t in [0, pi]: at an end where two solutions join, their angles are smooth in t.
_LOAD_FLIPS, _LOAD_MIDDLE, _LOAD_HALF = 1, 4, 5


@njit(**INNER)
def evaluate(numbers, state, load, q, d):
    """Angles (7,) of branches at values of joint 1 and their derivatives, in lanes.

    Gives the margin of what is real: below zero there are no solutions, and the angles are the nearest.
    """
    pace, r = sincos(load[0])
    r, pace = load[_LOAD_MIDDLE] - load[_LOAD_HALF] * r, load[_LOAD_HALF] * pace
    s, c = sincos(r)
    u, u_rate = _turning_at(state, _TO_WRIST, c, s), _turning_rate(state, _TO_WRIST, c, s)
    e = at.ELBOW
    swing = numbers[e + at.ELBOW_SWING]
    cosine = (dot(u, u) - numbers[e + at.ELBOW_MEAN]) / swing
    margin = 1.0 - absolute(cosine)
    cosine = maximum(minimum(cosine, 1.0), -1.0)
    sine = load[_LOAD_FLIPS] * sqrt(1.0 - cosine * cosine)
    c4 = numbers[e + at.ELBOW_PHASE + 1] * cosine - numbers[e + at.ELBOW_PHASE + 2] * sine
    s4 = numbers[e + at.ELBOW_PHASE + 2] * cosine + numbers[e + at.ELBOW_PHASE + 1] * sine
    d4 = -2.0 * dot(u, u_rate) / (swing * _safe(sine))
    part, normal = vector_at(numbers, e + at.ELBOW_ACROSS), vector_at(numbers, e + at.ELBOW_NORMAL)
    still = add(vector_at(numbers, e + at.ELBOW_UPPER), vector_at(numbers, e + at.ELBOW_ALONG))
    v = combine(still, c4, part, s4, normal)
    v_rate = scale(d4, (c4 * normal[0] - s4 * part[0], c4 * normal[1] - s4 * part[1], c4 * normal[2] - s4 * part[2]))
    c2, s2, d2, margin2, _ = _second(numbers, u, u_rate, v, v_rate, load[_LOAD_FLIPS + 1])
    margin = minimum(margin, margin2)
    h2, h3 = vector_at(numbers, at.SECOND_AXIS), vector_at(numbers, at.THIRD_AXIS)
    u2 = rotate(h2, c2, -s2, u)
    side = cross(h3, u2)
    y, x = -dot(side, v), dot(v, u2) - dot(h3, v) * dot(h3, u2)
    size = maximum(sqrt(x * x + y * y), 1e-30)
    c3, s3 = x / size, y / size
    u2_rate = subtract(rotate(h2, c2, -s2, u_rate), scale(d2, cross(h2, u2)))
    d3 = dot(subtract(u2_rate, rotate(h3, c3, s3, v_rate)), side) / maximum(dot(side, side), 1e-24)
    q[0], d[0] = r, pace
    q[1], d[1] = atan2(s2, c2), d2
    q[2], d[2] = atan2(s3, c3), d3
    q[3], d[3] = atan2(s4, c4), d4
    h4 = vector_at(numbers, e + at.ELBOW_AXIS)
    first, across = vector_at(numbers, at.WRIST + at.ROWS), vector_at(numbers, at.WRIST + at.ROWS + 3)
    first = rotate(h2, c2, s2, rotate(h3, c3, s3, rotate(h4, c4, s4, first)))
    across = rotate(h2, c2, s2, rotate(h3, c3, s3, rotate(h4, c4, s4, across)))
    a3, a4 = rotate(h2, c2, s2, h3), rotate(h2, c2, s2, rotate(h3, c3, s3, h4))
    spin = add(combine(scale(d4, a4), d2, h2, d3, a3), vector_at(numbers, at.FIRST_AXIS))
    last, last_across = _turning_at(state, _LAST_AXIS, c, s), _turning_at(state, _LAST_ACROSS, c, s)
    too, last_too = cross(first, across), cross(last, last_across)
    entries = dot(first, last), dot(across, last), dot(too, last), dot(first, last_across), dot(first, last_too)
    rates = (
        dot(spin, cross(first, last)),
        dot(spin, cross(across, last)),
        dot(spin, cross(too, last)),
        dot(spin, cross(first, last_across)),
        dot(spin, cross(first, last_too)),
    )
    q[4], q[5], q[6], d[4], d[5], d[6], sine6, margin6 = triple(
        numbers, at.WRIST, entries, rates, load[_LOAD_FLIPS + 2]
    )
    load[LOAD_SINE] = minimum(sine6, minimum(absolute(sine), size))
    for j in range(1, at.JOINTS):
        d[j] = pace * d[j]
    return minimum(margin, margin6)


@njit(**INLINE)
def _second(numbers, u, u_rate, v, v_rate, flip):
    """Joint 2 from h3.R2' u = h3.v: cosine, sine, rate, margin of what is real, and its sine."""
    h2, h3 = vector_at(numbers, at.SECOND_AXIS), vector_at(numbers, at.THIRD_AXIS)
    normal = cross(h2, h3)
    between = dot(h2, h3)
    across = subtract(h3, scale(between, h2))
    a, b, right = dot(u, across), dot(u, normal), dot(h3, v) - between * dot(h2, u)
    a_rate, b_rate = dot(u_rate, across), dot(u_rate, normal)
    right_rate = dot(h3, v_rate) - between * dot(h2, u_rate)
    square = maximum(a * a + b * b, 1e-30)
    size = sqrt(square)
    cosine = right / size
    margin = 1.0 - absolute(cosine)
    cosine = maximum(minimum(cosine, 1.0), -1.0)
    sine = flip * sqrt(1.0 - cosine * cosine)
    c, s = (a * cosine - b * sine) / size, (b * cosine + a * sine) / size
    rate = (a_rate * c + b_rate * s - right_rate) / _safe(size * sine)
    return c, s, rate, margin, sine


@njit(**INLINE)
def flips(branch):
    """1.0 or -1.0 for joints 4, 2 and 6 of a branch 0 to 7, in the solved order."""
    return 1.0 - 2.0 * (branch & 1), 1.0 - (branch & 2), 1.0 - 0.5 * (branch & 4)


@njit(**INNER)
def assign(numbers, state, branch, piece, lanes, lane):
    """Writes what `evaluate` has to know of a piece of a branch into a column of the lanes."""
    lanes[_LOAD_MIDDLE, lane] = state[_PIECES + 2 * piece]
    lanes[_LOAD_HALF, lane] = state[_PIECES + 2 * piece + 1]
    lanes[_LOAD_FLIPS, lane], lanes[_LOAD_FLIPS + 1, lane], lanes[_LOAD_FLIPS + 2, lane] = flips(branch)


_work = make_search(evaluate, assign, gap_of_table)


#: Nodes of one branch at most, the fewest on a piece, and how far apart they are about (rad).
_MOST_NODES, _FEWEST, _APART = 72, 5, 0.22
#: Values at which the margin of joint 2 is looked at in an interval at least, and how far apart they are (rad).
_LOOKS, _LOOK_APART = 6, 0.25
#: Nodes where a branch has no solutions inside the limits.
_COARSE = 8
#: How far nodes keep from the ends of t.
_END = 1e-4
_ARENA = (
    5 * at.JOINTS
    + 3 * _SIZE
    + LANE_ROWS * WIDTH
    + MOST_BRANCHES * BEST_ROWS
    + MOST_WAITING * WAIT_SIZE
    + MOST_SPLIT_OFF * TASK_ROWS
    + (RATED_ROWS + MOST_BRANCHES * NODE_ROWS) * (_MOST_NODES + SPARE)
)


@njit(**INNER)
def _add_piece(low, high, state, pieces):
    """Notes a piece from low to high, if it is one; gives the number of pieces."""
    if high - low < 1e-9 or pieces >= _MOST_PIECES:
        return pieces
    state[_PIECES + 2 * pieces], state[_PIECES + 2 * pieces + 1] = 0.5 * (low + high), 0.5 * (high - low)
    return pieces + 1


@njit(**INNER)
def _nodes_of_piece(state, piece, table, count):
    """Writes the nodes of a piece; gives the number of all nodes."""
    steps = min(max(_FEWEST, int(2.0 * state[_PIECES + 2 * piece + 1] / _APART) + 1), _MOST_NODES - count - 1)
    if steps < 2:
        return count
    for k in range(steps + 1):
        table[NODE_R, count + k] = _END + (math.pi - 2.0 * _END) * k / steps
        table[NODE_PIECE, count + k] = piece
    return count + steps + 1


@njit(**INNER)
def _second_margin(numbers, state, flip, r):
    """The margin of joint 2 at a value of joint 1 for an elbow flip, joint 4 at its nearest where it is out of reach."""
    u = _turning_at(state, _TO_WRIST, math.cos(r), math.sin(r))
    e = at.ELBOW
    cosine = (dot(u, u) - numbers[e + at.ELBOW_MEAN]) / numbers[e + at.ELBOW_SWING]
    cosine = max(min(cosine, 1.0), -1.0)
    sine = flip * math.sqrt(1.0 - cosine * cosine)
    c4 = numbers[e + at.ELBOW_PHASE + 1] * cosine - numbers[e + at.ELBOW_PHASE + 2] * sine
    s4 = numbers[e + at.ELBOW_PHASE + 2] * cosine + numbers[e + at.ELBOW_PHASE + 1] * sine
    still = add(vector_at(numbers, e + at.ELBOW_UPPER), vector_at(numbers, e + at.ELBOW_ALONG))
    v = combine(still, c4, vector_at(numbers, e + at.ELBOW_ACROSS), s4, vector_at(numbers, e + at.ELBOW_NORMAL))
    h2, h3 = vector_at(numbers, at.SECOND_AXIS), vector_at(numbers, at.THIRD_AXIS)
    normal, between = cross(h2, h3), dot(h2, h3)
    across = subtract(h3, scale(between, h2))
    a, b, right = dot(u, across), dot(u, normal), dot(h3, v) - between * dot(h2, u)
    return a * a + b * b - right * right


@njit(**INNER)
def _edge_between(numbers, state, flip, r0, m0, r1, m1):
    """Where the margin of joint 2 changes its sign: the method of false position, Illinois form."""
    side = 0
    for _ in range(40):
        r = (r0 * m1 - r1 * m0) / (m1 - m0)
        m = _second_margin(numbers, state, flip, r)
        if m * m1 > 0.0:
            r1, m1 = r, m
            if side == 1:
                m0 *= 0.5
            side = 1
        else:
            r0, m0 = r, m
            if side == -1:
                m1 *= 0.5
            side = -1
        if abs(r1 - r0) < 1e-12 or m == 0.0:
            break
    return r


@njit(**INNER)
def _add_real_pieces(numbers, state, flip, low, high, pieces):
    """Notes the pieces of an interval on which joint 2 is real; gives the number of pieces.

    Between values at which the margin is looked at, it may dip or rise beyond zero unseen: where three of them have the
    middle one nearest to zero, the vertex of their parabola is looked at too.
    """
    looks = max(_LOOKS, int((high - low) / _LOOK_APART) + 2)
    begin = low
    r0, m0 = low, _second_margin(numbers, state, flip, low)
    before = m0
    for k in range(1, looks):
        r1 = low + (high - low) * k / (looks - 1)
        m1 = _second_margin(numbers, state, flip, r1)
        step = r1 - r0
        if m0 * m1 >= 0.0 and k < looks - 1:
            after = _second_margin(numbers, state, flip, r1 + step)
        else:
            after = m1
        turn = _vertex(before, m0, m1, after)
        if m0 * m1 > 0.0 and turn > 0.0:
            r, m = r0 + turn * step, _second_margin(numbers, state, flip, r0 + turn * step)
            if m * m0 < 0.0:
                first = _edge_between(numbers, state, flip, r0, m0, r, m)
                second = _edge_between(numbers, state, flip, r, m, r1, m1)
                if m0 > 0.0:
                    pieces = _add_piece(begin, first, state, pieces)
                    begin = second
                else:
                    pieces = _add_piece(first, second, state, pieces)
        elif m0 * m1 < 0.0:
            edge = _edge_between(numbers, state, flip, r0, m0, r1, m1)
            if m0 > 0.0:
                pieces = _add_piece(begin, edge, state, pieces)
            else:
                begin = edge
        before, r0, m0 = m0, r1, m1
    if m0 > 0.0:
        pieces = _add_piece(begin, high, state, pieces)
    return pieces


@njit(**INLINE)
def _vertex(before, m0, m1, after):
    """Where between two values of the margin, of one sign, it may come nearest to zero; 0 where it does not."""
    s0, s1 = 0.5 * (m1 - before), 0.5 * (after - m0)
    if m0 < 0.0:
        s0, s1 = -s0, -s1
    if s0 < 0.0 < s1:
        return s0 / (s0 - s1)
    return 0.0


@njit(**INNER)
def _choose_pieces(numbers, window, state, flip, pieces):
    """The pieces of an elbow flip: where joint 1 and joint 4 are inside their limits, and joint 2 is real.

    |u|^2 = mean + swing cos(r - phase), so that limits of joint 4 are limits of |r - phase|. Gives the number of pieces.
    """
    first, last = _free_range(window)
    for turn in range(-1, 2):
        # Joint 4 is phase + flip theta with theta in [0, pi].
        a = flip * (window[1, 3] + TURN * turn - numbers[at.ELBOW + at.ELBOW_PHASE])
        b = flip * (window[2, 3] + TURN * turn - numbers[at.ELBOW + at.ELBOW_PHASE])
        near, far = max(min(a, b), 0.0), min(max(a, b), math.pi)
        if near > far:
            continue
        # |u|^2 falls as theta grows, and as |r - phase| grows.
        low, high = _away_at(numbers, state, near), _away_at(numbers, state, far)
        if low >= high:
            continue
        for side in range(2):
            begin, end = (low, high) if side == 0 else (-high, -low)
            if low == 0.0 or high == math.pi:
                if side == 1:
                    break  # both sides meet
                begin, end = (-high, high) if low == 0.0 else (low, TURN - low)
            for shift in range(-2, 3):
                middle = state[_SQUARE + 2] + TURN * shift
                p, e = max(first, middle + begin), min(last, middle + end)
                if e - p > 1e-9:
                    pieces = _add_real_pieces(numbers, state, flip, p, e, pieces)
    return pieces


@njit(**INLINE)
def _free_range(window):
    """The values that joint 1 may have."""
    if window[2, 0] - window[1, 0] < TURN:
        return window[1, 0], window[2, 0]
    return window[0, 0], window[0, 0] + TURN


@njit(**INLINE)
def _away_at(numbers, state, theta):
    """|r - phase| in [0, pi] at which joint 4 is theta away from where the arm is longest."""
    square = numbers[at.ELBOW + at.ELBOW_MEAN] + numbers[at.ELBOW + at.ELBOW_SWING] * math.cos(theta)
    cosine = (square - state[_SQUARE]) / max(state[_SQUARE + 1], 1e-300)
    return math.acos(min(max(cosine, -1.0), 1.0))


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
    written = _candidates(borrowed(numbers), borrowed(goal), borrowed(seed), borrowed(q), borrowed(flags), borrowed(arena))
    arena[0] = 0.0
    return written


@njit(**INNER)
def _candidates(numbers, goal, seed, q, flags, arena):
    most = _MOST_NODES + SPARE
    window, first = matrix_in(arena, 0, 5, at.JOINTS), 5 * at.JOINTS
    lanes, first = matrix_in(arena, first, LANE_ROWS, WIDTH), first + LANE_ROWS * WIDTH
    best, first = matrix_in(arena, first, MOST_BRANCHES, BEST_ROWS), first + MOST_BRANCHES * BEST_ROWS
    queue, first = matrix_in(arena, first, MOST_WAITING, WAIT_SIZE), first + MOST_WAITING * WAIT_SIZE
    split_off, first = matrix_in(arena, first, MOST_SPLIT_OFF, TASK_ROWS), first + MOST_SPLIT_OFF * TASK_ROWS
    poses, first = matrix_in(arena, first, 3, _SIZE), first + 3 * _SIZE
    rated_rows, first = matrix_in(arena, first, RATED_ROWS, most), first + RATED_ROWS * most
    tables = matrix_in(arena, first, MOST_BRANCHES * NODE_ROWS, most).reshape((MOST_BRANCHES, NODE_ROWS, most))
    state, own, near = poses[0], poses[1], poses[2]
    for j in range(at.JOINTS):
        near[j] = seed[at.JOINTS - 1 - j] if numbers[at.REVERSED] > 0.5 else seed[j]
    solved_goal(numbers, goal, own)
    prepare_window(numbers, near, window)
    prepare(numbers, own, state)
    # The first piece is all that joint 1 may do, for branches with nothing inside the limits.
    low, high = _free_range(window)
    waiting, pieces = 0, _add_piece(low, max(high, low + 1e-6), state, 0)
    for elbow in range(2):
        old = pieces
        pieces = _choose_pieces(numbers, window, state, 1.0 - 2.0 * elbow, pieces)
        for pair in range(4):
            branch = elbow + 2 * pair
            best[branch, BEST_MERIT], best[branch, BEST_R], best[branch, BEST_PIECE] = 1e300, 0.0, 0.0
            table, count = tables[branch], 0
            for piece in range(old, pieces):
                count = _nodes_of_piece(state, piece, table, count)
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
    _work(numbers, window, state, tables, best, queue, waiting, split_off, lanes, False)
    for branch in range(8):
        if best[branch, BEST_MERIT] >= UNREAL:
            table = tables[branch]
            for k in range(_COARSE):
                table[NODE_R, k], table[NODE_PIECE, k] = _END + (math.pi - 2.0 * _END) * k / (_COARSE - 1), 0.0
            _evaluate_nodes(numbers, state, branch, table, _COARSE, lanes)
            _rate_branch(numbers, window, branch, table, _COARSE, rated_rows, best)
    return _write_all(numbers, window, state, best, near, lanes, q, flags)


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
    """Writes the configurations at the best places of the branches that exist, or the nearest one; gives their number."""
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
        _straighten(numbers, state, near, lanes, lane)
    for j in range(at.JOINTS):
        place = at.JOINTS - 1 - j if numbers[at.REVERSED] > 0.5 else j
        q[written, place] = in_window(numbers, window, j, lanes[LANE_Q + j, lane])
    flags[written] = 0
    if lanes[LANE_MARGIN, lane] < -REAL:
        flags[written] = OUT_OF_REACH
    if lanes[LOAD_SINE, lane] < SINGULAR_SINE:
        flags[written] |= SINGULAR
    return written + 1


@njit(**INNER)
def _straighten(numbers, state, near, lanes, lane):
    """The last angle to the last digits where the wrist's axes are nearly in line; the first is the seed's if they are."""
    c, s = math.cos(lanes[LANE_Q, lane]), math.sin(lanes[LANE_Q, lane])
    x, y = _turning_at(state, _LAST_ACROSS, c, s), _turning_at(state, _LAST_AXIS, c, s)
    axes = vector_at(numbers, at.SECOND_AXIS), vector_at(numbers, at.THIRD_AXIS), vector_at(numbers, at.ELBOW)
    for k in range(3):
        c, s = math.cos(lanes[LANE_Q + 1 + k, lane]), -math.sin(lanes[LANE_Q + 1 + k, lane])
        x, y = rotate(axes[k], c, s, x), rotate(axes[k], c, s, y)
    out = cross(vector_at(numbers, at.WRIST + at.ROWS), y)
    square = dot(out, out)
    if square < 1e-22:
        lanes[LANE_Q + 4, lane] = near[4]
    if square < 1e-6:
        lanes[LANE_Q + 6, lane] = last_angle(
            numbers, at.WRIST, lanes[LANE_Q + 4, lane], lanes[LANE_Q + 5, lane], x
        )


@njit(**JIT)
def at_redundancy(numbers, goal, value, q, flags):
    """Every branch at a value (rad) of the free joint, each angle in [-pi, pi); gives their number."""
    window, state, own, near = np.empty((5, at.JOINTS)), np.empty(_SIZE), np.empty(12), np.zeros(at.JOINTS)
    best, lanes = np.zeros((MOST_BRANCHES, BEST_ROWS)), np.empty((LANE_ROWS, WIDTH))
    for j in range(at.JOINTS):
        window[0, j], window[4, j] = -math.pi, 0.0
    solved_goal(numbers, goal, own)
    prepare(numbers, own, state)
    state[_PIECES], state[_PIECES + 1] = value, 0.0
    written = 0
    for first in range(0, 8, WIDTH):
        _place(numbers, state, best, first, lanes)
        for lane in range(min(WIDTH, 8 - first)):
            if lanes[LANE_MARGIN, lane] >= -REAL:
                written = _write(numbers, window, state, near, lanes, lane, written, q, flags)
    return written
