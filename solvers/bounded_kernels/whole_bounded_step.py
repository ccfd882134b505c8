"""Kernel: from a configuration to the change of one step, inside position limits, velocity limits and largest steps."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from ...kinematics import core
from ...kinematics.core.compile_cache import entry_point
from ...kinematics.core.lanes import JIT, make_matrix, make_vector
from ...kinematics.transforms import Array
from .. import compiled
from ..compiled import hierarchical_layout as layout
from ..compiled.hierarchical_limits import ROOT
from ..compiled.hierarchical_whole_step import _measure
from .bounded_step import hierarchy_inside_bounds, scratch_size

#: Rows of the numbers, each for all joints: position limits, the largest change either way, the change for a unit of
#: the scaled gradient (step size times the root of the weight), the step that is written; then two rows of bounds and
#: the gradient, scratch.
LOWER, UPPER, REACH, UNIT, STEP, BOUNDS, GRADIENT = 0, 1, 2, 3, 4, 5, 7
_ROWS = 8
#: Stands for "no bound": kernels are compiled for finite numbers.
_FAR_AWAY = 1e30

_matrix_from, _vector_from = make_matrix(1), make_vector(1)


def limits_of_steps(lower: Array, upper: Array, reach: Array, unit: Array, integers: NDArray[np.int64]) -> Array:
    """The numbers (f, 1) for `whole_bounded_step`; their first rows are n numbers each, see `LOWER`.

    Args:
        lower: (n,) position limits, may be infinite.
        upper: (n,).
        reach: (n,) the largest change either way.
        unit: (n,), see `UNIT`.
        integers: Of the hierarchy, see `hierarchical_layout`.
    """
    n = len(lower)
    first = int(integers[layout.AT_FIRSTS])
    most = int(np.diff(integers[first : first + int(integers[layout.ALL_LEVELS]) + 1]).max())
    rows = int(integers[layout.ROWS])
    numbers = np.zeros((_ROWS * n + rows * n + scratch_size(n, most, rows), 1))
    head = numbers[: 4 * n, 0].reshape(4, n)
    head[:] = np.clip(np.stack([lower, upper, reach, unit]), -_FAR_AWAY, _FAR_AWAY)
    return numbers


@njit(**JIT)
def _room(limits: Any, x: Any, k: int) -> Any:
    """The least and the largest change of joint k. Standing still is always among them.

    A joint outside its limits may only come nearer to them.
    """
    reach = limits[REACH, k]
    return min(max(limits[LOWER, k] - x[k], -reach), 0.0), max(min(limits[UPPER, k] - x[k], reach), 0.0)


@njit(**JIT)
def _bounded(i: Any, f: Any, limits: Any, numbers: Any, x: Any, root: Any, n: int) -> None:
    """The step from what was measured, with the joints in the order of the levels that they move."""
    bounds = _matrix_from(numbers, BOUNDS * n, n)
    gradient = _vector_from(numbers, GRADIENT * n)
    order, ends, firsts = i[i[layout.AT_ORDER] :], i[i[layout.AT_ENDS] :], i[i[layout.AT_FIRSTS] :]
    rows, levels = i[layout.ROWS], i[layout.LEVELS]
    jacobian, ordered = _matrix_from(f, i[layout.AT_JACOBIAN], n), _matrix_from(numbers, _ROWS * n, n)
    for place in range(n):
        k = order[place]
        low, high = _room(limits, x, k)
        unit = limits[UNIT, k]
        # Without weight a joint has no part in any level.
        bounds[0, place] = max(-high / unit, -_FAR_AWAY) if unit > 0.0 else -_FAR_AWAY
        bounds[1, place] = min(-low / unit, _FAR_AWAY) if unit > 0.0 else _FAR_AWAY
        for row in range(rows):
            ordered[row, place] = jacobian[row, k] * root[k]
    most = 0
    for level in range(levels):
        most = max(most, firsts[level + 1] - firsts[level])
    hierarchy_inside_bounds(
        ordered, _vector_from(f, i[layout.AT_ERROR]), firsts, levels, ends, _matrix_from(f, i[layout.AT_DAMPING], 2),
        bounds, most, numbers, (_ROWS + rows) * n, gradient, n,
    )  # fmt: skip
    for place in range(n):
        k = order[place]
        low, high = _room(limits, x, k)
        limits[STEP, k] = min(max(-gradient[place] * limits[UNIT, k], low), high)  # undone but for rounding


def whole_bounded_step(integers: Any, numbers: Any, own: Any) -> None:
    """Measures the tasks at the present configuration, and writes the change of a step.

    Args:
        integers: (i,), see `hierarchical_layout`; the configuration is among the numbers.
        numbers: (f, 1) likewise.
        own: (g, 1) of `limits_of_steps`; its row `STEP` is written.
    """
    _measure(integers, numbers)
    n = integers[layout.COLUMNS]
    x, root = _vector_from(numbers, integers[layout.AT_X]), _vector_from(numbers, integers[layout.AT_JOINTS] + ROOT * n)
    _bounded(integers, numbers, _matrix_from(own, 0, n), own, x, root, n)


@functools.cache
def compiled_whole_bounded_step() -> Any:
    """`whole_bounded_step`, compiled or loaded."""
    from .. import bounded_kernels

    step = entry_point(
        whole_bounded_step, [core, compiled, bounded_kernels], label="steps of hierarchies inside limits"
    )
    matrix = types.float64[:, ::1]
    step.compile((types.int64[::1], matrix, matrix))
    return step
