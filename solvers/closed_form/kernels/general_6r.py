"""All solutions of an arm with six turning joints, whatever its geometry."""

from __future__ import annotations

from math import atan, cos, pi, sin

import numpy as np
from numba import njit

from ....kinematics.core.lanes import INNER, JIT
from .flags import OUT_OF_REACH, SINGULAR
from .general_6r_family import nearest_of_family
from .general_6r_joints import in_order, joints_of
from .general_6r_layout import (
    BASE,
    CHAIN,
    CHOICE_SIZE,
    CHOICES,
    COLUMNS,
    FIRST_CHOICE,
    MULTIPLICITY,
    ROTATION,
    TIP,
    UNIT,
)
from .general_6r_roots import as_taken, is_repeated, kept_joints, roots_of_hidden
from .general_6r_steps import REACHED, polish, residual, return_to_goal
from .nearest import nearest
from .spatial_vectors import apply, minus, plus, times, triple, turned

#: Conjugate values nearer to the real axis than this (rad) may be a double root that rounding moved off it, and surely
#: are when they are as near as that.
_NEARLY_REAL, _ALMOST_REAL = 2e-2, 1e-5
#: With a scaled error above this, what is not sure to be a solution is none.
_STRAY = 0.3
#: Newton steps; a start from the eigenvectors needs one or two.
_STEPS = 15
#: Further than this (rad) no start should have to be moved.
_FAR = 0.05
#: Pivot ratio of the leading matrix below which another way to eliminate is tried as well.
_POOR = 1e-10
#: Configurations nearer to one another than this (rad) are the same; singular ones are known less exactly.
_SAME, _SAME_SINGULAR = 1e-6, 1e-3
#: Pivot ratio of the Jacobian below which a family of solutions may go through a solution.
_SINGULAR = 1e-5
#: Of what does not reach, so many are looked at, besides so many others, with so many steps; kept are those whose
#: squared distance is at most so many times the least.
_NEAREST, _SPREAD, _NEAREST_STEPS, _WORSE = 6, 8, 60, 4.0
#: How far aside (rad, units) a goal is moved when solutions coincide.
_ASIDE = 3e-4
#: What became of a candidate: nothing; a solution that another candidate gave as well, that is far away or one of a
#: family; a new solution; two new solutions in one.
_MISSED, _UNCLEAR, _NEW, _DOUBLE = 0, 1, 2, 3
#: Most solutions that belong to one value of the hidden joint.
_MOST_TOGETHER = 4


@njit(**JIT)
def candidates(numbers, goal, seed, q, flags):
    """Writes all solutions for a pose, see `Family`.

    Args:
        numbers: See `general_6r_layout`.
        goal: (12,) rotation row by row, position (m).
        seed: (6,)
        q: (most, 6) receives configurations.
        flags: (most,) receives their flags.

    Returns:
        How many there are.
    """
    rotation = np.empty(9)
    for i in range(3):
        row = apply(numbers, ROTATION, triple(goal, 3 * i))
        for j in range(3):
            rotation[3 * i + j] = row[j]
    away = minus(minus(triple(goal, 9), triple(numbers, BASE)), apply(rotation, 0, triple(numbers, TIP)))
    point = times(1.0 / numbers[UNIT], away)
    starts, distances = np.empty((COLUMNS, 6)), np.empty(COLUMNS)
    target, near = (rotation, point), np.empty(9)
    count, started, is_complete = 0, 0, False
    if numbers[CHOICES] > 0.0:
        count, started, is_complete = _by_choice(numbers, 0, target, target, seed, q, flags, 0, starts, distances, 0)
    if not is_complete:
        # Something coincides that does not for goals nearby: solutions of those lead to what is missing.
        for k in range(int(numbers[CHOICES])):
            aside = (near, _nearby(rotation, point, k, near))
            count, started, _ = _by_choice(numbers, k, aside, target, seed, q, flags, count, starts, distances, started)
    if count > 0:
        return count
    return _nearest_of_all(numbers, goal, rotation, point, seed, starts, distances, started, q, flags)


