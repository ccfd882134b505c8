"""Arrays cut from one piece of memory, which are not counted.

Numba counts who refers to an array, with an atomic operation each time that an array is handed over or a row is taken
from it. In kernels that run for microseconds this takes longer than the work. What is cut from an arena, or borrowed,
has no count. The owner must outlive it: use it again at the end of the kernel.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from ....kinematics.core.lane_types import number_type, vector_of_doubles


@intrinsic  # type: ignore[misc, untyped-decorator]
def borrowed(typingctx: Any, array: Any) -> Any:
    """The same array, not counted."""
    if not isinstance(array, types.Array):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = context.make_array(sig.args[0])(context, builder, args[0])
        target = context.make_array(sig.return_type)(context, builder)
        shape, strides = cgutils.unpack_tuple(builder, source.shape), cgutils.unpack_tuple(builder, source.strides)
        populate_array(target, source.data, shape, strides, source.itemsize, None)
        return target._getvalue()

    return array(array), codegen


@intrinsic  # type: ignore[misc, untyped-decorator]
def matrix_in(typingctx: Any, arena: Any, first: Any, rows: Any, columns: Any) -> Any:
    """A matrix (rows, columns) in an arena of floats, beginning at an index."""
    if not isinstance(arena, types.Array) or arena.dtype != types.float64 or arena.layout != "C":
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = context.make_array(sig.args[0])(context, builder, args[0])
        target = context.make_array(sig.return_type)(context, builder)
        _, first, rows, columns = args
        size = ir.Constant(columns.type, 8)
        populate_array(
            target, builder.gep(source.data, [first]), (rows, columns), (builder.mul(columns, size), size), size, None
        )
        return target._getvalue()

    return types.Array(types.float64, 2, "C")(arena, types.intp, types.intp, types.intp), codegen


def make_load(width: int) -> Any:
    """A function for compiled code: ``load(matrix, row, column)`` reads W neighbouring floats of a row as lanes."""

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def load(typingctx: Any, matrix: Any, row: Any, column: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = builder.load(_place(context, builder, sig.args[0], args, width))
            value.align = 8
            return value

        return number_type(width)(matrix, types.intp, types.intp), codegen

    return load


def make_store(width: int) -> Any:
    """A function for compiled code: ``store(matrix, row, column, lanes)`` writes lanes to W neighbouring floats."""

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def store(typingctx: Any, matrix: Any, row: Any, column: Any, lanes: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            builder.store(args[3], _place(context, builder, sig.args[0], args, width)).align = 8
            return context.get_dummy_value()

        return types.none(matrix, types.intp, types.intp, number_type(width)), codegen

    return store


def _place(context: Any, builder: Any, matrix_type: Any, args: Any, width: int) -> Any:
    source = context.make_array(matrix_type)(context, builder, args[0])
    columns = cgutils.unpack_tuple(builder, source.shape)[1]
    pointer = builder.gep(source.data, [builder.add(builder.mul(args[1], columns), args[2])])
    return pointer if width == 1 else builder.bitcast(pointer, ir.PointerType(vector_of_doubles(width)))
