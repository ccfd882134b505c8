"""The compiled entry points, made on first use and kept on disk."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from .. import core
from ..core.compile_cache import entry_point
from ..core.lanes import native_width
from . import kernels


@functools.cache
def sample_entry() -> Any:
    """``sample(address)`` of `kernels.sample`, compiled for this machine's lane width."""
    from .kernels.sample import make_sample

    width = native_width()
    kept = entry_point(make_sample(width).py_func, [core, kernels], label=f"sampling of node sets, {width} lanes")
    kept.compile((types.int64,))
    return kept
