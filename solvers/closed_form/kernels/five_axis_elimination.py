"""Candidates for a whole pose by five turning joints in general position."""

from __future__ import annotations

from math import atan2, cos, pi, sin

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_roots import circle_roots
from .spatial_vectors import along, cross, dot, minus, plus, times, triple, turned
from .two_conics import on_curve

#: Candidates that are written at most.
MOST = 32


@njit(**INNER)
def five_axis_elimination(numbers, at, point, axis_direction, seed, q):
    """Angles (q1, q2, q3, q4) that bring axis 5 and a point of it to where they are to be.

    With y the point and g the axis seen from joint 2, z the point and d the axis seen from behind it,

        h2 y = h2 z,   y y = z z,   h2 g = h2 d,   y g = z d

    are free of joint 2, linear in (cos q1, sin q1), and linear in those of joints 3 and 4 each. Joint 1 is eliminated,
    then joint 3, and with cos^2 + sin^2 = 1 a trigonometric polynomial of degree 4 is left for joint 4. That of joint
    1 is not needed: a pose says more than five joints can do, and so not all candidates are solutions.

    Args:
        numbers: Of the arm.
        at: Where its chain of five joints begins, as `chain_numbers` packs it; the point is the origin of joint 5.
        point: Where that is to be, in sizes.
        axis_direction: Where axis 5 is to point.
        seed: (5,) values where they are free.
        q: (`MOST` or more, 5) receives the candidates in its first four columns.

    Returns:
        How many were written.
    """
    t = minus(point, triple(numbers, at + 21))
    left, right = np.zeros((4, 3)), np.zeros((4, 3, 3))
    _equations(numbers, at, t, axis_direction, left, right)
    pair = np.empty((2, 3, 3))
    _without_first(left, right, pair)
    # The polynomial by its values at 16 angles.
    cosines, sines = np.zeros(5), np.zeros(5)
    for k in range(16):
        angle = pi * k / 8.0
        x, y, det = _third(pair, cos(angle), sin(angle))
        value = (x * x + y * y - det * det) / 16.0
        cosines[0] += value
        for j in range(1, 5):
            cosines[j] += 2.0 * value * cos(j * angle)
            sines[j] += 2.0 * value * sin(j * angle)
    angles, misses, thirds = np.empty(8), np.empty(8), np.empty(2)
    found = circle_roots(cosines, sines, 4, angles, misses)
    count = 0
    for k in range(max(found, 1)):
        q4 = angles[k] if found > 0 else seed[3]
        for j in range(_thirds(pair, q4, seed[2], thirds)):
            q[count, 2], q[count, 3] = thirds[j], q4
            count = _first_and_second(numbers, at, t, axis_direction, left, right, seed, q, count)
    return count


@njit(**INNER)
def _bilinear(result, i, factor, a, h3, h4, b):
    # Adds factor a R3 R4 b, by its nine coefficients.
    part = along(h4, b)
    for k in range(3):
        vector = minus(b, part) if k == 0 else (cross(h4, b) if k == 1 else part)
        middle = dot(a, h3) * dot(h3, vector)
        result[i, 0, k] += factor * (dot(a, vector) - middle)
        result[i, 1, k] += factor * dot(a, cross(h3, vector))
        result[i, 2, k] += factor * middle


@njit(**INNER)
def _turned_row(result, i, row, factor, a, h, b):
    # Adds factor a R b to the constant of one joint, by its three coefficients in the other.
    part = dot(a, h) * dot(h, b)
    if row:
        result[i, 2, 0] += factor * (dot(a, b) - part)
        result[i, 2, 1] += factor * dot(a, cross(h, b))
    else:
        result[i, 0, 2] += factor * (dot(a, b) - part)
        result[i, 1, 2] += factor * dot(a, cross(h, b))
    result[i, 2, 2] += factor * part


