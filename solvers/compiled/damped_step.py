"""Kernel: the damped least-squares step g = J^T (J J^T + mu I)^-1 e, for any number of rows."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT


@njit(**JIT)
def damped_step(jacobian: Any, error: Any, rows: int, n: int, mu: Any, gradient: Any) -> None:
    """Writes the step into ``gradient[:n]``; what is behind is scratch, see `scratch_size`."""
    if rows == 6:
        _six_rows(jacobian, error, n, mu, gradient)
    else:
        _any_rows(jacobian, error, rows, n, mu, gradient)


def scratch_size(rows: int, n: int) -> int:
    """Length that the gradient's array needs."""
    return n + rows * (rows + 1)


@njit(**JIT)
def _any_rows(jacobian: Any, error: Any, rows: int, n: int, mu: Any, gradient: Any) -> None:
    """L D L^T of J J^T + mu I in the scratch behind the gradient: row i of L at n + i * rows, then the solution."""
    last = n + rows * rows
    for i in range(rows):
        for j in range(i + 1):
            total = mu * (1.0 if i == j else 0.0)
            for k in range(n):
                total += jacobian[i, k] * jacobian[j, k]
            gradient[n + i * rows + j] = total
    for i in range(rows):
        for j in range(i):
            entry = gradient[n + i * rows + j]
            for k in range(j):
                entry -= gradient[n + i * rows + k] * gradient[n + j * rows + k] * gradient[n + k * rows + k]
            gradient[n + i * rows + j] = entry / gradient[n + j * rows + j]
        pivot = gradient[n + i * rows + i]
        for k in range(i):
            factor = gradient[n + i * rows + k]
            pivot -= factor * factor * gradient[n + k * rows + k]
        gradient[n + i * rows + i] = pivot
    for i in range(rows):
        value = error[i] * 1.0
        for k in range(i):
            value -= gradient[n + i * rows + k] * gradient[last + k]
        gradient[last + i] = value
    for i in range(rows - 1, -1, -1):
        value = gradient[last + i] / gradient[n + i * rows + i]
        for k in range(i + 1, rows):
            value -= gradient[n + k * rows + i] * gradient[last + k]
        gradient[last + i] = value
    for k in range(n):
        total = 0.0
        for i in range(rows):
            total += jacobian[i, k] * gradient[last + i]
        gradient[k] = total


@njit(**JIT)
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
