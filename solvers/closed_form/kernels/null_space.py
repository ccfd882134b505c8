"""Vectors of products x^i y^j, i = 0 ... 3 and j = 0 ... 2, in the null space of a 12x12 matrix."""

from __future__ import annotations

from math import sin, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_roots import polynomial_roots

#: The largest dimension that is looked for: so many solutions may share the angle that makes the matrix singular.
MOST = 4
#: A singular value below this counts as zero: a fourfold root of the determinant is only known to 1e-4.
_SMALL = 2e-3
#: Combinations of the four neighbours (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1). Of no meaning: they keep x and y
#: away from infinity, and the ratios of two solutions apart.
_BELOW = (0.71, 0.43, -0.37, 0.23)
_ABOVE = (-0.29, 0.61, 0.53, -0.41)


@njit(**INNER)
def null_space(matrix, swaps, basis):
    """An orthonormal basis of what a matrix takes to zero, or nearly, by inverse iteration.

    Args:
        matrix: (12, 12) factored, as `five_unknowns` does it.
        swaps: (12,) rows that were exchanged.
        basis: (`MOST`, 12) receives the vectors.

    Returns:
        How many there are, at least 1.
    """
    for which in range(MOST):
        for k in range(12):
            basis[which, k] = 1.0 + 0.9 * sin((5.0 + 2.0 * which) * k + 1.0 + which)
    count = MOST
    for turn in range(4):
        for which in range(count):
            grown = _solve_factored(matrix, swaps, basis[which], turn > 0)
            for other in range(which):
                share = 0.0
                for k in range(12):
                    share += basis[other, k] * basis[which, k]
                for k in range(12):
                    basis[which, k] -= share * basis[other, k]
            length = 0.0
            for k in range(12):
                length += basis[which, k] * basis[which, k]
            length = sqrt(max(length, 1e-300))
            for k in range(12):
                basis[which, k] /= length
            # Orthogonal to the ones before, it has grown by one over its singular value.
            if turn == 2 and which > 0 and grown * length * _SMALL < 1.0:
                count = which
                break
    return count


@njit(**INNER)
def _solve_factored(matrix, swaps, vector, both):
    # In place, with the upper factor alone where `both` is false; the vector is divided by what is given back.
    if both:
        for step in range(12):
            row = swaps[step]
            vector[step], vector[row] = vector[row], vector[step]
        for step in range(12):
            for i in range(step + 1, 12):
                vector[i] -= matrix[i, step] * vector[step]
    factor = 1.0
    for i in range(11, -1, -1):
        for k in range(i + 1, 12):
            vector[i] -= matrix[i, k] * vector[k]
        vector[i] /= matrix[i, i]
        if abs(vector[i]) > 1e60:
            factor *= abs(vector[i]) if factor < 1e100 else 1.0
            scale = abs(vector[i])
            for k in range(12):
                vector[k] /= scale
    largest = 1e-300
    for k in range(12):
        largest = max(largest, abs(vector[k]))
    for k in range(12):
        vector[k] /= largest
    return factor * largest


@njit(**INNER)
def points_of_null_space(basis, count, points):
    """The (x, y) whose products are in the space that some vectors span.

    Combinations of neighbours in a vector of products have the same ratio everywhere in it, so that the products are
    eigenvectors of (V below)^+ (V above).

    Args:
        basis: (`MOST`, 12) the vectors; x^i y^j is number 3 i + j.
        count: How many.
        points: (`MOST`, 4) receives x as (above, below) in the sense of a fraction, and y likewise.

    Returns:
        How many points there are.
    """
    if count == 1:
        _fractions(basis[0], points[0])
        return 1
    gram, mixed = np.zeros((MOST, MOST)), np.zeros((MOST, MOST))
    below, above = np.empty(MOST), np.empty(MOST)
    for i in range(3):
        for j in range(2):
            for k in range(count):
                low, high = basis[k, 3 * i + j], basis[k, 3 * i + j + 3]
                low_next, high_next = basis[k, 3 * i + j + 1], basis[k, 3 * i + j + 4]
                below[k] = _BELOW[0] * low + _BELOW[1] * high + _BELOW[2] * low_next + _BELOW[3] * high_next
                above[k] = _ABOVE[0] * low + _ABOVE[1] * high + _ABOVE[2] * low_next + _ABOVE[3] * high_next
            for k in range(count):
                for m in range(count):
                    gram[k, m] += below[k] * below[m]
                    mixed[k, m] += below[k] * above[m]
    if not _divide(gram, mixed, count):
        for k in range(count):
            _fractions(basis[k], points[k])
        return count
    values, vector, product = np.empty(MOST), np.empty(MOST), np.empty(12)
    found = _real_eigenvalues(mixed, count, values)
    for which in range(found):
        _eigenvector(mixed, count, values[which], vector)
        for j in range(12):
            product[j] = 0.0
            for k in range(count):
                product[j] += vector[k] * basis[k, j]
        _fractions(product, points[which])
    return found


