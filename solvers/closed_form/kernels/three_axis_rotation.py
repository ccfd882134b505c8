"""Turns about three axes, none parallel to the next: a wrist of any shape."""

from __future__ import annotations

from math import atan2

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import SINGULAR
from .spatial_vectors import apply, dot, triple, turn_between, turned
from .two_conics import on_curve


@njit(**INNER)
def three_axis_rotation(numbers, at, wanted, seed, q, flags):
    """All (q1, q2, q3) with R1 R2 R3 = wanted; where the axes do not let it, those with the least angle between.

    The angle of the axes 1 and 3 is the middle joint's alone: h1 R2 h3 = h1 wanted h3, at most two values.

    Args:
        numbers: Of the arm: three unit axes, row by row.
        at: Where they begin.
        wanted: (9,) the rotation row by row.
        seed: (3,) values where they are free.
        q: (2, 3) receives the solutions.
        flags: (2,) receives their flags.

    Returns:
        How many were written: 1 or 2.
    """
    h1, h2, h3 = triple(numbers, at), triple(numbers, at + 3), triple(numbers, at + 6)
    goal = apply(wanted, 0, h3)
    left = np.empty(9)
    count = two_axis_direction(numbers, at, h3, goal, seed, q, flags)
    for k in range(count):
        c1, s1 = np.cos(q[k, 0]), -np.sin(q[k, 0])
        c2, s2 = np.cos(q[k, 1]), -np.sin(q[k, 1])
        for j in range(3):
            column = turned(h1, c1, s1, (wanted[j], wanted[3 + j], wanted[6 + j]))
            column = turned(h2, c2, s2, column)
            left[j], left[3 + j], left[6 + j] = column[0], column[1], column[2]
        q[k, 2] = nearest_turn(h3, left, seed[2])
    return count


@njit(**INNER)
def two_axis_direction(numbers, at, direction, goal, seed, q, flags):
    """All (q1, q2) with R1 R2 direction = goal, or the nearest.

    Args:
        numbers: Of the arm: two unit axes, row by row.
        at: Where they begin.
        direction: A unit vector.
        goal: A unit vector.
        seed: (2,) values where they are free.
        q: (2, 2) receives the solutions.
        flags: (2,) receives their flags.

    Returns:
        How many were written: 1 or 2.
    """
    h1, h2 = triple(numbers, at), triple(numbers, at + 3)
    constant = dot(h1, h2) * dot(h2, direction)
    a = dot(h1, direction) - constant
    b = dot(h1, turned(h2, 0.0, 1.0, direction)) - constant
    values = np.empty(2)
    count, flag = on_curve(a, b, dot(h1, goal) - constant, False, seed[1], values)
    for k in range(count):
        moved = turned(h2, np.cos(values[k]), np.sin(values[k]), direction)
        first, lever = turn_between(h1, moved, goal)
        q[k, 0], q[k, 1], flags[k] = first, values[k], flag
        if lever <= 1e-14:
            q[k, 0], flags[k] = seed[0], flag | SINGULAR
    return count


@njit(**INNER)
def nearest_turn(h, rotation, seed):
    """The angle about the unit axis h whose rotation is nearest to a given one (9,), by the trace of their quotient.

    The seed where every angle is as near.
    """
    sine = dot(h, (rotation[7] - rotation[5], rotation[2] - rotation[6], rotation[3] - rotation[1]))
    cosine = rotation[0] + rotation[4] + rotation[8] - dot(h, apply(rotation, 0, h))
    if sine * sine + cosine * cosine <= 1e-28:
        return seed
    return atan2(sine, cosine)


@njit(**INNER)
def rotation_without_tip(goal, numbers, at, wanted):
    """What the joints have to turn by: the goal (9,) times the transposed rotation of the tip at zero.

    Args:
        goal: (9 or more,) row by row.
        numbers: Of the arm.
        at: Where the rotation of the tip begins, row by row.
        wanted: (9,) receives the product.
    """
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += goal[3 * i + k] * numbers[at + 3 * j + k]
            wanted[3 * i + j] = total
