"""A loop of six joints, opened where the elimination works."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER
from .five_unknowns import five_unknowns
from .spatial_vectors import apply, apply_transposed, minus, plus, times, triple, turned
from .three_axis_rotation import nearest_turn

# What is packed for each joint: axis, a point of it in sizes, whether it slides.
AXIS, ORIGIN, SLIDES, STRIDE = 0, 3, 6, 7
JOINTS = 6


@njit(**INNER)
def loop_of_six(joints, rotation, translation, seed, begin, found, row):
    """Candidates for E1 E2 ... E6 = T, with Ei the motion of the space by joint i.

    The six joints and the motion T back make a loop. Any five of them that follow one another in it, forwards or
    backwards, have to bring the axis of the sixth to where it is, seen from their other end (`five_unknowns`). Which
    five makes no difference but where two neighbours are parallel or meet.

    Args:
        joints: (6, 7) axes, points and kinds, all joints at zero.
        rotation: (9,) of T.
        translation: Of T, three numbers in sizes.
        seed: (6,) values in radians and sizes, where they are free.
        begin: The first opening to be tried, 0 where it does not matter.
        found: (row + 128 or more, 6) receives the candidates.
        row: Where they begin.

    Returns:
        How many were written, the opening that gave them, and whether it had trouble to tell solutions apart; 0 and 12
        where no further one helps.
    """
    line, values, start = np.empty((JOINTS, STRIDE)), np.zeros((128, 6)), np.empty(6)
    arm, turn = np.zeros(39), np.empty(9)
    for opening in range(begin, 2 * JOINTS):
        back = opening >= JOINTS
        first = opening % JOINTS
        # The motion that goes with the order, T or its inverse.
        for i in range(3):
            for j in range(3):
                turn[3 * i + j] = rotation[3 * j + i] if back else rotation[3 * i + j]
        move = times(-1.0, apply_transposed(rotation, 0, translation)) if back else translation
        for k in range(JOINTS):
            which = (first + k) % JOINTS
            source = JOINTS - 1 - which if back else which
            for j in range(STRIDE):
                line[k, j] = joints[source, j]
            start[k] = -seed[source] if back else seed[source]
            if which < first:
                # Beyond the end of the chain: seen by T from its beginning.
                _moved_back(line[k], turn, move)
        if line[2, SLIDES] > 0.5 or line[5, SLIDES] > 0.5:
            continue
        count, shared = _opened(line, first, turn, move, start, arm, values)
        if count < 0:
            continue
        for k in range(count):
            _to_loop(joints, rotation, first, back, values[k], found[row + k])
        return count, opening, shared
    return 0, 2 * JOINTS, False


@njit(**INNER)
def _to_loop(joints, rotation, first, back, values, row):
    # The values of the five in the order of the loop, and that of the joint that was left out.
    for k in range(5):
        which = (first + k) % JOINTS
        row[JOINTS - 1 - which if back else which] = -values[k] if back else values[k]
    left_out = (first + 5) % JOINTS
    _close(joints, rotation, JOINTS - 1 - left_out if back else left_out, row)


@njit(**INNER)
def _moved_back(joint, turn, move):
    axis = apply_transposed(turn, 0, triple(joint, AXIS))
    origin = apply_transposed(turn, 0, minus(triple(joint, ORIGIN), move))
    for j in range(3):
        joint[AXIS + j], joint[ORIGIN + j] = axis[j], origin[j]


@njit(**INNER)
def _opened(line, first, turn, move, start, arm, values):
    # E1 ... E5 brings the axis of the sixth joint, seen beyond their end, to where it is.
    before = (0.0, 0.0, 0.0)
    arm[0] = 1.0
    for k in range(5):
        arm[1 + k] = line[k, SLIDES]
        origin = triple(line[k], ORIGIN)
        step = minus(origin, before)
        for j in range(3):
            arm[6 + 3 * k + j] = line[k, AXIS + j]
            arm[21 + 3 * k + j] = step[j]
        before = origin
    # The sixth as the list has it is what the chain moves; in place it is T times that.
    axis, origin = triple(line[5], AXIS), triple(line[5], ORIGIN)
    step = minus(origin, before)
    for j in range(3):
        arm[36 + j] = step[j]
    return five_unknowns(arm, plus(move, apply(turn, 0, origin)), apply(turn, 0, axis), axis, start, values)


@njit(**INNER)
def _close(joints, rotation, left_out, row):
    # The turn of the joint that was left out: (E1 ... E(k-1))^-1 T (E(k+1) ... E6)^-1 is its own.
    left = np.empty(9)
    for j in range(3):
        column = (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0)
        # Inverses of the joints behind, the last applied first.
        for k in range(left_out + 1, JOINTS):
            column = _turned_back(joints, k, row, column)
        column = apply(rotation, 0, column)
        for k in range(left_out):
            column = _turned_back(joints, k, row, column)
        left[j], left[3 + j], left[6 + j] = column[0], column[1], column[2]
    row[left_out] = nearest_turn(triple(joints[left_out], AXIS), left, 0.0)


@njit(**INNER)
def _turned_back(joints, k, row, vector):
    if joints[k, SLIDES] > 0.5:
        return vector
    return turned(triple(joints[k], AXIS), np.cos(row[k]), -np.sin(row[k]), vector)
