"""The pieces of a branch of an arm like the Panda: joints 1 and 4 are inside their limits, and joint 2 is real."""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import (
    INLINE,
    INNER,
)
from ....kinematics.core.whole_turns import TURN
from . import redundancy_layout as at
from .panda_like_pose import MOST_PIECES, PIECES, SQUARE_AT, TO_WRIST, turning_at
from .redundancy_nodes import (
    NODE_PIECE,
    NODE_R,
)
from .redundancy_vectors import (
    add,
    combine,
    cross,
    dot,
    scale,
    subtract,
    vector_at,
)

#: Nodes of one branch at most, the fewest on a piece, and how far apart they are about (rad).
MOST_NODES, _FEWEST, _APART = 72, 5, 0.22
#: Values at which the margin of joint 2 is looked at in an interval at least, and how far apart they are (rad).
_LOOKS, _LOOK_APART = 6, 0.25
#: How far nodes keep from the ends of t.
END = 1e-4


@njit(**INNER)
def add_piece(low, high, state, pieces):
    """Notes a piece from low to high, if it is one; gives the number of pieces."""
    if high - low < 1e-9 or pieces >= MOST_PIECES - 1:
        return pieces
    state[PIECES + 2 * pieces], state[PIECES + 2 * pieces + 1] = 0.5 * (low + high), 0.5 * (high - low)
    return pieces + 1


@njit(**INNER)
def nodes_of_piece(state, piece, table, count):
    """Writes the nodes of a piece; gives the number of all nodes."""
    steps = min(max(_FEWEST, int(2.0 * state[PIECES + 2 * piece + 1] / _APART) + 1), MOST_NODES - count - 1)
    if steps < 2:
        return count
    for k in range(steps + 1):
        table[NODE_R, count + k] = END + (math.pi - 2.0 * END) * k / steps
        table[NODE_PIECE, count + k] = piece
    return count + steps + 1


@njit(**INNER)
def _second_margin(numbers, state, flip, r):
    """The margin of joint 2 at a value of joint 1 for an elbow flip; joint 4 as near as it gets."""
    u = turning_at(state, TO_WRIST, math.cos(r), math.sin(r))
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


@njit(**INLINE)
def _value_at(interval, t):
    """The value of joint 1 at t in [0, pi]: looks at even distances in t are closer together at the ends."""
    return 0.5 * (interval[0] + interval[1]) - 0.5 * (interval[1] - interval[0]) * math.cos(t)


@njit(**INNER)
def _edge_between(numbers, state, flip, interval, t0, m0, t1, m1):
    """Where the margin of joint 2 changes its sign: the method of false position, Illinois form. A value of joint 1."""
    side, t = 0, t0
    for _ in range(40):
        t = (t0 * m1 - t1 * m0) / (m1 - m0)
        m = _second_margin(numbers, state, flip, _value_at(interval, t))
        if m * m1 > 0.0:
            t1, m1 = t, m
            if side == 1:
                m0 *= 0.5
            side = 1
        else:
            t0, m0 = t, m
            if side == -1:
                m1 *= 0.5
            side = -1
        if abs(t1 - t0) < 1e-12 or m == 0.0:
            break
    return _value_at(interval, t)


@njit(**INNER)
def _add_real_pieces(numbers, state, flip, low, high, margins, pieces):
    """Notes the pieces of an interval on which joint 2 is real; gives the number of pieces.

    Between values at which the margin is looked at, it may dip or rise beyond zero unseen: where it turns towards zero
    between two of them, it is looked at there too.
    """
    interval = (low, high)
    looks = max(_LOOKS, int((high - low) / _LOOK_APART) + 2)
    step = math.pi / (looks - 1)
    for k in range(looks):
        margins[k] = _second_margin(numbers, state, flip, _value_at(interval, k * step))
    begin = low
    for k in range(1, looks):
        t0, t1, m0, m1 = (k - 1) * step, k * step, margins[k - 1], margins[k]
        if m0 * m1 < 0.0:
            edge = _edge_between(numbers, state, flip, interval, t0, m0, t1, m1)
            if m0 > 0.0:
                pieces = add_piece(begin, edge, state, pieces)
            begin = edge
            continue
        # The margin is even about both ends.
        before = margins[k - 2] if k > 1 else m1
        after = margins[k + 1] if k < looks - 1 else m0
        turn = _vertex(before, m0, m1, after)
        if turn == 0.0:
            continue
        t, m = _top(numbers, state, flip, interval, t0 + turn * step, step, m0)
        if m * m0 < 0.0 and t0 < t < t1:
            first = _edge_between(numbers, state, flip, interval, t0, m0, t, m)
            second = _edge_between(numbers, state, flip, interval, t, m, t1, m1)
            if m0 > 0.0:
                pieces = add_piece(begin, first, state, pieces)
                begin = second
            else:
                pieces = add_piece(first, second, state, pieces)
    if margins[looks - 1] > 0.0:
        pieces = add_piece(begin, high, state, pieces)
    return pieces


@njit(**INNER)
def _top(numbers, state, flip, interval, t, step, m0):
    """Where the margin of joint 2 comes nearest to zero, near t, or goes beyond: parabolas through closer values."""
    m = _second_margin(numbers, state, flip, _value_at(interval, t))
    h = 0.2 * step
    for _ in range(3):
        if m * m0 <= 0.0 or abs(m) > 8.0 * h * h * state[SQUARE_AT]:
            break
        before = _second_margin(numbers, state, flip, _value_at(interval, t - h))
        after = _second_margin(numbers, state, flip, _value_at(interval, t + h))
        bend = before - 2.0 * m + after
        if bend * m0 <= 0.0:
            break
        t += min(max(0.5 * h * (before - after) / bend, -h), h)
        m = _second_margin(numbers, state, flip, _value_at(interval, t))
        h *= 0.2
    return t, m


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
def choose_pieces(numbers, window, state, flip, margins, pieces):
    """The pieces of an elbow flip: where joint 1 and joint 4 are inside their limits, and joint 2 is real.

    |u|^2 = mean + swing cos(r - phase), so that limits of joint 4 are limits of |r - phase|. Gives the number of
    pieces.
    """
    first, last = free_range(window)
    for turn in range(-2, 3):
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
                middle = state[SQUARE_AT + 2] + TURN * shift
                p, e = max(first, middle + begin), min(last, middle + end)
                if e - p > 1e-9:
                    pieces = _add_real_pieces(numbers, state, flip, p, e, margins, pieces)
        if near == 0.0 and far == math.pi:
            break  # limits that say nothing
    return pieces


@njit(**INLINE)
def free_range(window):
    """The values that joint 1 may have."""
    if window[2, 0] - window[1, 0] < TURN:
        return window[1, 0], window[2, 0]
    return window[0, 0], window[0, 0] + TURN


@njit(**INLINE)
def _away_at(numbers, state, theta):
    """|r - phase| in [0, pi] at which joint 4 is theta away from where the arm is longest."""
    square = numbers[at.ELBOW + at.ELBOW_MEAN] + numbers[at.ELBOW + at.ELBOW_SWING] * math.cos(theta)
    cosine = (square - state[SQUARE_AT]) / max(state[SQUARE_AT + 1], 1e-300)
    return math.acos(min(max(cosine, -1.0), 1.0))
