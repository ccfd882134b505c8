"""Solutions that share one value of the hidden joint, out of the space that their vectors span."""

from __future__ import annotations

from math import atan2

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .eigenvalues import back_transform, eigenvalues, eigenvector, hessenberg
from .general_6r_layout import COLUMNS
from .small_factors import factorise, solve_rows

#: Weights of cosine and sine of the two kept joints: their sum takes different values for different solutions.
_WEIGHTS = (0.7548776662, 0.5698402910, -0.4301597090, 0.2451223338)


@njit(**INNER)
def separate_solutions(basis, n, count, first, skip, columns, angles):
    """The kept joints of several solutions.

    The space is spanned by the vectors z(u) z(v), z = (cos u/2, sin u/2, cos 3u/2, sin 3u/2). The four entries with
    half angles only, times cos u, sin u, cos v or sin v, are sums of entries of the same vector. So with L these
    entries of a basis, and K the same times a weighted sum of such functions, K = L S, and the eigenvectors of S
    separate the solutions.

    Args:
        basis: (16, count or more) vectors as columns; destroyed.
        n: Their length without the unknowns that were solved for.
        count: How many.
        first: (16, 16) rows that give the solved unknowns, see `remove_constant_rows`.
        skip: How many unknowns were solved for.
        columns: (16,) which unknown each column belongs to.
        angles: (4, 2) receives the angles.

    Returns:
        How many solutions were found.
    """
    u = np.zeros((COLUMNS, 4))
    for v in range(count):
        for j in range(n):
            u[columns[skip + j], v] = basis[j, v]
        for k in range(skip):
            total = 0.0
            for j in range(n):
                total -= first[k, skip + j] * basis[j, v]
            u[columns[k], v] = total
    square, order = np.zeros((4, 4)), np.empty(4, dtype=np.int64)
    moved = np.zeros((4, 4))
    low, high = np.empty(4), np.empty(4)
    for i in range(2):
        for j in range(2):
            # Row (i, j) of L, and of K.
            for v in range(count):
                low[v] = u[4 * i + j, v]
                high[v] = _times_functions(u, v, i, j)
            for a in range(count):
                for b in range(count):
                    square[a, b] += low[a] * low[b]
                    moved[a, b] += low[a] * high[b]
    factorise(square, count, order)
    solve_rows(square, count, order, moved, count)
    mirrors, form, real, imaginary = np.zeros((4, 4)), np.empty((4, 4)), np.zeros(4), np.zeros(4)
    hessenberg(moved, count, mirrors)
    for i in range(count):
        for j in range(count):
            form[i, j] = moved[i, j]
    if not eigenvalues(form, count, real, imaginary):
        return 0
    found, vector, scratch = 0, np.empty(4), np.empty((4, 4))
    for e in range(count):
        if imaginary[e] < 0.0:
            continue
        eigenvector(moved, count, real[e], scratch, vector)
        back_transform(vector, count, mirrors)
        best, value = 0, 0.0
        products = np.zeros(6)
        for k in (0, 1, 4, 5):
            for v in range(count):
                products[k] += u[k, v] * vector[v]
            if abs(products[k]) > value:
                best, value = k, abs(products[k])
        i, j = best // 4, best % 4
        angles[found, 0] = 2.0 * atan2(products[4 + j], products[j])
        angles[found, 1] = 2.0 * atan2(products[4 * i + 1], products[4 * i])
        found += 1
    return found


@njit(**INNER)
def _times_functions(u, v, i, j):
    """Entry (i, j) of vector v times the weighted sum of cosines and sines."""
    # cos(w) cos(w/2) = (cos(3w/2) + cos(w/2)) / 2, cos(w) sin(w/2) = (sin(3w/2) - sin(w/2)) / 2,
    # sin(w) cos(w/2) = (sin(3w/2) + sin(w/2)) / 2, sin(w) sin(w/2) = (cos(w/2) - cos(3w/2)) / 2.
    sign = 1.0 if i == 0 else -1.0
    total = _WEIGHTS[0] * 0.5 * (u[4 * (2 + i) + j, v] + sign * u[4 * i + j, v])
    total += _WEIGHTS[1] * 0.5 * (sign * u[4 * (3 - i) + j, v] + u[4 * (1 - i) + j, v])
    sign = 1.0 if j == 0 else -1.0
    total += _WEIGHTS[2] * 0.5 * (u[4 * i + 2 + j, v] + sign * u[4 * i + j, v])
    return total + _WEIGHTS[3] * 0.5 * (sign * u[4 * i + 3 - j, v] + u[4 * i + 1 - j, v])
