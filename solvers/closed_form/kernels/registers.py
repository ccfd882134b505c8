"""Registers and small vectors on the stack of a compiled function, where a heap array would cost more than the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

from ....kinematics.core.lane_types import LaneArrayType, lanes_type, vector_of_doubles


def make_stack(rows: int, width: int = 1) -> Any:
    """A function for compiled code that gives room for some registers, or floats for width 1.

    The room is the caller's own: it may be handed to the functions that it calls, never returned.
    """

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def stack(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            room = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), rows * width))
            room.align = 64
            pointer = builder.bitcast(room, ir.PointerType(ir.DoubleType()))
            return _vector(context, builder, sig.return_type, pointer)

        return LaneArrayType(1, width)(), codegen

    return stack


@intrinsic  # type: ignore[misc, untyped-decorator]
def as_numbers(typingctx: Any, registers: Any) -> Any:
    """The floats of a vector of registers one by one: those of the first register, then of the second, ..."""
    if not isinstance(registers, LaneArrayType) or registers.ndim != 1:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
        return _vector(context, builder, sig.return_type, source.data)

    return LaneArrayType(1, 1)(registers), codegen


def make_register(values: Sequence[float]) -> Any:
    """A function for compiled code that gives a register with these numbers in its lanes."""
    width = len(values)

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def register(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return ir.Constant(vector_of_doubles(width), [float(value) for value in values])

        return lanes_type(width)(), codegen

    return register


def _vector(context: Any, builder: Any, kind: LaneArrayType, pointer: Any) -> Any:
    result = cgutils.create_struct_proxy(kind)(context, builder)
    result.data = pointer
    result.columns = ir.Constant(result.columns.type, 1)
    return result._getvalue()
