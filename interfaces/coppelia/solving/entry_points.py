"""The compiled entry points, made on first use and kept on disk."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ....kinematics import core
from ....kinematics.core.compile_cache import entry_point
from ....kinematics.core.lanes import native_width
from ....solvers import compiled
from . import kernels
from .kernels.handling import handle

_INTEGER = types.int64


@functools.cache
def handle_entry() -> Any:
    """`kernels.handling.handle`, compiled."""
    kept = entry_point(handle.py_func, [core, compiled, kernels], label="groups of inverse kinematics")
    kept.compile((_INTEGER, _INTEGER, _INTEGER))
    return kept


@functools.cache
def search_entry() -> Any:
    """``search(address)`` of `kernels.search`, compiled for this machine's lane width."""
    from .kernels.search import make_search

    width = native_width()
    label = f"search for configurations of groups, {width} lanes"
    kept = entry_point(make_search(width).py_func, [core, compiled, kernels], label=label)
    kept.compile((_INTEGER,))
    return kept
