"""From a goal to the matrix whose eigenvalues are the half-angle tangents of the hidden joint."""

from __future__ import annotations

from math import cos, sin

from numba import njit

from ....kinematics.core.lanes import INNER
from .general_6r_layout import (
    CHOICE_AXES,
    CHOICE_OFFSETS,
    COEFFICIENTS,
    COLUMNS,
    DEGREES,
    DROPPED,
    FEATURES,
    ROWS,
)
from .line_features import move_lines, turn_lines_back, write_line, write_turns
from .small_factors import factorise, solve_rows
from .spatial_vectors import apply_transposed, times, triple

#: A leading matrix whose pivots differ by no more than this is good at once; else other zeros of the hidden joint are
#: tried. The values of the first zero, and the step to the next, are no special angles of any arm.
_GOOD = 1e-3
_FIRST_ZERO, _NEXT_ZERO, _ZEROS = 0.31, 1.53, 4


@njit(**INNER)
def goal_features(choice, rotation, point, features):
    """Features (3, 15) of the line of the joint that is left out, for 1, cosine and sine of the last kept joint.

    Args:
        choice: The numbers of a way to eliminate.
        rotation: (9,) of the product of all joints' turns, row by row.
        point: Of the last joint, from the first one, scaled.
        features: Receives them.
    """
    if choice[DROPPED] == 0.0:
        # The first axis, seen from behind the last joint: point -R' p, direction R' h1.
        t = times(-1.0, apply_transposed(rotation, 0, point))
        write_line(features, 0, t, apply_transposed(rotation, 0, triple(choice, CHOICE_AXES)))
        write_turns(features, triple(choice, CHOICE_AXES + 15))
        move_lines(features, triple(choice, CHOICE_OFFSETS + 12))
    else:
        # The second axis, moved by the first joint, seen from behind the last one.
        write_line(features, 0, triple(choice, CHOICE_OFFSETS), triple(choice, CHOICE_AXES + 3))
        write_turns(features, triple(choice, CHOICE_AXES))
        move_lines(features, times(-1.0, point))
        turn_lines_back(features, rotation)


@njit(**INNER)
def _halves(a, b, c):
    """(a + b cos v + c sin v) times cos(v/2), and times sin(v/2), over the cosines and sines of v/2 and 3v/2."""
    b, c = 0.5 * b, 0.5 * c
    return (a + b, c, b, c), (c, a - b, -c, b)


@njit(**INNER)
def _write_equation(matrix, row, coefficients, at):
    """One equation times the four products of half-angle functions, in rows ``row`` to ``row + 3``.

    Columns are the products of cos(u/2), sin(u/2), cos(3u/2), sin(3u/2) of the first kept joint u with those of the
    second, which runs faster.
    """
    u = (
        _halves(coefficients[0, at], coefficients[0, at + 1], coefficients[0, at + 2]),
        _halves(coefficients[1, at], coefficients[1, at + 1], coefficients[1, at + 2]),
        _halves(coefficients[2, at], coefficients[2, at + 1], coefficients[2, at + 2]),
    )
    for first in range(2):
        for i in range(4):
            even, odd = _halves(u[0][first][i], u[1][first][i], u[2][first][i])
            for j in range(4):
                matrix[row + 2 * first, 4 * i + j] = even[j]
                matrix[row + 2 * first + 1, 4 * i + j] = odd[j]


@njit(**INNER)
def write_equations(choice, features, coefficients, parts):
    """The four equations, times four, as polynomials of degree 2 in cosine and sine of half the hidden angle.

    Args:
        choice: The numbers of a way to eliminate.
        features: (3, 15) of `goal_features`.
        coefficients: (3, 24) scratch.
        parts: (3, 16, 16) receives what belongs to the squares and the product; first come equations of degree 0, then
            1 (which use the first two parts), then 2.
    """
    for b in range(3):
        for k in range(ROWS):
            coefficients[b, k] = 0.0
        for f in range(FEATURES):
            value = features[b, f]
            at = COEFFICIENTS + ROWS * f
            for k in range(ROWS):
                coefficients[b, k] += value * choice[at + k]
    row, at = 0, 0
    for degree in range(3):
        for _ in range(int(choice[DEGREES + degree])):
            for part in range(degree + 1):
                _write_equation(parts[part], row, coefficients, at)
                at += 3
            row += 4


