"""`BoundedProtocol`, through a real server: those who idle, send by halves, do not read, or come in numbers."""

import contextlib
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from kinetree.interfaces.armarx import Outcome
from kinetree.interfaces.armarx.http import HttpServer, Limits, RobotIKClient, ServerSettings, ServiceBusyError
from kinetree.interfaces.armarx.http.connection_gate import Standing

TOKEN = "a-token-of-the-tests"
HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
SECONDS = 0.4


@pytest.fixture(scope="module")
def impatient(make_shared_service):
    """A server that needs a token, waits less than half a second, and takes 8 connections."""
    limits = Limits(body_seconds=SECONDS, connections=8, solve_seconds=120.0)
    with HttpServer(make_shared_service(), ServerSettings(token=TOKEN, limits=limits), port=0) as server:
        yield server


@contextlib.contextmanager
def connected(server):
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as stream:
        yield stream


def rest(stream):
    """All that comes until the other side closes, and how long that took (s)."""
    begun = time.monotonic()
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := stream.recv(65536):
            parts.append(part)
    return b"".join(parts), time.monotonic() - begun


def problem_in(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head.lower()
    return json.loads(body)


def test_who_says_nothing_is_not_waited_for(impatient):
    with connected(impatient) as stream:
        answer, seconds = rest(stream)
    assert answer == b""
    assert SECONDS / 2 < seconds < 10.0


@pytest.mark.parametrize("before", [b"", HEAD + b"\r\n"])
def test_half_a_head_is_not_waited_for(impatient, before):
    with connected(impatient) as stream:
        stream.sendall(before)
        if before:
            assert b" 200 " in stream.recv(65536)
        stream.sendall(HEAD)
        answer, seconds = rest(stream)
    assert problem_in(answer)["status"] == 408
    assert b"connection: close" in answer.lower()
    assert seconds < 10.0


def test_a_byte_now_and_then_wins_no_time(impatient):
    begun = time.monotonic()
    with connected(impatient) as stream, contextlib.suppress(OSError):
        for byte in HEAD * 100:
            stream.sendall(bytes([byte]))
            time.sleep(0.02)
    assert time.monotonic() - begun < 10.0


def test_who_sends_on_after_a_refusal_is_not_waited_for(impatient):
    begun = time.monotonic()
    with connected(impatient) as stream, contextlib.suppress(OSError):
        stream.sendall(b"POST /v1/compute_com_ik HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        assert b" 401 " in stream.recv(65536)
        while True:
            stream.sendall(b"x")
            time.sleep(0.02)
    assert time.monotonic() - begun < 10.0


def test_who_does_not_read_is_not_waited_for(impatient):
    request = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    parts = urlsplit(impatient.url)
    with socket.socket() as stream:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.connect((parts.hostname, parts.port))
        stream.sendall(request * 20)
        until = time.monotonic() + 20.0
        while impatient._server.server_state.connections:
            assert time.monotonic() < until, "the connection is still there"
            time.sleep(0.05)


def test_what_is_no_http_is_told_so_as_a_problem(impatient):
    long = b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5_000
    for sent in (long, b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"HELO mail\r\n\r\n"):
        with connected(impatient) as stream:
            stream.sendall(sent)
            answer, _ = rest(stream)
        if answer:  # what is still on its way when the server closes may take the answer with it
            assert problem_in(answer)["status"] == 400
    assert answer


def test_many_strangers_lock_out_nobody(make_shared_service):
    limits = Limits(body_seconds=60.0, connections=8, solve_seconds=120.0)
    settings = ServerSettings(token=TOKEN, limits=limits)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(HttpServer(make_shared_service(), settings, port=0))
        client = stack.enter_context(RobotIKClient(server.url, TOKEN))
        assert client.units == "m"
        streams = [stack.enter_context(connected(server)) for _ in range(40)]
        for stream in streams[-8:]:  # also such that are busy with what needs no token
            with contextlib.suppress(OSError):
                stream.sendall(HEAD + b"Content-Length: 100\r\n\r\n")
        assert client.units == "m"
        with RobotIKClient(server.url, TOKEN) as newcomer:
            assert newcomer.units == "m"
        assert len(server._server.server_state.connections) <= 8


def test_what_needs_no_token_lets_nobody_in(impatient):
    with connected(impatient) as stream, RobotIKClient(impatient.url, TOKEN) as client:
        stream.sendall(HEAD + b"\r\n")
        assert b" 200 " in stream.recv(65536)
        assert client.units == "m"
        own = stream.getsockname()
        standings = [(each.client == own, each.standing) for each in impatient._server.server_state.connections]
    assert (True, Standing.STRANGER) in standings
    assert {(False, Standing.GUEST), (False, Standing.SERVED)} & set(standings)


def test_a_newcomer_is_told_when_all_are_worked_on(make_shared_service):
    go_on, begun = threading.Event(), threading.Semaphore(0)
    service = make_shared_service()

    def wait(*_):
        begun.release()
        go_on.wait(30.0)
        return Outcome(True)

    service.explained.has_reachability_space = wait
    limits = Limits(connections=2, threads=2, solve_seconds=60.0)
    with (
        HttpServer(service, ServerSettings(limits=limits), port=0) as server,
        RobotIKClient(server.url) as client,
        ThreadPoolExecutor(2) as pool,
    ):
        asked = [pool.submit(client.has_reachability_space, "arm") for _ in range(2)]
        assert begun.acquire(timeout=20)
        assert begun.acquire(timeout=20)
        with RobotIKClient(server.url) as newcomer, pytest.raises(ServiceBusyError, match="connections") as caught:
            _ = newcomer.units
        assert caught.value.retry_after == 1.0
        go_on.set()
        assert all(each.result() is True for each in asked)
        assert client.units == "m"


def test_a_long_answer_has_its_time(make_shared_service):
    service = make_shared_service()

    def slow(*_):
        time.sleep(3 * SECONDS)
        return Outcome(True)

    service.explained.has_reachability_space = slow
    limits = Limits(body_seconds=SECONDS, solve_seconds=60.0)
    with HttpServer(service, ServerSettings(limits=limits), port=0) as server, RobotIKClient(server.url) as client:
        assert client.has_reachability_space("arm") is True
