"""Subproblems 5 and 6: three circles, and four circles of two angles.

Both come down to `coupled_circles`. Angles are given by cosine and sine, as by the other subproblems; a vanishing
offset or parallel axes are no special case for the caller.

Reference: A. J. Elias and J. T. Wen, "IK-Geo: Unified robot inverse kinematics using subproblem decomposition",
arXiv 2211.05737.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER
from .circle_subproblems import circle_to_point
from .coupled_circles import EACH, coupled_circles
from .flags import OUT_OF_REACH, SINGULAR
from .registers import make_stack
from .spatial_vectors import Vector, cross, dot, length, plus, turned

_room = make_stack(4 * EACH)


@njit(**INNER)
def row_of_circle(normal: Vector, axis: Vector, point: Vector) -> tuple[float, float, float, float]:
    """What normal . R(axis, angle) point is: factors of cosine and sine, constant, and the largest it can be."""
    constant = dot(normal, axis) * dot(axis, point)
    return (
        dot(normal, point) - constant,
        dot(normal, cross(axis, point)),
        constant,
        length(normal) * length(point),
    )


@njit(**INNER)
def four_circles(
    normals: tuple[Vector, Vector, Vector, Vector],
    axes: tuple[Vector, Vector, Vector, Vector],
    points: tuple[Vector, Vector, Vector, Vector],
    first: float,
    second: float,
    slack: float,
    found: Any,
) -> tuple[int, int]:
    """Subproblem 6: two angles from two equations on four circles.

    With h, k, p for normals, axes and points:

        h1 . R(k1, angle1) p1 + h2 . R(k2, angle2) p2 = first
        h3 . R(k3, angle1) p3 + h4 . R(k4, angle2) p4 = second

    Args:
        normals: h1 to h4.
        axes: k1 to k4, of length one.
        points: p1 to p4.
        first: Right-hand side.
        second: Right-hand side.
        slack: See `coupled_circles`.
        found: Room for 16 numbers: four solutions of cosine and sine of angle 1, cosine and sine of angle 2.

    Returns:
        As `coupled_circles`.
    """
    a, b, c, size1 = row_of_circle(normals[0], axes[0], points[0])
    d, e, f, size2 = row_of_circle(normals[1], axes[1], points[1])
    g, h, i, size3 = row_of_circle(normals[2], axes[2], points[2])
    j, k, m, size4 = row_of_circle(normals[3], axes[3], points[3])
    sizes = (size1 + size2 + abs(first), size3 + size4 + abs(second))
    return coupled_circles((a, b, g, h), (d, e, j, k), (first - c - f, second - i - m), sizes, slack, found)


@njit(**INNER)
def three_circles(
    p0: Vector, k1: Vector, p1: Vector, k2: Vector, p2: Vector, k3: Vector, p3: Vector, slack: float, found: Any
) -> tuple[int, int]:
    """Subproblem 5: three angles from p0 + R(k1, angle1) p1 = R(k2, angle2) (p2 + R(k3, angle3) p3).

    The height along k2 and the distance from its origin do not depend on angle 2, which leaves two equations for the
    other two; angle 2 is subproblem 1.

    Args:
        p0: Offset.
        k1: Axis.
        p1: Point.
        k2: Axis.
        p2: Offset.
        k3: Axis.
        p3: Point.
        slack: See `coupled_circles`.
        found: Room for 24 numbers: four solutions of cosine and sine of angle 1, of angle 2, of angle 3.

    Returns:
        the number of solutions, and flags. ``OUT_OF_REACH``: what is written is near to the nearest.
        ``SINGULAR``: the solutions are some of infinitely many.
    """
    a, b, c, _ = row_of_circle(k2, k1, p1)
    d, e, f, _ = row_of_circle(k2, k3, p3)
    g, h, i, _ = row_of_circle(p0, k1, p1)
    j, k, m, _ = row_of_circle(p2, k3, p3)
    size = length(p0) + length(p1) + length(p2) + length(p3)
    difference = dot(p2, p2) + dot(p3, p3) - dot(p0, p0) - dot(p1, p1)
    pairs = _room()
    count, flags = coupled_circles(
        (a, b, g, h),
        (-d, -e, -j, -k),
        (dot(k2, p2) + f - dot(k2, p0) - c, 0.5 * difference + m - i),
        (size, size * size),
        slack,
        pairs,
    )
    for n in range(count):
        at = EACH * n
        left = plus(p0, turned(k1, pairs[at], pairs[at + 1], p1))
        right = plus(p2, turned(k3, pairs[at + 2], pairs[at + 3], p3))
        cosine, sine, more = circle_to_point(k2, right, left)
        flags |= more & SINGULAR
        to = 6 * n
        found[to], found[to + 1] = pairs[at], pairs[at + 1]
        found[to + 2], found[to + 3] = cosine, sine
        found[to + 4], found[to + 5] = pairs[at + 2], pairs[at + 3]
    return count, flags & (OUT_OF_REACH | SINGULAR)
