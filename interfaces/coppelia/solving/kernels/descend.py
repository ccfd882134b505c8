"""Kernels: descents of the search, which owe nothing to the settings of a group but its precision.

Their steps are those of Levenberg and Marquardt with a damping that follows the error, (J J^T + (a e.e + b) I)^-1
(T. Sugihara, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", IEEE Transactions on
Robotics 27(5), 2011). Joints that stand at a limit and are pushed outwards are held while the others make up for them.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from .....kinematics.core.lanes import INNER
from .handling import is_within
from .inverse import apply_inverse, factor
from .layout import (
    CYCLIC,
    DAMPED_LEAST_SQUARES,
    FIXED_ROWS,
    KIND,
    LOWER,
    OWN_WEIGHT,
    ROLLING,
    SLIDING,
    SLOT,
    UPPER,
    WEIGHT,
)
from .look import look, turn_ball
from .rotation import wrapped
from .step import move

#: Damping: the part of the squared error, and the constant.
_OF_ERROR, _CONSTANT = 0.01, 1e-9
#: Iterations of a descent; it is given up when the squared error twice falls by less than this part.
_MOST, _PROGRESS, _STRIKES = 25, 0.1, 2
#: Iterations that make a solution exact, and the squared error below which nothing is left to gain.
_MOST_REFINING, _EXACT = 8, 1e-26


@njit(**INNER)
def descend(tree: Any, columns: Any, tasks: Any, results: Any) -> int:
    """Descends until the elements are within their precision; the number of iterations, negative when given up."""
    room = results[8]
    before, strikes = 1e300, 0
    for iteration in range(1, _MOST + 1):
        look(tree, columns, tasks, results, room)
        if is_within(tasks, results):
            return iteration
        squared = _squared_error(tasks, results)
        if squared > (1.0 - _PROGRESS) * before:
            strikes += 1
            if strikes == _STRIKES:
                return -iteration
        before = min(before, squared)
        _step(_OF_ERROR * squared + _CONSTANT, tree, columns, tasks, results)
        move(tree, columns, results)
    look(tree, columns, tasks, results, room)
    return _MOST if is_within(tasks, results) else -_MOST


@njit(**INNER)
def refine(tree: Any, columns: Any, tasks: Any, results: Any, kept: Any) -> None:
    """Makes a solution as exact as it gets; it never becomes worse."""
    room = results[8]
    look(tree, columns, tasks, results, room)
    squared = _squared_error(tasks, results)
    for _ in range(_MOST_REFINING):
        if squared < _EXACT:
            break
        keep(tree, kept)
        _step(_OF_ERROR * squared + 1e-3 * _CONSTANT, tree, columns, tasks, results)
        move(tree, columns, results)
        look(tree, columns, tasks, results, room)
        now = _squared_error(tasks, results)
        if now >= squared or not is_within(tasks, results):
            take_back(tree, kept)
            look(tree, columns, tasks, results, room)
            break
        squared = now
    is_within(tasks, results)


@njit(**INNER)
def keep(tree: Any, kept: Any) -> None:
    """Notes the values and rotations of all joints."""
    _, _, _, balls, turns, x = tree
    size = x.shape[0]
    for k in range(size):
        kept[k] = x[k]
    for b in range(balls.shape[0]):
        for i in range(9):
            kept[size + 9 * b + i] = turns[b, i]


@njit(**INNER)
def take_back(tree: Any, kept: Any) -> None:
    """Goes back to what was noted."""
    _, constants, locals_, balls, turns, x = tree
    size = x.shape[0]
    for k in range(size):
        x[k] = kept[k]
    for b in range(balls.shape[0]):
        for i in range(9):
            turns[b, i] = kept[size + 9 * b + i]
        turn_ball(constants, locals_, balls[b], turns[b])


@njit(**INNER)
def _squared_error(tasks: Any, results: Any) -> float:
    """Of the rows of the elements."""
    groups, error = tasks[2], results[2]
    total = 0.0
    for i in range(groups[0, FIXED_ROWS]):
        total += error[i] * error[i]
    return total


@njit(**INNER)
def _step(damping: float, tree: Any, columns: Any, tasks: Any, results: Any) -> None:
    """The step of the columns, worked out again without those that push against a limit."""
    numbers, joints, _, _, _, _ = columns
    _, jacobian, error, _, step, _, _, _, room = results
    x = tree[5]
    n, rows = numbers.shape[0], tasks[2][0, FIXED_ROWS]
    for k in range(n):
        joints[k, WEIGHT] = 1.0
    for again in range(2):
        kind = factor(jacobian, 0, rows, n, joints, DAMPED_LEAST_SQUARES, damping, room)
        behind = rows * (n + rows) + rows
        vector = room[behind : behind + rows]
        for i in range(rows):
            vector[i] = error[i]
        apply_inverse(kind, jacobian, 0, rows, n, joints, damping, room, vector, step)
        if again == 1 or not _hold_at_limits(numbers, joints, x, step):
            break
    for k in range(n):
        joints[k, WEIGHT] = joints[k, OWN_WEIGHT]
        if numbers[k, KIND] != SLIDING:
            step[k] = wrapped(step[k])


@njit(**INNER)
def _hold_at_limits(numbers: Any, joints: Any, x: Any, step: Any) -> bool:
    found = False
    for k in range(numbers.shape[0]):
        if numbers[k, KIND] == ROLLING or joints[k, CYCLIC] != 0.0:
            continue
        q = x[numbers[k, SLOT]]
        if (q <= joints[k, LOWER] and step[k] < 0.0) or (q >= joints[k, UPPER] and step[k] > 0.0):
            joints[k, WEIGHT] = 0.0
            found = True
    return found
