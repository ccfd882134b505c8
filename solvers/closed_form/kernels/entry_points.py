"""The compiled closed forms, made once per family, task and lane width, and kept on disk."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ....kinematics import core
from ....kinematics.core.compile_cache import entry_point
from ....kinematics.core.lanes import native_width
from ... import compiled
from ...compiled.task import CompiledTask
from .. import kernels
from ..family import Family
from .finish import make_closed_form

_INTEGER = types.int64


def closed_form_for(family: Family, task: CompiledTask) -> Any:
    """``solve(address, closed, mode, pose, seed) -> count``; see `make_closed_form`."""
    seed = types.Array(types.float64, 1, "C", readonly=True)
    return _kept(family.kernel(), task, 0, (_INTEGER, _INTEGER, _INTEGER, types.float64[:, ::1], seed))


def closed_forms_for(family: Family, task: CompiledTask) -> Any:
    """``solve_many(address, closed, first, last)``; see `make_closed_form`."""
    return _kept(family.kernel(), task, 1, (_INTEGER, _INTEGER, _INTEGER, _INTEGER))


@functools.cache
def _kept(kernel: Any, task: CompiledTask, which: int, arguments: tuple[Any, ...]) -> Any:
    """Families may share a kernel, which then is compiled once."""
    function = make_closed_form(kernel, task, native_width())[which].py_func
    what = "the closed form" if which == 0 else "the closed form for many poses"
    label = f"{what} of {_name_of(kernel)} arms, {task.name}, {native_width()} lanes"
    solve: Any = entry_point(function, [core, compiled, kernels], [], label)
    solve.compile(arguments)
    # Other kinds of arrays are an error, which callers look out for, and not compiled for.
    solve.disable_compile()
    return solve


def _name_of(kernel: Any) -> str:
    """A name that no other kernel has: that of its file, and of the kernels that it was made from."""
    function = kernel.py_func
    inner = [cell.cell_contents for cell in function.__closure__ or () if hasattr(cell.cell_contents, "py_func")]
    own: str = function.__module__.rsplit(".", 1)[-1]
    return " of ".join([own, *(_name_of(each) for each in inner)])
