"""`stdout_to_stderr`: keeps what other people's code prints out of what a command prints."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """In a ``with`` block what Python, compiled code or programs that are started write to stdout is on stderr.

    File descriptor 1 is that of stderr as long as it lasts, so no other thread may print meanwhile. Where `sys.stdout`
    is another stream, as in a notebook or a test, it is replaced by `sys.stderr` as well.
    """
    stream = sys.stdout
    if stream is None:
        yield
        return
    stream.flush()
    with contextlib.ExitStack() as stack:
        if not _is_descriptor(stream, 1):
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        stack.enter_context(_descriptors())
        stack.callback(stream.flush)  # before the descriptor is what it was
        yield


@contextlib.contextmanager
def _descriptors() -> Iterator[None]:
    try:
        before = os.dup(1)
    except OSError:  # closed: nothing can be written to it
        yield
        return
    try:
        with contextlib.suppress(OSError):  # without a stderr
            os.dup2(2, 1)
        yield
    finally:
        _flush_compiled()
        os.dup2(before, 1)
        os.close(before)


def _flush_compiled() -> None:
    """Writes what waits in the buffers of compiled code."""
    with contextlib.suppress(OSError, TypeError, AttributeError):  # the C library cannot be had by that name everywhere
        ctypes.CDLL(None).fflush(None)


def _is_descriptor(stream: object, number: int) -> bool:
    try:
        return bool(stream.fileno() == number)  # type: ignore[attr-defined]  # what has none is no file
    except (OSError, ValueError, AttributeError):
        return False
