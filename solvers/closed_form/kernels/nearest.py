"""The nearest that a chain comes to a point or a pose, from a configuration close by."""

from __future__ import annotations

from math import acos, cos, sin, sqrt

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .spatial_vectors import cross, dot, minus, plus, times, triple, turned


@njit(**INNER)
def nearest(numbers, at, n, rotation_at, target, goal, q, steps):
    """Moves q to where the squared distance to the goal is least, by Levenberg and Marquardt's method.

    Args:
        numbers: A chain as `chain_numbers` packs it, and perhaps the rotation of its tip.
        at: Where the chain begins.
        n: Number of joints, at most 6.
        rotation_at: Where the rotation of the tip at zero begins, 9 numbers; -1 when only the position counts.
        target: The point, three numbers in metres.
        goal: (9 or more,) the rotation to be reached, where it counts.
        q: (n or more,) changed in place.
        steps: At most so many.

    Returns:
        The squared distance that is left: in sizes of the chain and radians.
    """
    rows = 6 if rotation_at >= 0 else 3
    size = numbers[at]
    point = times(1.0 / size, target)
    error, trial_error = np.zeros(6), np.zeros(6)
    jacobian, trial_jacobian = np.zeros((6, 6)), np.zeros((6, 6))
    x, trial = np.empty(6), np.empty(6)
    for k in range(n):
        x[k] = q[k] / size if numbers[at + 1 + k] > 0.5 else q[k]
    cost = _state(numbers, at, n, rotation_at, point, goal, x, error, jacobian)
    damping = 1e-9
    matrix, vector = np.empty((6, 6)), np.empty(6)
    for _ in range(steps):
        if cost < 1e-31:
            break
        top, slope = 0.0, 0.0
        for i in range(n):
            gradient = 0.0
            for r in range(rows):
                gradient += jacobian[r, i] * error[r]
            vector[i] = gradient
            slope = max(slope, abs(gradient))
            for j in range(n):
                matrix[i, j] = 0.0
                for r in range(rows):
                    matrix[i, j] += jacobian[r, i] * jacobian[r, j]
            top = max(top, matrix[i, i])
        if slope < 1e-17:
            break
        for i in range(n):
            matrix[i, i] += damping * (matrix[i, i] + 1e-6 * top) + 1e-15 * top + 1e-300
        _solve(matrix, vector, n)
        far = 0.0
        for k in range(n):
            far = max(far, abs(vector[k]))
        short = 1.0 if far < 0.3 else 0.3 / far
        for k in range(n):
            trial[k] = x[k] - short * vector[k]
        trial_cost = _state(numbers, at, n, rotation_at, point, goal, trial, trial_error, trial_jacobian)
        if trial_cost < cost:
            done = cost - trial_cost < 1e-14 * cost and cost > 1e-20
            cost = trial_cost
            x, trial = trial, x
            error, trial_error = trial_error, error
            jacobian, trial_jacobian = trial_jacobian, jacobian
            damping = max(1e-12, 0.1 * damping)
            if done:
                break
        elif damping > 1e3 or cost < 1e-26:
            break
        else:
            damping *= 30.0
    for k in range(n):
        q[k] = x[k] * size if numbers[at + 1 + k] > 0.5 else x[k]
    return cost


@njit(**INNER)
def singular(numbers, at, n, rotation_at, q):
    """Whether the joints can move at q and leave the tip where it is, to first order.

    Args:
        numbers: As for `nearest`.
        at: Where the chain begins.
        n: Number of joints, at most 6.
        rotation_at: As for `nearest`.
        q: (n or more,)
    """
    rows = 6 if rotation_at >= 0 else 3
    x, error, jacobian, goal = np.empty(6), np.zeros(6), np.zeros((6, 6)), np.zeros(9)
    for k in range(n):
        x[k] = q[k] / numbers[at] if numbers[at + 1 + k] > 0.5 else q[k]
    _state(numbers, at, n, rotation_at, (0.0, 0.0, 0.0), goal, x, error, jacobian)
    # Gram and Schmidt, the longest remainder first.
    for step in range(n):
        best, length = step, -1.0
        for k in range(step, n):
            square = 0.0
            for r in range(rows):
                square += jacobian[r, k] * jacobian[r, k]
            if square > length:
                best, length = k, square
        if length <= 1e-18:
            return True
        for r in range(rows):
            jacobian[r, step], jacobian[r, best] = jacobian[r, best], jacobian[r, step]
        for k in range(step + 1, n):
            share = 0.0
            for r in range(rows):
                share += jacobian[r, step] * jacobian[r, k]
            for r in range(rows):
                jacobian[r, k] -= share / length * jacobian[r, step]
    return False


