"""`Guard`, through a real server: hosts, tokens, kinds and sizes of bodies."""

import http.client
import json
import socket
import time
from urllib.parse import urlsplit

import httpx
import pytest

from kinetree.interfaces.armarx.http import Limits, RobotIKClient, ServerSettings, UnauthorizedError
from kinetree.interfaces.armarx.http.guard import Guard

TOKEN = "a-token-of-the-tests"
QUESTION = b'{"node_set": "arm"}'
JSON = {"Content-Type": "application/json"}


def send(server, headers, body=QUESTION, path="/v1/has_reachability_space", method="POST"):
    """Status and body of a request with exactly these headers besides Content-Length."""
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response, json.loads(data) if data else None


def assert_problem(response, data, status, reason):
    assert response.status == status
    assert response.headers["content-type"] == "application/problem+json"
    assert data["status"] == status
    assert data["reason"] == reason
    assert data["detail"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST", "localhost.", "[::1]:8000"])
def test_own_names_are_answered(shared_server, host):
    response, data = send(shared_server, [("Host", host), *JSON.items()])
    assert response.status == 200
    assert data["reason"] == "no reachability space"


@pytest.mark.parametrize(
    "hosts",
    [
        ["evil.example"], ["evil.example:8000"], ["localhost.evil.example"], ["127.0.0.1.evil.example"], [""],
        ["localhost", "evil.example"], ["evil.example", "localhost"], ["localhost@evil.example"], ["[::1"],
        ["a, localhost"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/has_reachability_space", "/docs", "/nowhere"])
def test_other_names_are_refused(shared_server, hosts, path):
    parts = urlsplit(shared_server.url)
    lines = [f"POST {path} HTTP/1.1", *(f"Host: {each}" for each in hosts), "Content-Type: application/json"]
    request = "\r\n".join([*lines, "Connection: close", "Content-Length: 2", "", "{}"])
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as stream:
        stream.sendall(request.encode())
        answer = b"".join(iter(lambda: stream.recv(65536), b""))
    # Two headers are no HTTP at all: the server itself refuses those.
    assert answer.split(b" ")[1] in ((b"421",) if len(hosts) == 1 else (b"421", b"400"))


@pytest.fixture
def closed(start, service):
    return start(service, token=TOKEN)


@pytest.mark.parametrize(
    "sent",
    [
        [], ["Bearer"], ["Bearer "], [f"Bearer {TOKEN}x"], [f"Bearer {TOKEN[:-1]}"], [f"Basic {TOKEN}"], [TOKEN],
        [f"Bearer {TOKEN.upper()}"], [f"Bearer {TOKEN}", "Bearer other"], ["Bearer other", f"Bearer {TOKEN}"],
    ],
)  # fmt: skip
def test_no_answer_without_the_token(closed, sent):
    headers = [("Host", "localhost"), *JSON.items(), *(("Authorization", each) for each in sent)]
    response, data = send(closed, headers)
    assert_problem(response, data, 401, "unauthorized")
    assert response.headers["www-authenticate"] == "Bearer"
    response, data = send(closed, headers, b"no json", "/v1/nowhere")
    assert response.status == 401  # what is there is no business of strangers


def test_with_the_token(closed):
    for word in ("Bearer", "bearer"):
        response, _ = send(closed, [("Host", "localhost"), *JSON.items(), ("Authorization", f"{word} {TOKEN}")])
        assert response.status == 200
    with RobotIKClient(closed.url, TOKEN) as client:
        assert client.robot_name == "panda"
    with (
        RobotIKClient(closed.url, "another-token-than-that") as client,
        pytest.raises(UnauthorizedError, match="token"),
    ):
        _ = client.robot_name


def test_open_addresses_need_none(closed):
    for path in ("/health", "/docs", "/openapi.json"):
        response = httpx.get(closed.url + path, trust_env=False)
        assert response.status_code == 200
    assert httpx.get(f"{closed.url}/health", trust_env=False).json()["status"] == "ok"


def test_tokens_are_compared_in_constant_time(monkeypatch):
    compared = []
    monkeypatch.setattr(
        "kinetree.interfaces.armarx.http.guard.hmac.compare_digest", lambda a, b: compared.append((a, b)) or a == b
    )
    guard = Guard(None, ServerSettings(token=TOKEN))
    assert guard._is_right(f"Bearer {TOKEN}".encode())
    assert not guard._is_right(b"Bearer x")
    assert all(len(a) == len(b) == 32 for a, b in compared)
    assert len(compared) == 2


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
def test_only_json(shared_server, kind):
    headers = [("Host", "localhost"), *([] if kind is None else [("Content-Type", kind)])]
    assert_problem(*send(shared_server, headers), 415, "not_json")
    response, _ = send(shared_server, [("Host", "localhost"), ("Content-Type", "application/JSON; charset=utf-8")])
    assert response.status == 200


def test_large_bodies(start, service):
    server = start(service, limits={"body_bytes": 1000})
    headers = [("Host", "localhost"), *JSON.items()]
    assert_problem(*send(server, headers, b'{"node_set": "' + b"a" * 1000 + b'"}'), 413, "too_large")
    response, _ = send(server, headers)
    assert response.status == 200


def test_large_bodies_of_unknown_length(start, service):
    server = start(service, limits={"body_bytes": 1000})

    def parts():
        for _ in range(100):
            yield b"a" * 100

    try:
        answer = httpx.post(f"{server.url}/v1/has_reachability_space", content=parts(), headers=JSON, trust_env=False)
    except httpx.WriteError:
        return  # the server hung up while it was being told
    assert answer.status_code == 413


def test_length_that_is_announced_is_believed(start, service):
    server = start(service, limits={"body_bytes": 1000})
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as stream:
        stream.sendall(
            b"POST /v1/has_reachability_space HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 999999999\r\n\r\n{"
        )
        assert b" 413 " in stream.recv(1000)


def test_slow_bodies(start, service):
    server = start(service, limits={"body_seconds": 0.3})
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as stream:
        begun = time.monotonic()
        stream.sendall(
            b"POST /v1/has_reachability_space HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 19\r\n\r\n{"
        )
        assert b" 408 " in stream.recv(1000)
        assert time.monotonic() - begun < 10.0


def test_limits_of_the_defaults_let_the_largest_request_pass(shared_server):
    name = "n" * 200
    task = {"tcp": name, "pose": {"position": [1 / 3] * 3, "quaternion": [1 / 3] * 4}, "coordinate_system": name}
    com = {"gx": 0.0, "gy": 0.0, "holding": [name] * 500}
    body = json.dumps({"node_set": name, "tasks": [task] * 50, "com": com}).encode()
    assert len(body) < Limits().body_bytes
    response, data = send(
        shared_server, [("Host", "localhost"), *JSON.items()], body, "/v1/compute_hierarchical_delta_ik"
    )
    assert (response.status, data["reason"]) == (200, "unknown node set")
