"""What the client makes of servers that are not there, are busy, or are something else."""

import contextlib
import socket
import threading

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
def answering(answer):
    """The address of something that reads a request and answers with these bytes; None never answers."""
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
        (http_answer(503, b"Service Unavailable"), RemoteServiceError, "kinetree server"),
        (http_answer(200, b"<html>"), RemoteServiceError, "kinetree server"),
        (http_answer(200, b"[]"), RemoteServiceError, "kinetree server"),
        (http_answer(200, b"{}"), RemoteServiceError, "no outcome"),
        (http_answer(200, OUTCOME.replace(b"none", b"mood")), RemoteServiceError, "no outcome"),
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
