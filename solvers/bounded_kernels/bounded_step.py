"""Kernel: the gradient of a hierarchy inside bounds; `bounded_hierarchical_gradient` is its twin in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...kinematics.core.lanes import JIT, make_matrix, make_vector
from .bounded_level import move_level
from .free_space import all_directions, take_away

# Registers of one number: unlike arrays they are not checked for negative indices, which makes loops twice as fast.
_matrix_from, _vector_from = make_matrix(1), make_vector(1)


def scratch_size(n: int, most: int, rows: int) -> int:
    """How many numbers `hierarchy_inside_bounds` needs for n joints and levels of at most so many rows."""
    larger = max(n, most)
    return 2 * n * n + (most + rows) * n + most * most + larger * larger + 5 * n + 2 * most


@njit(**JIT)
def hierarchy_inside_bounds(
    jacobian: Any, error: Any, firsts: Any, levels: int, ends: Any, damping: Any, bounds: Any, most: int, scratch: Any,
    place: int, gradient: Any, n: int,
) -> None:  # fmt: skip
    """Writes the gradient of all levels together, every component inside its bounds.

    Args:
        jacobian: (m, n) level by level, the most important one first.
        error: (m,).
        firsts: (levels + 1,) first row of each level, and m.
        levels: How many.
        ends: (levels,) how many joints move a level or one above; they come before all others.
        damping: (levels, 2) factor and floor of the Levenberg-Marquardt damping of each.
        bounds: (2, n) none of the lower ones above 0, none of the upper ones below 0, all finite.
        most: Rows of the largest level.
        scratch: (f, 1), from ``place`` on `scratch_size` numbers.
        place: Where in it to begin.
        gradient: (n,) written.
        n: Number of joints.
    """
    larger, rows = max(n, most), firsts[levels]
    basis, space = _matrix_from(scratch, place, n), _matrix_from(scratch, place + n * n, n)
    place += 2 * n * n
    images, seen = _matrix_from(scratch, place, n), _matrix_from(scratch, place + most * n, n)
    place += (most + rows) * n
    gram, normal = _matrix_from(scratch, place, most), _matrix_from(scratch, place + most * most, larger)
    place += most * most + larger * larger
    parts, joints, motion, step, along = (
        _vector_from(scratch, place), _vector_from(scratch, place + n), _vector_from(scratch, place + 2 * n),
        _vector_from(scratch, place + 3 * n), _vector_from(scratch, place + 4 * n),
    )  # fmt: skip
    weights, residual = _vector_from(scratch, place + 5 * n), _vector_from(scratch, place + 5 * n + most)
    for k in range(n):
        gradient[k] = 0.0
        for i in range(rows):
            seen[i, k] = jacobian[i, k]
    all_directions(basis, n)
    taken = 0
    for level in range(levels):
        row, end, columns = firsts[level], firsts[level + 1], ends[level]
        m, count = end - row, columns - taken
        if count <= 0:
            continue
        total = 0.0
        for i in range(m):
            value = error[row + i] * 1.0
            for k in range(columns):
                value -= jacobian[row + i, k] * gradient[k]
                total += jacobian[row + i, k] * jacobian[row + i, k]
            residual[i] = value
            for j in range(count):
                images[i, j] = seen[row + i, taken + j]
        scale, single = max(np.sqrt(total), 1.0), taken == 0
        if not single:
            for j in range(count):
                for k in range(columns):
                    space[j, k] = basis[taken + j, k]
        move_level(
            space, images, count, columns, m, single, residual, scale, damping[level, 0], damping[level, 1], bounds,
            gram, normal, weights, motion, step, parts, joints, along, gradient,
        )  # fmt: skip
        if level < levels - 1:
            taken = take_away(seen, row, end, rows, scale, basis, taken, columns, motion, along)
    for k in range(n):
        gradient[k] = min(max(gradient[k], bounds[0, k]), bounds[1, k])
