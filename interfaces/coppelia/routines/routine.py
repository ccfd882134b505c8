"""`routine`: turns exceptions into what CoppeliaSim's functions answer, and keeps their messages."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ....kinematics.errors import KinetreeError
from .session import note_error

P = ParamSpec("P")
R = TypeVar("R")


def routine(failure: R) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for a routine.

    Args:
        failure: What it answers when it fails. Why is kept for ``ikGetLastError``.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return function(*args, **kwargs)
            except KinetreeError as error:
                note_error(f"{function.__name__}: {error}")
                return failure

        return call

    return decorate


def failed(kind: type[Any]) -> Any:
    """The answer of a routine with out-parameters that failed: false, and nothing else."""
    return kind(False, *[None] * (len(kind._fields) - 1))
