"""Kernels: the directions in which a level of a hierarchy may move, as orthonormal rows that get fewer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import JIT

#: What is left of a row below this part of its Jacobian is rounding; `defaults.RANK_TOLERANCE`.
RANK = 1e-12


@njit(**JIT)
def all_directions(basis: Any, n: int) -> None:
    """Writes the unit vectors (n, n): nothing is above the first level."""
    for i in range(n):
        for k in range(n):
            basis[i, k] = 0.0
        basis[i, i] = 1.0


@njit(**JIT)
def leave_joint_out(joints: Any, images: Any, count: int, m: int, k: int) -> bool:
    """Takes joint k out of directions that are single joints: what was last takes its place and the other way round.

    Args:
        joints: (count,) the joint of each direction.
        images: (m, count) what each direction does to the level.
        count: How many directions there are.
        m: Number of rows of the level.
        k: The joint.

    Returns:
        False when it is in no direction.
    """
    last = count - 1
    for j in range(count):
        if joints[j] == k:
            joints[j], joints[last] = joints[last], joints[j]
            for i in range(m):
                value = images[i, j]
                images[i, j] = images[i, last]
                images[i, last] = value
            return True
    return False


@njit(**JIT)
def leave_out(space: Any, images: Any, count: int, n: int, m: int, k: int, mirror: Any, along: Any) -> bool:
    """Turns the directions so that joint k is in the last one alone, which then does not count any more.

    One reflection: it keeps them orthonormal to rounding however many joints are left out.

    Args:
        space: (count, n) orthonormal rows.
        images: (m, count) what each direction does to the level.
        count: How many directions there are.
        n: Number of joints.
        m: Number of rows of the level.
        k: The joint.
        mirror: (count,) scratch.
        along: (n,) scratch.

    Returns:
        False when no direction moves the joint, but for rounding; then nothing has changed.
    """
    square = 0.0
    last = count - 1
    for j in range(count):
        value = space[j, k]
        mirror[j] = value
        square += value * value
    if square <= RANK * RANK:
        return False
    head = mirror[last]
    corner = -np.sqrt(square) if head > 0.0 else np.sqrt(square)
    mirror[last] = head - corner
    factor = 1.0 / (square - corner * head)
    reflect_rows(space, 0, count, n, mirror, factor, along)
    reflect_columns(images, 0, m, 0, count, mirror, factor)
    return True


@njit(**JIT)
def take_away(
    images: Any, row: int, end: int, last: int, scale: float, basis: Any, first: int, columns: int, mirror: Any,
    along: Any,
) -> int:  # fmt: skip
    """Turns the directions so that those that a level sees come first.

    The rows of the level are reflected to a triangle, the longest rest first, so that a rest that is nothing but
    rounding ends it. What is behind is not seen by the level, nor by those above.

    Args:
        images: (rows, n), column j is what direction j does to the levels. The rows of the level are overwritten,
            and those below it follow the directions.
        row: First row of the level.
        end: Behind its last row.
        last: Behind the last row of the last level.
        scale: Length of the level's Jacobian, at least 1: the rank is decided relative to it.
        basis: (n, n), row j is direction j, and all are orthonormal; those from ``first`` on are turned.
        first: How many directions are taken.
        columns: How many joints move the level or one above; the directions behind are the other joints themselves.
        mirror: (n,) scratch.
        along: (n,) scratch.

    Returns:
        How many directions are taken now.
    """
    taken = first
    for here in range(row, end):
        if taken >= columns:
            break
        best, place = 0.0, -1
        for i in range(here, end):
            square = 0.0
            for j in range(taken, columns):
                square += images[i, j] * images[i, j]
            if square > best:
                best, place = square, i
        if place < 0 or best <= (RANK * scale) ** 2:
            break
        head = images[place, taken]
        corner = -np.sqrt(best) if head > 0.0 else np.sqrt(best)
        for j in range(taken, columns):
            mirror[j] = images[place, j]
            images[place, j] = images[here, j]  # the row that was here comes later; that of the mirror is done
        mirror[taken] = head - corner
        factor = 1.0 / (best - corner * head)
        reflect_columns(images, here + 1, last, taken, columns, mirror, factor)
        reflect_rows(basis, taken, columns, columns, mirror, factor, along)
        taken += 1
    return taken


@njit(**JIT)
def reflect_rows(rows: Any, first: int, last: int, n: int, mirror: Any, factor: float, along: Any) -> None:
    """Reflects rows ``first`` to ``last`` of n numbers; those at the ends for which the mirror is 0 cost nothing."""
    while first < last and mirror[first] == 0.0:
        first += 1
    while first < last and mirror[last - 1] == 0.0:
        last -= 1
    for k in range(n):
        along[k] = 0.0
    add_rows(rows, first, last, n, mirror, factor, along)
    # Four rows in one loop: how often a loop begins costs more than what it does.
    j = first
    while j + 4 <= last:
        a, b, c, d = mirror[j], mirror[j + 1], mirror[j + 2], mirror[j + 3]
        for k in range(n):
            value = along[k]
            rows[j, k] -= a * value
            rows[j + 1, k] -= b * value
            rows[j + 2, k] -= c * value
            rows[j + 3, k] -= d * value
        j += 4
    while j < last:
        a = mirror[j]
        for k in range(n):
            rows[j, k] -= a * along[k]
        j += 1


@njit(**JIT)
def add_rows(rows: Any, first: int, last: int, n: int, weights: Any, factor: float, total: Any) -> None:
    """Adds rows ``first`` to ``last`` of n numbers, each by its weight times a factor, to a total (n,)."""
    j = first
    while j + 4 <= last:
        a, b, c, d = factor * weights[j], factor * weights[j + 1], factor * weights[j + 2], factor * weights[j + 3]
        for k in range(n):
            total[k] += a * rows[j, k] + b * rows[j + 1, k] + (c * rows[j + 2, k] + d * rows[j + 3, k])
        j += 4
    while j < last:
        a = factor * weights[j]
        for k in range(n):
            total[k] += a * rows[j, k]
        j += 1


@njit(**JIT)
def reflect_columns(images: Any, row: int, end: int, first: int, last: int, mirror: Any, factor: float) -> None:
    """Reflects columns ``first`` to ``last`` of rows ``row`` to ``end``."""
    for i in range(row, end):
        value = 0.0
        for j in range(first, last):
            value += images[i, j] * mirror[j]
        value *= factor
        for j in range(first, last):
            images[i, j] -= value * mirror[j]
