"""The types behind `lanes`: a register of numbers, one of truth values, arrays of registers, and operators."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin


class LanesType(types.Type):  # type: ignore[misc]
    """W doubles in one register."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(f"float64x{width}")

    def can_convert_from(self, typingctx: Any, other: types.Type) -> Conversion | None:
        """A float becomes a register with that number in every lane."""
        return Conversion.safe if isinstance(other, types.Number) else None

    def unify(self, typingctx: Any, other: types.Type) -> types.Type | None:
        """A variable that is a float first and a register later is a register throughout."""
        return self if isinstance(other, types.Number) else None


class MaskType(types.Type):  # type: ignore[misc]
    """W truth values, what comparing registers gives."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(f"boolx{width}")

    def can_convert_from(self, typingctx: Any, other: types.Type) -> Conversion | None:
        """One truth value becomes a register with it in every lane."""
        return Conversion.safe if isinstance(other, types.Boolean) else None

    def unify(self, typingctx: Any, other: types.Type) -> types.Type | None:
        """A comparison of what is a float first and a register later is a register throughout."""
        return self if isinstance(other, types.Boolean) else None


class LaneArrayType(types.Type):  # type: ignore[misc]
    """A vector or matrix of registers; a view of a float array that has the lanes as its last axis."""

    def __init__(self, ndim: int, width: int) -> None:
        self.ndim = ndim
        self.width = width
        super().__init__(f"float64x{width}[{':,' * (ndim - 1)}:]")


@functools.cache
def lanes_type(width: int) -> LanesType:
    """The register type of a width."""
    return LanesType(width)


def vector_of_doubles(width: int) -> ir.Type:
    """The LLVM type of a register."""
    return ir.VectorType(ir.DoubleType(), width)


@register_default(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: LanesType) -> None:
        super().__init__(dmm, fe_type, vector_of_doubles(fe_type.width))


@register_default(MaskType)
class _MaskModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: MaskType) -> None:
        super().__init__(dmm, fe_type, ir.VectorType(ir.IntType(1), fe_type.width))


@register_default(LaneArrayType)
class _LaneArrayModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: LaneArrayType) -> None:
        super().__init__(dmm, fe_type, [("data", types.CPointer(types.float64)), ("columns", types.intp)])


def _splat(builder: Any, scalar: Any, width: int) -> Any:
    return _splat_of(ir.DoubleType(), builder, scalar, width)


def _splat_of(kind: ir.Type, builder: Any, scalar: Any, width: int) -> Any:
    undefined = ir.Constant(ir.VectorType(kind, width), ir.Undefined)
    vector = builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width)
    return builder.shuffle_vector(vector, undefined, zeros)


@lower_cast(types.Boolean, MaskType)
def _cast_truth(context: Any, builder: Any, fromty: Any, toty: MaskType, value: Any) -> Any:
    bit = context.cast(builder, value, fromty, types.boolean)
    if bit.type != ir.IntType(1):
        bit = builder.trunc(bit, ir.IntType(1))
    return _splat_of(ir.IntType(1), builder, bit, toty.width)


@lower_cast(types.Float, LanesType)
@lower_cast(types.Integer, LanesType)
@lower_cast(types.IntegerLiteral, LanesType)
def _cast_number(context: Any, builder: Any, fromty: Any, toty: LanesType, value: Any) -> Any:
    return _splat(builder, context.cast(builder, value, fromty, types.float64), toty.width)


# Operators.

_NUMBERS = (types.Float, types.Integer, types.IntegerLiteral)


def lanes_among(args: tuple[Any, ...]) -> LanesType | None:
    """The register type among two operands when the other is the same or a number."""
    found = next((each for each in args if isinstance(each, LanesType)), None)
    if found is None or not all(each == found or isinstance(each, _NUMBERS) for each in args):
        return None
    return found


def _operands(context: Any, builder: Any, sig: Any, args: Any, lanes: LanesType) -> list[Any]:
    return [context.cast(builder, value, given, lanes) for value, given in zip(args, sig.args, strict=True)]


def _binary(function: Any, emit: Callable[[Any, Any, Any], Any], result: Callable[[LanesType], types.Type]) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            lanes = lanes_among(args) if len(args) == 2 and not kws else None
            if lanes is None:
                return None
            return signature(result(lanes), *[each if each == lanes else types.float64 for each in args])

    for pair in ((LanesType, LanesType), (LanesType, types.Float), (types.Float, LanesType)):

        @lower_builtin(function, *pair)
        def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            lanes = next(each for each in sig.args if isinstance(each, LanesType))
            return emit(builder, *_operands(context, builder, sig, args, lanes))


def _arithmetic(instruction: str) -> Callable[[Any, Any, Any], Any]:
    return lambda builder, a, b: getattr(builder, instruction)(a, b, flags=("fast",))


def _comparison(symbol: str) -> Callable[[Any, Any, Any], Any]:
    return lambda builder, a, b: builder.fcmp_ordered(symbol, a, b)


for _functions, _instruction in (
    ((operator.add, operator.iadd), "fadd"),
    ((operator.sub, operator.isub), "fsub"),
    ((operator.mul, operator.imul), "fmul"),
    ((operator.truediv, operator.itruediv), "fdiv"),
):
    for _function in _functions:
        _binary(_function, _arithmetic(_instruction), lambda lanes: lanes)

for _function, _symbol in (
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
    (operator.eq, "=="),
    (operator.ne, "!="),
):
    _binary(_function, _comparison(_symbol), lambda lanes: MaskType(lanes.width))


def _unary_operator(function: Any, kind: type, emit: Callable[[Any, Any], Any]) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) == 1 and isinstance(args[0], kind):
                return signature(args[0], args[0])
            return None

    @lower_builtin(function, kind)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, args[0])


_unary_operator(operator.neg, LanesType, lambda builder, a: builder.fneg(a, flags=("fast",)))
_unary_operator(operator.pos, LanesType, lambda builder, a: a)
_unary_operator(operator.invert, MaskType, lambda builder, a: builder.not_(a))


def _mask_operator(function: Any, instruction: str) -> None:
    @infer_global(function)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) == 2 and isinstance(args[0], MaskType) and args[0] == args[1]:
                return signature(args[0], *args)
            return None

    @lower_builtin(function, MaskType, MaskType)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)


_mask_operator(operator.and_, "and_")
_mask_operator(operator.or_, "or_")


# Arrays of registers.


def number_type(width: int) -> types.Type:
    """What indexing an array of registers gives: a register, or a float for width 1."""
    return types.float64 if width == 1 else lanes_type(width)


def make_view(width: int) -> Any:
    """A function for use in compiled code that sees a float array (..., W) as a vector or matrix of registers.

    ``view(x)`` of an array (n, W) is a vector of n registers, of an array (m, n, W) an m by n matrix. The
    array must outlive the view: pass it in as an argument of the compiled function.
    """

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def view(typingctx: Any, array: Any) -> Any:
        if not _is_plain(array) or array.ndim not in (2, 3):
            return None

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            source = context.make_array(sig.args[0])(context, builder, args[0])
            columns = cgutils.unpack_tuple(builder, source.shape)[sig.return_type.ndim - 1]
            return _lane_array(context, builder, sig.return_type, source.data, columns)

        return LaneArrayType(array.ndim - 1, width)(array), codegen

    return view


def make_vector(width: int) -> Any:
    """A function for compiled code: ``vector(work, first)`` begins at a row of a float array (rows, W)."""

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def vector(typingctx: Any, work: Any, first: Any) -> Any:
        if not _is_plain(work) or work.ndim != 2:
            return None

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = _row_pointer(context, builder, sig.args[0], args, width)
            return _lane_array(context, builder, sig.return_type, data, ir.Constant(args[1].type, 1))

        return LaneArrayType(1, width)(work, types.intp), codegen

    return vector


def make_matrix(width: int) -> Any:
    """A function for compiled code: ``matrix(work, first, columns)`` begins at a row of a float array (rows, W)."""

    @intrinsic  # type: ignore[misc, untyped-decorator]
    def matrix(typingctx: Any, work: Any, first: Any, columns: Any) -> Any:
        if not _is_plain(work) or work.ndim != 2:
            return None

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = _row_pointer(context, builder, sig.args[0], args, width)
            return _lane_array(context, builder, sig.return_type, data, args[2])

        return LaneArrayType(2, width)(work, types.intp, types.intp), codegen

    return matrix


def _is_plain(array: Any) -> bool:
    return isinstance(array, types.Array) and array.dtype == types.float64 and array.layout == "C"


def _lane_array(context: Any, builder: Any, array_type: LaneArrayType, data: Any, columns: Any) -> Any:
    target = cgutils.create_struct_proxy(array_type)(context, builder)
    target.data = data
    target.columns = columns
    return target._getvalue()


def _row_pointer(context: Any, builder: Any, array_type: Any, args: Any, width: int) -> Any:
    source = context.make_array(array_type)(context, builder, args[0])
    return builder.gep(source.data, [builder.mul(args[1], ir.Constant(args[1].type, width))])


def _register_pointer(context: Any, builder: Any, array_type: LaneArrayType, array: Any, index: list[Any]) -> Any:
    struct = cgutils.create_struct_proxy(array_type)(context, builder, value=array)
    place = index[0] if len(index) == 1 else builder.add(builder.mul(index[0], struct.columns), index[1])
    if array_type.width == 1:
        return builder.gep(struct.data, [place])
    first = builder.mul(place, ir.Constant(place.type, array_type.width))
    return builder.bitcast(builder.gep(struct.data, [first]), ir.PointerType(vector_of_doubles(array_type.width)))


def _indices(context: Any, builder: Any, index_type: Any, index: Any) -> list[Any]:
    if isinstance(index_type, types.BaseTuple):
        values = cgutils.unpack_tuple(builder, index)
        return [
            context.cast(builder, value, given, types.intp) for value, given in zip(values, index_type, strict=True)
        ]
    return [context.cast(builder, index, index_type, types.intp)]


def _index_matches(array: Any, index: Any) -> bool:
    if not isinstance(array, LaneArrayType):
        return False
    if isinstance(index, types.BaseTuple):
        return len(index) == array.ndim and all(isinstance(each, types.Integer) for each in index)
    return array.ndim == 1 and isinstance(index, types.Integer)


@infer_global(operator.getitem)
class _GetRegister(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
        if len(args) == 2 and _index_matches(*args):
            return signature(number_type(args[0].width), *args)
        return None


@infer_global(operator.setitem)
class _SetRegister(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
        if len(args) == 3 and _index_matches(*args[:2]):
            lanes = number_type(args[0].width)
            if args[2] == lanes or isinstance(args[2], _NUMBERS):
                return signature(types.none, args[0], args[1], lanes)
        return None


@lower_builtin(operator.getitem, LaneArrayType, types.Any)
def _get_register(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    index = _indices(context, builder, sig.args[1], args[1])
    value = builder.load(_register_pointer(context, builder, sig.args[0], args[0], index))
    value.align = 8
    return value


@lower_builtin(operator.setitem, LaneArrayType, types.Any, types.Any)
def _set_register(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    index = _indices(context, builder, sig.args[1], args[1])
    pointer = _register_pointer(context, builder, sig.args[0], args[0], index)
    builder.store(args[2], pointer).align = 8
    return context.get_dummy_value()
