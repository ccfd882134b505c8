"""A place and a direction of the tool by five joints, where the geometry parts them."""

from __future__ import annotations

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from .flags import SINGULAR
from .other_seeds import OTHERS, other_seed, others_wanted
from .reaching import reaching
from .run_of_parallel_axes import FIRST, LENGTH, NORMAL, OFFSETS, SIZE, behind_first, parallel_run
from .spatial_vectors import along, cross, dot, minus, plus, times, triple, turn_between, turned
from .three_axis_rotation import two_axis_direction
from .three_joint_position import AXES, SLIDES
from .two_conics import two_conics

# What `fit` packs: which way, the tool's direction in the base with all joints at zero; then for a wrist the distance
# of the tip from its centre along the direction, the two axes and the chain before them; for three parallel axes their
# numbers, the offset of axis 5, that axis, the offset of the tip.
WAY, DIRECTION, DISTANCE, WRIST, CHAIN, RUN = 0, 1, 4, 5, 11, 4
BY_WRIST, BY_RUN = 0, 1


@njit(**JIT)
def directed_points(numbers, goal, seed, q, flags):
    """The kernel of the families in `closed_form.directed_points`; see `Family`."""
    count = _solve(numbers, goal, seed, q, flags)
    if others_wanted(flags, count):
        other = np.empty(5)
        for which in range(OTHERS):
            other_seed(seed, 5, which, other)
            count = _solve(numbers, goal, other, q, flags)
            if not others_wanted(flags, count):
                break
    return count


@njit(**INNER)
def _solve(numbers, goal, seed, q, flags):
    if int(numbers[WAY]) == BY_WRIST:
        return _by_wrist(numbers, goal, seed, q, flags)
    return _by_run(numbers, goal, seed, q, flags)


@njit(**INNER)
def _by_wrist(numbers, goal, seed, q, flags):
    # The tool's line goes through the centre of the wrist, whose place is therefore known.
    places, marks = np.empty((8, 3)), np.empty(8, dtype=np.int64)
    turns, turn_flags = np.empty((2, 2)), np.empty(2, dtype=np.int64)
    wanted = triple(goal, 0)
    centre = minus(triple(goal, 9), times(numbers[DISTANCE], wanted))
    found = reaching(numbers, CHAIN, centre, seed, places, marks)
    count = 0
    for k in range(found):
        seen = wanted
        for i in range(3):
            if numbers[CHAIN + SLIDES + i] < 0.5:
                h = triple(numbers, CHAIN + AXES + 3 * i)
                seen = turned(h, np.cos(places[k, i]), -np.sin(places[k, i]), seen)
        ways = two_axis_direction(numbers, WRIST, triple(numbers, DIRECTION), seen, seed[3:5], turns, turn_flags)
        for j in range(ways):
            for i in range(3):
                q[count, i] = places[k, i]
            q[count, 3], q[count, 4] = turns[j, 0], turns[j, 1]
            flags[count] = marks[k] | turn_flags[j]
            count += 1
    return count


@njit(**INNER)
def _by_run(numbers, goal, seed, q, flags):
    # Along the parallel axes n, place and direction depend on joints 1 and 5 alone:
    # n R1' (P - p0) = n (p1 + p2 + p3 + p4 + R5 p5) and n R1' D = n R5 d.
    h, n = triple(numbers, RUN + FIRST), triple(numbers, RUN + NORMAL)
    d = triple(numbers, DIRECTION)
    p4, h5 = triple(numbers, RUN + LENGTH), triple(numbers, RUN + LENGTH + 3)
    p5 = triple(numbers, RUN + LENGTH + 6)
    point, wanted = times(1.0 / numbers[RUN + SIZE], triple(goal, 9)), triple(goal, 0)
    fixed = plus(triple(numbers, RUN + OFFSETS + 3), p4)
    fixed = plus(fixed, plus(triple(numbers, RUN + OFFSETS + 6), triple(numbers, RUN + OFFSETS + 9)))
    equations = np.empty((2, 5))
    _row(equations, 0, h, n, h5, minus(point, triple(numbers, RUN + OFFSETS)), p5)
    equations[0, 4] += dot(n, fixed)
    _row(equations, 1, h, n, h5, wanted, d)
    pairs, marks = np.empty((8, 2)), np.empty(8, dtype=np.int64)
    found = two_conics(equations, False, False, seed[0], seed[4], pairs, marks)
    count = 0
    for k in range(found):
        first, last = pairs[k, 0], pairs[k, 1]
        flag = marks[k]
        tool = turned(h5, np.cos(last), np.sin(last), d)
        seen = turned(h, np.cos(first), -np.sin(first), wanted)
        total, lever = turn_between(n, tool, seen)
        if lever <= 1e-14:
            total, flag = seed[1], flag | SINGULAR
        beyond = plus(p4, turned(h5, np.cos(last), np.sin(last), p5))
        beyond = turned(n, np.cos(total), np.sin(total), beyond)
        place = minus(behind_first(numbers, RUN, first, point), beyond)
        written = parallel_run(numbers, RUN, place, total, seed, q, flags, count)
        for row in range(count, count + written):
            q[row, 0], q[row, 4] = first, last
            flags[row] |= flag
        count += written
    return count


@njit(**INNER)
def _row(equations, i, h, n, h5, seen, carried):
    # n R1' seen = n R5 carried
    a, b = along(h, seen), along(h5, carried)
    equations[i, 0], equations[i, 1] = dot(n, minus(seen, a)), -dot(n, cross(h, seen))
    equations[i, 2], equations[i, 3] = -dot(n, minus(carried, b)), -dot(n, cross(h5, carried))
    equations[i, 4] = dot(n, b) - dot(n, a)
