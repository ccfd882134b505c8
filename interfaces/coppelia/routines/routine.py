"""`routine`: turns exceptions into what CoppeliaSim's functions answer, and keeps their messages."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ....kinematics.errors import InvalidValueError, KinetreeError
from ..errors import CallbackError
from ..setting import shown
from .session import note_error

_log = logging.getLogger(__name__)

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
                if isinstance(error, CallbackError) and error.__cause__ is not None:
                    # The message alone does not tell where in the callback.
                    _log.warning("%s: %s", function.__name__, error, exc_info=error.__cause__)
                note_error(f"{function.__name__}: {error}")
                return failure

        return call

    return decorate


def failed(kind: type[Any]) -> Any:
    """The answer of a routine with out-parameters that failed: false, and nothing else."""
    return kind(False, *[None] * (len(kind._fields) - 1))


def guarded(callback: Callable[P, R] | None, what: str) -> Callable[P, R] | None:
    """A callback whose exceptions become a `CallbackError`, so that the routine that calls it answers as ever."""
    if callback is None:
        return None
    if not callable(callback):
        raise InvalidValueError(f"{what} must be a function, not {shown(callback)}")

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return callback(*args, **kwargs)
        except Exception as error:
            raise CallbackError(f"{what} raised {type(error).__name__}: {error}") from error

    return call
