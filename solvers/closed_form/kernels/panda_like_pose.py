"""What is known of an arm like the Panda at a pose, and its angles at values of the free joint.

See `panda_like` for the method.
"""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import (
    INLINE,
    INNER,
    absolute,
    atan2,
    maximum,
    minimum,
    sincos,
    sqrt,
    where,
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

# What is known of a pose: u and two directions of the hand, each constant, with cosine and with sine of r.
TO_WRIST, _LAST_AXIS, _LAST_ACROSS = 0, 9, 18
SQUARE_AT = 27  #: |u|^2 = mean + swing cos(r - phase)
PIECES = 30  #: middle and half length of each piece
MOST_PIECES = 24
SIZE = PIECES + 2 * MOST_PIECES


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
    _put_turning(state, TO_WRIST, axis, w)
    for k in range(3):
        state[TO_WRIST + k] -= numbers[at.TO_MEETING + k]
    for k in range(2):
        x = vector_at(numbers, at.WRIST + at.COLUMNS + 3 * k)
        x = matrix_times(goal, 0, transposed_times(numbers, at.TIP_ROTATION, x))
        _put_turning(state, _LAST_AXIS + 9 * k, axis, x)
    u, c, s = vector_at(state, TO_WRIST), vector_at(state, TO_WRIST + 3), vector_at(state, TO_WRIST + 6)
    cosine, sine = 2.0 * dot(u, c), 2.0 * dot(u, s)
    state[SQUARE_AT] = dot(u, u) + dot(c, c)
    state[SQUARE_AT + 1] = math.hypot(cosine, sine)
    state[SQUARE_AT + 2] = math.atan2(sine, cosine)


@njit(**INLINE)
def turning_at(state, place, c, s):
    """What `prepare` knows of a vector that turns with joint 1, at the cosine and sine of its angle."""
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
    u, u_rate = turning_at(state, TO_WRIST, c, s), _turning_rate(state, TO_WRIST, c, s)
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
    last, last_across = turning_at(state, _LAST_AXIS, c, s), turning_at(state, _LAST_ACROSS, c, s)
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
    lanes[_LOAD_MIDDLE, lane] = state[PIECES + 2 * piece]
    lanes[_LOAD_HALF, lane] = state[PIECES + 2 * piece + 1]
    lanes[_LOAD_FLIPS, lane], lanes[_LOAD_FLIPS + 1, lane], lanes[_LOAD_FLIPS + 2, lane] = flips(branch)


@njit(**INNER)
def straighten(numbers, state, near, lanes, lane):
    """The last angle to the last digits where the wrist's axes are nearly in line; the first is the seed's then."""
    c, s = math.cos(lanes[LANE_Q, lane]), math.sin(lanes[LANE_Q, lane])
    x, y = turning_at(state, _LAST_ACROSS, c, s), turning_at(state, _LAST_AXIS, c, s)
    axes = vector_at(numbers, at.SECOND_AXIS), vector_at(numbers, at.THIRD_AXIS), vector_at(numbers, at.ELBOW)
    for k in range(3):
        c, s = math.cos(lanes[LANE_Q + 1 + k, lane]), -math.sin(lanes[LANE_Q + 1 + k, lane])
        x, y = rotate(axes[k], c, s, x), rotate(axes[k], c, s, y)
    out = cross(vector_at(numbers, at.WRIST + at.ROWS), y)
    square = dot(out, out)
    if square < 1e-22:
        lanes[LANE_Q + 4, lane] = near[4]
    if square < 1e-6:
        lanes[LANE_Q + 6, lane] = last_angle(numbers, at.WRIST, lanes[LANE_Q + 4, lane], lanes[LANE_Q + 5, lane], x)
