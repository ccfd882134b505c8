"""Kernel: the damped least-squares step g = J^T (J J^T + mu I)^-1 e, for any number of rows."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER


@njit(**INNER)
def damped_step(jacobian: Any, error: Any, rows: int, n: int, mu: Any, gradient: Any) -> None:
    """Writes the step into ``gradient[:n]``; min(rows, n) * (min(rows, n) + 1) numbers behind it are scratch."""
    if rows == 6 and n >= 6:
        _six_rows(jacobian, error, n, mu, gradient)
    elif rows <= n:
        _few_rows(jacobian, error, rows, n, mu, gradient)
    else:
        _few_columns(jacobian, error, rows, n, mu, gradient)


@njit(**INNER)
def _few_rows(jacobian: Any, error: Any, rows: int, n: int, mu: Any, gradient: Any) -> None:
    """J^T (J J^T + mu I)^-1 e."""
    last = n + rows * rows
    for i in range(rows):
        for j in range(i + 1):
            total = mu * (1.0 if i == j else 0.0)
            for k in range(n):
                total += jacobian[i, k] * jacobian[j, k]
            gradient[n + i * rows + j] = total
        gradient[last + i] = error[i] * 1.0
    _solve(rows, n, gradient)
    for k in range(n):
        total = 0.0
        for i in range(rows):
            total += jacobian[i, k] * gradient[last + i]
        gradient[k] = total


@njit(**INNER)
def _few_columns(jacobian: Any, error: Any, rows: int, n: int, mu: Any, gradient: Any) -> None:
    """The same as (J^T J + mu I)^-1 J^T e, whose matrix is smaller and not singular but for the damping."""
    last = n + n * n
    for k in range(n):
        for j in range(k + 1):
            total = mu * (1.0 if k == j else 0.0)
            for i in range(rows):
                total += jacobian[i, k] * jacobian[i, j]
            gradient[n + k * n + j] = total
        total = 0.0 * mu
        for i in range(rows):
            total += jacobian[i, k] * error[i]
        gradient[last + k] = total
    _solve(n, n, gradient)
    for k in range(n):
        gradient[k] = gradient[last + k]


@njit(**INNER)
def _solve(m: int, first: int, room: Any) -> None:
    """Solves a symmetric system in place by L D L^T: its lower half (m, m) at ``first``, then the right side (m,)."""
    last = first + m * m
    for i in range(m):
        for j in range(i):
            entry = room[first + i * m + j]
            for k in range(j):
                entry -= room[first + i * m + k] * room[first + j * m + k] * room[first + k * m + k]
            room[first + i * m + j] = entry / room[first + j * m + j]
        pivot = room[first + i * m + i]
        for k in range(i):
            factor = room[first + i * m + k]
            pivot -= factor * factor * room[first + k * m + k]
        room[first + i * m + i] = pivot
    for i in range(m):
        value = room[last + i]
        for k in range(i):
            value -= room[first + i * m + k] * room[last + k]
        room[last + i] = value
    for i in range(m - 1, -1, -1):
        value = room[last + i] / room[first + i * m + i]
        for k in range(i + 1, m):
            value -= room[first + k * m + i] * room[last + k]
        room[last + i] = value


@njit(**INNER)
def _six_rows(jacobian: Any, error: Any, n: int, mu: Any, gradient: Any) -> None:
    """The same written out for a pose, so that the matrix stays in registers: A = J J^T + mu I = L D L^T."""
    a00 = mu * 1.0
    a11 = mu * 1.0
    a22 = mu * 1.0
    a33 = mu * 1.0
    a44 = mu * 1.0
    a55 = mu * 1.0
    a10 = 0.0
    a20 = 0.0
    a30 = 0.0
    a40 = 0.0
    a50 = 0.0
    a21 = 0.0
    a31 = 0.0
    a41 = 0.0
    a51 = 0.0
    a32 = 0.0
    a42 = 0.0
    a52 = 0.0
    a43 = 0.0
    a53 = 0.0
    a54 = 0.0
    for k in range(n):
        j0 = jacobian[0, k]
        j1 = jacobian[1, k]
        j2 = jacobian[2, k]
        j3 = jacobian[3, k]
        j4 = jacobian[4, k]
        j5 = jacobian[5, k]
        a00 = a00 + j0 * j0
        a10 = a10 + j1 * j0
        a11 = a11 + j1 * j1
        a20 = a20 + j2 * j0
        a21 = a21 + j2 * j1
        a22 = a22 + j2 * j2
        a30 = a30 + j3 * j0
        a31 = a31 + j3 * j1
        a32 = a32 + j3 * j2
        a33 = a33 + j3 * j3
        a40 = a40 + j4 * j0
        a41 = a41 + j4 * j1
        a42 = a42 + j4 * j2
        a43 = a43 + j4 * j3
        a44 = a44 + j4 * j4
        a50 = a50 + j5 * j0
        a51 = a51 + j5 * j1
        a52 = a52 + j5 * j2
        a53 = a53 + j5 * j3
        a54 = a54 + j5 * j4
        a55 = a55 + j5 * j5
    d0 = 1.0 / a00
    l10 = a10 * d0
    l20 = a20 * d0
    l30 = a30 * d0
    l40 = a40 * d0
    l50 = a50 * d0
    a11 = a11 - l10 * a10
    a21 = a21 - l20 * a10
    a31 = a31 - l30 * a10
    a41 = a41 - l40 * a10
    a51 = a51 - l50 * a10
    a22 = a22 - l20 * a20
    a32 = a32 - l30 * a20
    a42 = a42 - l40 * a20
    a52 = a52 - l50 * a20
    a33 = a33 - l30 * a30
    a43 = a43 - l40 * a30
    a53 = a53 - l50 * a30
    a44 = a44 - l40 * a40
    a54 = a54 - l50 * a40
    a55 = a55 - l50 * a50
    d1 = 1.0 / a11
    l21 = a21 * d1
    l31 = a31 * d1
    l41 = a41 * d1
    l51 = a51 * d1
    a22 = a22 - l21 * a21
    a32 = a32 - l31 * a21
    a42 = a42 - l41 * a21
    a52 = a52 - l51 * a21
    a33 = a33 - l31 * a31
    a43 = a43 - l41 * a31
    a53 = a53 - l51 * a31
    a44 = a44 - l41 * a41
    a54 = a54 - l51 * a41
    a55 = a55 - l51 * a51
    d2 = 1.0 / a22
    l32 = a32 * d2
    l42 = a42 * d2
    l52 = a52 * d2
    a33 = a33 - l32 * a32
    a43 = a43 - l42 * a32
    a53 = a53 - l52 * a32
    a44 = a44 - l42 * a42
    a54 = a54 - l52 * a42
    a55 = a55 - l52 * a52
    d3 = 1.0 / a33
    l43 = a43 * d3
    l53 = a53 * d3
    a44 = a44 - l43 * a43
    a54 = a54 - l53 * a43
    a55 = a55 - l53 * a53
    d4 = 1.0 / a44
    l54 = a54 * d4
    d5 = 1.0 / (a55 - l54 * a54)
    b0 = error[0]
    b1 = error[1] - l10 * b0
    b2 = error[2] - l20 * b0 - l21 * b1
    b3 = error[3] - l30 * b0 - l31 * b1 - l32 * b2
    b4 = error[4] - l40 * b0 - l41 * b1 - l42 * b2 - l43 * b3
    b5 = error[5] - l50 * b0 - l51 * b1 - l52 * b2 - l53 * b3 - l54 * b4
    b5 = b5 * d5
    b4 = b4 * d4 - l54 * b5
    b3 = b3 * d3 - l43 * b4 - l53 * b5
    b2 = b2 * d2 - l32 * b3 - l42 * b4 - l52 * b5
    b1 = b1 * d1 - l21 * b2 - l31 * b3 - l41 * b4 - l51 * b5
    b0 = b0 * d0 - l10 * b1 - l20 * b2 - l30 * b3 - l40 * b4 - l50 * b5
    for k in range(n):
        gradient[k] = (
            jacobian[0, k] * b0 + jacobian[1, k] * b1 + jacobian[2, k] * b2
            + jacobian[3, k] * b3 + jacobian[4, k] * b4 + jacobian[5, k] * b5
        )  # fmt: skip
