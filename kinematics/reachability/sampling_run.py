"""Drawing many samples on some executor, and counting them in order."""

from __future__ import annotations

import logging
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from ..errors import InvalidValueError
from .sampling_job import SamplingJob, run_job
from .tally import Tally

logger = logging.getLogger(__name__)

#: Samples of a task: enough that handing it over does not count, few enough that its result is small.
_MOST, _LEAST = 1 << 20, 1 << 15
#: The same where every sample is tested for collisions, which takes a hundred times as long.
_MOST_TESTED, _LEAST_TESTED = 1 << 13, 1 << 10
#: Tasks that are handed over ahead of the one that is waited for, where the executor does not tell its workers.
_AHEAD = 64


def run(
    job: SamplingJob,
    first: int,
    count: int,
    executor: Executor | None,
    merge: Callable[[Tally], None],
    progress: Callable[[int, int], Any] | None,
    tasks_ahead: int | None = None,
) -> None:
    """Draws samples ``first`` to ``first + count - 1`` and merges their tallies in the order of the samples.

    So an interruption, whatever its cause, leaves what a shorter run would have given. A task that is lost with its
    worker, or cannot be handed over, is done in this process.

    Args:
        job: What to sample.
        first: Number of the first sample.
        count: How many.
        executor: Where; threads of this process, one per processor, when None.
        merge: Called with the tally of each task, one at a time.
        progress: Called with the samples merged so far and ``count`` after each task.
        tasks_ahead: Tasks to hand over ahead of the one that is waited for; twice the number of workers, or 64 where
            an executor does not tell, when None.

    Raises:
        InvalidValueError: The job's detector cannot be sent to other processes.
    """
    if executor is None:
        with ThreadPoolExecutor(_usable_processors(), thread_name_prefix="reachability") as threads:
            run(job, first, count, threads, merge, progress, tasks_ahead)
        return
    if not isinstance(executor, ThreadPoolExecutor):
        _check_sendable(job)
    workers = getattr(executor, "_max_workers", None)
    workers = workers if isinstance(workers, int) else None
    ahead = tasks_ahead or (_AHEAD if workers is None else 2 * workers)
    pending: deque[tuple[Future[Tally] | None, int, int]] = deque()
    done = 0
    try:
        for start, size in _tasks(job, first, count, workers or 16):
            pending.append((_submit(executor, job, start, size), start, size))
            if len(pending) > ahead:
                done = _take(job, pending, merge, done, count, progress)
        while pending:
            done = _take(job, pending, merge, done, count, progress)
    finally:
        for future, _, _ in pending:
            if future is not None:
                future.cancel()


def _tasks(job: SamplingJob, first: int, count: int, workers: int) -> Iterator[tuple[int, int]]:
    most, least = (_MOST, _LEAST) if job.detector is None else (_MOST_TESTED, _LEAST_TESTED)
    size = min(most, max(least, count // (4 * workers)))
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


def _submit(executor: Executor, job: SamplingJob, start: int, size: int) -> Future[Tally] | None:
    try:
        return executor.submit(run_job, job, start, size)
    except RuntimeError as error:  # shut down, or its workers died
        logger.warning("%s takes no more tasks (%s); sampling in this process", type(executor).__name__, error)
        return None


def _take(
    job: SamplingJob,
    pending: deque[tuple[Future[Tally] | None, int, int]],
    merge: Callable[[Tally], None],
    done: int,
    count: int,
    progress: Callable[[int, int], Any] | None,
) -> int:
    future, start, size = pending.popleft()
    merge(_result(job, future, start, size))
    if progress is not None:
        progress(done + size, count)
    return done + size


def _result(job: SamplingJob, future: Future[Tally] | None, start: int, size: int) -> Tally:
    if future is not None:
        try:
            return future.result()
        except Exception as error:
            # What is wrong with the task itself is raised again below.
            logger.warning("a task failed (%s: %s); doing it in this process", type(error).__name__, error)
    return run_job(job, start, size)


def _check_sendable(job: SamplingJob) -> None:
    if job.detector is None:
        return
    try:
        pickle.dumps(job.detector)
    except Exception as error:
        raise InvalidValueError(
            f"{type(job.detector).__name__} cannot be sent to other processes ({error}); use threads "
            "(executor=None) with it"
        ) from None


def _usable_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
