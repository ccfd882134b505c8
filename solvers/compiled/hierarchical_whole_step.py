"""The compiled step of a hierarchy from a configuration to the next one; what Python calls."""

from __future__ import annotations

import functools
from typing import Any

from numba import njit, types

from ...kinematics import core
from ...kinematics.core.compile_cache import entry_point
from ...kinematics.core.forward import forward
from ...kinematics.core.lanes import JIT, make_matrix, make_vector, maximum, minimum
from .. import compiled
from . import hierarchical_layout as layout
from .curved_joints import move_curved
from .hierarchical_limits import LOWER, UPPER, limited_hierarchical_step
from .hierarchical_measure import measure_center, measure_pose

# Registers of one number: unlike arrays they are not checked for negative indices, which makes loops twice as fast.
_matrix_from, _vector_from = make_matrix(1), make_vector(1)


@njit(**JIT)
def _matrix(integers: Any, numbers: Any, place: int, columns: int) -> Any:
    return _matrix_from(numbers, integers[place], columns)


@njit(**JIT)
def _vector(integers: Any, numbers: Any, place: int) -> Any:
    return _vector_from(numbers, integers[place])


@njit(**JIT)
def _table(integers: Any, place: int, rows: int, columns: int) -> Any:
    first = integers[place]
    return integers[first : first + rows * columns].reshape(rows, columns)


@njit(**JIT)
def _list(integers: Any, place: int) -> Any:
    return integers[integers[place] :]


@njit(**JIT)
def _measure(i: Any, f: Any) -> None:
    """Forward kinematics, then errors and Jacobians of the tasks, at the present configuration."""
    n, count = i[layout.COLUMNS], i[layout.ENTRIES]
    steps = _table(i, layout.AT_STEPS, i[layout.STEPS], 3)
    entries = _table(i, layout.AT_ENTRIES, count, 3)
    carries = _table(i, layout.AT_CARRIES, i[layout.TIPS], count)
    dofs, tip_frames = _list(i, layout.AT_DOFS), _list(i, layout.AT_TIP_FRAMES)
    rates, frames = _matrix(i, f, layout.AT_RATES, 2), _matrix(i, f, layout.AT_FRAMES, 12)
    q, x = _vector(i, f, layout.AT_Q), _vector(i, f, layout.AT_X)
    for k in range(n):
        x[k] = q[dofs[k]]
    forward(steps, _matrix(i, f, layout.AT_CONSTANTS, 15), x, frames)
    of_poses = (entries, rates, carries, _matrix(i, f, layout.AT_TIP_POSES, 12))
    of_centers = (
        steps, entries, rates, _vector(i, f, layout.AT_MASSES), _matrix(i, f, layout.AT_CENTRES, 3),
        _vector(i, f, layout.AT_SUBTREES), _vector(i, f, layout.AT_FIXED),
    )  # fmt: skip
    six, part = _vector(i, f, layout.AT_POSE), _matrix(i, f, layout.AT_SIX, n)
    pose, moments = _vector(i, f, layout.AT_TIP), _matrix(i, f, layout.AT_MOMENTS, 3)
    jacobian, error = _matrix(i, f, layout.AT_JACOBIAN, n), _vector(i, f, layout.AT_ERROR)
    tasks = _table(i, layout.AT_TASKS, i[layout.TASKS], 4)
    for k in range(i[layout.TASKS]):
        target = _vector_from(f, i[layout.AT_TARGETS] + 12 * k)
        weights = _vector_from(f, i[layout.AT_WEIGHTS] + 6 * k)
        misses = _vector_from(f, i[layout.AT_MISSES] + 2 * k)
        row, mask, tip = tasks[k, layout.FIRST_ROW], tasks[k, layout.MASK], tasks[k, layout.TIP]
        if tasks[k, layout.ABOUT] == layout.POSE:
            measure_pose(
                of_poses, tip_frames[tip], tip, frames, target, weights, mask, row, n, (pose, six, part), jacobian,
                error, misses,
            )  # fmt: skip
        else:
            measure_center(
                of_centers, frames, target, weights, mask, row, n, (moments, six, part), jacobian, error, misses
            )


@njit(**JIT)
def _move(i: Any, f: Any) -> None:
    """Goes from the present configuration to the following one."""
    n = i[layout.COLUMNS]
    joints = _matrix(i, f, layout.AT_JOINTS, n)
    x, following = _vector(i, f, layout.AT_X), _vector(i, f, layout.AT_FOLLOWING)
    gradient = _vector(i, f, layout.AT_GRADIENT)
    i[layout.ROUNDS] = limited_hierarchical_step(
        _matrix(i, f, layout.AT_JACOBIAN, n), _vector(i, f, layout.AT_ERROR), _list(i, layout.AT_FIRSTS),
        i[layout.LEVELS], _list(i, layout.AT_ORDER), _list(i, layout.AT_ENDS), _matrix(i, f, layout.AT_DAMPING, 2),
        joints, x, _list(i, layout.AT_STANDING), _list(i, layout.AT_COLUMNS), _list(i, layout.AT_FREE_ENDS),
        _list(i, layout.AT_REACHES), _matrix(i, f, layout.AT_WORK, n), _vector(i, f, layout.AT_RESIDUAL),
        _vector(i, f, layout.AT_NORMS), _matrix(i, f, layout.AT_MIRRORS, n), _vector(i, f, layout.AT_SCALES),
        _matrix(i, f, layout.AT_NORMAL, n), _vector(i, f, layout.AT_SOLUTION), gradient, following, n,
    )  # fmt: skip
    curved = _table(i, layout.AT_CURVED, i[layout.CURVED_JOINTS], 2)
    for k in range(i[layout.CURVED_JOINTS]):
        move_curved(curved[k, 1], curved[k, 0], 1.0, x, gradient, following)
    q, following_q = _vector(i, f, layout.AT_Q), _vector(i, f, layout.AT_NEXT_Q)
    for k in range(i[layout.LENGTH]):
        following_q[k] = q[k]
    dofs = _list(i, layout.AT_DOFS)
    for k in range(n):
        # The limits of curved joints are kept here alone.
        following_q[dofs[k]] = minimum(maximum(following[k], joints[LOWER, k]), joints[UPPER, k])


def whole_step(integers: Any, numbers: Any) -> None:
    """Measures the tasks and takes a step of the levels in use; none where no level is.

    Args:
        integers: (i,), see `hierarchical_layout`.
        numbers: (f, 1) likewise; everything is read from and written to it.
    """
    _measure(integers, numbers)
    if integers[layout.LEVELS] > 0:
        _move(integers, numbers)


@functools.cache
def compiled_whole_step() -> Any:
    """`whole_step`, compiled or loaded."""
    step = entry_point(whole_step, [core, compiled], label="steps of hierarchies")
    step.compile((types.int64[::1], types.float64[:, ::1]))
    return step