@njit(**INNER)
def _equations(numbers, at, t, g, left, right):
    # left x1 = right(x3, x4), with (cos, sin, 1) of joint 3 in the rows of right, of joint 4 in its columns.
    h1, h2, h3 = triple(numbers, at + 6), triple(numbers, at + 9), triple(numbers, at + 12)
    h4, h5 = triple(numbers, at + 15), triple(numbers, at + 18)
    p1, p2 = triple(numbers, at + 24), triple(numbers, at + 27)
    p3, p4 = triple(numbers, at + 30), triple(numbers, at + 33)
    for i in range(4):
        # h2 R1' t, -2 p1 R1' t, h2 R1' g, -p1 R1' g
        a = h2 if i % 2 == 0 else times(-2.0 if i == 1 else -1.0, p1)
        b = t if i < 2 else g
        part = dot(a, h1) * dot(h1, b)
        left[i, 0], left[i, 1], left[i, 2] = dot(a, b) - part, -dot(a, cross(h1, b)), part
    left[0, 2] -= dot(h2, p1)
    left[1, 2] += dot(t, t) + dot(p1, p1)
    left[3, 2] += dot(t, g)
    right[0, 2, 2] = dot(h2, p2)
    _turned_row(right, 0, False, 1.0, h2, h3, p3)
    _bilinear(right, 0, 1.0, h2, h3, h4, p4)
    right[1, 2, 2] = dot(p2, p2) + dot(p3, p3) + dot(p4, p4)
    _turned_row(right, 1, True, 2.0, p3, h4, p4)
    _turned_row(right, 1, False, 2.0, p2, h3, p3)
    _bilinear(right, 1, 2.0, p2, h3, h4, p4)
    _bilinear(right, 2, 1.0, h2, h3, h4, h5)
    _bilinear(right, 3, 1.0, p2, h3, h4, h5)
    _turned_row(right, 3, True, 1.0, p3, h4, h5)
    right[3, 2, 2] += dot(p4, h5)