@njit(**INNER)
def _divide(gram, mixed, count):
    # mixed = gram^-1 mixed, by Gauss and Jordan; gram is positive semi-definite.
    for step in range(count):
        row = step
        for i in range(step + 1, count):
            if abs(gram[i, step]) > abs(gram[row, step]):
                row = i
        if abs(gram[row, step]) < 1e-13:
            return False
        for k in range(count):
            gram[step, k], gram[row, k] = gram[row, k], gram[step, k]
            mixed[step, k], mixed[row, k] = mixed[row, k], mixed[step, k]
        pivot = gram[step, step]
        for k in range(count):
            gram[step, k] /= pivot
            mixed[step, k] /= pivot
        for i in range(count):
            if i != step:
                factor = gram[i, step]
                for k in range(count):
                    gram[i, k] -= factor * gram[step, k]
                    mixed[i, k] -= factor * mixed[step, k]
    return True


@njit(**INNER)
def _real_eigenvalues(matrix, count, values):
    # The characteristic polynomial by Faddeev and Le Verrier's method, and its roots that are real or nearly so.
    coefficients = np.zeros(MOST + 1, dtype=np.complex128)
    coefficients[count] = complex(1.0, 0.0)
    power, product = np.zeros((MOST, MOST)), np.empty((MOST, MOST))
    last = 1.0
    for step in range(1, count + 1):
        for i in range(count):
            power[i, i] += last
        trace = 0.0
        for i in range(count):
            for j in range(count):
                total = 0.0
                for k in range(count):
                    total += matrix[i, k] * power[k, j]
                product[i, j] = total
            trace += product[i, i]
        last = -trace / step
        coefficients[count - step] = complex(last, 0.0)
        for i in range(count):
            for j in range(count):
                power[i, j] = product[i, j]
    roots = polynomial_roots(coefficients, count)
    found = 0
    for k in range(count):
        if abs(roots[k].imag) <= 0.05 * (abs(roots[k].real) + 0.1):
            values[found] = roots[k].real
            found += 1
    return found


@njit(**INNER)
def _eigenvector(matrix, count, value, vector):
    # What is orthogonal to all rows of matrix - value 1 but the least independent one: elimination with full pivoting.
    work, order = np.empty((MOST, MOST)), np.empty(MOST, dtype=np.int64)
    for i in range(count):
        order[i] = i
        for k in range(count):
            work[i, k] = matrix[i, k] - (value if i == k else 0.0)
    for step in range(count - 1):
        row, column, best = step, step, -1.0
        for i in range(step, count):
            for k in range(step, count):
                if abs(work[i, k]) > best:
                    row, column, best = i, k, abs(work[i, k])
        for k in range(count):
            work[step, k], work[row, k] = work[row, k], work[step, k]
        for i in range(count):
            work[i, step], work[i, column] = work[i, column], work[i, step]
        order[step], order[column] = order[column], order[step]
        if best < 1e-200:
            work[step, step] = 1e-200
        for i in range(step + 1, count):
            factor = work[i, step] / work[step, step]
            for k in range(step, count):
                work[i, k] -= factor * work[step, k]
    vector[order[count - 1]] = 1.0
    for i in range(count - 2, -1, -1):
        total = work[i, count - 1]
        for k in range(i + 1, count - 1):
            total += work[i, k] * vector[order[k]]
        vector[order[i]] = max(-1e12, min(1e12, -total / work[i, i]))


@njit(**INNER)
def _fractions(vector, point):
    # The ratios of neighbours in x^i y^j, all of them by least squares.
    xx, xy, yy, yz = 0.0, 0.0, 0.0, 0.0
    for i in range(4):
        for j in range(3):
            v = vector[3 * i + j]
            if i < 3:
                xx, xy = xx + v * v, xy + v * vector[3 * i + 3 + j]
            if j < 2:
                yy, yz = yy + v * v, yz + v * vector[3 * i + j + 1]
    point[0], point[1], point[2], point[3] = xy, xx, yz, yy
