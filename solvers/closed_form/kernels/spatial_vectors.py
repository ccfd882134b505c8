"""Vectors of space as triples of numbers, which the compiler keeps in registers, and turns about axes."""

from __future__ import annotations

from math import atan2, sqrt

from numba import njit

from ....kinematics.core.lanes import INNER

Vector = tuple[float, float, float]


@njit(**INNER)
def triple(values, k):
    """Three numbers of an array, from the k-th on."""
    return (values[k], values[k + 1], values[k + 2])


@njit(**INNER)
def dot(a, b):
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(**INNER)
def cross(a, b):
    """Outer product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit(**INNER)
def plus(a, b):
    """Sum."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@njit(**INNER)
def minus(a, b):
    """Difference."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@njit(**INNER)
def times(k, a):
    """Multiple."""
    return (k * a[0], k * a[1], k * a[2])


@njit(**INNER)
def length(a):
    """Euclidean norm."""
    return sqrt(dot(a, a))


@njit(**INNER)
def along(h, a):
    """The part of a vector along a unit vector h."""
    return times(dot(h, a), h)


@njit(**INNER)
def turned(h, c, s, a):
    """A vector turned about the unit axis h by the angle of cosine c and sine s: Rodrigues' formula."""
    w = cross(h, a)
    k = (1.0 - c) * dot(h, a)
    return (c * a[0] + s * w[0] + k * h[0], c * a[1] + s * w[1] + k * h[1], c * a[2] + s * w[2] + k * h[2])


@njit(**INNER)
def turn_between(h, a, b):
    """The angle about the unit axis h that brings a nearest to b, and the lever that decides it.

    The lever is the product of the distances of the two from the axis; where it is zero, the angle is free.
    """
    y = dot(h, cross(a, b))
    x = dot(a, b) - dot(h, a) * dot(h, b)
    lever = sqrt(x * x + y * y)
    if lever < 1e-300:
        return 0.0, 0.0
    return atan2(y, x), lever


@njit(**INNER)
def apply(matrix, k, a):
    """A 3x3 matrix, row by row from the k-th number of an array on, times a vector."""
    return (
        matrix[k] * a[0] + matrix[k + 1] * a[1] + matrix[k + 2] * a[2],
        matrix[k + 3] * a[0] + matrix[k + 4] * a[1] + matrix[k + 5] * a[2],
        matrix[k + 6] * a[0] + matrix[k + 7] * a[1] + matrix[k + 8] * a[2],
    )


@njit(**INNER)
def apply_transposed(matrix, k, a):
    """The transpose of a 3x3 matrix, row by row from the k-th number of an array on, times a vector."""
    return (
        matrix[k] * a[0] + matrix[k + 3] * a[1] + matrix[k + 6] * a[2],
        matrix[k + 1] * a[0] + matrix[k + 4] * a[1] + matrix[k + 7] * a[2],
        matrix[k + 2] * a[0] + matrix[k + 5] * a[1] + matrix[k + 8] * a[2],
    )