@njit(**INNER)
def remove_constant_rows(parts, rows, columns):
    """Solve the first rows, which are free of the hidden joint, for as many unknowns, and put these into the others.

    Args:
        parts: (3, 16, 16) of `write_equations`; the solved unknowns are the first columns afterwards, and the first
            rows of part 0 are the unit matrix there.
        rows: Number of the rows, divided by 4 the number of equations of degree 0.
        columns: (16,) receives which unknown each column belongs to.

    Returns:
        The smallest pivot divided by the largest; 1 without rows.
    """
    for j in range(COLUMNS):
        columns[j] = j
    smallest, largest = 1e300, 1e-300
    first = parts[0]
    for k in range(rows):
        row, column, pivot = k, k, 0.0
        for i in range(k, rows):
            for j in range(k, COLUMNS):
                if abs(first[i, j]) > pivot:
                    row, column, pivot = i, j, abs(first[i, j])
        smallest, largest = min(smallest, pivot), max(largest, pivot)
        if pivot < 1e-200:
            return 0.0
        for j in range(COLUMNS):
            first[k, j], first[row, j] = first[row, j], first[k, j]
        columns[k], columns[column] = columns[column], columns[k]
        for part in range(3):
            for i in range(0 if part == 0 else rows, COLUMNS):
                parts[part, i, k], parts[part, i, column] = parts[part, i, column], parts[part, i, k]
        inverse = 1.0 / first[k, k]
        for j in range(k, COLUMNS):
            first[k, j] *= inverse
        for part in range(3):
            for i in range(0 if part == 0 else rows, COLUMNS):
                if part > 0 or i != k:
                    factor = parts[part, i, k]
                    for j in range(k, COLUMNS):
                        parts[part, i, j] -= factor * first[k, j]
    return smallest / largest if rows > 0 else 1.0


@njit(**INNER)
def matrix_at(parts, skip, linear, c, s, matrix):
    """The equations where the hidden half angle has cosine c and sine s, without rows and columns before ``skip``."""
    n = COLUMNS - skip
    for i in range(n):
        p0, p1, p2 = parts[0, skip + i], parts[1, skip + i], parts[2, skip + i]
        if i < linear:
            for j in range(n):
                matrix[i, j] = c * p0[skip + j] + s * p1[skip + j]
        else:
            for j in range(n):
                matrix[i, j] = c * c * p0[skip + j] + c * s * p1[skip + j] + s * s * p2[skip + j]


@njit(**INNER)
def eigenproblem(parts, skip, linear, leading, order, right, matrix):
    """The matrix A whose real eigenvalues x = tan((v - zero) / 2) are the values v of the hidden joint.

    With M(x) = K0 + x K1 in the rows of degree 1 and G0 + x G1 + x^2 G2 in those of degree 2, and w = (G1 + x G2) u,
    M(x) u = 0 is x [K1; G2] u = -[K0; G1] u + [0; w] and x w = -G0 u. Zero is chosen so that [K1; G2], which is the
    matrix half a turn away, can be divided by.

    Args:
        parts: (3, 16, 16) of `write_equations`, after `remove_constant_rows`.
        skip: Rows and columns that are solved for.
        linear: Rows of degree 1.
        leading: (16, 16) scratch.
        order: (16,) scratch of integers.
        right: (16, 16) scratch.
        matrix: (16, 16) receives A; its first rows belong to u.

    Returns:
        The number of its rows, zero, and the pivot ratio of what was divided by.
    """
    n = COLUMNS - skip
    zero, best, ratio = _FIRST_ZERO, _FIRST_ZERO, -1.0
    for trial in range(_ZEROS):
        matrix_at(parts, skip, linear, -sin(0.5 * zero), cos(0.5 * zero), leading)
        found = factorise(leading, n, order)
        if found > ratio:
            ratio, best = found, zero
        if ratio > _GOOD:
            break
        if trial < _ZEROS - 1:
            zero += _NEXT_ZERO
    if best != zero:
        zero = best
        matrix_at(parts, skip, linear, -sin(0.5 * zero), cos(0.5 * zero), leading)
        factorise(leading, n, order)
    quadratic = n - linear
    rows = n + quadratic
    c, s = cos(0.5 * zero), sin(0.5 * zero)
    for i in range(n):
        p0, p1, p2 = parts[0, skip + i], parts[1, skip + i], parts[2, skip + i]
        for j in range(quadratic):
            right[i, n + j] = 0.0
        if i < linear:
            for j in range(n):
                right[i, j] = -c * p0[skip + j] - s * p1[skip + j]
        else:
            right[i, n + i - linear] = 1.0
            for j in range(n):
                right[i, j] = 2.0 * c * s * (p0[skip + j] - p2[skip + j]) - (c * c - s * s) * p1[skip + j]
    solve_rows(leading, n, order, right, rows)
    for i in range(n):
        for j in range(rows):
            matrix[i, j] = right[i, j]
    for i in range(quadratic):
        p0, p1, p2 = parts[0, skip + linear + i], parts[1, skip + linear + i], parts[2, skip + linear + i]
        for j in range(n):
            matrix[n + i, j] = -c * c * p0[skip + j] - c * s * p1[skip + j] - s * s * p2[skip + j]
        for j in range(quadratic):
            matrix[n + i, n + j] = 0.0
    return rows, zero, ratio
