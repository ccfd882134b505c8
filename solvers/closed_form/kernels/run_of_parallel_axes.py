"""Three parallel axes behind a first one: base, shoulder, elbow and wrist pitch of many small arms."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .planar_links import two_links
from .spatial_vectors import dot, minus, triple, turned

# What is packed: the size, the first axis, the common direction of the others with two directions across it, signs of
# the second and third of the parallel axes relative to the first of them, offsets p0 to p3 in sizes.
SIZE, FIRST, NORMAL, ACROSS1, ACROSS2, SIGNS, OFFSETS, LENGTH = 0, 1, 4, 7, 10, 13, 15, 27


@njit(**INNER)
def behind_first(numbers, at, angle, point):
    """Where a point (in sizes) is seen from the second axis with the first one at an angle."""
    from_first = minus(point, triple(numbers, at + OFFSETS))
    seen = turned(triple(numbers, at + FIRST), cos(angle), -sin(angle), from_first)
    return minus(seen, triple(numbers, at + OFFSETS + 3))


@njit(**INNER)
def parallel_run(numbers, at, place, total, seed, q, flags, start):
    """Angles of three parallel axes whose sum and third origin are known.

    Args:
        numbers: Of the arm.
        at: Where its numbers begin.
        place: Where the origin of the third of the axes is to be, seen from the second axis of the arm, in sizes.
        total: The sum of the three angles, about the common direction.
        seed: (4 or more,) values where they are free.
        q: Receives the angles in the columns 1, 2 and 3 of rows from ``start`` on.
        flags: Receives their flags.
        start: The first row.

    Returns:
        How many rows were written: 1 or 2.
    """
    e1, e2 = triple(numbers, at + ACROSS1), triple(numbers, at + ACROSS2)
    p2, p3 = triple(numbers, at + OFFSETS + 6), triple(numbers, at + OFFSETS + 9)
    sign3, sign4 = numbers[at + SIGNS], numbers[at + SIGNS + 1]
    values = np.empty((2, 2))
    count, flag = two_links(
        (dot(e1, p2), dot(e2, p2)),
        (dot(e1, p3), dot(e2, p3)),
        (dot(e1, place), dot(e2, place)),
        (seed[1], sign3 * seed[2]),
        values,
    )
    for k in range(count):
        q[start + k, 1] = values[k, 0]
        q[start + k, 2] = sign3 * values[k, 1]
        q[start + k, 3] = sign4 * (total - values[k, 0] - values[k, 1])
        flags[start + k] = flag
    return count
