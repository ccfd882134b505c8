"""The compiled searches, made once per task, step rule and lane width, and kept on disk."""

from __future__ import annotations

import functools
from typing import Any

from numba import types

from ...kinematics import core
from ...kinematics.core.compile_cache import entry_point
from ...kinematics.core.lanes import native_width
from .. import compiled
from ..gradient_method import GradientMethod
from ..kernel import kernel_of
from .batch import make_batch
from .compile_error import told_plainly
from .form import Form
from .path import make_path
from .restarts import make_restarts
from .rule import StepKernel
from .task import CompiledTask

_INTEGER = types.int64


@functools.cache
def restarts_for(task: CompiledTask, rule: StepKernel, width: int | None = None) -> Any:
    """The search for one target, ``search(address, unchecked, pose, seed)``; for this machine's width when None."""
    # Solutions cannot be written to, and they are the next seeds.
    seed = types.Array(types.float64, 1, "C", readonly=True)
    search = _kept(make_restarts, task, rule, width, (_INTEGER, _INTEGER, types.float64[:, ::1], seed))
    # Other kinds of arrays are an error, which callers look out for, and not compiled for.
    search.disable_compile()
    return search


@functools.cache
def batch_for(task: CompiledTask, rule: StepKernel, width: int | None = None) -> Any:
    """The search for many targets, ``search(address, first, last)``; for this machine's lane width when None."""
    return _kept(make_batch, task, rule, width, (_INTEGER, _INTEGER, _INTEGER))


@functools.cache
def path_for(task: CompiledTask, rule: StepKernel, width: int | None = None) -> Any:
    """``follow(address, first, last, history, continuity)``; for this machine's lane width when None."""
    return _kept(make_path, task, rule, width, (_INTEGER, _INTEGER, _INTEGER, _INTEGER, types.float64))


def search_for(form: Form, method: GradientMethod) -> Any:
    """`restarts_for` a form, by a gradient method that has a kernel."""
    return restarts_for(form.task, _rule_of(method))


def batch_search_for(form: Form, method: GradientMethod) -> Any:
    """`batch_for` a form, likewise."""
    return batch_for(form.task, _rule_of(method))


def path_search_for(form: Form, method: GradientMethod) -> Any:
    """`path_for` a form, likewise."""
    return path_for(form.task, _rule_of(method))


def _rule_of(method: GradientMethod) -> StepKernel:
    kernel = kernel_of(type(method))
    assert kernel is not None  # `engine_for` has looked
    return kernel.compiled


def _kept(make: Any, task: CompiledTask, rule: StepKernel, width: int | None, arguments: tuple[Any, ...]) -> Any:
    width = native_width() if width is None else width
    order = "second order" if rule.is_second_order else "first order"
    label = f"{make.__name__.removeprefix('make_')} for {task.name} by {rule.name}, {order}, {width} lanes"
    with told_plainly(rule):
        search: Any = entry_point(make(task, rule, width).py_func, [core, compiled], [rule.function], label)
        search.compile(arguments)
    return search
