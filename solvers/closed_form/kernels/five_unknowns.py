"""Candidates for a place and a direction by five joints in general position."""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_roots import circle_roots
from .null_space import MOST, null_space, points_of_null_space
from .spatial_vectors import cross, dot, minus, plus, times, triple, turn_between, turned
from .two_conics import on_curve

#: Roots so near to the circle are tried: rounding may have moved them off it.
_OFF = 3e-2
#: A determinant of rows of size one that is below this is nothing but rounding.
_ZERO = 1e-19
#: Values of the determinant that give its polynomial, of degree 8; 12 would be the most that it looks like.
_SAMPLES = 32


@njit(**INNER)
def five_unknowns(arm, target, wanted, tool, seed, found):
    """Values of five joints that bring a point of the tip to a place and its direction to a direction.

    Raghavan and Roth's elimination. With the joints 1 and 2 on one side, the point y and the direction l fulfil 14
    equations, y, l, y y, y l, y x l and (y y) l - 2 (y l) y, that are linear in (cos, sin) of each joint that turns and
    in (x, x x) of one that slides. The 8 products of joints 1 and 2 are eliminated; six equations in the half-angle
    tangents, or values, of joints 4 and 5 are left, whose coefficients are linear in (cos q3, sin q3), and as many
    again times the unknown of joint 4. Their determinant is zero at the solutions: a trigonometric polynomial of degree
    8 for joint 3, found from its values.

    Where joints 1 and 2 are parallel or meet, the determinant may be zero everywhere; then other joints of the same
    loop have to be taken for the five.

    M. Raghavan, B. Roth, Inverse kinematics of the general 6R manipulator and related linkages, 1993.

    Args:
        arm: A chain of five joints as `chain_numbers` packs it, of which the third must not slide; its last offset is
            the point.
        target: The place, in sizes.
        wanted: The direction there.
        tool: The direction at the tip, all joints at zero.
        seed: (5,) values where they are free.
        found: (32 or more, 5 or more) receives the candidates.

    Returns:
        How many were written, -1 where the determinant is zero everywhere; and whether several solutions share a value
        of joint 3, which other openings of the loop may tell apart better.
    """
    left, right, one = np.empty((14, 9)), np.empty((14, 9)), np.empty(9)
    t = minus(target, triple(arm, 21))
    _left_side(arm, t, wanted, left)
    _right_side(arm, tool, right, one)
    pencil = np.zeros((3, 6, 9))
    _eliminate(left, right, one, pencil)
    matrix, swaps = np.empty((12, 12)), np.empty(12, dtype=np.int64)
    largest = 0.0
    for k in range(3):
        _fill(pencil, 0.7 + 2.1 * k, matrix)
        largest = max(largest, abs(_factor(matrix, swaps)))
    if largest < _ZERO:
        return -1, False
    cosines, sines = np.zeros(9), np.zeros(9)
    for k in range(_SAMPLES):
        angle = 2.0 * pi * k / _SAMPLES
        _fill(pencil, angle, matrix)
        value = _factor(matrix, swaps) * 2.0 / _SAMPLES
        cosines[0] += 0.5 * value
        for j in range(1, 9):
            cosines[j] += value * cos(j * angle)
            sines[j] += value * sin(j * angle)
    angles, misses = np.empty(16), np.empty(16)
    basis, points = np.empty((MOST, 12)), np.empty((MOST, 4))
    roots = circle_roots(cosines, sines, 8, angles, misses)
    count, shared = 0, False
    for k in range(roots):
        if misses[k] > _OFF:
            continue
        _fill(pencil, angles[k], matrix)
        _factor(matrix, swaps)
        # Several solutions may have the same value of joint 3.
        several = null_space(matrix, swaps, basis)
        shared = shared or several > 1
        for which in range(points_of_null_space(basis, several, points)):
            if count + 2 <= len(found):
                found[count, 2] = angles[k]
                found[count, 3] = _value(arm[4] > 0.5, points[which, 0], points[which, 1])
                found[count, 4] = _value(arm[5] > 0.5, points[which, 2], points[which, 3])
                count = _first_two(arm, t, wanted, tool, seed, found, count)
    return count, shared


