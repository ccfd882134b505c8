"""`WorkerThreads`: threads that do the work of requests, and refuse more than they can take."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import ServiceBusyError

T = TypeVar("T")


@dataclass
class _Job:
    run: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    is_abandoned: bool = False


class WorkerThreads:
    """Threads that do the work of requests, and refuse more than they can take.

    They are daemons, unlike those of `concurrent.futures`: a server that is told to stop does not wait for a map that
    takes minutes. What is worked on counts until it is done, also when nobody waits for it any more.

    Args:
        name: Of the threads.
        threads: How many; they begin with the first job.
        waiting: Jobs that may wait for a thread.
        retry_after: What those that are refused are told (s).
    """

    def __init__(self, name: str, threads: int, waiting: int, retry_after: float) -> None:
        self._name, self._threads, self._waiting, self._retry_after = name, threads, waiting, retry_after
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._begun = 0
        self._unfinished = 0

    async def run(self, work: Callable[[], T], seconds: float) -> T:
        """Does the work in a thread, and waits for it.

        Raises:
            ServiceBusyError: All threads are busy, and enough others wait.
            TimeoutError: It takes longer. A job that has begun goes on; one that has not is dropped.
        """
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        self._take(job)
        try:
            result: T = await asyncio.wait_for(job.future, seconds)
            return result
        finally:
            job.is_abandoned = True

    def _take(self, job: _Job) -> None:
        with self._lock:
            if self._unfinished >= self._threads + self._waiting:
                raise ServiceBusyError(
                    f"the server is busy with {self._unfinished} other {self._name}; try again in "
                    f"{self._retry_after:g} s",
                    self._retry_after,
                )
            self._unfinished += 1
            if self._begun < min(self._threads, self._unfinished):
                self._begun += 1
                threading.Thread(target=self._work, name=f"{self._name} {self._begun}", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            answer: Callable[[], None] | None = None
            if not job.is_abandoned:
                answer = _outcome_of(job)
            with self._lock:
                self._unfinished -= 1
            if answer is not None:
                with contextlib.suppress(RuntimeError):  # the loop is closed: the server has stopped
                    job.loop.call_soon_threadsafe(answer)


def _outcome_of(job: _Job) -> Callable[[], None]:
    """Does a job; what tells the one who waits, to be called in the event loop."""
    try:
        result = job.run()
    except BaseException as error:
        # A future takes no StopIteration, and SystemExit and the like would end the event loop, and so the server.
        is_plain = isinstance(error, Exception) and not isinstance(error, StopIteration)
        caught = error if is_plain else RuntimeError(f"the work ended with {type(error).__name__}")

        def fail() -> None:
            if not job.future.done():
                job.future.set_exception(caught)

        return fail

    def finish() -> None:
        if not job.future.done():
            job.future.set_result(result)

    return finish
