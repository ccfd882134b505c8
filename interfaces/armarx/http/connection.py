"""`Connection`: sends JSON to the server, and turns what it answers into data or exceptions."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from ....kinematics import InvalidValueError, KinetreeError
from ..outcome import Outcome
from .errors import RemoteServiceError, ServiceBusyError, ServiceUnavailableError, UnauthorizedError
from .packages import require_packages
from .server_address import ServerAddress

T = TypeVar("T")

#: Bytes of an answer; 1000 node sets of 500 joints with short names have 10 MB.
_MOST = 64_000_000
#: Seconds that an idle connection is kept for the next request: less than the server keeps it.
_KEEP = 4.0
#: What nobody has to be told to come again after (s).
_LONGEST_RETRY = 86_400.0


class Connection:
    """Sends JSON to the server, and turns what it answers into data or exceptions.

    It may be used from several threads at once.

    Args:
        url: Of the server, such as ``"http://127.0.0.1:8000"``.
        token: What the server asks for, if it does.
        timeout: How long a request may take as a whole (s).

    Raises:
        InvalidValueError: What is no address, no token, or a time that is not positive.
        MissingServePackageError: httpcore is not installed.
    """

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        require_packages("httpcore")
        import httpcore

        from .network import DeadlineBackend

        self._address = ServerAddress.of(url)
        self.url = self._address.url
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0.0 < timeout < math.inf:
            raise InvalidValueError(f"timeout must be a positive number of seconds, not {timeout!r}")
        self._timeout = timeout
        self._headers = [("Host", self._address.host_header)]
        if token is not None:
            self._headers.append(("Authorization", f"Bearer {_checked_token(token)}"))
        # No proxy of the environment, no redirection, no compression: the token goes to the address that was given,
        # nowhere else, and an answer has the size that it was sent with.
        self._pool = httpcore.ConnectionPool(
            network_backend=DeadlineBackend(), max_connections=100, keepalive_expiry=_KEEP
        )
        self._is_closed = False

    def ask(self, method: str, path: str, content: Any = None, timeout: float | None = None) -> dict[str, Any]:
        """The answer to a request, a JSON object.

        Args:
            method: ``"GET"``, ``"POST"`` or ``"PUT"``.
            path: Below ``/v1/``.
            content: What to send as JSON; nothing when None.
            timeout: For this request (s); that of the connection when None.

        Raises:
            InvalidValueError: The server says that the request makes no sense.
            ServiceBusyError: It has too much to do; nothing was done.
            UnauthorizedError: It wants another token.
            ServiceUnavailableError: Nobody answers, or not in time, or the connection was closed.
            RemoteServiceError: It answers with another error, or with no answer of this service.
        """
        body = None if content is None else _encoded(content)
        status, headers, answer = self._exchanged(method, path, body, self._timeout if timeout is None else timeout)
        data = _decoded(answer)
        if status != 200:
            self._refuse(path, status, headers, {} if data is None else data)
        if data is None:
            raise RemoteServiceError(f"{self.url} answers {path!r} without JSON; is it a kinetree server?", status)
        return data

    def read(
        self,
        method: str,
        path: str,
        content: Any,
        reader: Callable[[dict[str, Any]], T],
        timeout: float | None = None,
    ) -> T:
        """What a reader makes of the answer to a request; see `ask`.

        Args:
            method: ``"GET"``, ``"POST"`` or ``"PUT"``.
            path: Below ``/v1/``.
            content: What to send as JSON; nothing when None.
            reader: Makes something of the answer, or raises `KeyError`, `TypeError` or `ValueError`.
            timeout: For this request (s).
        """
        data = self.ask(method, path, content, timeout)
        try:
            return reader(data)
        except (KeyError, TypeError, ValueError) as error:
            raise RemoteServiceError(
                f"{self.url} answers {path!r} with something else than this service does: {error!r}", 200
            ) from error

    def operation(
        self, name: str, content: Any, reader: Callable[[dict[str, Any]], Outcome[T]], timeout: float | None = None
    ) -> Outcome[T]:
        """The outcome of one of the twelve operations; see `ask`.

        Args:
            name: Of the operation.
            content: Its arguments.
            reader: Makes the outcome from the answer.
            timeout: For this request (s).
        """
        return self.read("POST", name, content, reader, timeout)

    def close(self) -> None:
        """Closes connections that are kept open; nothing can be asked afterwards."""
        self._is_closed = True
        self._pool.close()

    def _exchanged(
        self, method: str, path: str, body: bytes | None, timeout: float
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        """Status, headers and body of the answer."""
        import httpcore

        if self._is_closed:
            raise ServiceUnavailableError(f"the connection to {self.url} was closed")
        where = self._address
        deadline = time.monotonic() + timeout
        try:
            with self._pool.stream(
                method,
                httpcore.URL(scheme=where.scheme, host=where.host, port=where.port, target=f"{where.path}/v1/{path}"),
                headers=self._headers if body is None else [*self._headers, ("Content-Type", "application/json")],
                content=body,
                # What the network takes for deadlines; only the wait for a free connection is in seconds.
                extensions={"timeout": {"pool": timeout, **dict.fromkeys(("connect", "read", "write"), deadline)}},
            ) as response:
                answer = bytearray()
                for part in response.iter_stream():
                    answer += part
                    if len(answer) > _MOST:
                        raise RemoteServiceError(f"{self.url} answers {path!r} with more than {_MOST} bytes")
                    if time.monotonic() > deadline:
                        raise httpcore.ReadTimeout
                return response.status, {name.lower(): value for name, value in response.headers}, bytes(answer)
        except KinetreeError:
            raise
        except httpcore.TimeoutException:
            raise ServiceUnavailableError(f"{self.url} did not answer {path!r} in time") from None
        except Exception as error:  # of the network, or of an answer that is no HTTP
            raise ServiceUnavailableError(f"{self.url} cannot be asked: {error}") from error

    def _refuse(self, path: str, status: int, headers: dict[bytes, bytes], data: dict[str, Any]) -> NoReturn:
        detail, reason = str(data.get("detail", "without a problem")), str(data.get("reason", ""))
        told = f"{self.url} answers {path!r} with {status}: {detail}"
        if status == 422 and data:
            raise InvalidValueError(f"{path}: {detail}")
        if status == 429 or (status == 503 and reason == "no_room"):
            raise ServiceBusyError(f"{self.url}: {detail}", _seconds(headers.get(b"retry-after", b"")))
        if status == 401:
            raise UnauthorizedError(f"{self.url} wants a token, and this was none of its own: {detail}", 401, reason)
        if status in (408, 502, 503, 504):  # also of a proxy, and of other servers
            raise ServiceUnavailableError(told, status, reason)
        hint = "" if data else "; is it a kinetree server?"
        raise RemoteServiceError(told + hint, status, reason)


def _checked_token(token: str) -> str:
    """The token; what is wrong with one is told without repeating it."""
    if not isinstance(token, str) or not token or not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidValueError(
            "the token must be a text of ASCII characters without spaces and line ends; one that was read from a file "
            "may need .strip()"
        )
    return token


def _encoded(content: Any) -> bytes:
    try:
        return json.dumps(content, allow_nan=False).encode("ascii")
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidValueError(f"this cannot be sent as JSON: {error}") from None


def _decoded(answer: bytes) -> dict[str, Any] | None:
    """The JSON object of an answer; None when it is none."""
    try:
        data = json.loads(answer, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _seconds(header: bytes) -> float:
    """Of a Retry-After in seconds; a second for one that is missing, a date, or no number."""
    return min(float(header), _LONGEST_RETRY) if header.isdigit() and len(header) < 10 else 1.0