@njit(**INNER)
def _functions(y, d, e1, e2, e3, values, column):
    # The fourteen, vectors by their parts along e1, e2, e3.
    yy, yd, across = dot(y, y), dot(y, d), cross(y, d)
    inverted = minus(times(yy, d), times(2.0 * yd, y))
    for k in range(3):
        e = e1 if k == 0 else (e2 if k == 1 else e3)
        values[k, column], values[3 + k, column] = dot(e, y), dot(e, d)
        values[6 + k, column], values[9 + k, column] = dot(e, across), dot(e, inverted)
    values[12, column], values[13, column] = yy, yd


@njit(**INNER)
def _basis(h):
    # Two directions across h that make a right-handed triad with it.
    a = (0.0, h[2], -h[1])
    if abs(h[1]) <= abs(h[0]) and abs(h[1]) <= abs(h[2]):
        a = (-h[2], 0.0, h[0])
    elif abs(h[2]) <= abs(h[0]) and abs(h[2]) <= abs(h[1]):
        a = (h[1], -h[0], 0.0)
    a = times(1.0 / sqrt(dot(a, a)), a)
    return a, cross(h, a)


@njit(**INNER)
def _moved(arm, k, i, back, vector, is_point):
    # A vector, or a point seen from the origin of joint k, moved by that joint to the i-th of the three values that
    # its coefficients are found from; or moved back.
    h = triple(arm, 6 + 3 * k)
    if arm[1 + k] > 0.5:
        step = (1.0 - i) if back else (i - 1.0)
        return plus(vector, times(step, h)) if is_point else vector
    c, s = cos(2.0 * pi * i / 3.0), sin(2.0 * pi * i / 3.0)
    return turned(h, c, -s if back else s, vector)


@njit(**INNER)
def _left_side(arm, t, wanted, left):
    # Columns: (cos, sin, 1), or (x, x x, 1), of joint 1 times those of joint 2.
    h3 = triple(arm, 12)
    e1, e2 = _basis(h3)
    for i in range(3):
        y1 = minus(_moved(arm, 0, i, True, t, True), triple(arm, 24))
        l1 = _moved(arm, 0, i, True, wanted, False)
        for j in range(3):
            y2 = minus(_moved(arm, 1, j, True, y1, True), triple(arm, 27))
            _functions(y2, _moved(arm, 1, j, True, l1, False), e1, e2, h3, left, 3 * i + j)
    for row in range(14):
        for i in range(3):
            _coefficients(left, row, 3 * i, 1, arm[2] > 0.5)
        for j in range(3):
            _coefficients(left, row, j, 3, arm[1] > 0.5)


@njit(**INNER)
def _right_side(arm, tool, right, one):
    # Columns: (1, x, x x) of joint 4 times those of joint 5, with x the tangent of half the angle or the value; all
    # times 1 + x x of those that turn, which `one` holds.
    h3 = triple(arm, 12)
    e1, e2 = _basis(h3)
    for i in range(3):
        for j in range(3):
            z = plus(triple(arm, 33), _moved(arm, 4, j, False, triple(arm, 36), True))
            z = plus(triple(arm, 30), _moved(arm, 3, i, False, z, True))
            m = _moved(arm, 3, i, False, _moved(arm, 4, j, False, tool, False), False)
            _functions(z, m, e1, e2, h3, right, 3 * i + j)
    for row in range(14):
        for i in range(3):
            _coefficients(right, row, 3 * i, 1, arm[5] > 0.5)
            _powers(right, row, 3 * i, 1, arm[5] > 0.5)
        for j in range(3):
            _coefficients(right, row, j, 3, arm[4] > 0.5)
            _powers(right, row, j, 3, arm[4] > 0.5)
    for i in range(3):
        for j in range(3):
            fourth = 1.0 if i == 0 or (i == 2 and arm[4] < 0.5) else 0.0
            fifth = 1.0 if j == 0 or (j == 2 and arm[5] < 0.5) else 0.0
            one[3 * i + j] = fourth * fifth


@njit(**INNER)
def _coefficients(values, row, first, step, slides):
    # Values at 0, 120 and 240 degrees to the coefficients of cos, sin and 1; or at -1, 0, 1 to those of x, x x and 1.
    a, b, c = values[row, first], values[row, first + step], values[row, first + 2 * step]
    if slides:
        values[row, first], values[row, first + step] = 0.5 * (c - a), 0.5 * (a + c) - b
        values[row, first + 2 * step] = b
    else:
        values[row, first], values[row, first + step] = (2.0 * a - b - c) / 3.0, (b - c) / sqrt(3.0)
        values[row, first + 2 * step] = (a + b + c) / 3.0


