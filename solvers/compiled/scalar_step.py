"""A step rule for one problem, as the object path calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import config, njit, types

from ...kinematics import core
from ...kinematics.core.compile_cache import entry_point
from ...kinematics.core.lanes import JIT
from ...kinematics.transforms import Array
from .. import compiled
from .arrays import scratch_size
from .compile_error import told_plainly
from .rule import StepKernel

_VECTOR, _MATRIX = types.float64[::1], types.float64[:, ::1]


def scalar_step_for(rule: StepKernel) -> Callable[[Array, Array, Array], Array]:
    """The rule as a function of Jacobian (m, n), error (m,) and parameters that gives the gradient (n,).

    Without Numba (``NUMBA_DISABLE_JIT=1``) it is ordinary Python all the way, for a debugger.
    """
    rows_and_columns = _make_scalar_step(rule)
    if config.DISABLE_JIT:
        run = rows_and_columns
    else:
        with told_plainly(rule):
            run = entry_point(rows_and_columns.py_func, [core, compiled], [rule.function], f"scalar {rule.name}")
            run.compile((_MATRIX, _VECTOR, _VECTOR))

    def step(jacobian: Array, error: Array, parameters: Array) -> Array:
        result: Array = run(np.ascontiguousarray(jacobian), np.ascontiguousarray(error), parameters)
        return result

    return step


def _make_scalar_step(rule: StepKernel) -> Any:
    step = rule.function

    @njit(**JIT)
    def run(jacobian, error, parameters):
        rows, n = jacobian.shape
        room = np.zeros(n + scratch_size(rows, n))
        step(jacobian, error, rows, n, parameters, room)
        return room[:n].copy()

    return run
