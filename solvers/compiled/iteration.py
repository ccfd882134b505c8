"""Kernel: one iteration of a numeric solver for one tip, a full pose or its position; built once per step rule."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba import njit

from ...kinematics.core.forward import forward, tip_frame
from ...kinematics.core.jacobian import tip_jacobian
from ...kinematics.core.lanes import JIT, absolute, any_lane, maximum, minimum, where
from .pose_error import pose_error

#: How a degree of freedom meets its limits: it has none, it stops there, or it goes on one turn further back
#: (its range is a full turn or more, so that the same pose is inside).
UNLIMITED, STOPS, WRAPS = range(3)

_TURN = 6.283185307179586


@functools.cache
def make_iteration(rule: Callable[..., None]) -> Any:
    """The compiled iteration for a step rule.

    Args:
        rule: Compiled function ``rule(jacobian, error, rows, n, parameters, gradient)`` that writes the first
            n numbers of ``gradient``, uphill.
    """

    @njit(**JIT)
    def iterate(
        steps, constants, entries, rates, carries, tip_frames, tip_poses, n, joints, rows, max_step,
        parameters, x, frames, tip, target, error, jacobian, gradient, squares,
    ):  # fmt: skip
        forward(steps, constants, x, frames)
        tip_frame(frames, tip_frames[0], tip_poses, 0, tip)
        squares[0], squares[1] = pose_error(tip, target, error)
        if rows == 3:
            squares[1] = 0.0
        tip_jacobian(entries, rates, carries, 0, frames, tip[9], tip[10], tip[11], jacobian, 0, n)
        rule(jacobian, error, rows, n, parameters, gradient)
        for _ in range(n):
            if not _hold_at_limits(n, joints, rows, x, gradient, jacobian):
                break
            rule(jacobian, error, rows, n, parameters, gradient)
        _move(n, joints, max_step, x, gradient)

    return iterate


@njit(**JIT)
def _hold_at_limits(n: int, joints: Any, rows: int, x: Any, gradient: Any, jacobian: Any) -> bool:
    """Takes joints that stand at a limit and are pushed outwards out of the Jacobian, for this iteration only.

    The others then make up for them, which the plain projection of the step would not let them do; in the
    next iteration every joint is free again, so none is stranded. A joint that was taken out has a gradient of
    zero from then on, so that the search for more of them ends.
    """
    found = False
    for k in range(n):
        if joints[0, k] == STOPS:
            pushed = ((x[k] <= joints[1, k]) & (gradient[k] > 0.0)) | ((x[k] >= joints[2, k]) & (gradient[k] < 0.0))
            if any_lane(pushed):
                found = True
                for i in range(rows):
                    jacobian[i, k] = where(pushed, 0.0, jacobian[i, k])
    return found


@njit(**JIT)
def _move(n: int, joints: Any, max_step: float, x: Any, gradient: Any) -> None:
    """X - gradient, shortened so that no part exceeds the largest step, and kept inside the limits."""
    largest = absolute(gradient[0])
    for k in range(1, n):
        largest = maximum(largest, absolute(gradient[k]))
    scale = max_step / maximum(largest, max_step)
    for k in range(n):
        moved = x[k] - scale * gradient[k]
        if joints[0, k] == WRAPS:
            moved = where(moved > joints[2, k], moved - _TURN, moved)
            moved = where(moved < joints[1, k], moved + _TURN, moved)
        if joints[0, k] != UNLIMITED:
            moved = minimum(maximum(moved, joints[1, k]), joints[2, k])
        x[k] = moved
