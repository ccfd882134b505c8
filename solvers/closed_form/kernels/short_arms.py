"""Whole poses by fewer than six joints: a pose asks for more than they can do, so candidates are tried."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from .five_axis_elimination import five_axis_elimination
from .loop_of_six import loop_of_six
from .spatial_vectors import apply, apply_transposed, minus, plus, times, triple, turn_between, turned
from .three_axis_rotation import nearest_turn, rotation_without_tip
from .three_joint_position import AXES, LENGTH, SLIDES, three_joint_position
from .tried import CANDIDATES, tried

# What `fit` packs: whether the arm was turned round, the number of joints, the number of points (0: elimination, -1: a
# loop), the rotation of the tip at zero, the whole chain, and for each point where it is from the tip and the chain
# that moves it, or for a loop the added axis and a point of it from the tip.
TURNED_ROUND, JOINTS, POINTS, TIP, CHAIN = 0, 1, 2, 3, 12


@njit(**JIT)
def short_arms(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.short_arms`; see `Family`."""
    round_ = numbers[TURNED_ROUND] > 0.5
    n = int(numbers[JOINTS])
    pose, start = np.empty(12), np.zeros(6)
    for k in range(12):
        pose[k] = goal[k]
    for k in range(n):
        start[k] = seed[n - 1 - k] if round_ else seed[k]
    if round_:
        for i in range(3):
            for j in range(3):
                pose[3 * i + j] = goal[3 * j + i]
        back = times(-1.0, apply_transposed(goal, 0, triple(goal, 9)))
        pose[9], pose[10], pose[11] = back[0], back[1], back[2]
    wanted = np.empty(9)
    rotation_without_tip(pose, numbers, TIP, wanted)
    found = np.zeros((CANDIDATES, 6))
    if int(numbers[POINTS]) < 0:
        total = _by_loop(numbers, pose, wanted, start, found)
    elif int(numbers[POINTS]) == 0:
        total = _by_elimination(numbers, pose, wanted, start, found)
    else:
        total = _by_points(numbers, n, pose, wanted, start, found)
    return tried(numbers, CHAIN, n, TIP, triple(pose, 9), pose, found, total, n, round_, q, flags)


@njit(**INNER)
def _by_points(numbers, n, pose, wanted, start, found):
    # Three joints bring a point of the tip to its place (slides that stay at zero stand for those that are missing);
    # joints behind them do not move the point and turn the tip.
    places, marks, left = np.empty((8, 3)), np.empty(8, dtype=np.int64), np.empty(9)
    position = triple(pose, 9)
    total = 0
    for point in range(int(numbers[POINTS])):
        at = CHAIN + 4 + 7 * n + (3 + LENGTH) * point
        target = plus(position, apply(wanted, 0, triple(numbers, at)))
        count = three_joint_position(numbers, at + 3, target, start, places, marks)
        for k in range(count):
            for i in range(3):
                found[total, i] = places[k, i]
            if n > 3:
                for j in range(3):
                    column = (wanted[j], wanted[3 + j], wanted[6 + j])
                    for i in range(3):
                        if numbers[at + 3 + SLIDES + i] < 0.5:
                            h = triple(numbers, at + 3 + AXES + 3 * i)
                            column = turned(h, np.cos(places[k, i]), -np.sin(places[k, i]), column)
                    left[j], left[3 + j], left[6 + j] = column[0], column[1], column[2]
                _last_turns(numbers, n, left, start, found[total])
            total += 1
    return total


@njit(**INNER)
def _last_turns(numbers, n, left, start, row):
    last = triple(numbers, CHAIN + 1 + n + 3 * (n - 1))
    if n == 5:
        before = triple(numbers, CHAIN + 1 + n + 9)
        row[3], lever = turn_between(before, last, apply(left, 0, last))
        if lever <= 1e-14:
            row[3] = start[3]
        for j in range(3):
            column = turned(before, np.cos(row[3]), -np.sin(row[3]), (left[j], left[3 + j], left[6 + j]))
            left[j], left[3 + j], left[6 + j] = column[0], column[1], column[2]
    row[n - 1] = nearest_turn(last, left, start[n - 1])


@njit(**INNER)
def _by_elimination(numbers, pose, wanted, start, found):
    h5, p5 = triple(numbers, CHAIN + 18), triple(numbers, CHAIN + 36)
    point = minus(times(1.0 / numbers[CHAIN], triple(pose, 9)), apply(wanted, 0, p5))
    total = five_axis_elimination(numbers, CHAIN, point, apply(wanted, 0, h5), start, found)
    left = np.empty(9)
    for k in range(total):
        for j in range(3):
            column = (wanted[j], wanted[3 + j], wanted[6 + j])
            for i in range(4):
                h = triple(numbers, CHAIN + 6 + 3 * i)
                column = turned(h, np.cos(found[k, i]), -np.sin(found[k, i]), column)
            left[j], left[3 + j], left[6 + j] = column[0], column[1], column[2]
        found[k, 4] = nearest_turn(h5, left, start[4])
    return total


@njit(**INNER)
def _by_loop(numbers, pose, wanted, start, found):
    # A turn about some line of the tip is added, and the loop of six solved; of its solutions those are the arm's in
    # which that joint is at zero, or near to it by rounding.
    size = numbers[CHAIN]
    joints, seed = np.zeros((6, 7)), np.zeros(6)
    origin = (0.0, 0.0, 0.0)
    for k in range(5):
        origin = plus(origin, triple(numbers, CHAIN + 21 + 3 * k))
        seed[k] = start[k]
        for i in range(3):
            joints[k, i], joints[k, 3 + i] = numbers[CHAIN + 6 + 3 * k + i], origin[i]
    tip = plus(origin, triple(numbers, CHAIN + 36))
    for i in range(3):
        joints[5, i], joints[5, 3 + i] = numbers[CHAIN + 39 + i], tip[i] + numbers[CHAIN + 42 + i]
    translation = minus(times(1.0 / size, triple(pose, 9)), apply(wanted, 0, tip))
    total, opening, shared = loop_of_six(joints, wanted, translation, seed, 0, found, 0)
    if shared:
        more, _, _ = loop_of_six(joints, wanted, translation, seed, opening + 1, found, total)
        total += more
    if total == 0:
        # For this pose no opening of the loop helps: searches from the seed and from spread places remain.
        for k in range(12):
            for i in range(5):
                found[k, i] = start[i] + 2.4 * k * (1.0 + 0.37 * i)
        total = 12
    return total