@njit(**INNER)
def _nearby(rotation, point, k, near_rotation):
    """A goal beside another one, in a direction that depends on k; its rotation is written, its point returned."""
    angle = 1.0 + 2.3 * k
    axis = (0.48 * cos(angle), 0.48 * sin(angle), 0.8772684879784524)
    c, s = cos(_ASIDE), sin(_ASIDE)
    for j in range(3):
        column = turned(axis, c, s, (rotation[j], rotation[3 + j], rotation[6 + j]))
        for i in range(3):
            near_rotation[3 * i + j] = column[i]
    return plus(point, times(_ASIDE, (0.83, -0.41 * cos(angle), 0.67 * sin(angle))))


@njit(**INNER)
def _by_choice(numbers, which, aim, target, seed, q, flags, count, starts, distances, started):
    """Solutions by one way to eliminate, added to those that are there.

    Args:
        numbers: Of the arm.
        which: The way.
        aim: What the elimination is done for: (9,) product of all turns, and the last joint's point from the first one,
            scaled.
        target: What is solved for in the end, from the solutions for the former.
        seed: (6,)
        q: (most, 6) configurations.
        flags: (most,)
        count: How many configurations there are.
        starts: (16, 6) starts for the nearest.
        distances: (16,) how promising they are.
        started: How many there are.

    Returns:
        How many configurations there are now, how many starts, and whether it is certain that none is missing.
    """
    at = FIRST_CHOICE + CHOICE_SIZE * which
    choice = numbers[at : at + CHOICE_SIZE]
    rotation, chain_seed = np.empty(9), np.empty(6)
    point = as_taken(choice, aim, seed, rotation, chain_seed)
    parts, columns = np.empty((3, COLUMNS, COLUMNS)), np.empty(COLUMNS, dtype=np.int64)
    scratch, values = np.empty((5, COLUMNS, COLUMNS)), np.empty((2, COLUMNS))
    rows, zero, trust = roots_of_hidden(choice, rotation, point, parts, columns, scratch, values)
    found, angles = np.empty((2, 6)), np.empty((_MOST_TOGETHER, 2))
    is_shared = choice[MULTIPLICITY] > 1.0
    roots, accounted = 0, 0
    for e in range(rows):
        x = values[0, e]
        off = 2.0 * abs(values[1, e]) / (1.0 + x * x)
        if values[1, e] < 0.0 or (off > _NEARLY_REAL and count > 0) or (is_shared and is_repeated(values, e)):
            continue
        outcome = _MISSED
        for p in range(kept_joints(choice, parts, columns, scratch, rows, zero, x, angles)):
            branches, is_free = joints_of(
                choice, rotation, point, zero + 2.0 * atan(x), angles[p, 0], angles[p, 1], chain_seed, found
            )
            for b in range(branches):
                in_order(choice, found[b])
                result = _MISSED
                if off <= _NEARLY_REAL:
                    limit = _STRAY if off > _ALMOST_REAL or branches > 1 else 1e300
                    result, count = _add_polished(numbers, target, found[b], limit, is_free, seed, q, flags, count)
                if result == _MISSED:
                    started = _add_start(found[b], off, starts, distances, started)
                outcome = max(outcome, result)
        # A simple root gives a solution that is new and close by; a double one, which rounding may make complex, a
        # singular one.
        if values[1, e] == 0.0 or is_shared:
            roots += 1
        elif off < _ALMOST_REAL or outcome >= _NEW:
            roots += 2
        accounted += max(0, outcome - _UNCLEAR)
    return count, started, accounted >= roots and trust > _POOR


