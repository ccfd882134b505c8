"""Jobs in the background: newer ones replace older ones of their kind."""

import threading

from kinetree.interfaces.viewer.newest_first import NewestFirst


def test_only_the_newest_of_each_kind_is_done():
    done, failed, gate = [], [], threading.Event()
    work = NewestFirst("test", failed.append)
    started = threading.Event()

    def hold():
        started.set()
        assert gate.wait(10.0)
        done.append("first")

    work.put("target", hold)
    assert started.wait(10.0)
    for number in range(5):
        work.put("target", lambda number=number: done.append(number))
        work.put("joint", lambda number=number: done.append(("joint", number)))
    assert not work.wait_idle(0.05)
    gate.set()
    assert work.wait_idle(10.0)
    assert done == ["first", 4, ("joint", 4)]
    assert not failed
    work.close()


def test_a_failure_is_told_and_the_next_job_is_done():
    done, failed = [], []
    work = NewestFirst("test", failed.append)
    work.put("a", lambda: 1 // 0)
    assert work.wait_idle(10.0)
    work.put("a", lambda: done.append(1))
    assert work.wait_idle(10.0)
    assert done == [1]
    assert isinstance(failed[0], ZeroDivisionError)
    work.close()
    work.put("a", lambda: done.append(2))
    assert work.wait_idle(10.0)
    assert done == [1]
