"""A place and a direction by five joints, or a ray by four, in general position."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from .flags import OUT_OF_REACH
from .loop_of_six import AXIS, JOINTS, ORIGIN, SLIDES, STRIDE, loop_of_six
from .spatial_vectors import apply, cross, dot, minus, plus, times, triple, turned
from .tried import CANDIDATES, tried

# What `fit` packs: the number of joints of the arm, the tool's direction in the base with all joints at zero, a unit
# matrix, and the chain of six with what is free added at the tip: a turn about that direction, and for a ray a slide.
COUNT, DIRECTION, TIP, CHAIN = 0, 1, 4, 13

#: Openings of the loop that are tried for a goal that seems out of reach: it may be the elimination that fails.
ATTEMPTS = 3
#: Places from which searches begin when nothing else helped.
SPREAD = 24
#: How far a goal is moved then (rad, sizes).
NUDGE = 3e-5


@njit(**JIT)
def directed_lines(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.directed_lines`; see `Family`."""
    n = int(numbers[COUNT])
    size = numbers[CHAIN]
    pose, found, start = np.zeros(12), np.zeros((CANDIDATES, 6)), np.zeros(6)
    shortest_turn(triple(numbers, DIRECTION), triple(goal, 0), pose)
    for k in range(n):
        start[k] = seed[k]
    joints = np.empty((JOINTS, STRIDE))
    origin = (0.0, 0.0, 0.0)
    for k in range(JOINTS):
        origin = plus(origin, triple(numbers, CHAIN + 25 + 3 * k))
        for i in range(3):
            joints[k, AXIS + i], joints[k, ORIGIN + i] = numbers[CHAIN + 7 + 3 * k + i], origin[i]
        joints[k, SLIDES] = numbers[CHAIN + 1 + k]
    tip = plus(origin, triple(numbers, CHAIN + 43))
    point = times(1.0 / size, triple(goal, 9))
    translation = minus(point, apply(pose, 0, tip))
    count, total, opening = 0, 0, -1
    for attempt in range(ATTEMPTS):
        more, opening, shared = loop_of_six(joints, pose, translation, start, opening + 1, found, total)
        for k in range(total, total + more):
            if n == 4:
                found[k, 5] *= size
        total += more
        if shared and attempt == 0:
            continue
        if total > 0:
            count = tried(numbers, CHAIN, 6, TIP, triple(goal, 9), pose, found, total, n, False, q, flags)
            if not flags[0] & OUT_OF_REACH:
                return count
        if more == 0:
            break
        total = 0
    # A goal so singular that no opening helps, or one out of reach: one close by may do, and searches lead back.
    near_pose = np.empty(9)
    for sign in (1.0, -1.0):
        _nudged(pose, sign * NUDGE, near_pose)
        shift = times(sign * NUDGE, (0.48, 0.60, -0.64))
        near = minus(plus(point, shift), apply(near_pose, 0, tip))
        total, _, _ = loop_of_six(joints, near_pose, near, start, 0, found, 0)
        for k in range(total):
            if n == 4:
                found[k, 5] *= size
        _spread(start, n, found, total)
        count = tried(numbers, CHAIN, 6, TIP, triple(goal, 9), pose, found, total + SPREAD, n, False, q, flags)
        if not flags[0] & OUT_OF_REACH:
            break
    return count


@njit(**INNER)
def shortest_turn(a, b, rotation):
    """The rotation (9,) of the smallest angle that brings the unit vector a to the unit vector b."""
    axis = cross(a, b)
    sine, cosine = np.sqrt(dot(axis, axis)), dot(a, b)
    if sine < 1e-9:
        axis = cross(a, (1.0, 0.0, 0.0) if abs(a[0]) < 0.6 else (0.0, 1.0, 0.0))
        sine, cosine = 0.0, 1.0 if cosine > 0.0 else -1.0
        axis = times(1.0 / np.sqrt(dot(axis, axis)), axis)
    else:
        axis = times(1.0 / sine, axis)
    for j in range(3):
        unit = (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        column = turned(axis, cosine, sine, unit)
        for i in range(3):
            rotation[3 * i + j] = column[i]


@njit(**INNER)
def _nudged(pose, angle, result):
    # The rotation turned a little about an axis of no meaning.
    for j in range(3):
        column = turned((0.6, 0.64, 0.48), np.cos(angle), np.sin(angle), (pose[j], pose[3 + j], pose[6 + j]))
        for i in range(3):
            result[3 * i + j] = column[i]


@njit(**INNER)
def _spread(start, n, found, row):
    # The seed and places all over the space of the joints.
    for k in range(SPREAD):
        for i in range(6):
            found[row + k, i] = start[i] + 2.4 * k * (1.0 + 0.37 * i) if i < n else 0.0
