"""`HttpServer`: where it listens, many requests at once, limits, and how it stops."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.armarx import FailureReason, Outcome
from kinetree.interfaces.armarx.http import (
    HttpServer,
    ListenError,
    RemoteServiceError,
    RobotIKClient,
    ServerSettings,
    ServiceBusyError,
)
from kinetree.interfaces.armarx.http.warm_up import warm_up
from kinetree.kinematics import InvalidValueError

TARGET = (0.4, 0.1, 0.4, 1.0, 0.0, 0.0, 0.0)


def test_others_need_a_token(service):
    for host in ("0.0.0.0", "192.0.2.1", "::"):
        with pytest.raises(InvalidValueError, match="needs a token"):
            HttpServer(service, host=host, port=0)


def test_it_can_listen_elsewhere_with_one(service):
    settings = ServerSettings(token="a-token-of-the-tests", allowed_hosts=None)
    with HttpServer(service, settings, host="0.0.0.0", port=0) as server:
        assert httpx.get(f"{server.url}/health", trust_env=False).status_code == 200
        assert httpx.get(f"{server.url}/v1/robot", trust_env=False).status_code == 401


def test_by_default_only_this_machine_reaches_it(server):
    assert server.url.startswith("http://127.0.0.1:")
    assert server._listener.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken(service, server):
    port = int(server.url.rpartition(":")[2])
    with pytest.raises(ListenError, match=str(port)):
        HttpServer(service, port=port)


def test_answers_do_not_wait_for_acknowledgements(server):
    with RobotIKClient(server.url) as client:
        client.has_reachability_space("arm")
        times = []
        for _ in range(20):
            begun = time.perf_counter()
            client.has_reachability_space("arm")
            times.append(time.perf_counter() - begun)
    assert min(times) < 0.03, "Nagle's algorithm costs 40 ms at every answer"


def test_it_stops(service):
    with HttpServer(service, port=0) as server:
        httpx.get(f"{server.url}/health", trust_env=False)
    assert not server._thread.is_alive()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/health", trust_env=False)


def test_many_at_once_have_the_answers_of_one_after_the_other(client):
    """States, node sets and maps are changed meanwhile, and an answer only depends on what its request says."""
    rng = np.random.default_rng(3)
    robot = models.load("panda")
    targets = []
    for q in (robot.random_positions(rng) for _ in range(40)):
        targets.append(robot.state(q).transform(robot.tip))
    expected = [client.compute_ik_global_pose("arm", each) for each in targets]
    done = threading.Event()

    def disturb():
        count = 0
        while not done.is_set():
            client.define_robot_node_set(f"set {count}", ["panda_joint1"], "panda_link1", "panda_link0")
            client.set_joint_values({"panda_finger_joint1": 0.01 * (count % 4)})  # not of the set
            client.create_reachability_space(f"set {count}", "panda_link0", 0.5, 2.0, samples=1000)
            count += 1
        return count

    with ThreadPoolExecutor(9) as pool:
        disturbed = pool.submit(disturb)
        found = list(pool.map(lambda each: client.explained.compute_ik_global_pose("arm", each), targets * 3))
        done.set()
        assert disturbed.result() > 0
    assert [each.value for each in found] == expected * 3
    assert sum(map(bool, found)) >= 0.95 * len(found)


@pytest.fixture
def slow_maps(service):
    """A service that makes maps until it is told to go on."""
    begun, go_on = threading.Event(), threading.Event()

    def create(*_, **__):
        begun.set()
        go_on.wait(30.0)
        return Outcome(True)

    service.explained.create_reachability_space = create
    yield service, begun, go_on
    go_on.set()


def test_a_long_map_holds_up_nobody(slow_maps, start):
    service, begun, go_on = slow_maps
    with RobotIKClient(start(service).url, timeout=150.0) as client, ThreadPoolExecutor(1) as pool:
        making = pool.submit(client.create_reachability_space, "arm")
        assert begun.wait(10.0)
        assert client.compute_ik_global_pose("arm", TARGET)
        assert not client.has_reachability_space("arm")
        assert client.joint_values
        with pytest.raises(ServiceBusyError, match="reachability spaces") as caught:
            client.create_reachability_space("arm")
        assert caught.value.retry_after == 5.0
        assert not making.done()
        go_on.set()
        assert making.result() is True


def test_a_map_that_takes_too_long_is_given_up(service, start):
    limits = {"map_seconds": 1.0, "samples": 10**10}
    with RobotIKClient(start(service, limits=limits).url, timeout=150.0) as client:
        assert not client.create_reachability_space("arm", "panda_link0", 0.3, samples=10**10)
        assert client.last_outcome.reason is FailureReason.TIMEOUT
        until = time.monotonic() + 30.0
        while True:  # the thread is free again
            try:
                assert client.create_reachability_space("arm", "panda_link0", 0.3, samples=1000)
                break
            except ServiceBusyError:
                assert time.monotonic() < until
                time.sleep(0.1)


def test_requests_that_are_cut_off_are_told_so(slow_maps):
    service, begun, _ = slow_maps
    with HttpServer(service, port=0) as server, ThreadPoolExecutor(1) as pool:
        client = RobotIKClient(server.url)
        making = pool.submit(client.create_reachability_space, "arm")
        assert begun.wait(10.0)
        server._server.should_exit = True
        with pytest.raises(RemoteServiceError, match="503: the server stops"):
            making.result()
        client.close()


def test_a_real_map_is_made_beside_solves(client):
    with ThreadPoolExecutor(1) as pool:
        client.compute_ik_global_pose("arm", TARGET)
        making = pool.submit(client.create_reachability_space, "arm", "panda_link0", 0.1, samples=5_000_000)
        solved = 0
        while not making.done():
            assert client.compute_ik_global_pose("arm", TARGET)
            solved += 1
        assert making.result() is True
    assert solved > 3


def test_too_many_solves(service, start):
    go_on = threading.Event()

    def wait(*_, **__):
        go_on.wait(30.0)
        return Outcome({"joint": 1.0})

    service.explained.compute_ik_global_pose = wait
    server = start(service, limits={"threads": 1, "waiting": 1, "solve_seconds": 30.0})
    with RobotIKClient(server.url, timeout=60.0) as client, ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(client.explained.compute_ik_global_pose, "arm", TARGET) for _ in range(6)]
        until = time.monotonic() + 20.0
        while sum(each.done() for each in asked) < 4:
            assert time.monotonic() < until
            time.sleep(0.01)
        refused = [each.exception() for each in asked if each.done()]
        assert all(isinstance(each, ServiceBusyError) and each.retry_after == 1.0 for each in refused)
        go_on.set()
        assert sum(each.exception() is None for each in asked) == 2


def test_time_of_a_solve(service, start):
    service.explained.compute_com_ik = lambda *_: time.sleep(1.0)
    response = httpx.post(
        f"{start(service, limits={'solve_seconds': 0.1}).url}/v1/compute_com_ik",
        json={"node_set": "arm", "descriptor": {"gx": 0, "gy": 0}},
        trust_env=False,
    )
    assert response.status_code == 200
    assert response.json() | {"detail": ""} == {"value": {}, "success": False, "reason": "timeout", "detail": ""}


def test_numbers_of_things(service, start, folder):
    limits = {"samples": 1000, "node_sets": 3, "maps": 1, "files": 1}
    with RobotIKClient(start(service, folder=folder, limits=limits).url) as client:

        def why():
            assert client.last_outcome.value is False
            return client.last_outcome.reason

        assert not client.create_reachability_space("arm", samples=1001)
        assert why() is FailureReason.TOO_LARGE
        assert client.define_robot_node_set("other", ["panda_joint1"], "panda_link1", "panda_link0")
        assert not client.define_robot_node_set("third", ["panda_joint1"], "panda_link1", "panda_link0")
        assert why() is FailureReason.TOO_LARGE
        assert client.define_robot_node_set("other", ["panda_joint1"], "panda_link1", "panda_link0")
        assert client.create_reachability_space("arm", "panda_link0", 0.3, samples=1000)
        assert client.create_reachability_space("arm", "panda_link0", 0.3, samples=1000)
        assert not client.create_reachability_space("other", "panda_link0", 0.3, samples=1000)
        assert why() is FailureReason.TOO_LARGE
        assert client.save_reachability_space("arm", "a.h5")
        assert client.save_reachability_space("arm", "a.h5")
        assert not client.save_reachability_space("arm", "b.h5")
        assert why() is FailureReason.FILE_REFUSED


def test_files(client, folder, start, make_service, tmp_path):
    assert client.create_reachability_space("arm", "panda_link0", 0.3, samples=1000)
    for name in ("../a.h5", str(tmp_path / "a.h5"), "a.txt", "a\0.h5", ""):
        assert not client.save_reachability_space("arm", name)
        assert client.last_outcome.reason is FailureReason.FILE_REFUSED
        assert not client.load_reachability_space(name)
        assert client.last_outcome.reason is FailureReason.FILE_REFUSED
    assert not client.load_reachability_space("none.h5")
    assert client.last_outcome.reason is FailureReason.FILE_NOT_FOUND
    (folder / "bad.h5").write_bytes(b"no map")
    assert not client.load_reachability_space("bad.h5")
    assert client.last_outcome.reason is FailureReason.FILE_DAMAGED
    assert str(folder) not in client.last_outcome.detail
    assert "bad.h5" in client.last_outcome.detail
    assert [each.name for each in folder.iterdir()] == ["bad.h5"]
    with RobotIKClient(start(make_service()).url) as other:
        assert not other.load_reachability_space("bad.h5")
        assert "--folder" in other.last_outcome.detail


def test_ipv6(service):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with HttpServer(service, host="::1", port=0) as server, RobotIKClient(server.url) as client:
        assert client.robot_name == "panda"


def test_warm_up_leaves_the_robot_alone(caplog):
    robot = models.load("planar3")
    before = robot.positions
    with caplog.at_level("DEBUG", "kinetree.interfaces.armarx.http.warm_up"):
        warm_up(robot)
    assert "warm-up: done" in caplog.text
    assert robot.node_sets == {}
    np.testing.assert_array_equal(robot.positions, before)
