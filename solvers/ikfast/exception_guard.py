"""`guarded_call`: calls C++ from Python so that what it throws is an answer, not the end of the process."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from typing import Any

_log = logging.getLogger(__name__)

#: What the C++ runtime has to have for exceptions (Itanium C++ ABI, exception handling).
_RUNTIME = ("__gxx_personality_v0", "__cxa_begin_catch", "__cxa_end_catch")

#: ``call(arguments...) -> bool``: False when something was thrown.
GuardedCall = Callable[..., bool]


def guarded_call(library: Any, name: str, arguments: int) -> GuardedCall:
    """A function that calls one of a library's and catches all that it throws.

    Nothing between Python and a C function looks at C++ exceptions, so that one that leaves the function ends the
    process. A function of ours with a landing pad, compiled by LLVM, which Numba brings along, stands in between.

    Args:
        library: A `ctypes.CDLL`.
        name: Of the function, which takes pointers only.
        arguments: How many.
    """
    function = getattr(library, name)
    if not all(hasattr(library, each) for each in _RUNTIME):
        # It was not linked with a C++ runtime, so it throws nothing.
        return _unguarded(function)
    try:
        return _compiled(library, function, arguments)
    except Exception as problem:
        _log.warning("no guard against exceptions of %r: %s: %s", name, type(problem).__name__, problem)
        return _unguarded(function)


def _unguarded(function: Any) -> GuardedCall:
    def call(*arguments: Any) -> bool:
        function(*arguments)
        return True

    return call


def _compiled(library: Any, function: Any, arguments: int) -> GuardedCall:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for each in _RUNTIME:
        llvm.add_symbol(each, _address(getattr(library, each)))
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True, codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(str(_code(arguments))), machine)
    engine.finalize_object()
    target = ctypes.c_void_p(_address(function))
    prototype = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * (arguments + 1))
    compiled = prototype(engine.get_function_address("guarded"))

    def call(*given: Any) -> bool:
        # The engine owns the code, so it has to live as long as this function.
        return engine is not None and compiled(target, *given) == 1

    return call


def _code(arguments: int) -> Any:
    """``int guarded(f, a, b, ...) { try { f(a, b, ...); return 1; } catch (...) { return 0; } }``"""
    from llvmlite import ir

    pointer, integer, nothing = ir.IntType(8).as_pointer(), ir.IntType(32), ir.VoidType()
    module = ir.Module()
    personality = ir.Function(module, ir.FunctionType(integer, [], var_arg=True), "__gxx_personality_v0")
    begin = ir.Function(module, ir.FunctionType(pointer, [pointer]), "__cxa_begin_catch")
    end = ir.Function(module, ir.FunctionType(nothing, []), "__cxa_end_catch")
    guarded = ir.Function(module, ir.FunctionType(integer, [pointer] * (arguments + 1)), "guarded")
    guarded.attributes.personality = personality
    guarded.attributes.add("uwtable")
    inside, after, thrown = (guarded.append_basic_block(label) for label in ("inside", "after", "thrown"))
    builder = ir.IRBuilder(inside)
    # The answer of the function is not looked at, so it may have any type that fits into a register.
    target = builder.bitcast(guarded.args[0], ir.FunctionType(nothing, [pointer] * arguments).as_pointer())
    builder.invoke(target, guarded.args[1:], after, thrown)
    builder.position_at_end(after)
    builder.ret(integer(1))
    builder.position_at_end(thrown)
    pad = builder.landingpad(ir.LiteralStructType([pointer, integer]))
    pad.add_clause(ir.CatchClause(pointer(None)))
    builder.call(begin, [builder.extract_value(pad, 0)])
    builder.call(end, [])
    builder.ret(integer(0))
    return module


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address
