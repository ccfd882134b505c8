"""Subproblems 1 to 4: one circle and a point, a plane or a sphere, and two circles.

A circle is what a point describes that turns about an axis through the origin. Angles are given by cosine and sine,
which is what later steps need; ``atan2(sine, cosine)`` is the angle. Each subproblem is solved in the sense of least
squares where it has no solution, and says so.

Reference: A. J. Elias and J. T. Wen, "IK-Geo: Unified robot inverse kinematics using subproblem decomposition",
arXiv 2211.05737.
"""

from __future__ import annotations

import math

from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH, SINGULAR, VALID
from .spatial_vectors import Vector, cross, dot, length, plus, times

#: A subproblem counts as solved when it is missed by at most this part of the lengths in it.
REACH = 1e-10
#: An angle counts as free when the circle's radius is at most this part of the lengths in it.
FREE = 1e-14

#: Two directions on the unit circle, and flags.
TwoTurns = tuple[float, float, float, float, int]


@njit(**INNER)
def line_and_unit_circle(a: float, b: float, d: float, size: float) -> TwoTurns:
    """Solves a cos + b sin = d.

    Args:
        a: Factor of the cosine.
        b: Factor of the sine.
        d: Right-hand side.
        size: What rounding errors of the three are measured by.

    Returns:
        cosine and sine of one solution, of the other (equal at a double root), and flags: ``OUT_OF_REACH`` when
        both are the angle at which the left side is nearest to the right, ``SINGULAR`` when every angle is one.
    """
    radius = math.sqrt(a * a + b * b)
    if radius <= FREE * size:
        return 1.0, 0.0, 1.0, 0.0, SINGULAR if abs(d) <= REACH * size else SINGULAR | OUT_OF_REACH
    a /= radius
    b /= radius
    along = d / radius
    flags = OUT_OF_REACH if abs(d) > radius + REACH * size else VALID
    along = min(1.0, max(-1.0, along))
    across = math.sqrt(max(0.0, (1.0 - along) * (1.0 + along)))
    return (
        a * along - b * across,
        b * along + a * across,
        a * along + b * across,
        b * along - a * across,
        flags,
    )


@njit(**INNER)
def circle_to_point(axis: Vector, point: Vector, target: Vector) -> tuple[float, float, int]:
    """Subproblem 1: the angle that brings a point nearest to a target, min |R(axis, angle) point - target|.

    Returns:
        cosine, sine and flags: ``OUT_OF_REACH`` when the target is missed, ``SINGULAR`` when the angle does not matter
        (then it is zero).
    """
    height, wanted = dot(axis, point), dot(axis, target)
    sideways = cross(axis, point)
    cosine = dot(point, target) - height * wanted
    sine = dot(sideways, target)
    circle = length(sideways)
    other = math.sqrt(max(0.0, dot(target, target) - wanted * wanted))
    size = length(point) + length(target)
    flags = VALID
    if abs(height - wanted) > REACH * size or abs(circle - other) > REACH * size:
        flags = OUT_OF_REACH
    norm = math.sqrt(cosine * cosine + sine * sine)
    # The radii are compared one by one: their product is out of a float's sight where both are small.
    if circle <= FREE * size or norm <= FREE * circle * size or norm == 0.0:
        return 1.0, 0.0, flags | SINGULAR
    return cosine / norm, sine / norm, flags


@njit(**INNER)
def circle_and_plane(axis: Vector, point: Vector, normal: Vector, distance: float) -> TwoTurns:
    """Subproblem 4: the angles that bring a point to a plane, normal . R(axis, angle) point = distance.

    Returns:
        As `line_and_unit_circle`.
    """
    constant = dot(normal, axis) * dot(axis, point)
    return line_and_unit_circle(
        dot(normal, point) - constant,
        dot(normal, cross(axis, point)),
        distance - constant,
        length(normal) * length(point) + abs(distance),
    )


@njit(**INNER)
def circle_and_sphere(axis: Vector, point: Vector, centre: Vector, distance: float) -> TwoTurns:
    """Subproblem 3: the angles that bring a point to a sphere, |R(axis, angle) point - centre| = distance.

    Returns:
        As `line_and_unit_circle`.
    """
    return circle_and_plane(axis, point, centre, 0.5 * (dot(point, point) + dot(centre, centre) - distance * distance))