@njit(**INNER)
def _powers(values, row, first, step, slides):
    # Coefficients of cos, sin and 1 to those of 1, x and x x, times 1 + x x; or of x, x x and 1 to the same.
    a, b, k = values[row, first], values[row, first + step], values[row, first + 2 * step]
    if slides:
        values[row, first], values[row, first + step], values[row, first + 2 * step] = k, a, b
    else:
        values[row, first], values[row, first + step], values[row, first + 2 * step] = k + a, 2.0 * b, k - a


@njit(**INNER)
def _eliminate(left, right, one, pencil):
    # Combinations of the fourteen equations without joints 1 and 2: Gaussian elimination beside a unit matrix.
    work = np.zeros((14, 22))
    for i in range(14):
        for k in range(8):
            work[i, k] = left[i, k]
        work[i, 8 + i] = 1.0
    rank = 0
    for step in range(8):
        best_row, best_column, best = step, 0, 0.0
        for i in range(step, 14):
            for k in range(8):
                if abs(work[i, k]) > best:
                    best_row, best_column, best = i, k, abs(work[i, k])
        if best <= 1e-10:
            break
        rank += 1
        for k in range(22):
            work[step, k], work[best_row, k] = work[best_row, k], work[step, k]
        for i in range(step + 1, 14):
            factor = work[i, best_column] / work[step, best_column]
            for k in range(22):
                work[i, k] -= factor * work[step, k]
            work[i, best_column] = 0.0
    for i in range(6):
        # Where more than six are left, all of them have their say.
        for k in range(rank + 6, 14):
            for j in range(22):
                work[rank + i, j] += cos(3.0 * i + 2.0 * k) * work[k, j]
        for row in range(14):
            weight = work[rank + i, 8 + row]
            for k in range(9):
                pencil[0, i, k] -= weight * left[row, 8] * one[k]
        _weighted(work, rank + i, right, pencil, i)
        largest = 1e-300
        for part in range(3):
            for k in range(9):
                largest = max(largest, abs(pencil[part, i, k]))
        for part in range(3):
            for k in range(9):
                pencil[part, i, k] /= largest


@njit(**INNER)
def _weighted(work, row, right, pencil, i):
    # Joint 3 turns the parts along e1 and e2 of the four vectors and nothing else.
    for k in range(9):
        for vector in range(4):
            along1, along2 = work[row, 8 + 3 * vector], work[row, 9 + 3 * vector]
            part1, part2 = right[3 * vector, k], right[3 * vector + 1, k]
            pencil[0, i, k] += work[row, 10 + 3 * vector] * right[3 * vector + 2, k]
            pencil[1, i, k] += along1 * part1 + along2 * part2
            pencil[2, i, k] += along2 * part1 - along1 * part2
        pencil[0, i, k] += work[row, 20] * right[12, k] + work[row, 21] * right[13, k]


@njit(**INNER)
def _fill(pencil, angle, matrix):
    c, s = cos(angle), sin(angle)
    matrix[:, :] = 0.0
    for i in range(6):
        for k in range(9):
            value = pencil[0, i, k] + c * pencil[1, i, k] + s * pencil[2, i, k]
            matrix[i, k] = value
            matrix[6 + i, 3 + k] = value


@njit(**INNER)
def _factor(matrix, swaps):
    # L U with row exchanges, in place; the determinant.
    det = 1.0
    for step in range(12):
        row = step
        for i in range(step + 1, 12):
            if abs(matrix[i, step]) > abs(matrix[row, step]):
                row = i
        swaps[step] = row
        if row != step:
            det = -det
            for k in range(12):
                matrix[step, k], matrix[row, k] = matrix[row, k], matrix[step, k]
        pivot = matrix[step, step]
        det *= pivot
        if abs(pivot) < 1e-18:
            matrix[step, step] = pivot = 1e-18
        for i in range(step + 1, 12):
            factor = matrix[i, step] / pivot
            matrix[i, step] = factor
            for k in range(step + 1, 12):
                matrix[i, k] -= factor * matrix[step, k]
    return det


