"""SIMD numbers for Numba: one Python kernel that runs on a single problem or on several at once.

A kernel is written once, in ordinary arithmetic. Compiled for ``float64`` it handles one problem; compiled
for lanes it handles W problems in the W lanes of a SIMD register. Which of the two it becomes is decided by
the arrays that it is given: indexing a float array gives a number, indexing a `view` gives a register.

    @njit
    def norm(x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * x[i]
        return sqrt(total)

Rules for a kernel that is to run in lanes:

* Branch on things that are the same for all lanes (sizes, kinds of joints) with ``if``; on numbers with
  ``where(condition, a, b)``, which works out both sides and picks lane by lane.
* Use the functions of this module: `sqrt`, `sincos`, `atan2`, `absolute`, `floor`, `minimum`, `maximum`, `where`,
  `any_lane`, `all_lanes`. They take floats as well, in compiled code and in plain Python.

The functions of this module are ordinary Python functions for floats, so that a kernel can be stepped
through with ``NUMBA_DISABLE_JIT=1``.
"""

from __future__ import annotations

import functools
import math
import os
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ..errors import InvalidValueError
from .lane_trigonometry import lane_atan2, lane_sincos
from .lane_types import (
    LanesType,
    MaskType,
    lanes_among,
    lanes_type,
    make_matrix,
    make_vector,
    make_view,
    vector_of_doubles,
)

__all__ = [
    "INLINE",
    "INNER",
    "JIT",
    "absolute",
    "all_lanes",
    "any_lane",
    "atan2",
    "floor",
    "lanes_type",
    "make_matrix",
    "make_vector",
    "make_view",
    "maximum",
    "minimum",
    "native_width",
    "sincos",
    "sqrt",
    "where",
]

