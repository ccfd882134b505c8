"""`WorkerThreads`: work is done, refused when there is too much, and not waited for too long."""

import asyncio
import threading

import pytest

from kinetree.interfaces.armarx.http import ServiceBusyError
from kinetree.interfaces.armarx.http.worker_threads import WorkerThreads


def fail():
    raise KeyError("broken")


def test_results_and_errors_come_back():
    async def main():
        threads = WorkerThreads("jobs", 2, 4, 1.0)
        assert await asyncio.gather(*(threads.run(lambda k=k: k * k, 5.0) for k in range(6))) == [0, 1, 4, 9, 16, 25]
        with pytest.raises(KeyError, match="broken"):
            await threads.run(fail, 5.0)
        assert await threads.run(threading.get_ident, 5.0) != threading.get_ident()

    asyncio.run(main())


def test_threads_are_daemons_and_no_more_than_allowed():
    async def main():
        threads = WorkerThreads("counted", 2, 100, 1.0)
        seen = set()
        await asyncio.gather(*(threads.run(lambda: seen.add(threading.current_thread()), 5.0) for _ in range(50)))
        assert len(seen) <= 2
        assert all(each.daemon for each in seen)

    asyncio.run(main())


def test_too_much_is_refused_and_counts_until_it_is_done():
    async def main():
        threads = WorkerThreads("jobs", 1, 1, 3.0)
        begun, go_on = threading.Event(), threading.Event()

        def long():
            begun.set()
            go_on.wait(20.0)
            return "long"

        with pytest.raises(TimeoutError):  # nobody waits for it any more, and it still counts
            await threads.run(long, 0.05)
        assert begun.is_set()
        waiting = asyncio.create_task(threads.run(lambda: "waited", 20.0))
        await asyncio.sleep(0)
        with pytest.raises(ServiceBusyError, match="2 other jobs") as caught:
            await threads.run(lambda: "refused", 5.0)
        assert caught.value.retry_after == 3.0
        go_on.set()
        assert await waiting == "waited"
        assert await threads.run(lambda: "again", 5.0) == "again"

    asyncio.run(main())


def test_what_had_not_begun_is_dropped():
    async def main():
        threads = WorkerThreads("jobs", 1, 5, 1.0)
        go_on, done = threading.Event(), []
        first = asyncio.create_task(threads.run(lambda: go_on.wait(20.0), 20.0))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await threads.run(lambda: done.append("late"), 0.05)
        go_on.set()
        await first
        await threads.run(lambda: None, 5.0)
        assert not done

    asyncio.run(main())


def test_a_loop_that_is_gone_does_no_harm():
    threads = WorkerThreads("jobs", 1, 5, 1.0)
    go_on = threading.Event()

    async def leave():
        with pytest.raises(TimeoutError):
            await threads.run(lambda: go_on.wait(20.0), 0.01)

    asyncio.run(leave())
    go_on.set()

    async def main():
        assert await threads.run(lambda: 1, 5.0) == 1

    asyncio.run(main())
