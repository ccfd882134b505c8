"""Kernels: the rows of one level of a hierarchy, brought to triangular form by reflections of the columns."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, sqrt
from .. import defaults

_SQUARED_TOLERANCE = defaults.RANK_TOLERANCE**2


@njit(**JIT)
def reflect_rows(rows: Any, first: int, last: int, mirrors: Any, scales: Any, reaches: Any, rank: int) -> None:
    """Applies the reflections of the levels above to the rows of a level, in place.

    Args:
        rows: (m, n) working copy of the stacked Jacobians.
        first: First row of the level.
        last: Behind its last row.
        mirrors: (n, n), row t holds the vector v of reflection t, I - scale v v^T, from column t on.
        scales: (n,) factors of the reflections.
        reaches: (n,) integers, behind the last column that each reflection touches.
        rank: Number of reflections so far.
    """
    for t in range(rank):
        scale = scales[t]
        end = reaches[t]
        for i in range(first, last):
            total = 0.0
            for k in range(t, end):
                total += rows[i, k] * mirrors[t, k]
            total *= scale
            for k in range(t, end):
                rows[i, k] -= total * mirrors[t, k]


@njit(**JIT)
def factorise_level(
    rows: Any, first: int, last: int, end: int, size: float, error: Any, norms: Any, mirrors: Any, scales: Any,
    reaches: Any, rank: int,
) -> int:  # fmt: skip
    """Reflects the columns from ``rank`` on so that the rows of a level become lower triangular, [L 0].

    The row with the longest rest comes next (its error moves with it), so that a rest that is nothing but
    rounding is met last and ends the factorisation. Reflections are exact to rounding however nearly dependent
    the rows are: what is behind the triangle is the null space of the level and of all above it.

    Args:
        rows: (m, n) as `reflect_rows` leaves them; from column ``rank`` on L is written.
        first: First row of the level.
        last: Behind its last row.
        end: Behind the last column in which the rows are not zero.
        size: Sum of the squares of the level's Jacobian; the rank is decided relative to it, or to one where that is
            less: what does not move a frame at all leaves 1e-17 m/rad by rounding.
        error: (m,), its rows are exchanged as those of the Jacobian.
        norms: (m,) scratch.
        mirrors: (n, n), further reflections are written.
        scales: (n,) likewise.
        reaches: (n,) likewise.
        rank: Number of reflections so far.

    Returns:
        Number of reflections now.
    """
    for i in range(first, last):
        total = 0.0
        for k in range(rank, end):
            total += rows[i, k] * rows[i, k]
        norms[i] = total
    t = rank
    least = _SQUARED_TOLERANCE * max(size, 1.0)
    for j in range(first, last):
        if t >= end:
            break
        longest = j
        for i in range(j + 1, last):
            if norms[i] > norms[longest]:
                longest = i
        square = norms[longest]
        if not square > least:
            break
        if longest != j:
            _exchange(rows, rank, end, error, norms, j, longest)
        length = sqrt(square)
        head = rows[j, t]
        corner = -length if head > 0.0 else length
        scale = 1.0 / (square - corner * head)
        for k in range(t + 1, end):
            mirrors[t, k] = rows[j, k]
        mirrors[t, t] = head - corner
        scales[t] = scale
        reaches[t] = end
        rows[j, t] = corner
        for i in range(j + 1, last):
            norms[i] = _reflect_and_measure(rows, i, mirrors, t, scale, end)
        t += 1
    return t


@njit(**JIT)
def _exchange(rows: Any, start: int, end: int, error: Any, norms: Any, i: int, j: int) -> None:
    for k in range(start, end):
        value = rows[i, k]
        rows[i, k] = rows[j, k]
        rows[j, k] = value
    value = error[i]
    error[i] = error[j]
    error[j] = value
    value = norms[i]
    norms[i] = norms[j]
    norms[j] = value


@njit(**JIT)
def _reflect_and_measure(rows: Any, i: int, mirrors: Any, t: int, scale: float, end: int) -> Any:
    """Reflects one row and gives the squared length of what is behind column t."""
    total = 0.0
    for k in range(t, end):
        total += rows[i, k] * mirrors[t, k]
    total *= scale
    rows[i, t] -= total * mirrors[t, t]
    square = 0.0
    for k in range(t + 1, end):
        value = rows[i, k] - total * mirrors[t, k]
        rows[i, k] = value
        square += value * value
    return square


@njit(**JIT)
def reflect_back(mirrors: Any, scales: Any, reaches: Any, rank: int, vector: Any) -> None:
    """Takes a vector (n,) from the reflected coordinates back to those of the joints, in place."""
    for t in range(rank - 1, -1, -1):
        end = reaches[t]
        total = 0.0
        for k in range(t, end):
            total += vector[k] * mirrors[t, k]
        total *= scales[t]
        for k in range(t, end):
            vector[k] -= total * mirrors[t, k]
