"""Work in chunks, on several threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ...kinematics import InvalidValueError


def run_all(run: Callable[[Any], int], chunks: list[Any], threads: int) -> Generator[int]:
    """Runs chunks on threads, giving what each returns as it is done; when interrupted no further one is begun."""
    if threads == 1 or len(chunks) < 2:
        yield from map(run, chunks)
        return
    pool = ThreadPoolExecutor(min(threads, len(chunks)), thread_name_prefix="kinetree")
    try:
        for each in [pool.submit(run, chunk) for chunk in chunks]:
            yield each.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def as_threads(threads: int | None) -> int:
    """How many threads to use: as many as there are processors when None.

    Raises:
        InvalidValueError: No whole number of at least 1.
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise InvalidValueError(f"threads must be a whole number of at least 1, or None, not {threads!r}")
    return int(threads)
