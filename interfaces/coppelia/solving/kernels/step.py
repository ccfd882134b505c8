"""Kernels: the step of all groups together, and the move by it."""

from __future__ import annotations

from typing import Any

from numba import njit

from .....kinematics.core.lanes import INNER, sincos
from .inverse import apply_inverse, factor
from .layout import (
    ANGULAR_GAIN,
    AXIS_OF_BALL,
    BALL,
    CYCLIC,
    FACTOR,
    FIRST_ROW,
    GROUP_ROW,
    IGNORES_MAX_STEPS,
    IS_HIT,
    KIND,
    LIMIT_HIT,
    LINEAR_GAIN,
    LOWER,
    MAX_STEP,
    METHOD,
    MOST_HALVINGS,
    OVERSHOT,
    PRESENT_ROWS,
    ROLLING,
    ROW_COUNT,
    ROW_KIND,
    SLIDING,
    SLOT,
    SQUARED_DAMPING,
    STEPS_TOO_BIG,
    UPPER,
)
from .look import turn_ball
from .rotation import wrapped


@njit(**INNER)
def weigh(tasks: Any, results: Any) -> None:
    """Multiplies the rows of the elements with their weights; the Jacobian is left as it is."""
    elements, numbers, _, _, _ = tasks
    _, _, error, rows, _, _, _, _, _ = results
    for e in range(elements.shape[0]):
        for row in range(elements[e, FIRST_ROW], elements[e, FIRST_ROW] + elements[e, ROW_COUNT]):
            error[row] *= numbers[e, LINEAR_GAIN if rows[row, ROW_KIND] < 3 else ANGULAR_GAIN]


@njit(**INNER)
def solve(columns: Any, tasks: Any, results: Any) -> int:
    """The step of all columns, with as many halvings as the largest steps ask for.

    An interpolation factor, which begins at 1 in every iteration, scales all errors, those of the rows that keep away
    from limits included, so that halving it always ends.

    Returns:
        Bits: whether a step was larger than a joint's largest one.
    """
    numbers, joints, _, _, _, _ = columns
    settings = tasks[4]
    _, _, _, _, step, _, _, report, _ = results
    bits, scale = 0, 1.0
    for halving in range(MOST_HALVINGS + 1):
        _combine(scale, columns, tasks, results)
        if not _is_too_big(joints, step, numbers.shape[0]):
            break
        bits = STEPS_TOO_BIG
        if settings[IGNORES_MAX_STEPS] != 0:
            break
        if halving == MOST_HALVINGS:
            scale = 0.0
            for k in range(numbers.shape[0]):
                step[k] = 0.0
        else:
            scale *= 0.5
    report[FACTOR] = scale
    return bits


@njit(**INNER)
def _is_too_big(joints: Any, step: Any, n: int) -> bool:
    for k in range(n):
        if abs(step[k]) > joints[k, MAX_STEP]:
            return True
    return False


@njit(**INNER)
def _combine(scale: float, columns: Any, tasks: Any, results: Any) -> None:
    """Dq = dq_0 + N_0 (dq_1 + N_1 (dq_2 + ...)) with N_i = I - S_i J_i, from the last group to the first."""
    numbers, joints, _, _, _, _ = columns
    _, _, groups, group_numbers, _ = tasks
    _, jacobian, error, _, step, _, _, _, room = results
    n = numbers.shape[0]
    for k in range(n):
        step[k] = 0.0
    for g in range(groups.shape[0] - 1, -1, -1):
        first, rows = groups[g, GROUP_ROW], groups[g, PRESENT_ROWS]
        damping = group_numbers[g, SQUARED_DAMPING]
        kind = factor(jacobian, first, rows, n, joints, groups[g, METHOD], damping, room)
        behind = rows * (n + rows) + rows
        vector, own = room[behind : behind + rows], room[behind + rows : behind + rows + n]
        other = room[behind + rows + n : behind + rows + 2 * n]
        is_last = g == groups.shape[0] - 1
        for i in range(rows):
            vector[i] = scale * error[first + i]
        apply_inverse(kind, jacobian, first, rows, n, joints, damping, room, vector, own)
        for k in range(n):
            if numbers[k, KIND] != SLIDING:
                own[k] = wrapped(own[k])
        if not is_last:
            for i in range(rows):
                total = 0.0
                for k in range(n):
                    total += jacobian[first + i, k] * step[k]
                vector[i] = total
            apply_inverse(kind, jacobian, first, rows, n, joints, damping, room, vector, other)
            for k in range(n):
                step[k] += own[k] - other[k]
        else:
            for k in range(n):
                step[k] = own[k]


@njit(**INNER)
def invert(g: int, columns: Any, tasks: Any, results: Any) -> None:
    """The step = S_g times the error in the rows of the group: what one group makes of it."""
    numbers, joints, _, _, _, _ = columns
    _, _, groups, group_numbers, _ = tasks
    _, jacobian, error, _, step, _, _, _, room = results
    n, first, rows = numbers.shape[0], groups[g, GROUP_ROW], groups[g, PRESENT_ROWS]
    damping = group_numbers[g, SQUARED_DAMPING]
    kind = factor(jacobian, first, rows, n, joints, groups[g, METHOD], damping, room)
    vector = room[rows * (n + rows) + rows : rows * (n + rows) + 2 * rows]
    for i in range(rows):
        vector[i] = error[first + i]
    apply_inverse(kind, jacobian, first, rows, n, joints, damping, room, vector, step)


@njit(**INNER)
def move(tree: Any, columns: Any, results: Any) -> int:
    """Adds the step to the joints: positions wrap or stop at their limits, spherical joints turn about x, y, z.

    Returns:
        Bits: whether a limit was passed. How far beyond is noted for each column.
    """
    _, constants, locals_, balls, turns, x = tree
    numbers, joints, _, _, _, _ = columns
    _, _, _, _, step, _, hits, _, _ = results
    bits = 0
    for k in range(numbers.shape[0]):
        if numbers[k, KIND] == ROLLING:
            if numbers[k, AXIS_OF_BALL] == 2:
                ball = numbers[k, BALL]
                _roll(turns[ball], step[k - 2], step[k - 1], step[k])
                turn_ball(constants, locals_, balls[ball], turns[ball])
            continue
        q = x[numbers[k, SLOT]] + step[k]
        if joints[k, CYCLIC] != 0.0:
            x[numbers[k, SLOT]] = wrapped(q)
            continue
        lower, upper = joints[k, LOWER], joints[k, UPPER]
        if (q > upper and step[k] > 0.0) or (q < lower and step[k] < 0.0):
            bits = LIMIT_HIT
            hits[k, IS_HIT] = 1.0
            hits[k, OVERSHOT] = q - upper if step[k] > 0.0 else q - lower
        x[numbers[k, SLOT]] = min(max(q, lower), upper)
    return bits


@njit(**INNER)
def _roll(turn: Any, a: float, b: float, c: float) -> None:
    """Multiplies a rotation (9,) with Rx(a) Ry(b) Rz(c) from the right."""
    _turn_columns(turn, 1, 2, a)
    _turn_columns(turn, 2, 0, b)
    _turn_columns(turn, 0, 1, c)


@njit(**INNER)
def _turn_columns(turn: Any, i: int, j: int, angle: float) -> None:
    sine, cosine = sincos(angle)
    for row in range(3):
        u, v = turn[3 * row + i], turn[3 * row + j]
        turn[3 * row + i] = u * cosine + v * sine
        turn[3 * row + j] = v * cosine - u * sine
