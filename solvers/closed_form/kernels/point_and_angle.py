"""A place and an angle of the tool by four joints."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from .angle_goals import IN_XY, base_axis, turns_for_angle, wanted_direction
from .flags import SINGULAR
from .other_seeds import OTHERS, other_seed, others_wanted
from .reaching import reaching
from .run_of_parallel_axes import FIRST, LENGTH, NORMAL, OFFSETS, SIZE, behind_first, parallel_run
from .spatial_vectors import along, cross, dot, minus, plus, times, triple, turned
from .three_joint_position import AXES, SLIDES
from .two_conics import on_curve

# What `fit` packs: which way, which goal, the tool's direction in the base with all joints at zero; then for a tip on
# the last axis that axis and the chain before it; for three parallel axes their numbers and the offset of the tip.
WAY, ASKED, DIRECTION, LAST, CHAIN, RUN = 0, 1, 2, 5, 8, 5
BY_LAST, BY_RUN = 0, 1


@njit(**JIT)
def point_and_angle(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.point_and_angle`; see `Family`."""
    asked = int(numbers[ASKED])
    reference = wanted_direction(asked, goal[0]) if asked >= IN_XY else base_axis(asked)
    count = _solve(numbers, asked, goal, reference, seed, q, flags)
    if others_wanted(flags, count):
        other = np.empty(4)
        for which in range(OTHERS):
            other_seed(seed, 4, which, other)
            count = _solve(numbers, asked, goal, reference, other, q, flags)
            if not others_wanted(flags, count):
                break
    return count


@njit(**INNER)
def _solve(numbers, asked, goal, reference, seed, q, flags):
    if int(numbers[WAY]) == BY_LAST:
        return _by_last(numbers, asked, goal, reference, seed, q, flags)
    return _by_run(numbers, asked, goal, reference, seed, q, flags)


@njit(**INNER)
def _by_last(numbers, asked, goal, reference, seed, q, flags):
    # The first three joints bring the tip to its place; the last, on whose axis it is, turns the tool.
    places, marks, turns = np.empty((8, 3)), np.empty(8, dtype=np.int64), np.empty(2)
    target = triple(goal, 9)
    found = reaching(numbers, CHAIN, target, seed, places, marks)
    count = 0
    for k in range(found):
        seen = reference
        for i in range(3):
            if numbers[CHAIN + SLIDES + i] < 0.5:
                h = triple(numbers, CHAIN + AXES + 3 * i)
                seen = turned(h, np.cos(places[k, i]), -np.sin(places[k, i]), seen)
        direction = triple(numbers, DIRECTION)
        total, flag = turns_for_angle(asked, goal[0], triple(numbers, LAST), direction, seen, seed[3], turns)
        for j in range(total):
            for i in range(3):
                q[count, i] = places[k, i]
            q[count, 3] = turns[j]
            flags[count] = marks[k] | flag
            count += 1
    return count


@njit(**INNER)
def _by_run(numbers, asked, goal, reference, seed, q, flags):
    # What the tip is along the parallel axes depends on joint 1 alone; then the angle gives the sum of the others.
    h, n = triple(numbers, RUN + FIRST), triple(numbers, RUN + NORMAL)
    direction = triple(numbers, DIRECTION)
    point = times(1.0 / numbers[RUN + SIZE], triple(goal, 9))
    tip = triple(numbers, RUN + LENGTH)
    rest = plus(plus(triple(numbers, RUN + OFFSETS + 6), triple(numbers, RUN + OFFSETS + 9)), tip)
    firsts, turns = np.empty(2), np.empty(2)
    from_first = minus(point, triple(numbers, RUN + OFFSETS))
    total, flag = _component(h, n, from_first, dot(n, plus(triple(numbers, RUN + OFFSETS + 3), rest)), seed[0], firsts)
    if flag & SINGULAR and asked >= IN_XY:
        # The tip is on the first axis, but the direction says where the arm stands.
        total, flag = _component(h, n, reference, dot(n, direction), seed[0], firsts)
    count = 0
    for k in range(total):
        y = behind_first(numbers, RUN, firsts[k], point)
        seen = turned(h, np.cos(firsts[k]), -np.sin(firsts[k]), reference)
        seed_total = seed[1]
        ways, turn_flag = turns_for_angle(asked, goal[0], n, direction, seen, seed_total, turns)
        for j in range(ways):
            beyond = turned(n, np.cos(turns[j]), np.sin(turns[j]), tip)
            written = parallel_run(numbers, RUN, minus(y, beyond), turns[j], seed, q, flags, count)
            for row in range(count, count + written):
                q[row, 0] = firsts[k]
                flags[row] |= flag | turn_flag
            count += written
    return count


@njit(**INNER)
def _component(h, n, vector, component, seed, values):
    # Angles about h by which the vector, seen from behind the joint, has a component along n.
    part = along(h, vector)
    a = dot(n, minus(vector, part))
    b = -dot(n, cross(h, vector))
    return on_curve(a, b, component - dot(n, part), False, seed, values)
