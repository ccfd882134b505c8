"""Kernel: the step of a hierarchy of tasks, each level in the exact null space of those above."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT
from .hierarchical_damped_solve import solve_triangular_level
from .hierarchical_factor import factorise_level, reflect_back, reflect_rows


@njit(**JIT)
def hierarchical_step(
    jacobian: Any, error: Any, firsts: Any, levels: int, columns: Any, ends: Any, damping: Any, joints: Any, root: int,
    rows: Any, residual: Any, norms: Any, mirrors: Any, scales: Any, reaches: Any, normal: Any, solution: Any,
    gradient: Any, n: int,
) -> None:  # fmt: skip
    """The gradient of all levels together: that of `solvers.hierarchical_step` with damped least squares.

    Level k minimises |J_k g - e_k|^2 + mu |g_k|^2 over what it adds, g_k, in the null space of the levels
    above. Instead of projecting, the columns are reflected (Householder) so that each level becomes lower
    triangular; in these coordinates the null space of the levels above is simply the rest of the coordinates,
    which a level below has to itself. So it holds to rounding, near singular poses too, and each level is as
    much smaller as those above have taken.

    For one problem at a time: the choice of pivots, the ranks and the joints at their limits differ from
    problem to problem, so that lanes would not go the same way.

    Args:
        jacobian: (m, n) of all levels, stacked.
        error: (m,).
        firsts: (levels + 1,) integers: first row of each level, then m.
        levels: Number of levels.
        columns: (n,) integers: the columns to use, first those that level 0 moves, then what is new in
            level 1, and so on. Those behind ``ends[levels - 1]`` do not move.
        ends: (levels,) integers: how many of these columns are not zero in a level or one above.
        damping: (levels, 2): mu is the first times the squared error that is left for the level, plus the
            second.
        joints: (rows, n), of which one row is used: the square roots of the weights of the columns.
        root: That row.
        rows: (m, n) scratch, as are all up to ``solution``.
        residual: (m,).
        norms: (m,).
        mirrors: (n, n).
        scales: (n,).
        reaches: (n,) integers.
        normal: (n, n).
        solution: (n,).
        gradient: (n,) written.
        n: Number of columns of the Jacobian.
    """
    rank = 0
    for level in range(levels):
        first, last, end = firsts[level], firsts[level + 1], ends[level]
        size = _take_rows(jacobian, first, last, columns, end, joints, root, rows)
        reflect_rows(rows, first, last, mirrors, scales, reaches, rank)
        square = 0.0
        for i in range(first, last):
            # What the levels above leave of the error.
            value = error[i] * 1.0
            for k in range(rank):
                value -= rows[i, k] * solution[k]
            residual[i] = value
            square += value * value
        mu = damping[level, 0] * square + damping[level, 1]
        start = rank
        rank = factorise_level(
            rows, first, last, end, size, residual, norms, mirrors, scales, reaches, start
        )  # fmt: skip
        solve_triangular_level(rows, first, last, start, rank, residual, mu, normal, solution)
    end = ends[levels - 1]
    for k in range(rank, end):
        solution[k] = 0.0
    reflect_back(mirrors, scales, reaches, rank, solution)
    for k in range(n):
        gradient[k] = 0.0
    for k in range(end):
        column = columns[k]
        gradient[column] = joints[root, column] * solution[k]


@njit(**JIT)
def _take_rows(jacobian: Any, first: int, last: int, columns: Any, end: int, joints: Any, root: int, rows: Any) -> Any:
    """Copies the columns of a level in their order, weighted; returns the sum of the squares."""
    total = 0.0
    for i in range(first, last):
        for k in range(end):
            column = columns[k]
            value = jacobian[i, column] * joints[root, column]
            rows[i, k] = value
            total += value * value
    return total
