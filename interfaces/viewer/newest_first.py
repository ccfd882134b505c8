"""`NewestFirst`: does jobs in the background, leaving out those that newer ones replace."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

_log = logging.getLogger(__name__)


class NewestFirst:
    """One thread and a place for a job of each kind.

    While a gizmo is dragged, targets come faster than slow methods solve: only the newest one is of interest. Jobs of
    different kinds are done in the order in which their kinds were first asked for.

    Args:
        name: Of the thread.
        failed: Called with what a job raised; it is logged as well.
    """

    def __init__(self, name: str, failed: Callable[[Exception], Any]) -> None:
        self._failed = failed
        self._jobs: dict[str, Callable[[], Any]] = {}
        self._changed = threading.Condition()
        self._is_busy = False
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, kind: str, job: Callable[[], Any]) -> None:
        """Has a job done; one of the same kind that still waits is left out. After `close` nothing happens."""
        with self._changed:
            if not self._is_closed:
                self._jobs[kind] = job
                self._changed.notify_all()

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Waits until nothing is left to do; False when that takes longer than the timeout (s)."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._jobs and not self._is_busy, timeout)

    def close(self) -> None:
        """Leaves out what waits; the job that is being done is finished."""
        with self._changed:
            self._is_closed = True
            self._jobs.clear()
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._is_closed)
                if self._is_closed:
                    return
                kind = next(iter(self._jobs))
                job = self._jobs.pop(kind)
                self._is_busy = True
            try:
                job()
            except Exception as error:
                _log.warning("%s: %s", kind, error, exc_info=True)
                self._failed(error)
            finally:
                with self._changed:
                    self._is_busy = False
                    self._changed.notify_all()