@njit(**INNER)
def _state(numbers, at, n, rotation_at, point, goal, x, error, jacobian):
    # Position and rotation vector from the goal to the tip, and the velocities of the tip, joint by joint.
    e0, e1, e2 = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    position = triple(numbers, at + 1 + 4 * n)
    for k in range(n):
        h = triple(numbers, at + 1 + n + 3 * k)
        offset = triple(numbers, at + 4 + 4 * n + 3 * k)
        axis = plus(plus(times(h[0], e0), times(h[1], e1)), times(h[2], e2))
        for i in range(3):
            jacobian[i, k] = axis[i]
            jacobian[3 + i, k] = position[i]
        if numbers[at + 1 + k] > 0.5:
            offset = plus(offset, times(x[k], h))
        else:
            # The columns of the rotation so far, times the turn: turn first in the joint's own axes.
            c, s = cos(x[k]), sin(x[k])
            f0, f1, f2 = (
                turned(h, c, s, (1.0, 0.0, 0.0)),
                turned(h, c, s, (0.0, 1.0, 0.0)),
                turned(h, c, s, (0.0, 0.0, 1.0)),
            )
            g0 = plus(plus(times(f0[0], e0), times(f0[1], e1)), times(f0[2], e2))
            g1 = plus(plus(times(f1[0], e0), times(f1[1], e1)), times(f1[2], e2))
            g2 = plus(plus(times(f2[0], e0), times(f2[1], e1)), times(f2[2], e2))
            e0, e1, e2 = g0, g1, g2
        position = plus(position, plus(plus(times(offset[0], e0), times(offset[1], e1)), times(offset[2], e2)))
    for k in range(n):
        if numbers[at + 1 + k] > 0.5:
            for i in range(3):
                jacobian[3 + i, k] = 0.0
        else:
            axis = (jacobian[0, k], jacobian[1, k], jacobian[2, k])
            velocity = cross(axis, minus(position, (jacobian[3, k], jacobian[4, k], jacobian[5, k])))
            for i in range(3):
                jacobian[i, k] = velocity[i]
                jacobian[3 + i, k] = axis[i]
    away = minus(position, point)
    cost = dot(away, away)
    for i in range(3):
        error[i] = away[i]
    if rotation_at >= 0:
        # The rows of the rotation R of the tip; M = R times the transposed goal.
        w0, w1, w2, trace = 0.0, 0.0, 0.0, 0.0
        for j in range(3):
            column = (numbers[rotation_at + j], numbers[rotation_at + 3 + j], numbers[rotation_at + 6 + j])
            r = plus(plus(times(column[0], e0), times(column[1], e1)), times(column[2], e2))
            g = (goal[j], goal[3 + j], goal[6 + j])
            w = cross(g, r)
            w0, w1, w2, trace = w0 + w[0], w1 + w[1], w2 + w[2], trace + dot(g, r)
        sine = sqrt(w0 * w0 + w1 * w1 + w2 * w2)
        half = 0.5
        if trace < 2.5:
            angle = acos(max(-1.0, min(1.0, 0.5 * (trace - 1.0))))
            # By half a turn the axis is lost; a guess of the right size keeps the steps going.
            half = angle / sine if sine > 1e-6 else 0.5 * angle / 1e-6
        elif sine > 1e-9:
            half = np.arctan2(0.5 * sine, 0.5 * (trace - 1.0)) / sine
        for i in range(3):
            error[3 + i] = half * (w0 if i == 0 else (w1 if i == 1 else w2))
        turn = half * sine
        if trace < -0.999999:
            turn = 3.1415926
        cost += turn * turn
    return cost


@njit(**INNER)
def _solve(matrix, vector, n):
    # Cholesky; the matrix is positive definite by its damping.
    for i in range(n):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            if i == j:
                matrix[i, i] = sqrt(max(total, 1e-300))
            else:
                matrix[i, j] = total / matrix[j, j]
    for i in range(n):
        for k in range(i):
            vector[i] -= matrix[i, k] * vector[k]
        vector[i] /= matrix[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            vector[i] -= matrix[k, i] * vector[k]
        vector[i] /= matrix[i, i]
