"""Vectors of three numbers as tuples, which the compiler keeps in registers."""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import INNER

Vector = tuple[float, float, float]


@njit(**INNER)
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(**INNER)
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(**INNER)
def plus(a: Vector, b: Vector) -> Vector:
    """The sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@njit(**INNER)
def times(factor: float, a: Vector) -> Vector:
    """The multiple."""
    return factor * a[0], factor * a[1], factor * a[2]


@njit(**INNER)
def length(a: Vector) -> float:
    """Euclidean norm."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@njit(**INNER)
def turned(axis: Vector, cosine: float, sine: float, a: Vector) -> Vector:
    """A vector turned about a unit axis by an angle that is given by its cosine and sine: Rodrigues' formula."""
    along = (1.0 - cosine) * dot(axis, a)
    sideways = cross(axis, a)
    return (
        cosine * a[0] + sine * sideways[0] + along * axis[0],
        cosine * a[1] + sine * sideways[1] + along * axis[1],
        cosine * a[2] + sine * sideways[2] + along * axis[2],
    )