@njit(**INNER)
def _value(slides, above, below):
    if slides:
        return max(-1e6, min(1e6, above / max(below, 1e-200)))
    return 2.0 * atan2(above, below) if below + abs(above) > 1e-200 else pi


@njit(**INNER)
def _placed(arm, k, value, vector, is_point):
    # A vector, or a point seen from the origin of joint k, moved by that joint to a value.
    h = triple(arm, 6 + 3 * k)
    if arm[1 + k] > 0.5:
        return plus(vector, times(value, h)) if is_point else vector
    return turned(h, cos(value), sin(value), vector)


@njit(**INNER)
def _first_two(arm, t, wanted, tool, seed, found, count):
    # Joints 1 and 2 for the others as they are found: E1 (p1 + E2 z) = t and R1 R2 m = wanted.
    q3, q4, q5 = found[count, 2], found[count, 3], found[count, 4]
    z = plus(triple(arm, 33), _placed(arm, 4, q5, triple(arm, 36), True))
    z = plus(triple(arm, 30), _placed(arm, 3, q4, z, True))
    z = plus(triple(arm, 27), _placed(arm, 2, q3, z, True))
    m = _placed(arm, 2, q3, _placed(arm, 3, q4, _placed(arm, 4, q5, tool, False), False), False)
    h1, h2, p1 = triple(arm, 6), triple(arm, 9), triple(arm, 24)
    seconds = np.empty(2)
    total = 1
    if arm[1] > 0.5:
        seconds[0], _ = turn_between(h2, m, wanted)
    elif arm[2] > 0.5:
        # What joint 2 has to slide by, with joint 1 where the direction puts it.
        first, _ = turn_between(h1, m, wanted)
        seconds[0] = dot(h2, minus(minus(turned(h1, cos(first), -sin(first), t), p1), z))
    else:
        total = _second_turn(h1, h2, p1, t, wanted, z, m, seed, seconds)
    for k in range(total):
        y, d = plus(p1, _placed(arm, 1, seconds[k], z, True)), _placed(arm, 1, seconds[k], m, False)
        if arm[1] > 0.5:
            first = dot(h1, minus(t, y))
        else:
            sine = dot(h1, cross(y, t)) + dot(h1, cross(d, wanted))
            cosine = dot(y, t) - dot(h1, y) * dot(h1, t) + dot(d, wanted) - dot(h1, d) * dot(h1, wanted)
            first = atan2(sine, cosine) if sine * sine + cosine * cosine > 1e-26 else seed[0]
        found[count, 0], found[count, 1] = first, seconds[k]
        found[count, 2], found[count, 3], found[count, 4] = q3, q4, q5
        count += 1
    return count


@njit(**INNER)
def _second_turn(h1, h2, p1, t, wanted, z, m, seed, seconds):
    # Joint 2 from what joint 1 leaves as it is, h1 t, t t and h1 wanted: by least squares, or where they say the same,
    # by the one that says most.
    cc, cs, ss, ce, se = 0.0, 0.0, 0.0, 0.0, 0.0
    best, best_a, best_b, best_e = -1.0, 0.0, 0.0, 0.0
    for i in range(3):
        a = h1 if i != 1 else times(2.0, p1)
        b = z if i < 2 else m
        part = dot(a, h2) * dot(h2, b)
        x, y = dot(a, b) - part, dot(a, cross(h2, b))
        e = dot(h1, t) - dot(h1, p1) - part
        if i == 1:
            e = dot(t, t) - dot(p1, p1) - dot(z, z) - part
        elif i == 2:
            e = dot(h1, wanted) - part
        cc, cs, ss, ce, se = cc + x * x, cs + x * y, ss + y * y, ce + x * e, se + y * e
        if x * x + y * y > best:
            best, best_a, best_b, best_e = x * x + y * y, x, y, e
    det = cc * ss - cs * cs
    if det > 1e-6 * (cc + ss) * (cc + ss) and det > 1e-20:
        seconds[0] = atan2(cc * se - cs * ce, ss * ce - cs * se)
        return 1
    total, _ = on_curve(best_a, best_b, best_e, False, seed[1], seconds)
    return total
