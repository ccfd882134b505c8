"""The compiled searches, made once per step rule and lane width and kept on disk."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ...kinematics import core
from ...kinematics.core.compile_cache import entry_point
from ...kinematics.core.lanes import native_width
from .. import compiled
from .batch import make_batch
from .restarts import make_restarts

_FLOATS, _FLOAT_MATRIX = types.float64[::1], types.float64[:, ::1]
_PLAN = (types.Array(types.int64, 1, "C", readonly=True), types.Array(types.float64, 1, "C", readonly=True))
#: Arguments of the search for one target: the plan, joints, settings, counts, target, seed, workspace, answer.
_ONE_TARGET = (*_PLAN, _FLOAT_MATRIX, _FLOATS, types.int64[::1], _FLOATS, _FLOATS, _FLOAT_MATRIX, _FLOATS)


@functools.cache
def restarts_for(rule: Any, width: int | None = None) -> Any:
    """The search for one target with a step rule, compiled or loaded; for this machine's lane width when None."""
    search = _kept(make_restarts, rule, native_width() if width is None else width)
    search.compile(_ONE_TARGET)
    return search


@functools.cache
def batch_for(rule: Any, width: int | None = None) -> Any:
    """The search for many targets with a step rule; for this machine's lane width when None."""
    return _kept(make_batch, rule, native_width() if width is None else width)


def _kept(make: Any, rule: Any, width: int) -> Any:
    return entry_point(make(rule, width).py_func, [core, compiled], [rule], f"{rule.__name__} {width}")
