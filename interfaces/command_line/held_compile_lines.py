"""`HeldCompileLines`: one line on the terminal instead of one for each kernel that is compiled."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

#: How the lines begin that are held back.
HELD = "kinetree: compiling "
SHORT = "kinetree: compiling what the methods need, once on this machine; a minute or two for all of them"


class HeldCompileLines(io.TextIOBase):
    """Stands in for stderr in a ``with`` block: what is compiled is told once and counted, all else goes through.

    Args:
        stream: Where everything else goes.
        tell: Prints the one line; to the stream when None.

    Attributes:
        count: Kernels that were compiled so far.
    """

    def __init__(self, stream: TextIO, tell: Callable[[str], Any] | None = None) -> None:
        self.count = 0
        self._stream = stream
        self._tell = tell or (lambda line: stream.write(f"{line}\n"))
        self._before = stream

    def __enter__(self) -> HeldCompileLines:
        self._before, sys.stderr = sys.stderr, self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.stderr = self._before

    def write(self, text: str) -> int:
        """Writes, or counts."""
        if not text.startswith(HELD):
            return self._stream.write(text)
        if not self.count:
            self._tell(SHORT)
        self.count += 1
        return len(text)

    def flush(self) -> None:
        """Writes what waits in the stream."""
        self._stream.flush()

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return not self._stream.closed and self._stream.isatty()