@njit(**INNER)
def _without_first(left, right, pair):
    # Gaussian elimination of x1 with full pivoting; what is left are two equations pair(x3, x4) = 0.
    rows = np.empty((4, 11))
    for i in range(4):
        for k in range(2):
            rows[i, k] = left[i, k]
        for k in range(9):
            rows[i, 2 + k] = right[i, k // 3, k % 3]
        rows[i, 10] -= left[i, 2]
        largest = 1e-300
        for k in range(11):
            largest = max(largest, abs(rows[i, k]))
        for k in range(11):
            rows[i, k] /= largest
    for step in range(2):
        best_row, best_column, best = step, 0, -1.0
        for i in range(step, 4):
            for k in range(2):
                if abs(rows[i, k]) > best:
                    best_row, best_column, best = i, k, abs(rows[i, k])
        if best <= 1e-9:
            break
        for k in range(11):
            rows[step, k], rows[best_row, k] = rows[best_row, k], rows[step, k]
        for i in range(step + 1, 4):
            factor = rows[i, best_column] / rows[step, best_column]
            for k in range(11):
                # Both sides carry the same sign here: left - right = 0 is kept as (left, right).
                rows[i, k] -= factor * rows[step, k]
    for j in range(2):
        largest = 1e-300
        for k in range(9):
            largest = max(largest, abs(rows[2 + j, 2 + k]))
        for k in range(9):
            pair[j, k // 3, k % 3] = rows[2 + j, 2 + k] / largest


@njit(**INNER)
def _third(pair, c, s):
    # The two equations solved for x3: numerators and their common denominator.
    a = pair[0, 0, 0] * c + pair[0, 0, 1] * s + pair[0, 0, 2]
    b = pair[0, 1, 0] * c + pair[0, 1, 1] * s + pair[0, 1, 2]
    e = -(pair[0, 2, 0] * c + pair[0, 2, 1] * s + pair[0, 2, 2])
    f = pair[1, 0, 0] * c + pair[1, 0, 1] * s + pair[1, 0, 2]
    g = pair[1, 1, 0] * c + pair[1, 1, 1] * s + pair[1, 1, 2]
    h = -(pair[1, 2, 0] * c + pair[1, 2, 1] * s + pair[1, 2, 2])
    return e * g - b * h, a * h - f * e, a * g - b * f


@njit(**INNER)
def _thirds(pair, q4, seed, values):
    c, s = cos(q4), sin(q4)
    x, y, det = _third(pair, c, s)
    row, best = 0, -1.0
    for j in range(2):
        a = pair[j, 0, 0] * c + pair[j, 0, 1] * s + pair[j, 0, 2]
        b = pair[j, 1, 0] * c + pair[j, 1, 1] * s + pair[j, 1, 2]
        if a * a + b * b > best:
            row, best = j, a * a + b * b
    if abs(det) > 1e-4 * best and abs(det) > 1e-12:
        values[0] = atan2(y, x) if det > 0.0 else atan2(-y, -x)
        return 1
    # Both equations say the same of joint 3.
    a = pair[row, 0, 0] * c + pair[row, 0, 1] * s + pair[row, 0, 2]
    b = pair[row, 1, 0] * c + pair[row, 1, 1] * s + pair[row, 1, 2]
    e = -(pair[row, 2, 0] * c + pair[row, 2, 1] * s + pair[row, 2, 2])
    count, _ = on_curve(a, b, e, False, seed, values)
    return count


@njit(**INNER)
def _first_and_second(numbers, at, t, g, left, right, seed, q, count):
    # Joint 1 from the four equations by least squares, or from the best of them, joint 2 by what it turns.
    h1, h2, h3 = triple(numbers, at + 6), triple(numbers, at + 9), triple(numbers, at + 12)
    h4, h5 = triple(numbers, at + 15), triple(numbers, at + 18)
    p1, p2 = triple(numbers, at + 24), triple(numbers, at + 27)
    p3, p4 = triple(numbers, at + 30), triple(numbers, at + 33)
    q3, q4 = q[count, 2], q[count, 3]
    c3, s3, c4, s4 = cos(q3), sin(q3), cos(q4), sin(q4)
    cc, cs, ss, ce, se = 0.0, 0.0, 0.0, 0.0, 0.0
    best_row, best, rest = 0, -1.0, 0.0
    for i in range(4):
        e = -left[i, 2]
        for k in range(3):
            x3 = c3 if k == 0 else (s3 if k == 1 else 1.0)
            e += x3 * (right[i, k, 0] * c4 + right[i, k, 1] * s4 + right[i, k, 2])
        a, b = left[i, 0], left[i, 1]
        cc, cs, ss, ce, se = cc + a * a, cs + a * b, ss + b * b, ce + a * e, se + b * e
        if a * a + b * b > best:
            best_row, best, rest = i, a * a + b * b, e
    firsts = np.empty(2)
    det = cc * ss - cs * cs
    if det > 1e-8 * (cc + ss) * (cc + ss) and det > 1e-20:
        firsts[0] = atan2(cc * se - cs * ce, ss * ce - cs * se)
        total = 1
    else:
        total, _ = on_curve(left[best_row, 0], left[best_row, 1], rest, False, seed[0], firsts)
    z = plus(p2, turned(h3, c3, s3, plus(p3, turned(h4, c4, s4, p4))))
    d = turned(h3, c3, s3, turned(h4, c4, s4, h5))
    for k in range(total):
        c1, s1 = cos(firsts[k]), -sin(firsts[k])
        y, seen = minus(turned(h1, c1, s1, t), p1), turned(h1, c1, s1, g)
        sine = dot(h2, cross(z, y)) + dot(h2, cross(d, seen))
        cosine = dot(z, y) - dot(h2, z) * dot(h2, y) + dot(d, seen) - dot(h2, d) * dot(h2, seen)
        q[count, 0], q[count, 2], q[count, 3] = firsts[k], q3, q4
        q[count, 1] = atan2(sine, cosine) if sine * sine + cosine * cosine > 1e-26 else seed[1]
        count += 1
    return count
