"""Triangular factors of small dense matrices, for kernels."""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INNER


@njit(**INNER)
def factorise(a, n, order):
    """Factors L U of the rows of ``a`` (n, n), the largest pivot of each column taken, in place.

    Args:
        a: U and, below the diagonal, L without its ones afterwards. A pivot of zero becomes a tiny one.
        n: Rows.
        order: (n,) receives which row each step took.

    Returns:
        The smallest pivot divided by the largest, a rough measure of how well the matrix can be solved with.
    """
    smallest, largest = 1e300, 1e-300
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        order[k] = best
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        pivot = abs(a[k, k])
        smallest, largest = min(smallest, pivot), max(largest, pivot)
        if pivot < 1e-150:
            a[k, k] = 1e-150
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            factor = a[i, k] * inverse
            a[i, k] = factor
            for j in range(k + 1, n):
                a[i, j] -= factor * a[k, j]
    return smallest / largest


@njit(**INNER)
def solve_rows(a, n, order, b, columns):
    """Overwrite ``b`` (n, columns) by the solution of a x = b, from the factors of `factorise`."""
    for k in range(n):
        best = order[k]
        if best != k:
            for j in range(columns):
                b[k, j], b[best, j] = b[best, j], b[k, j]
    for k in range(n):
        for i in range(k + 1, n):
            factor = a[i, k]
            for j in range(columns):
                b[i, j] -= factor * b[k, j]
    for k in range(n - 1, -1, -1):
        inverse = 1.0 / a[k, k]
        for j in range(columns):
            b[k, j] *= inverse
        for i in range(k):
            factor = a[i, k]
            for j in range(columns):
                b[i, j] -= factor * b[k, j]


@njit(**INNER)
def solve_vector(a, n, order, b):
    """Overwrite ``b`` (n,) by the solution of a x = b, from the factors of `factorise`."""
    for k in range(n):
        best = order[k]
        if best != k:
            b[k], b[best] = b[best], b[k]
    for k in range(n):
        for i in range(k + 1, n):
            b[i] -= a[i, k] * b[k]
    for k in range(n - 1, -1, -1):
        b[k] /= a[k, k]
        for i in range(k):
            b[i] -= a[i, k] * b[k]


@njit(**INNER)
def null_space(a, n, most, threshold, columns, basis):
    """Vectors that ``a`` (n, n) takes to about zero, by elimination with the largest pivot of all entries.

    Args:
        a: Destroyed.
        n: Rows and columns.
        most: The most vectors wanted; at least one is given.
        threshold: Pivots below this part of the first one count as zero.
        columns: (n,) scratch of integers.
        basis: (n, most) receives the vectors as columns.

    Returns:
        How many there are.
    """
    for j in range(n):
        columns[j] = j
    rank, first = 0, 0.0
    while rank < n - 1:
        row, column, pivot = rank, rank, 0.0
        for i in range(rank, n):
            for j in range(rank, n):
                if abs(a[i, j]) > pivot:
                    row, column, pivot = i, j, abs(a[i, j])
        if rank == 0:
            first = pivot
        if (rank >= n - most and pivot <= threshold * first) or pivot < 1e-300:
            break
        if row != rank:
            for j in range(n):
                a[rank, j], a[row, j] = a[row, j], a[rank, j]
        if column != rank:
            columns[rank], columns[column] = columns[column], columns[rank]
            for i in range(n):
                a[i, rank], a[i, column] = a[i, column], a[i, rank]
        for i in range(rank + 1, n):
            factor = a[i, rank] / a[rank, rank]
            for j in range(rank + 1, n):
                a[i, j] -= factor * a[rank, j]
        rank += 1
    found = min(most, n - rank)
    for v in range(found):
        # One of the free unknowns is one, the others are zero; the rest follows from the triangle.
        for i in range(n):
            basis[i, v] = 0.0
        basis[columns[rank + v], v] = 1.0
        for i in range(rank - 1, -1, -1):
            total = a[i, rank + v]
            for j in range(i + 1, rank):
                total += a[i, j] * basis[columns[j], v]
            basis[columns[i], v] = -total / a[i, i]
    return found
