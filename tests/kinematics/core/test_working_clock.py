"""The clock of solves stands still while kernels are compiled."""

import threading
import time

import pytest

from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.kinematics.core.working_clock import Pause, working_time


def test_pauses_do_not_count_and_pauses_within_them_count_once():
    before, begun = working_time(), time.perf_counter()
    outer = Pause()
    inner = Pause()
    time.sleep(0.02)
    inner.end()
    time.sleep(0.02)
    outer.end()
    time.sleep(0.01)
    real, worked = time.perf_counter() - begun, working_time() - before
    assert worked == pytest.approx(real - 0.04, abs=0.01)
    assert worked >= 0.01


def test_each_thread_has_its_own():
    before = working_time()

    def elsewhere():
        pause = Pause()
        time.sleep(0.05)
        pause.end()

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert working_time() - before >= 0.05


def test_compiling_does_not_count(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KINETREE_CACHE_DIR", str(tmp_path))

    def double(x):
        return 2.0 * x

    run = entry_point(double, [core], label="a test")
    real, worked = time.perf_counter(), working_time()
    assert run(2.0) == 4.0
    real, worked = time.perf_counter() - real, working_time() - worked
    assert "compiling a test" in capsys.readouterr().err
    assert worked < 0.5 * real
