"""`Connection`: sends JSON to the server, and turns what it answers into data or exceptions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from ....kinematics import InvalidValueError
from ..outcome import Outcome
from .errors import RemoteServiceError, ServiceBusyError, ServiceUnavailableError, UnauthorizedError
from .packages import require_packages

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")


class Connection:
    """Sends JSON to the server, and turns what it answers into data or exceptions.

    It may be used from several threads at once.

    Args:
        url: Of the server, such as ``"http://127.0.0.1:8000"``.
        token: What the server asks for, if it does.
        timeout: How long to wait for an answer (s).

    Raises:
        InvalidValueError: What is no address, or a time that is not positive.
        MissingServePackageError: httpx is not installed.
    """

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        require_packages("httpx")
        import httpx

        self.url = _checked(url)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0.0 < timeout < math.inf:
            raise InvalidValueError(f"timeout must be a positive number of seconds, not {timeout!r}")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        # Proxies of the environment are for the web, not for a robot on this machine or in the next room; and the
        # token goes to the address that was given, nowhere else.
        self._client = httpx.Client(headers=headers, timeout=timeout, trust_env=False, follow_redirects=False)

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
            ServiceUnavailableError: Nobody answers, or not in time.
            RemoteServiceError: It answers with another error, or with no answer of this service.
        """
        import httpx

        body = None if content is None else _encoded(content)
        options: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
        try:
            response = self._client.request(
                method,
                f"{self.url}/v1/{path}",
                content=body,
                headers={} if body is None else {"Content-Type": "application/json"},
                **options,
            )
        except httpx.TimeoutException:
            raise ServiceUnavailableError(f"{self.url} did not answer {path!r} in time") from None
        except httpx.HTTPError as error:
            raise ServiceUnavailableError(f"{self.url} cannot be asked: {error}") from error
        data = self._decoded(response)
        if not response.is_success:
            self._refuse(path, response, data)
        return data

    def operation(
        self, name: str, content: Any, read: Callable[[dict[str, Any]], Outcome[T]], timeout: float | None = None
    ) -> Outcome[T]:
        """The outcome of one of the twelve operations; see `ask`.

        Args:
            name: Of the operation.
            content: Its arguments.
            read: Makes the outcome from the answer.
            timeout: For this request (s).
        """
        data = self.ask("POST", name, content, timeout)
        try:
            return read(data)
        except (KeyError, TypeError, ValueError) as error:
            raise RemoteServiceError(f"{self.url} answers {name!r} with what is no outcome: {error!r}", 200) from error

    def close(self) -> None:
        """Closes connections that are kept open."""
        self._client.close()

    def _decoded(self, response: httpx.Response) -> dict[str, Any]:
        try:
            data = response.json()
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise RemoteServiceError(
                f"{self.url} answers {response.status_code} without JSON; is it a kinetree server?",
                response.status_code,
            )
        return data

    def _refuse(self, path: str, response: httpx.Response, data: dict[str, Any]) -> NoReturn:
        status, detail, reason = response.status_code, str(data.get("detail", "")), str(data.get("reason", ""))
        if status == 422:
            raise InvalidValueError(f"{path}: {detail}")
        if status == 429:
            raise ServiceBusyError(f"{self.url}: {detail}", _seconds(response.headers.get("Retry-After")))
        if status == 401:
            raise UnauthorizedError(f"{self.url} wants a token, and this was none of its own: {detail}", 401, reason)
        raise RemoteServiceError(f"{self.url} answers {path!r} with {status}: {detail}", status, reason)


def _checked(url: str) -> str:
    parts = urlsplit(url) if isinstance(url, str) else None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InvalidValueError(f"the address of a server is such as 'http://127.0.0.1:8000', not {url!r}")
    return str(url).rstrip("/")


def _encoded(content: Any) -> bytes:
    try:
        return json.dumps(content, allow_nan=False).encode("ascii")
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"this cannot be sent as JSON: {error}") from None


def _seconds(text: str | None) -> float:
    return float(text) if text is not None and text.isdigit() else 1.0
