"""Where three joints, turning or sliding in any order, bring a point."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import OUT_OF_REACH, SINGULAR
from .spatial_vectors import along, cross, dot, minus, plus, times, triple, turn_between, turned
from .two_conics import two_conics

# What `three_joint_numbers` packs: the size, three times whether the joint slides, axes, offsets in sizes.
SIZE, SLIDES, AXES, OFFSETS, LENGTH = 0, 1, 4, 13, 25


@njit(**INNER)
def three_joint_position(numbers, at, target, seed, q, flags):
    """All (q1, q2, q3) with p0 + A1 A2 A3 p3 = target, where A1 x = R1 x + p1 or x + p1 + q1 h1, and so on.

    Without joint 2 the equation says A2 z(q3) = y(q1). What joint 2 leaves unchanged gives two equations: for a
    turning one h2 z = h2 y and z z = y y, for a sliding one that z - y is along h2. Both are linear in the cosine
    and sine of a turning joint, and in the value and its square of a sliding one (`two_conics`).

    Args:
        numbers: Of the arm; this function reads `LENGTH` of them.
        at: Where they begin.
        target: The point, three numbers in metres.
        seed: (3,) values where they are free.
        q: (8, 3) receives the solutions, in metres and radians.
        flags: (8,) receives their flags.

    Returns:
        How many were written: at most 4 solutions, or the nearest.
    """
    size = numbers[at + SIZE]
    slides1 = numbers[at + SLIDES] > 0.5
    slides2 = numbers[at + SLIDES + 1] > 0.5
    slides3 = numbers[at + SLIDES + 2] > 0.5
    h1, h2, h3 = triple(numbers, at + AXES), triple(numbers, at + AXES + 3), triple(numbers, at + AXES + 6)
    p0, p1 = triple(numbers, at + OFFSETS), triple(numbers, at + OFFSETS + 3)
    p2, p3 = triple(numbers, at + OFFSETS + 6), triple(numbers, at + OFFSETS + 9)
    t = minus(times(1.0 / size, target), p0)
    # y = yc X1 + ys X2 + yk, and z = zc Y1 + zs Y2 + zk, with the points X and Y of the joints' curves.
    zero = (0.0, 0.0, 0.0)
    if slides1:
        yc, ys, yk = times(-1.0, h1), zero, minus(t, p1)
    else:
        yk = minus(along(h1, t), p1)
        yc, ys = minus(t, along(h1, t)), times(-1.0, cross(h1, t))
    if slides3:
        zc, zs, zk = h3, zero, plus(p2, p3)
    else:
        zk = plus(p2, along(h3, p3))
        zc, zs = minus(p3, along(h3, p3)), cross(h3, p3)
    equations = np.zeros((2, 5))
    if slides2:
        # Two directions across h2, the first one across the coordinate axis that is furthest from it.
        u = (0.0, h2[2], -h2[1])
        if abs(h2[1]) <= abs(h2[0]) and abs(h2[1]) <= abs(h2[2]):
            u = (-h2[2], 0.0, h2[0])
        elif abs(h2[2]) <= abs(h2[0]) and abs(h2[2]) <= abs(h2[1]):
            u = (h2[1], -h2[0], 0.0)
        u = times(1.0 / np.sqrt(dot(u, u)), u)
        _linear_row(equations, 0, u, yc, ys, yk, zc, zs, zk)
        _linear_row(equations, 1, cross(h2, u), yc, ys, yk, zc, zs, zk)
    else:
        _linear_row(equations, 0, h2, yc, ys, yk, zc, zs, zk)
        # For a circle y y = yc yc + yk yk + 2 yk (yc X1 + ys X2), since yc, ys and the axis are orthogonal ...
        equations[1, 0], equations[1, 1] = 2.0 * dot(yk, yc), 2.0 * dot(yk, ys)
        equations[1, 2], equations[1, 3] = -2.0 * dot(zk, zc), -2.0 * dot(zk, zs)
        equations[1, 4] = dot(zk, zk) - dot(yk, yk)
        # ... and for a slide the same with yc yc = 1 times X2 = X1 X1.
        if slides1:
            equations[1, 1] += 1.0
        else:
            equations[1, 4] -= dot(yc, yc)
        if slides3:
            equations[1, 3] -= 1.0
        else:
            equations[1, 4] += dot(zc, zc)
    pairs, found = np.empty((8, 2)), np.empty(8, dtype=np.int64)
    scale1, scale3 = size if slides1 else 1.0, size if slides3 else 1.0
    count = two_conics(equations, slides1, slides3, seed[0] / scale1, seed[2] / scale3, pairs, found)
    for k in range(count):
        x, w = pairs[k, 0], pairs[k, 1]
        if slides1:
            y = plus(yk, times(x, yc))
        else:
            y = minus(turned(h1, np.cos(x), -np.sin(x), t), p1)
        if slides3:
            z = plus(zk, times(w, zc))
        else:
            z = plus(p2, turned(h3, np.cos(w), np.sin(w), p3))
        flag = found[k]
        if slides2:
            middle = dot(h2, minus(y, z)) * size
        else:
            middle, lever = turn_between(h2, z, y)
            if lever <= 1e-14:
                middle, flag = seed[1], flag | SINGULAR
            # The lengths of y and z differ by what a nearly double root left of their squares.
            missed = minus(turned(h2, np.cos(middle), np.sin(middle), z), y)
            if not flag & OUT_OF_REACH and dot(missed, missed) > 1e-8:
                flag |= OUT_OF_REACH
        q[k, 0], q[k, 1], q[k, 2] = x * scale1, middle, w * scale3
        flags[k] = flag
    return count


@njit(**INNER)
def _linear_row(equations, i, u, yc, ys, yk, zc, zs, zk):
    # u (y - z) = 0
    equations[i, 0], equations[i, 1] = dot(u, yc), dot(u, ys)
    equations[i, 2], equations[i, 3] = -dot(u, zc), -dot(u, zs)
    equations[i, 4] = dot(u, zk) - dot(u, yk)
