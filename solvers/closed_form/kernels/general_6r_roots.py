"""The roots of the hidden joint, and the kept joints that belong to each."""

from __future__ import annotations

from math import atan, atan2, cos, sin

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .eigenvalues import back_transform, eigenvalues, eigenvector, hessenberg
from .general_6r_elimination import eigenproblem, goal_features, matrix_at, remove_constant_rows, write_equations
from .general_6r_layout import COLUMNS, DEGREES, MULTIPLICITY, REVERSED
from .separate_solutions import separate_solutions
from .small_factors import null_space
from .spatial_vectors import apply_transposed, times

#: Pivot ratio below which nothing was found out.
_HOPELESS = 1e-200


@njit(**INNER)
def as_taken(choice, aim, seed, rotation, chain_seed):
    """Rotation and seed are written, the point is returned: as they are for the chain, which may be reversed."""
    is_reversed = choice[REVERSED] != 0.0
    for i in range(3):
        for j in range(3):
            rotation[3 * i + j] = aim[0][3 * j + i] if is_reversed else aim[0][3 * i + j]
    for k in range(6):
        chain_seed[k] = seed[5 - k] if is_reversed else seed[k]
    return times(-1.0, apply_transposed(aim[0], 0, aim[1])) if is_reversed else aim[1]


@njit(**INNER)
def roots_of_hidden(choice, rotation, point, parts, columns, scratch, values):
    """Half-angle tangents of the hidden joint, (2, 16) real and imaginary.

    ``scratch`` (5, 16, 16) receives the Hessenberg form of the matrix that they are eigenvalues of, and as the last one
    the reflections that led to it.

    Returns:
        How many there are, the angle that they are counted from, and how well the matrix could be divided.
    """
    features, coefficients, order = np.empty((3, 15)), np.empty((3, 24)), np.empty(COLUMNS, dtype=np.int64)
    goal_features(choice, rotation, point, features)
    write_equations(choice, features, coefficients, parts)
    skip, linear = 4 * int(choice[DEGREES]), 4 * int(choice[DEGREES + 1])
    matrix, form = scratch[0], scratch[1]
    trust = remove_constant_rows(parts, skip, columns)
    rows, zero, ratio = eigenproblem(parts, skip, linear, scratch[2], order, scratch[3], matrix)
    trust = min(trust, ratio)
    if trust < _HOPELESS:
        return 0, zero, 0.0
    hessenberg(matrix, rows, scratch[4])
    for i in range(rows):
        for j in range(rows):
            form[i, j] = matrix[i, j]
    if not eigenvalues(form, rows, values[0], values[1]):
        return 0, zero, 0.0
    return rows, zero, trust


@njit(**INNER)
def is_repeated(values, e):
    """Whether a root is, but for rounding, one of those before it."""
    x = values[0, e]
    for k in range(e):
        if values[1, k] >= 0.0 and abs(values[0, k] - x) + abs(values[1, k] - values[1, e]) < 1e-5 * (1.0 + x * x):
            return True
    return False


@njit(**INNER)
def kept_joints(choice, parts, columns, scratch, rows, zero, x, angles):
    """Writes the two kept joints of the solutions that belong to a root; how many there are."""
    skip, together = 4 * int(choice[DEGREES]), int(choice[MULTIPLICITY])
    work = scratch[2]
    if together == 1:
        vector = np.empty(COLUMNS)
        eigenvector(scratch[0], rows, x, work, vector)
        back_transform(vector, rows, scratch[4])
        _angles_of_vector(vector, parts[0], skip, columns, angles)
        return 1
    half = atan(x) + 0.5 * zero
    matrix_at(parts, skip, 4 * int(choice[DEGREES + 1]), cos(half), sin(half), work)
    order = np.empty(COLUMNS, dtype=np.int64)
    pairs = null_space(work, COLUMNS - skip, together, 1e-6, order, scratch[3])
    return separate_solutions(scratch[3], COLUMNS - skip, pairs, parts[0], skip, columns, angles)


@njit(**INNER)
def _angles_of_vector(vector, first, skip, columns, angles):
    """The two kept joints from an eigenvector: it is the product of half-angle functions of the two."""
    u = np.empty(COLUMNS)
    n = COLUMNS - skip
    for j in range(n):
        u[columns[skip + j]] = vector[j]
    for k in range(skip):
        total = 0.0
        for j in range(n):
            total -= first[k, skip + j] * vector[j]
        u[columns[k]] = total
    # cos(u/2), sin(u/2) of the first belong to rows of four, those of the second to the first two in a row; the largest
    # of the four products decides which row and column are taken.
    best = 0
    for k in (1, 4, 5):
        if abs(u[k]) > abs(u[best]):
            best = k
    i, j = best // 4, best % 4
    angles[0, 0] = 2.0 * atan2(u[4 + j], u[j])
    angles[0, 1] = 2.0 * atan2(u[4 * i + 1], u[4 * i])
