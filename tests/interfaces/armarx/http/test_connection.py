"""What the client makes of servers that are not there, are busy, or are something else."""

import contextlib
import gzip
import json
import socket
import threading
import time

import pytest

from kinetree.interfaces.armarx.http import (
    RemoteServiceError,
    RobotIKClient,
    ServiceBusyError,
    ServiceUnavailableError,
    UnauthorizedError,
)
from kinetree.kinematics import InvalidValueError, KinetreeError

PROBLEM = b'{"title": "t", "status": 1, "reason": "some_reason", "detail": "in words"}'
OUTCOME = b'{"value": true, "success": true, "reason": "none", "detail": ""}'


@contextlib.contextmanager
def answering(answer, pause=0.0):
    """The address of something that reads a request and answers with these bytes; None never answers.

    With a pause (s) between them, the bytes are sent one by one.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(20.0)
        stop = threading.Event()

        def work():
            with contextlib.suppress(OSError):
                stream, _ = listener.accept()
                with stream:
                    stream.recv(65536)
                    if answer is None:
                        stop.wait(20.0)
                    elif pause:
                        for byte in answer:
                            stream.sendall(bytes([byte]))
                            stop.wait(pause)
                    else:
                        stream.sendall(answer)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        stop.set()
        thread.join(20.0)


def http_answer(status, body, *headers):
    lines = [f"HTTP/1.1 {status} Some", "Connection: close", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@pytest.mark.parametrize(
    ("answer", "error", "what"),
    [
        (http_answer(401, PROBLEM), UnauthorizedError, "token"),
        (http_answer(422, PROBLEM), InvalidValueError, "in words"),
        (http_answer(429, PROBLEM, "Retry-After: 7"), ServiceBusyError, "in words"),
        (http_answer(404, PROBLEM), RemoteServiceError, "404: in words"),
        (http_answer(500, PROBLEM), RemoteServiceError, "500: in words"),
        (http_answer(503, b"Service Unavailable"), ServiceUnavailableError, "503"),
        (http_answer(503, PROBLEM.replace(b"some_reason", b"no_room"), "Retry-After: 7"), ServiceBusyError, "in words"),
        (http_answer(404, b"no page"), RemoteServiceError, "kinetree server"),
        (http_answer(200, b"<html>"), RemoteServiceError, "kinetree server"),
        (http_answer(200, b"[]"), RemoteServiceError, "kinetree server"),
        (http_answer(200, b"{}"), RemoteServiceError, "something else"),
        (http_answer(200, OUTCOME.replace(b"none", b"mood")), RemoteServiceError, "something else"),
        (http_answer(302, b"{}", "Location: http://127.0.0.1:9/"), RemoteServiceError, "302"),
        (b"220 mail.example ESMTP\r\n", ServiceUnavailableError, "cannot be asked"),
        (b"", ServiceUnavailableError, "cannot be asked"),
        (None, ServiceUnavailableError, "in time"),
    ],
)
def test_answers_that_are_none(answer, error, what):
    with answering(answer) as url, RobotIKClient(url, timeout=0.5) as client:
        with pytest.raises(error, match=what) as caught:
            client.has_reachability_space("arm")
        assert isinstance(caught.value, KinetreeError)
        if error is ServiceBusyError:
            assert caught.value.retry_after == 7.0
        assert client.last_outcome is None


def test_an_answer_that_is_one():
    with answering(http_answer(200, OUTCOME)) as url, RobotIKClient(url) as client:
        assert client.has_reachability_space("arm") is True


def test_nobody_there():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with RobotIKClient(f"http://127.0.0.1:{port}") as client, pytest.raises(ConnectionError, match=str(port)):
        client.has_reachability_space("arm")


def test_proxies_of_the_environment_are_not_used(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with answering(http_answer(200, OUTCOME)) as url, RobotIKClient(url) as client:
        assert client.has_reachability_space("arm") is True


@pytest.mark.parametrize("url", ["", "127.0.0.1:80", "ftp://host", "http://", "file:///etc/passwd", "http://a/?b=c", 7])
def test_addresses(url):
    with pytest.raises(InvalidValueError, match=r"127\.0\.0\.1:8000"):
        RobotIKClient(url)


@pytest.mark.parametrize("timeout", [0, -1.0, float("inf"), float("nan"), None, True])
def test_timeouts(timeout):
    with pytest.raises(InvalidValueError, match="timeout"):
        RobotIKClient("http://127.0.0.1:8000", timeout=timeout)


JOINT_VALUES = {"value": {"a": 1.0}, "success": True, "reason": "none", "detail": ""}
EXTENDED = {"joint_values": {}, "reachable": False, "position_error": None, "orientation_error": 1.0, "nearest": {}}
FAILED = {"success": False, "reason": "unreachable", "detail": "far"}
NODE_SET = {"name": "arm", "joints": ["a"], "tcp": "b", "root": "c"}
ROBOT = {"units": "m", "robot_name": "panda", "node_sets": [NODE_SET]}
POSE = {"position": [0, 0, 0], "quaternion": [0, 0, 0, 1]}
CALLS = {
    "compute_ik": lambda client: client.compute_ik_global_pose("arm", (0, 0, 0, 0, 0, 0, 1)),
    "extended": lambda client: client.compute_extended_ik_global_pose("arm", (0, 0, 0, 0, 0, 0, 1)),
    "has": lambda client: client.has_reachability_space("arm"),
    "units": lambda client: client.units,
    "robot_name": lambda client: client.robot_name,
    "node_sets": lambda client: client.node_sets,
    "joint_values": lambda client: client.joint_values,
    "robot_pose": lambda client: client.robot_pose,
    "set_joint_values": lambda client: client.set_joint_values({"a": 1.0}),
    "set_robot_pose": lambda client: client.set_robot_pose((0, 0, 0, 0, 0, 0, 1)),
}
GOOD = {
    "compute_ik": JOINT_VALUES,
    "extended": {"value": EXTENDED, **FAILED},
    "has": {"value": True, "success": True, "reason": "none", "detail": ""},
    "units": ROBOT,
    "robot_name": ROBOT,
    "node_sets": ROBOT,
    "joint_values": {"joint_values": {"a": 1}},
    "robot_pose": {"pose": POSE},
    "set_joint_values": {"joint_values": {"a": 1}},
    "set_robot_pose": {"pose": POSE},
}


@pytest.mark.parametrize("call", CALLS)
def test_what_is_promised_is_taken(call):
    body = json.dumps(GOOD[call]).encode()
    with answering(http_answer(200, body)) as url, RobotIKClient(url, timeout=5.0) as client:
        CALLS[call](client)


#: Call, and what is put in its answer, as keys and a value.
WRONG = [
    *((call, (), body) for call in CALLS for body in ({}, [], None, 5)),
    *(("compute_ik", ("value",), each) for each in (5, [], None, "a", {"a": "1"}, {"a": None}, {"a": True})),
    *(("compute_ik", (key,), 5) for key in ("reason", "detail", "success")),
    ("compute_ik", ("reason",), {}),
    ("compute_ik", ("success",), False),
    ("has", ("value",), 1),
    ("has", ("value",), {}),
    *(("extended", ("value", key), "a") for key in EXTENDED),
    ("extended", ("value",), []),
    ("units", ("units",), "km"),
    ("units", ("units",), []),
    ("robot_name", ("robot_name",), {}),
    *(("node_sets", ("node_sets",), each) for each in ({}, [1], [{}], [{**NODE_SET, "joints": "ab"}])),
    *(("joint_values", ("joint_values",), each) for each in ([1], "abc", {"a": "b"}, {"a": 10**400})),
    ("set_joint_values", ("joint_values",), []),
    *(("robot_pose", ("pose",), each) for each in ([], {}, {**POSE, "position": [0, 0]}, {**POSE, "position": "abc"})),
    *(("robot_pose", ("pose", "quaternion"), each) for each in ([0, 0, 0, 0], [0, 0, 1], [0, 0, 0, "a"], None)),
]


@pytest.mark.parametrize(("call", "keys", "value"), WRONG, ids=[f"{a}-{b}-{str(c)[:20]}" for a, b, c in WRONG])
def test_answers_are_not_believed(call, keys, value):
    body = json.loads(json.dumps(GOOD[call]))
    if keys:
        inner = body
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = value
    else:
        body = value
    answer = http_answer(200, json.dumps(body).encode())
    with answering(answer) as url, RobotIKClient(url, timeout=5.0) as client, pytest.raises(RemoteServiceError):
        CALLS[call](client)


@pytest.mark.parametrize("call", ["compute_ik", "units", "set_joint_values"])
@pytest.mark.parametrize(
    "answer",
    [
        http_answer(200, b"[" * 200_000),
        http_answer(200, b'{"a":' * 100_000),
        http_answer(200, b'{"units":' + b"9" * 6000 + b"}"),
        http_answer(200, b'{"units":"\xff"}'),
        http_answer(200, json.dumps(JOINT_VALUES).replace("1.0", "NaN").encode()),
        http_answer(200, gzip.compress(json.dumps(JOINT_VALUES).encode()), "Content-Encoding: gzip"),
        http_answer(204, b""),
        http_answer(999, b"{}"),
        b"\0\xff" * 100,
        b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
    ],
    ids=lambda answer: str(answer[:20]),
)
def test_other_servers_are_told_from_ours(call, answer):
    with answering(answer) as url, RobotIKClient(url, timeout=5.0) as client, pytest.raises(RemoteServiceError):
        CALLS[call](client)


def test_a_long_answer_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr("kinetree.interfaces.armarx.http.connection._MOST", 1000)
    answer = http_answer(200, json.dumps(JOINT_VALUES).encode() + b" " * 2000)
    with answering(answer) as url, RobotIKClient(url) as client, pytest.raises(RemoteServiceError, match="more than"):
        CALLS["compute_ik"](client)


@pytest.mark.parametrize("answer", [http_answer(200, OUTCOME), http_answer(200, OUTCOME).partition(b"{")[0]])
def test_the_time_is_that_of_the_whole_request(answer):
    """Also when each byte comes soon after the one before."""
    with answering(answer, pause=0.05) as url, RobotIKClient(url, timeout=0.5) as client:
        begun = time.monotonic()
        with pytest.raises(ServiceUnavailableError, match="in time"):
            client.has_reachability_space("arm")
        assert time.monotonic() - begun < 3.0


@pytest.mark.parametrize("after", ["\u00b2", "9" * 5000, "Wed, 21 Oct 2015 07:28:00 GMT", "-1", "nan", "1e9", ""])
def test_when_to_come_again_is_a_number(after):
    answer = http_answer(429, PROBLEM, f"Retry-After: {after}")
    with answering(answer) as url, RobotIKClient(url) as client, pytest.raises(ServiceBusyError) as caught:
        client.has_reachability_space("arm")
    assert caught.value.retry_after == 1.0


@pytest.mark.parametrize(
    "token", ["", "secret\nsecretsecret", "secret secretsecret", "secret\0secretsecret", "sécret" * 5, b"secret", 5]
)
def test_tokens_that_no_header_can_have_are_not_repeated(token):
    with pytest.raises(InvalidValueError, match="token must be") as caught:
        RobotIKClient("http://127.0.0.1:9", token)
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None


def test_the_token_is_in_no_text():
    with answering(b"") as url, RobotIKClient(url, "secretsecretsecret") as client:
        with pytest.raises(ServiceUnavailableError) as caught:
            client.has_reachability_space("arm")
        assert "secret" not in f"{caught.value}{caught.value.__context__}{client!r}"


def test_nothing_is_asked_after_closing():
    client = RobotIKClient("http://127.0.0.1:9")
    client.close()
    with pytest.raises(ServiceUnavailableError, match="closed"):
        _ = client.units


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.set_joint_values(None),
        lambda client: client.set_joint_values({"a": "x"}),
        lambda client: client.set_joint_values({"a": 10**400}),
        lambda client: client.set_joint_values({"a": float("nan")}),
        lambda client: client.set_joint_values({5: 1.0}),
        lambda client: client.define_robot_node_set("a", 5, "b", "c"),
        lambda client: client.define_robot_node_set("a", None, "b", "c"),
        lambda client: client.define_robot_node_set("a", [5], "b", "c"),
        lambda client: client.compute_hierarchical_delta_ik("a", None),
        lambda client: client.compute_hierarchical_delta_ik("a", 5),
        lambda client: client.compute_hierarchical_delta_ik("a", [5]),
        lambda client: client.has_reachability_space(object()),
        lambda client: client.create_reachability_space("a", samples=10**5000),
    ],
)
def test_what_cannot_be_asked_is_not_sent(ask):
    with RobotIKClient("http://127.0.0.1:9") as client, pytest.raises(InvalidValueError):
        ask(client)
