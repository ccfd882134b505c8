"""Steps of a 6R arm to a goal: Newton's, and damped ones for where the Jacobian has no full rank."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .general_6r_layout import AXES, OFFSETS
from .small_factors import factorise, solve_vector
from .spatial_vectors import cross, dot, minus, plus, times, triple, turned

#: Scaled errors below this are zero.
REACHED = 1e-10
#: Largest change of a joint in a step (rad).
_LARGEST = 0.5
#: Damped steps at most, and the damping that is left at the goal: it separates rank from rounding.
_DAMPED_STEPS, _DAMPING = 60, 1e-15


@njit(**INNER)
def residual(numbers, rotation, point, q, jacobian, error):
    """What is missing to a goal, and the velocities of the arm's end, both from the last joint's origin.

    Args:
        numbers: Of the arm.
        rotation: (9,) of the product of all joints' turns.
        point: Of the last joint from the first one, scaled.
        q: (6,)
        jacobian: (6, 6) receives linear, then angular velocities.
        error: (6,) receives goal minus present, the rotation as sine times axis.

    Returns:
        The size of the error; 10 more when the rotation is more than a quarter turn off.
    """
    e0, e1, e2 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    at = (0.0, 0.0, 0.0)
    for k in range(6):
        h = triple(numbers, AXES + 3 * k)
        axis = plus(plus(times(h[0], e0), times(h[1], e1)), times(h[2], e2))
        for i in range(3):
            jacobian[3 + i, k], jacobian[i, k] = axis[i], at[i]
        c, s = cos(q[k]), sin(q[k])
        e0, e1, e2 = turned(axis, c, s, e0), turned(axis, c, s, e1), turned(axis, c, s, e2)
        if k < 5:
            p = triple(numbers, OFFSETS + 3 * k)
            at = plus(at, plus(plus(times(p[0], e0), times(p[1], e1)), times(p[2], e2)))
    for k in range(6):
        axis = (jacobian[3, k], jacobian[4, k], jacobian[5, k])
        velocity = cross(axis, minus(at, (jacobian[0, k], jacobian[1, k], jacobian[2, k])))
        for i in range(3):
            jacobian[i, k] = velocity[i]
    away = minus(point, at)
    # Half the sum of the outer products of present and wanted columns is sine times axis of what is missing.
    g0 = (rotation[0], rotation[3], rotation[6])
    g1 = (rotation[1], rotation[4], rotation[7])
    g2 = (rotation[2], rotation[5], rotation[8])
    turn = times(0.5, plus(plus(cross(e0, g0), cross(e1, g1)), cross(e2, g2)))
    for i in range(3):
        error[i], error[3 + i] = away[i], turn[i]
    size = sqrt(dot(away, away) + dot(turn, turn))
    return size if dot(e0, g0) + dot(e1, g1) + dot(e2, g2) > 1.0 else size + 10.0


@njit(**INNER)
def polish(numbers, rotation, point, q, steps, jacobian, error, order):
    """Newton steps on the arm, in place, as long as they help.

    Args:
        numbers: Of the arm.
        rotation: (9,) of the product of all joints' turns.
        point: Of the last joint from the first one, scaled.
        q: (6,) changed.
        steps: At most so many; with none it only looks.
        jacobian: (6, 6) scratch.
        error: (6,) scratch.
        order: (6,) scratch of integers.

    Returns:
        The error that is left, see `residual`, and the pivot ratio of the last Jacobian.
    """
    before, ratio = 1e300, 1.0
    size = residual(numbers, rotation, point, q, jacobian, error)
    for step in range(steps + 1):
        ratio = factorise(jacobian, 6, order)
        # Near rounding one more step is taken; when it does not help any more that is the end.
        if step == steps or size < 1e-15 or (size < 1e-12 and size > 0.25 * before) or (step > 6 and size > 1.0):
            break
        before = size
        solve_vector(jacobian, 6, order, error)
        largest = _LARGEST
        for k in range(6):
            largest = max(largest, abs(error[k]))
        short = _LARGEST / largest
        for k in range(6):
            q[k] += short * error[k]
        size = residual(numbers, rotation, point, q, jacobian, error)
    return size, ratio


@njit(**INNER)
def solve_damped(jacobian, damping, gram, right):
    """Overwrite ``right`` (6,) by the solution y of (J J' + damping) y = right, by Cholesky's factors; ``gram`` (6, 6)
    is scratch.
    """
    for i in range(6):
        for j in range(i + 1):
            total = 0.0
            for k in range(6):
                total += jacobian[i, k] * jacobian[j, k]
            gram[i, j] = total
        gram[i, i] += damping
    for i in range(6):
        for j in range(i + 1):
            total = gram[i, j]
            for k in range(j):
                total -= gram[i, k] * gram[j, k]
            gram[i, j] = sqrt(max(total, 1e-16)) if i == j else total / gram[j, j]
        for k in range(i):
            right[i] -= gram[i, k] * right[k]
        right[i] /= gram[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            right[i] -= gram[k, i] * right[k]
        right[i] /= gram[i, i]


@njit(**INNER)
def return_to_goal(numbers, rotation, point, q, jacobian, error):
    """Damped least-squares steps, in place, which are as short as can be: from beside a family of solutions back to it.

    Args:
        numbers: Of the arm.
        rotation: (9,) of the product of all joints' turns.
        point: Of the last joint from the first one, scaled.
        q: (6,) changed.
        jacobian: (6, 6) scratch.
        error: (6,) scratch.

    Returns:
        Whether the goal was reached.
    """
    gram, step = np.empty((6, 6)), np.empty(6)
    best, idle = 1e300, 0
    for _ in range(_DAMPED_STEPS):
        size = residual(numbers, rotation, point, q, jacobian, error)
        # A root of order k lets the error fall to about a third in each step; what does not fall is no root.
        idle = 0 if size < 0.7 * best else idle + 1
        best = min(best, size)
        if size < 1e-14 or idle > 6:
            break
        solve_damped(jacobian, _DAMPING + 1e-3 * min(1.0, size * size), gram, error)
        largest = _LARGEST
        for k in range(6):
            step[k] = 0.0
            for i in range(6):
                step[k] += jacobian[i, k] * error[i]
            largest = max(largest, abs(step[k]))
        short = _LARGEST / largest
        for k in range(6):
            q[k] += short * step[k]
    return residual(numbers, rotation, point, q, jacobian, error) < REACHED