#: What every kernel is compiled with. Reassociation and the rest of fast maths are safe in kernels because
#: their inputs are finite; `sincos` and `atan2` switch it off where their accuracy depends on the order.
JIT: dict[str, Any] = {"fastmath": True, "error_model": "numpy", "boundscheck": False, "nogil": True}
#: The same for kernels that only other kernels call: they need no way in from Python, whose making takes time.
INNER: dict[str, Any] = {**JIT, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
#: The same for kernels that are called in one place with so many arrays that passing them takes longer than the work.
INLINE: dict[str, Any] = {**INNER, "forceinline": True}


def native_width() -> int:
    """Number of doubles in the widest SIMD register of this processor, 8 with AVX-512 and 4 otherwise.

    The environment variable ``KINETREE_LANES`` overrides it (2, 4 or 8; 1 for one problem at a time).

    Raises:
        InvalidValueError: Another value in the variable.
    """
    wanted = os.environ.get("KINETREE_LANES")
    if wanted is not None:
        if wanted not in ("1", "2", "4", "8"):
            raise InvalidValueError(f"KINETREE_LANES is {wanted!r}; it must be 1, 2, 4 or 8")
        return int(wanted)
    return _widest()


@functools.cache
def _widest() -> int:
    return 8 if llvm.get_host_cpu_features().get("avx512f", False) else 4


def sqrt(x: Any) -> Any:
    """Square root."""
    return math.sqrt(x)


def absolute(x: Any) -> Any:
    """Absolute value."""
    return abs(x)


def floor(x: Any) -> Any:
    """The largest whole number that is not larger, as a float."""
    return float(math.floor(x))


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two."""
    return a if a < b else b


def maximum(a: Any, b: Any) -> Any:
    """The larger of two."""
    return a if a > b else b


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` in the lanes where the condition holds, ``b`` in the others; both are worked out."""
    return a if condition else b


def any_lane(condition: Any) -> bool:
    """True when the condition holds in at least one lane."""
    return bool(condition)


def all_lanes(condition: Any) -> bool:
    """True when the condition holds in every lane."""
    return bool(condition)


def sincos(x: Any) -> tuple[Any, Any]:
    """Sine and cosine together; in lanes within 2.5e-16 for |x| up to 1e4, which is wide enough for angles."""
    return math.sin(x), math.cos(x)


def atan2(y: Any, x: Any) -> Any:
    """Angle in [-pi, pi] of the point (x, y); 0 at the origin; within 2.5e-16."""
    return math.atan2(y, x)


def _llvm_unary(name: str) -> Any:
    @intrinsic  # type: ignore[misc, untyped-decorator]
    def function(typingctx: Any, x: Any) -> Any:
        if not isinstance(x, LanesType):
            return None

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            vector = vector_of_doubles(sig.return_type.width)
            kind = ir.FunctionType(vector, [vector])
            callee = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{sig.return_type.width}f64")
            return builder.call(callee, [args[0]], fastmath=("fast",))

        return x(x), codegen

    return function


def _pick(comparison: str) -> Any:
    @intrinsic  # type: ignore[misc, untyped-decorator]
    def function(typingctx: Any, a: Any, b: Any) -> Any:
        lanes = lanes_among((a, b))
        if lanes is None:
            return None

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            a, b = args
            return builder.select(builder.fcmp_ordered(comparison, a, b, flags=("nnan",)), a, b)

        return lanes(lanes, lanes), codegen

    return function


_lane_sqrt, _lane_absolute, _lane_floor = _llvm_unary("sqrt"), _llvm_unary("fabs"), _llvm_unary("floor")
_lane_minimum, _lane_maximum = _pick("<"), _pick(">")


@intrinsic  # type: ignore[misc, untyped-decorator]
def _lane_where(typingctx: Any, condition: Any, a: Any, b: Any) -> Any:
    if not isinstance(condition, MaskType):
        return None
    lanes = lanes_type(condition.width)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(*args)

    return lanes(condition, lanes, lanes), codegen


def _reduction(instruction: str) -> Any:
    @intrinsic  # type: ignore[misc, untyped-decorator]
    def function(typingctx: Any, condition: Any) -> Any:
        if not isinstance(condition, MaskType):
            return None

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            elements = [
                builder.extract_element(args[0], ir.Constant(ir.IntType(32), lane)) for lane in range(sig.args[0].width)
            ]
            result = functools.reduce(getattr(builder, instruction), elements)
            return context.cast(builder, result, types.boolean, sig.return_type)

        return types.boolean(condition), codegen

    return function


_lane_any, _lane_all = _reduction("or_"), _reduction("and_")


# Numba compares the signatures of these with those of what they return, annotations included: they have none.


@overload(sqrt)
@overload(math.sqrt)
def _compiled_sqrt(x):
    if isinstance(x, LanesType):
        return lambda x: _lane_sqrt(x)
    return lambda x: math.sqrt(x)


@overload(absolute)
@overload(abs)
def _compiled_absolute(x):
    if isinstance(x, LanesType):
        return lambda x: _lane_absolute(x)
    return lambda x: abs(x)


@overload(floor)
def _compiled_floor(x):
    if isinstance(x, LanesType):
        return lambda x: _lane_floor(x)
    return lambda x: np.floor(x)


@overload(minimum)
@overload(min)
def _compiled_minimum(a, b):
    if lanes_among((a, b)) is not None:
        return lambda a, b: _lane_minimum(a, b)
    return lambda a, b: a if a < b else b


@overload(maximum)
@overload(max)
def _compiled_maximum(a, b):
    if lanes_among((a, b)) is not None:
        return lambda a, b: _lane_maximum(a, b)
    return lambda a, b: a if a > b else b


@overload(where)
def _compiled_where(condition, a, b):
    if isinstance(condition, MaskType):
        return lambda condition, a, b: _lane_where(condition, a, b)
    return lambda condition, a, b: a if condition else b


@overload(any_lane)
def _compiled_any(condition):
    if isinstance(condition, MaskType):
        return lambda condition: _lane_any(condition)
    return lambda condition: bool(condition)


@overload(all_lanes)
def _compiled_all(condition):
    if isinstance(condition, MaskType):
        return lambda condition: _lane_all(condition)
    return lambda condition: bool(condition)


@overload(sincos)
def _compiled_sincos(x):
    if isinstance(x, LanesType):
        return lambda x: lane_sincos(x)
    return lambda x: (math.sin(x), math.cos(x))


@overload(atan2)
@overload(math.atan2)
def _compiled_atan2(y, x):
    if lanes_among((y, x)) is not None:
        return lambda y, x: lane_atan2(y, x)
    return lambda y, x: math.atan2(y, x)
