"""Families of solutions at singular poses: whether there is one, and its member nearest to a configuration."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .general_6r_steps import residual, return_to_goal, solve_damped
from .small_factors import null_space

#: Step (rad) along a direction in which nothing seems to move, and the part of it that must be left afterwards.
_PROBE, _LEFT = 2e-2, 0.5
#: Steps along a family at most, their largest size, and the size at which it has arrived.
_STEPS, _LARGEST, _ARRIVED = 60, 0.2, 1e-9
#: Damping that separates directions that move the arm's end from those that do not.
_DAMPING = 1e-10
#: Pivots below this part of the first one count as zero.
_ZERO = 1e-5


@njit(**INNER)
def nearest_of_family(numbers, rotation, point, seed, q):
    """Whether a family of solutions goes through q; if so, q becomes the one nearest to the seed.

    A Jacobian without full rank may belong to a family, or to two solutions that meet. Along a family there are
    solutions a step away.

    Args:
        numbers: Of the arm.
        rotation: (9,) of the product of all joints' turns.
        point: Of the last joint from the first one, scaled.
        seed: (6,)
        q: (6,) a solution; changed in place when True is returned.
    """
    jacobian, error, trial = np.empty((6, 6)), np.empty(6), np.empty(6)
    columns, basis = np.empty(6, dtype=np.int64), np.empty((6, 2))
    residual(numbers, rotation, point, q, jacobian, error)
    is_family = False
    for v in range(null_space(jacobian, 6, 2, _ZERO, columns, basis)):
        size = 0.0
        for k in range(6):
            size += basis[k, v] * basis[k, v]
        for k in range(6):
            trial[k] = q[k] + _PROBE / sqrt(size) * basis[k, v]
        if not return_to_goal(numbers, rotation, point, trial, jacobian, error):
            continue
        left = 0.0
        for k in range(6):
            left += (trial[k] - q[k]) * (trial[k] - q[k])
        is_family = is_family or left > (_LEFT * _PROBE) ** 2
    if is_family:
        _slide(numbers, rotation, point, seed, q, jacobian, error, trial)
    return is_family


@njit(**INNER)
def _slide(numbers, rotation, point, seed, q, jacobian, error, trial):
    """Moves q along its family, in place, as long as that brings it nearer to the seed."""
    gram, step = np.empty((6, 6)), np.empty(6)
    largest = _LARGEST
    for _ in range(_STEPS):
        residual(numbers, rotation, point, q, jacobian, error)
        for k in range(6):
            away = (seed[k] - q[k]) % (2.0 * pi)
            step[k] = away if away < pi else away - 2.0 * pi
        # The part of the way to the seed that does not move the arm's end: v - J' (J J')^-1 J v.
        for i in range(6):
            error[i] = 0.0
            for k in range(6):
                error[i] += jacobian[i, k] * step[k]
        solve_damped(jacobian, _DAMPING, gram, error)
        size = 0.0
        for k in range(6):
            for i in range(6):
                step[k] -= jacobian[i, k] * error[i]
            size += step[k] * step[k]
        size = sqrt(size)
        if size < _ARRIVED or largest < 1e-6:
            break
        for k in range(6):
            trial[k] = q[k] + step[k] * min(1.0, largest / size)
        if not return_to_goal(numbers, rotation, point, trial, jacobian, error):
            largest *= 0.25
            continue
        for k in range(6):
            q[k] = trial[k]
