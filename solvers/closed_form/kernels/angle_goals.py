"""Goals that say something of a direction: the angle that it has to an axis, or the direction itself."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH, SINGULAR, VALID
from .spatial_vectors import dot, minus, turn_between, turned
from .two_conics import on_curve

# The kinds of goals: an angle from the axis x, y or z; an angle in the plane that begins there and goes on to the next
# axis, which gives the direction.
FROM_X, FROM_Y, FROM_Z, IN_XY, IN_YZ, IN_ZX = range(6)


@njit(**INNER)
def base_axis(k):
    """The unit vector along x, y or z: k is 0, 1 or 2, or more by whole rounds."""
    return (1.0 if k % 3 == 0 else 0.0, 1.0 if k % 3 == 1 else 0.0, 1.0 if k % 3 == 2 else 0.0)


@njit(**INNER)
def wanted_direction(kind, angle):
    """The direction that a goal of the kinds `IN_XY` to `IN_ZX` asks for."""
    first, second = base_axis(kind), base_axis(kind + 1)
    c, s = cos(angle), sin(angle)
    return (
        c * first[0] + s * second[0],
        c * first[1] + s * second[1],
        c * first[2] + s * second[2],
    )


@njit(**INNER)
def turns_for_angle(kind, angle, axis, direction, reference, seed, values):
    """Angles about an axis by which a direction comes to what a goal asks for.

    Args:
        kind: Of goal.
        angle: Of the goal.
        axis: Unit vector.
        direction: Unit vector, before the turn.
        reference: For an angle from an axis that one, else the wanted direction, in the axes in which the others are.
        seed: The angle where every one will do.
        values: (2,) receives the angles.

    Returns:
        How many there are, 1 or 2, and a flag for them.
    """
    if kind <= FROM_Z:
        constant = dot(axis, direction) * dot(axis, reference)
        a = dot(reference, direction) - constant
        b = dot(reference, turned(axis, 0.0, 1.0, direction)) - constant
        return on_curve(a, b, cos(angle) - constant, False, seed, values)
    turn, lever = turn_between(axis, direction, reference)
    flag = VALID
    if lever <= 1e-14:
        turn, flag = seed, SINGULAR
    gap = minus(turned(axis, np.cos(turn), np.sin(turn), direction), reference)
    if dot(gap, gap) > 1e-18:
        flag |= OUT_OF_REACH
    values[0] = turn
    return 1, flag
