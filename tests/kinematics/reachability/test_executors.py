"""The same map bit for bit wherever it is sampled, whatever the order, and whoever dies on the way."""

import logging
import multiprocessing
import os
import random
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from kinetree.kinematics import CollisionDetector, InvalidValueError
from tests.kinematics.reachability.arms import panda, small_map

SAMPLES = 300_000


@pytest.fixture(scope="module")
def wanted():
    return small_map(samples=SAMPLES).values.copy()


class Disorderly(Executor):
    """Finishes what it was given in another order."""

    def __init__(self, seed=0):
        self._random = random.Random(seed)
        self._waiting = []
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        with self._changed:
            self._waiting.append((future, fn, args))
            self._changed.notify()
        return future

    def _work(self):
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                time.sleep(0.005)
                future, fn, args = self._waiting.pop(self._random.randrange(len(self._waiting)))
            future.set_result(fn(*args))


class Failing(Executor):
    """Loses some tasks with its workers, and takes none in the end."""

    def __init__(self, accepts=1000):
        self.given = 0
        self._accepts = accepts

    def submit(self, fn, /, *args, **kwargs):
        self.given += 1
        if self.given > self._accepts:
            raise RuntimeError("cannot schedule new futures")
        future = Future()
        if self.given % 2:
            future.set_result(fn(*args))
        else:
            future.set_exception(ConnectionError("the worker is gone"))
        return future


def dies_once(path):
    """For `DyingDetector`: the first process to come here dies."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os._exit(9)


class DyingDetector:
    """Refuses nothing, but the first worker that asks it after some calls dies."""

    def __init__(self, path, parent):
        self.path = path
        self.parent = parent
        self.calls = 0

    def in_collision_many(self, q):
        self.calls += 1
        if os.getpid() != self.parent and q[0, 0] > 0.0:
            dies_once(self.path)
        return np.zeros(len(q), dtype=bool)


def test_order_does_not_matter(wanted):
    for seed in (0, 1):
        np.testing.assert_array_equal(small_map(samples=SAMPLES, executor=Disorderly(seed)).values, wanted)


def test_tasks_that_are_lost_are_done_here(wanted, caplog):
    executor = Failing()
    with caplog.at_level(logging.WARNING):
        made = small_map(samples=SAMPLES, executor=executor)
    assert executor.given > 4
    assert "the worker is gone" in caplog.text
    np.testing.assert_array_equal(made.values, wanted)


def test_an_executor_that_takes_no_more_tasks(wanted, caplog):
    with caplog.at_level(logging.WARNING):
        made = small_map(samples=SAMPLES, executor=Failing(accepts=3))
    assert "takes no more tasks" in caplog.text
    np.testing.assert_array_equal(made.values, wanted)


def test_what_is_wrong_with_a_task_is_raised():
    class WrongError(Exception):
        pass

    class Wrong:
        def in_collision_many(self, q):
            raise WrongError("no such thing")

    with pytest.raises(WrongError, match="no such thing"), ThreadPoolExecutor(2) as executor:
        small_map(samples=5000, collision_detector=Wrong(), executor=executor)


def test_processes_give_the_same(wanted, tmp_path):
    """One of them dies midway."""
    detector = DyingDetector(str(tmp_path / "died"), os.getpid())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        np.testing.assert_array_equal(small_map(samples=SAMPLES, executor=executor).values, wanted)
        made = small_map(samples=SAMPLES, executor=executor, collision_detector=detector)
    assert (tmp_path / "died").exists()
    np.testing.assert_array_equal(made.values, wanted)
    assert made.record.rejected == 0


def test_processes_give_the_same_manipulability():
    options = {"samples": SAMPLES, "quality": "manipulability", "symmetric": True, "bits": 16}
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        there = small_map(executor=executor, **options)
    np.testing.assert_array_equal(there.values, small_map(**options).values)


def test_a_detector_that_cannot_be_sent_is_told_before_anything_is_done():
    class OfThisProcess:
        def in_collision_many(self, q):
            return np.zeros(len(q), dtype=bool)

    with pytest.raises(InvalidValueError, match="cannot be sent"), ProcessPoolExecutor(1) as executor:
        small_map(collision_detector=OfThisProcess(), executor=executor)


def test_a_collision_detector_may_be_asked_by_several_threads():
    node_set = panda()
    detector = CollisionDetector(node_set.skeleton)
    wanted = small_map(node_set, samples=3000, collision_detector=detector).values
    with ThreadPoolExecutor(2) as executor:
        made = small_map(node_set, samples=3000, collision_detector=detector, executor=executor)
    np.testing.assert_array_equal(made.values, wanted)


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    import dask

    dask.config.set({"distributed.worker.daemon": False})
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as workers,
        distributed.Client(workers) as client,
    ):
        yield client


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_although_a_worker_dies(cluster, wanted):
    executor = cluster.get_executor()
    np.testing.assert_array_equal(small_map(samples=SAMPLES, executor=executor).values, wanted)
    victim = cluster.submit(os.getpid, pure=False).result()
    killed = []

    def kill(done, total):
        if not killed and done > SAMPLES // 4:
            os.kill(victim, 9)
            killed.append(victim)

    made = small_map(samples=SAMPLES, executor=executor, progress=kill, tasks_ahead=2)
    assert killed
    np.testing.assert_array_equal(made.values, wanted)


def test_a_dask_client_in_this_process_gives_the_same(wanted):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
        made = small_map(samples=SAMPLES, executor=client.get_executor())
    np.testing.assert_array_equal(made.values, wanted)
