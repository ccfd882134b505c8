"""The angles of three axes that turn by a given rotation, and how fast they change with it."""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import INLINE, absolute, atan2, maximum, minimum, sqrt
from . import redundancy_layout as at
from .redundancy_vectors import dot, rotate, vector_at


@njit(**INLINE)
def triple(numbers, base, entries, rates, flip):
    """Angles of joints a, b, c with Ra Rb Rc = R, and their rates.

    With c. the axes, and u, v directions across an axis, the entries of R that decide are

        a.R c,  (u.R c, v.R c) across a,  (u.R' a, v.R' a) across c.

    The first gives joint b (subproblem 4: k + r cos(b - phase) = a.R c, one angle per flip); the second how far
    joint a turns Rb c about a (subproblem 1), the third how far joint c turns (subproblem 1).

    Args:
        numbers: What the fit found, with a triple beginning at ``base``.
        base: Where it begins.
        entries: The five numbers above; lanes or floats.
        rates: Their derivatives.
        flip: 1.0 or -1.0, which of the two angles of joint b.

    Returns:
        Three angles, three rates, |sin(b - phase)|, and the margin 1 - |cos(b - phase)|, below zero where there is no
        solution (the angles are the nearest then).
    """
    height, ax, ay, cx, cy = entries
    height_rate, ax_rate, ay_rate, cx_rate, cy_rate = rates
    across = maximum(ax * ax + ay * ay, 1e-30)
    first_rate = (ax * ay_rate - ay * ax_rate) / across
    if numbers[base + at.SQUARE] > 0.5:
        # The directions across are such that Rb c and Rb' a lie along the first of them.
        sine = sqrt(across)
        middle = numbers[base + at.PHASE] + flip * atan2(sine, height)
        first = atan2(flip * ay, flip * ax)
        last = -atan2(flip * cy, flip * cx)
        last_rate = -(cx * cy_rate - cy * cx_rate) / across
        return first, middle, last, first_rate, -flip * height_rate / sine, last_rate, sine, 1.0 + 0.0 * sine
    radius = numbers[base + at.RADIUS]
    cosine = (height - numbers[base + at.SHIFT]) / radius
    margin = 1.0 - absolute(cosine)
    cosine = maximum(minimum(cosine, 1.0), -1.0)
    sine = sqrt(1.0 - cosine * cosine)
    c0, s0 = numbers[base + at.PHASE + 1], numbers[base + at.PHASE + 2]
    c = c0 * cosine - flip * s0 * sine
    s = s0 * cosine + flip * c0 * sine
    middle_rate = -flip * height_rate / (radius * maximum(sine, 1e-12))
    t = base + at.FROM_AXIS
    tx = numbers[t] + numbers[t + 2] * c + numbers[t + 4] * s
    ty = numbers[t + 1] + numbers[t + 3] * c + numbers[t + 5] * s
    tx_rate = middle_rate * (numbers[t + 4] * c - numbers[t + 2] * s)
    ty_rate = middle_rate * (numbers[t + 5] * c - numbers[t + 3] * s)
    first = atan2(tx * ay - ty * ax, tx * ax + ty * ay)
    first_rate = first_rate - (tx * ty_rate - ty * tx_rate) / maximum(tx * tx + ty * ty, 1e-30)
    t = base + at.TO_AXIS
    tx = numbers[t] + numbers[t + 2] * c + numbers[t + 4] * s
    ty = numbers[t + 1] + numbers[t + 3] * c + numbers[t + 5] * s
    tx_rate = middle_rate * (numbers[t + 4] * c - numbers[t + 2] * s)
    ty_rate = middle_rate * (numbers[t + 5] * c - numbers[t + 3] * s)
    last = atan2(cx * ty - cy * tx, cx * tx + cy * ty)
    last_rate = (tx * ty_rate - ty * tx_rate) / maximum(tx * tx + ty * ty, 1e-30)
    last_rate = last_rate - (cx * cy_rate - cy * cx_rate) / maximum(cx * cx + cy * cy, 1e-30)
    return first, atan2(s, c), last, first_rate, middle_rate, last_rate, sine, margin


@njit(**INLINE)
def last_angle(numbers, base, first, middle, turned):
    """The angle of joint c that goes with those of a and b, where ``turned`` is R u, u the first direction across c.

    Where axes a and c are in line, the angles of a and c are uncertain, but their sum is not.
    """
    x = rotate(vector_at(numbers, base + at.ROWS), math.cos(first), -math.sin(first), turned)
    x = rotate(vector_at(numbers, base + at.MIDDLE), math.cos(middle), -math.sin(middle), x)
    u, v = vector_at(numbers, base + at.COLUMNS + 3), vector_at(numbers, base + at.COLUMNS + 6)
    return math.atan2(dot(v, x), dot(u, x))
