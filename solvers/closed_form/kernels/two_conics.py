"""Two linear equations between two joints: what most closed forms of small arms come down to.

A turning joint enters as (cos x, sin x), a sliding one as (x, x x): a point of a circle or of a parabola.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_roots import circle_roots
from .flags import OUT_OF_REACH, SINGULAR, VALID

#: Below this, relative to what it is compared with, a coefficient says nothing.
NOTHING = 1e-11
#: A slide that would have to go further than this many sizes of the arm is no solution.
FAR = 1e6


@njit(**INNER)
def point_of(slides, x):
    """The point of the curve of a joint at x."""
    if slides:
        return x, x * x
    return cos(x), sin(x)


@njit(**INNER)
def on_curve(a, b, e, slides, seed, values):
    """Values x with a X + b Y = e, where (X, Y) is the point of a joint's curve.

    Args:
        a: Coefficient.
        b: Coefficient.
        e: Right-hand side; all three of about the order of one.
        slides: Whether the joint slides.
        seed: The value taken where every value will do.
        values: (at least 2,) receives the values.

    Returns:
        How many there are, and a flag for all of them; the nearest with ``OUT_OF_REACH`` where there are none.
    """
    values[0] = values[1] = seed
    if not slides:
        r = sqrt(a * a + b * b)
        if r <= NOTHING:
            return 1, SINGULAR if abs(e) <= 1e-9 else SINGULAR | OUT_OF_REACH
        middle = atan2(b, a)
        ratio = e / r
        if abs(ratio) >= 1.0:
            values[0] = middle if ratio > 0.0 else atan2(-b, -a)
            return 1, VALID if abs(ratio) <= 1.0 + 1e-12 else OUT_OF_REACH
        half = atan2(sqrt((1.0 - ratio) * (1.0 + ratio)), ratio)
        values[0], values[1] = middle + half, middle - half
        return 2, VALID
    if abs(b) <= NOTHING:
        if abs(a) <= NOTHING:
            return 1, SINGULAR if abs(e) <= 1e-9 else SINGULAR | OUT_OF_REACH
        values[0] = max(-FAR, min(FAR, e / a))
        return 1, VALID
    middle = -0.5 * a / b
    inside = middle * middle + e / b
    if inside <= 0.0:
        values[0] = max(-FAR, min(FAR, middle))
        return 1, VALID if inside >= -1e-13 * (1.0 + middle * middle) else OUT_OF_REACH
    # The root away from zero first, the other by the product of both, so that no digits cancel.
    root = sqrt(inside)
    values[0] = middle + root if middle >= 0.0 else middle - root
    values[1] = -(e / b) / values[0] if abs(values[0]) > 1e-150 else 0.0
    if abs(values[0]) > FAR:
        values[0] = values[1]
        if abs(values[0]) > FAR:
            values[0] = max(-FAR, min(FAR, middle))
            return 1, OUT_OF_REACH
        return 1, VALID
    return 2, VALID


@njit(**INNER)
def two_conics(equations, x_slides, y_slides, x_seed, y_seed, pairs, flags):
    """All (x, y) with two linear equations between the points of the curves of two joints.

    Args:
        equations: (2, 5) rows (a, b, c, d, e) that say a X1 + b X2 + c Y1 + d Y2 = e; scaled by this function.
        x_slides: Whether the first joint slides.
        y_slides: Whether the second one does.
        x_seed: Value of the first joint where it is free.
        y_seed: Value of the second.
        pairs: (8, 2) receives the pairs.
        flags: (8,) receives their flags.

    Returns:
        How many pairs there are: at most 4 solutions, or else the nearest, 8 at most.
    """
    for i in range(2):
        largest = 0.0
        for k in range(5):
            largest = max(largest, abs(equations[i, k]))
        if largest > 1e-200:
            for k in range(5):
                equations[i, k] /= largest
    # How far each pair of columns is from rank one, and from nothing.
    a_size, b_size = 0.0, 0.0
    for i in range(2):
        a_size += equations[i, 0] ** 2 + equations[i, 1] ** 2
        b_size += equations[i, 2] ** 2 + equations[i, 3] ** 2
    a_det = equations[0, 0] * equations[1, 1] - equations[0, 1] * equations[1, 0]
    b_det = equations[0, 2] * equations[1, 3] - equations[0, 3] * equations[1, 2]
    a_angle = abs(a_det) / max(a_size, 1e-300)
    b_angle = abs(b_det) / max(b_size, 1e-300)
    if a_size < 1e-20:
        a_angle = 0.0
    if b_size < 1e-20:
        b_angle = 0.0
    if a_angle <= 1e-9 or b_angle <= 1e-9:
        count = 0
        if a_angle <= b_angle:
            count = _decoupled(equations, 0, x_slides, y_slides, x_seed, y_seed, pairs, flags)
        else:
            count = _decoupled(equations, 2, y_slides, x_slides, y_seed, x_seed, pairs, flags)
            for k in range(count):
                pairs[k, 0], pairs[k, 1] = pairs[k, 1], pairs[k, 0]
    elif a_angle >= b_angle:
        count = _coupled(equations, 0, a_det, x_slides, y_slides, pairs, flags)
    else:
        count = _coupled(equations, 2, b_det, y_slides, x_slides, pairs, flags)
        for k in range(count):
            pairs[k, 0], pairs[k, 1] = pairs[k, 1], pairs[k, 0]
    for k in range(count):
        if flags[k] == VALID:
            _polish(equations, x_slides, y_slides, pairs, k)
    return count


@njit(**INNER)
def _decoupled(equations, first, x_slides, y_slides, x_seed, y_seed, pairs, flags):
    # The columns of x have rank one or nothing, so one combination of the rows is an equation for y alone.
    second = 2 - first
    size0 = sqrt(equations[0, first] ** 2 + equations[0, first + 1] ** 2)
    size1 = sqrt(equations[1, first] ** 2 + equations[1, first + 1] ** 2)
    if max(size0, size1) <= NOTHING:
        # Nothing depends on x; the equation that says more about y decides.
        n0, n1 = 1.0, 0.0
        if equations[1, second] ** 2 + equations[1, second + 1] ** 2 > (
            equations[0, second] ** 2 + equations[0, second + 1] ** 2
        ):
            n0, n1 = 0.0, 1.0
    else:
        row = 0 if size0 >= size1 else 1
        u0, u1 = equations[row, first] / max(size0, size1), equations[row, first + 1] / max(size0, size1)
        alpha0 = equations[0, first] * u0 + equations[0, first + 1] * u1
        alpha1 = equations[1, first] * u0 + equations[1, first + 1] * u1
        length = sqrt(alpha0 * alpha0 + alpha1 * alpha1)
        n0, n1 = -alpha1 / length, alpha0 / length
    y_values, x_values = np.empty(2), np.empty(2)
    y0 = n0 * equations[0, second] + n1 * equations[1, second]
    y1 = n0 * equations[0, second + 1] + n1 * equations[1, second + 1]
    # The other combination of the rows, of which x takes what there is.
    a0 = n1 * equations[0, first] - n0 * equations[1, first]
    a1 = n1 * equations[0, first + 1] - n0 * equations[1, first + 1]
    c0 = n1 * equations[0, second] - n0 * equations[1, second]
    c1 = n1 * equations[0, second + 1] - n0 * equations[1, second + 1]
    rest = n1 * equations[0, 4] - n0 * equations[1, 4]
    count = 0
    y_count, y_flag = on_curve(y0, y1, n0 * equations[0, 4] + n1 * equations[1, 4], y_slides, y_seed, y_values)
    for i in range(y_count):
        p0, p1 = point_of(y_slides, y_values[i])
        x_count, x_flag = on_curve(a0, a1, rest - c0 * p0 - c1 * p1, x_slides, x_seed, x_values)
        for j in range(x_count):
            pairs[count, 0], pairs[count, 1] = x_values[j], y_values[i]
            flags[count] = x_flag | y_flag
            count += 1
    if y_flag & SINGULAR:
        # Only one equation for two joints: the other representatives have x at its seed.
        p0, p1 = point_of(x_slides, x_seed)
        other, other_flag = on_curve(c0, c1, rest - a0 * p0 - a1 * p1, y_slides, y_seed, y_values)
        for i in range(other):
            pairs[count, 0], pairs[count, 1] = x_seed, y_values[i]
            flags[count] = y_flag | other_flag | SINGULAR
            count += 1
    return count


@njit(**INNER)
def _coupled(equations, first, det, x_slides, y_slides, pairs, flags):
    # x is a linear function of y, and its curve a quadratic equation for it. With v = (cos t, sin t, 1) the point of
    # y's curve is (v0, v1, v2) for a circle with t = y, and (v1/2, (1-v0)/2, (1+v0)/2) for a parabola with
    # tan(t/2) = y, both times a common factor. N takes v to the point of x in the same way.
    second = 2 - first
    N = np.zeros((3, 3))
    for i in range(2):
        # adj(A) (e | -B)
        f0 = equations[1, first + 1] if i == 0 else -equations[1, first]
        f1 = -equations[0, first + 1] if i == 0 else equations[0, first]
        y0 = -(f0 * equations[0, second] + f1 * equations[1, second])
        y1 = -(f0 * equations[0, second + 1] + f1 * equations[1, second + 1])
        y2 = f0 * equations[0, 4] + f1 * equations[1, 4]
        if y_slides:
            N[i, 0], N[i, 1], N[i, 2] = 0.5 * (y2 - y1), 0.5 * y0, 0.5 * (y1 + y2)
        else:
            N[i, 0], N[i, 1], N[i, 2] = y0, y1, y2
    if y_slides:
        N[2, 0], N[2, 2] = 0.5 * det, 0.5 * det
    else:
        N[2, 2] = det
    Q = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            if x_slides:
                Q[i, j] = N[0, i] * N[0, j] - 0.5 * (N[1, i] * N[2, j] + N[2, i] * N[1, j])
            else:
                Q[i, j] = N[0, i] * N[0, j] + N[1, i] * N[1, j] - N[2, i] * N[2, j]
    cosines, sines = np.empty(3), np.zeros(3)
    cosines[0] = 0.5 * (Q[0, 0] + Q[1, 1]) + Q[2, 2]
    cosines[1], sines[1] = 2.0 * Q[0, 2], 2.0 * Q[1, 2]
    cosines[2], sines[2] = 0.5 * (Q[0, 0] - Q[1, 1]), Q[0, 1]
    angles, misses = np.empty(4), np.empty(4)
    found = circle_roots(cosines, sines, 2, angles, misses)
    count, reached = 0, 0
    for k in range(found):
        if misses[k] > 0.0 and reached > 0:
            break
        t = angles[k]
        c, s = cos(t), sin(t)
        if y_slides and abs(s) >= FAR * (1.0 + c):
            continue
        y = s / (1.0 + c) if y_slides else t
        p0 = N[0, 0] * c + N[0, 1] * s + N[0, 2]
        p1 = N[1, 0] * c + N[1, 1] * s + N[1, 2]
        p2 = N[2, 0] * c + N[2, 1] * s + N[2, 2]
        x = 0.0
        if x_slides:
            if abs(p0) >= FAR * abs(p2):
                continue
            x = p0 / p2
        elif p0 * p0 + p1 * p1 > 1e-300:
            x = atan2(p1, p0) if p2 > 0.0 else atan2(-p1, -p0)
        pairs[count, 0], pairs[count, 1] = x, y
        flags[count] = OUT_OF_REACH if misses[k] > 0.0 else VALID
        if misses[k] == 0.0:
            reached += 1
        count += 1
    return count


@njit(**INNER)
def _polish(equations, x_slides, y_slides, pairs, k):
    # Newton's method on the two equations; near a double root the steps are held back.
    for _ in range(3):
        x, y = pairs[k, 0], pairs[k, 1]
        px0, px1 = point_of(x_slides, x)
        py0, py1 = point_of(y_slides, y)
        dx0, dx1 = (1.0, 2.0 * x) if x_slides else (-px1, px0)
        dy0, dy1 = (1.0, 2.0 * y) if y_slides else (-py1, py0)
        f0 = equations[0, 0] * px0 + equations[0, 1] * px1 + equations[0, 2] * py0 + equations[0, 3] * py1
        f1 = equations[1, 0] * px0 + equations[1, 1] * px1 + equations[1, 2] * py0 + equations[1, 3] * py1
        f0 -= equations[0, 4]
        f1 -= equations[1, 4]
        j00 = equations[0, 0] * dx0 + equations[0, 1] * dx1
        j10 = equations[1, 0] * dx0 + equations[1, 1] * dx1
        j01 = equations[0, 2] * dy0 + equations[0, 3] * dy1
        j11 = equations[1, 2] * dy0 + equations[1, 3] * dy1
        det = j00 * j11 - j01 * j10
        size = (abs(j00) + abs(j10)) * (abs(j01) + abs(j11))
        if abs(det) <= 1e-9 * size or size < 1e-200:
            return
        sx, sy = (f0 * j11 - f1 * j01) / det, (f1 * j00 - f0 * j10) / det
        if abs(sx) > 1e-3 * (1.0 + abs(x)) or abs(sy) > 1e-3 * (1.0 + abs(y)):
            return
        pairs[k, 0], pairs[k, 1] = x - sx, y - sy