@njit(**INNER)
def two_circles(
    axis1: Vector, point1: Vector, axis2: Vector, point2: Vector
) -> tuple[float, float, float, float, float, float, float, float, int]:
    """Subproblem 2: the angles that bring two points together, R(axis1, angle1) point1 = R(axis2, angle2) point2.

    The points meet at z = x axis1 + y axis2 +- w axis1 x axis2, whose products with the axes are known (Elias and
    Wen work with subproblem 4 instead, whose two answers have to be paired).

    Returns:
        cosine and sine of angle 1 and of angle 2, the same of the other solution, and flags: ``OUT_OF_REACH`` when
        the points do not meet (both solutions are the nearest they come), ``SINGULAR`` when an angle is free.
    """
    length1, length2 = length(point1), length(point2)
    size = 0.5 * (length1 + length2)
    if min(length1, length2) <= FREE * size or size == 0.0:
        flags = SINGULAR if size == 0.0 else SINGULAR | OUT_OF_REACH
        return 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, flags
    # The nearest points of two circles about the origin have the same directions whatever the radii of their spheres.
    p1, p2 = times(1.0 / length1, point1), times(1.0 / length2, point2)
    flags = OUT_OF_REACH if abs(length1 - length2) > REACH * size else VALID
    normal = cross(axis1, axis2)
    square = dot(normal, normal)
    if square <= 1e-24:
        cosine, sine, more = circle_to_point(axis1, p1, p2)
        return cosine, sine, 1.0, 0.0, cosine, sine, 1.0, 0.0, flags | more | SINGULAR
    c = dot(axis1, axis2)
    height1, height2 = dot(axis1, p1), dot(axis2, p2)
    x, y = (height1 - c * height2) / square, (height2 - c * height1) / square
    rest = 1.0 - (x * height1 + y * height2)
    if rest < 0.0:
        if rest < -2.0 * REACH:
            flags |= OUT_OF_REACH
        x1, x2 = _nearest_sides(height1, height2, c, math.sqrt(square))
        z1 = plus(axis2, times(-c, axis1))
        z2 = plus(axis1, times(-c, axis2))
        c1, s1, free1 = circle_to_point(axis1, p1, times(x1, z1))
        c2, s2, free2 = circle_to_point(axis2, p2, times(x2, z2))
        return c1, s1, c2, s2, c1, s1, c2, s2, flags | ((free1 | free2) & SINGULAR)
    w = math.sqrt(rest / square)
    base = plus(times(x, axis1), times(y, axis2))
    one, other = plus(base, times(w, normal)), plus(base, times(-w, normal))
    c1, s1, free1 = circle_to_point(axis1, p1, one)
    c2, s2, free2 = circle_to_point(axis2, p2, one)
    c3, s3, _ = circle_to_point(axis1, p1, other)
    c4, s4, _ = circle_to_point(axis2, p2, other)
    return c1, s1, c2, s2, c3, s3, c4, s4, flags | ((free1 | free2) & SINGULAR)


@njit(**INNER)
def _nearest_sides(height1: float, height2: float, c: float, s: float) -> tuple[float, float]:
    """On which side of its axis, towards the other axis (1) or away (-1), each of two circles is nearest to the other.

    Both nearest points lie in the plane of the axes.
    """
    radius1 = math.sqrt(max(0.0, 1.0 - height1 * height1))
    radius2 = math.sqrt(max(0.0, 1.0 - height2 * height2))
    best, best1, best2 = -2.0, 1.0, 1.0
    for k in range(4):
        side1, side2 = 1.0 - 2.0 * (k & 1), 1.0 - 1.0 * (k & 2)
        # The scalar product of the two points, a constant left out.
        product = s * (height1 * side2 * radius2 + side1 * radius1 * height2) - c * side1 * side2 * radius1 * radius2
        if product > best:
            best, best1, best2 = product, side1, side2
    return best1, best2
