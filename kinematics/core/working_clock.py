"""A clock that stands still while kernels are compiled or loaded, so that times and time limits leave that out."""

from __future__ import annotations

import threading
import time

_lost = threading.local()


def working_time() -> float:
    """Seconds of this thread's work, from an arbitrary start: ``time.perf_counter`` less what compiling took here."""
    return time.perf_counter() - getattr(_lost, "seconds", 0.0)


class Pause:
    """Stops the clock of this thread; pauses within pauses count once."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()
        self._lost = getattr(_lost, "seconds", 0.0)

    def end(self) -> None:
        """The clock goes on from where it was when the pause began."""
        _lost.seconds = self._lost + time.perf_counter() - self._begun
