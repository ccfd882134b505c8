"""What is known of an arm with a spherical shoulder and a spherical wrist at a pose, and its angles at swivel angles.

See `spherical_shoulder_wrist` for the method.
"""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import (
    INLINE,
    INNER,
    minimum,
    sincos,
)
from . import redundancy_layout as at
from .redundancy_search import (
    LANE_Q,
    LOAD_SINE,
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

# What is known of an elbow angle at a pose.
ELBOW_ANGLE, ELBOW_SINE, _REACH = 0, 1, 2
_BASE = 3  #: w, n, m
_ARM = 12  #: v, e, f
ENTRIES = 21  #: five entries with cosine and sine of psi, (5, 3), of the shoulder; then of the wrist
_TURNED = 51  #: R u, (3, 3), of the shoulder; then of the wrist, which turns the other way
SIZE = 69


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
    state[ELBOW_ANGLE], state[ELBOW_SINE] = q4, sine
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
    _entry(state, ENTRIES, first, last)
    for k in range(2):
        _entry(state, ENTRIES + 3 + 3 * k, vector_at(numbers, at.SHOULDER + at.ROWS + 3 + 3 * k), last)
        _entry(state, ENTRIES + 9 + 3 * k, first, vector_at(numbers, at.SHOULDER + at.COLUMNS + 3 + 3 * k))
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
    place = ENTRIES + 15
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
LOAD_FLIPS, LOAD_ELBOW, LOAD_ENTRIES = 1, 3, 4


@njit(**INNER)
def evaluate(numbers, state, load, q, d):
    """Angles (7,) at swivel angles and their derivatives, in lanes; gives the margin of what is real."""
    s, c = sincos(load[0])
    values, rates = _entries_at(load, LOAD_ENTRIES, c, s)
    q[0], q[1], q[2], d[0], d[1], d[2], sine, margin = triple(numbers, at.SHOULDER, values, rates, load[LOAD_FLIPS])
    q[3], d[3] = load[LOAD_ELBOW], 0.0
    values, rates = _entries_at(load, LOAD_ENTRIES + 15, c, s)
    q[4], q[5], q[6], d[4], d[5], d[6], too, margin_too = triple(numbers, at.WRIST, values, rates, load[LOAD_FLIPS + 1])
    load[LOAD_SINE] = minimum(sine, too)
    return minimum(margin, margin_too)


@njit(**INNER)
def assign(numbers, state, branch, piece, lanes, lane):
    """Writes what `evaluate` has to know of a branch into a column of the lanes."""
    elbow = branch & 1
    _, lanes[LOAD_FLIPS, lane], lanes[LOAD_FLIPS + 1, lane] = flips(branch)
    lanes[LOAD_ELBOW, lane] = state[elbow, ELBOW_ANGLE]
    for k in range(30):
        lanes[LOAD_ENTRIES + k, lane] = state[elbow, ENTRIES + k]


@njit(**INNER)
def straighten(numbers, state, elbow, psi, seed, lanes, lane):
    """The last angles of shoulder and wrist to the last digits where axes are nearly in line.

    The sum of the first and the last angle is more certain than both then; where axes are in line the first is that of
    the seed.
    """
    c, s = math.cos(psi), math.sin(psi)
    for k in range(2):
        entries, turned = ENTRIES + 15 * k, _TURNED + 9 * k
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


@njit(**INNER)
def swivel_of(numbers, state, q):
    """The swivel angle at which the elbow's axis points nearest to where it points at some configuration (7,)."""
    x = vector_at(state, _ARM + 3)
    for k in range(2, -1, -1):
        x = rotate(vector_at(numbers, at.SHOULDER + _AXES[k]), math.cos(q[k]), math.sin(q[k]), x)
    return math.atan2(dot(x, vector_at(state, _BASE + 6)), dot(x, vector_at(state, _BASE + 3)))


@njit(**INNER)
def is_in_line(state):
    """Whether the outer axes of the shoulder, or of the wrist, are in line at every swivel angle.

    Then nothing tells one swivel angle from another but how the turning about this line is shared out.
    """
    for k in range(2):
        total = 0.0
        for i in range(3, 9):
            total += abs(state[ENTRIES + 15 * k + i])
        if total < 1e-9:
            return True
    return False