@njit(**INNER)
def _add_polished(numbers, target, found, limit, is_free, seed, q, flags, count):
    """Brings a configuration onto the goal and adds it, unless its error is above the limit at first.

    Returns:
        What became of it, and how many configurations there are.
    """
    rotation, point = target
    jacobian, error, start = np.empty((6, 6)), np.empty(6), np.empty(6)
    order, other = np.empty(6, dtype=np.int64), np.empty(6)
    if residual(numbers, rotation, point, found, jacobian, error) > limit:
        return _MISSED, count
    for k in range(6):
        start[k] = found[k]
    size, flat = polish(numbers, rotation, point, found, _STEPS, jacobian, error, order)
    moved = _largest_difference(start, found)
    if size >= REACHED or moved > _FAR:
        # Where the Jacobian has no full rank Newton's steps go astray.
        for k in range(6):
            other[k] = start[k]
        if return_to_goal(numbers, rotation, point, other, jacobian, error):
            other_moved = _largest_difference(start, other)
            if size >= REACHED or other_moved < moved:
                moved = other_moved
                for k in range(6):
                    found[k] = other[k]
                size, flat = polish(numbers, rotation, point, found, 0, jacobian, error, order)
                if flat > _SINGULAR:
                    size, flat = polish(numbers, rotation, point, found, 2, jacobian, error, order)
        if size >= REACHED:
            return _MISSED, count
    is_double = flat < _SINGULAR
    before = count
    count, is_family = _add(numbers, rotation, point, found, is_double or is_free, seed, q, flags, count)
    if is_family or (moved > _FAR and not is_double):
        return _UNCLEAR, count
    if count == before:
        return _UNCLEAR, count
    return (_DOUBLE if is_double else _NEW), count


@njit(**INNER)
def _largest_difference(a, b):
    """The largest difference of two configurations, angle by angle, by the shorter way."""
    largest = 0.0
    for i in range(6):
        difference = abs(a[i] - b[i]) % (2.0 * pi)
        largest = max(largest, min(difference, 2.0 * pi - difference))
    return largest


@njit(**INNER)
def _add(numbers, rotation, point, found, may_be_family, seed, q, flags, count):
    """Adds a solution unless it is there already; of a family of solutions, the one nearest to the seed.

    Returns:
        How many there are, and whether it is one of a family.
    """
    is_family = may_be_family and nearest_of_family(numbers, rotation, point, seed, found)
    same = _SAME_SINGULAR if may_be_family else _SAME
    for k in range(count):
        if _largest_difference(found, q[k]) < same:
            return count, is_family
    if count < len(q):
        for i in range(6):
            q[count, i] = found[i]
        flags[count] = SINGULAR if is_family else 0
        count += 1
    return count, is_family


@njit(**INNER)
def _add_start(found, off, starts, distances, started):
    """Keeps a configuration as a start for the nearest, if it is one of the most promising."""
    at = started
    if started == _NEAREST:
        at = 0
        for k in range(1, _NEAREST):
            if distances[k] > distances[at]:
                at = k
        if distances[at] <= off:
            return started
    for i in range(6):
        starts[at, i] = found[i]
    distances[at] = off
    return min(started + 1, _NEAREST)


@njit(**INNER)
def _nearest_of_all(numbers, goal, rotation, point, seed, starts, distances, started, q, flags):
    """What comes nearest to a goal that no candidate reached: from the best of these, the seed, and all around."""
    jacobian, error = np.empty((6, 6)), np.empty(6)
    for i in range(6):
        starts[started, i] = seed[i]
        for k in range(1, _SPREAD + 1):
            # Additive recurrences with irrational steps, which spread evenly.
            starts[started + k, i] = 2.0 * pi * (((k + 3 * i) * 0.6180339887498949 + 0.37 * k * i) % 1.0)
    total = started + 1 + _SPREAD
    best, count = 1e300, 0
    for k in range(total):
        distances[k] = nearest(numbers, CHAIN, 6, ROTATION, triple(goal, 9), goal, starts[k], _NEAREST_STEPS)
        if distances[k] < 1e-10 and return_to_goal(numbers, rotation, point, starts[k], jacobian, error):
            count, _ = _add(numbers, rotation, point, starts[k], True, seed, q, flags, count)
        best = min(best, distances[k])
    if count > 0:
        return count
    for k in range(total):
        if distances[k] <= _WORSE * best and count < len(q):
            for i in range(6):
                q[count, i] = starts[k, i]
            flags[count] = OUT_OF_REACH
            count += 1
    return count
