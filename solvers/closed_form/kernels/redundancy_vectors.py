"""Vectors of three numbers, or of three lanes, as tuples, for the search along a redundancy.

Apart from `spatial_vectors` because they are compiled into their callers by force: the search calls them in lanes,
where a call that is left standing takes longer than its work.
"""

from __future__ import annotations

from numba import njit

from ....kinematics.core.lanes import INLINE


@njit(**INLINE)
def vector_at(numbers, at):
    """Three numbers of an array."""
    return numbers[at], numbers[at + 1], numbers[at + 2]


@njit(**INLINE)
def dot(a, b):
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(**INLINE)
def cross(a, b):
    """Outer product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(**INLINE)
def add(a, b):
    """Sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@njit(**INLINE)
def subtract(a, b):
    """Difference."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(**INLINE)
def scale(k, a):
    """Multiple."""
    return k * a[0], k * a[1], k * a[2]


@njit(**INLINE)
def combine(a, c, b, s, d):
    """The first vector plus c times b plus s times d."""
    return a[0] + c * b[0] + s * d[0], a[1] + c * b[1] + s * d[1], a[2] + c * b[2] + s * d[2]


@njit(**INLINE)
def rotate(axis, c, s, a):
    """A vector turned about a unit axis by the angle of cosine c and sine s: Rodrigues' formula."""
    along = (1.0 - c) * dot(axis, a)
    n = cross(axis, a)
    return (
        c * a[0] + s * n[0] + along * axis[0],
        c * a[1] + s * n[1] + along * axis[1],
        c * a[2] + s * n[2] + along * axis[2],
    )


@njit(**INLINE)
def matrix_times(m, at, a):
    """A matrix (3, 3), row by row in an array, times a vector."""
    return (
        m[at] * a[0] + m[at + 1] * a[1] + m[at + 2] * a[2],
        m[at + 3] * a[0] + m[at + 4] * a[1] + m[at + 5] * a[2],
        m[at + 6] * a[0] + m[at + 7] * a[1] + m[at + 8] * a[2],
    )


@njit(**INLINE)
def transposed_times(m, at, a):
    """The transpose of a matrix (3, 3), row by row in an array, times a vector."""
    return (
        m[at] * a[0] + m[at + 3] * a[1] + m[at + 6] * a[2],
        m[at + 1] * a[0] + m[at + 4] * a[1] + m[at + 7] * a[2],
        m[at + 2] * a[0] + m[at + 5] * a[1] + m[at + 8] * a[2],
    )
