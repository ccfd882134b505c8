"""`HttpServer`: listens for requests, until it is told to stop or in the background."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import socket
import threading
from types import TracebackType
from typing import Any, cast

from ....kinematics import InvalidValueError
from ..robot_ik import RobotIK
from .app import create_app
from .connection_gate import ConnectionGate
from .errors import ListenError
from .packages import require_packages
from .server_settings import ServerSettings, is_loopback

_logger = logging.getLogger(__name__)

#: Seconds that requests have to end once the server is told to stop, and that it then has itself.
_GRACE, _PATIENCE = 3, 10.0
#: Seconds after which a connection is closed over which nothing more was asked; clients should not keep it that long.
_KEEP_ALIVE = 10
#: Bytes of the headers of a request, connections that wait to be taken.
_HEADERS, _BACKLOG = 16_384, 128


class HttpServer:
    """Listens for requests from when it is made; answers them in `run`, or while it is used as a context manager.

    Args:
        service: What answers.
        settings: Who may ask, and how much; see `create_app`.
        host: Address to listen on. That of the default can be reached from this machine only.
        port: TCP port; 0 takes a free one.

    Attributes:
        url: Its address, such as ``"http://127.0.0.1:8000"``.

    Raises:
        InvalidValueError: Other machines can reach the address, and there is no token.
        MissingServePackageError: FastAPI or uvicorn is not installed.
        ListenError: The port is taken or not allowed, or this machine has no such address.
    """

    def __init__(
        self,
        service: RobotIK,
        settings: ServerSettings | None = None,
        host: str = "127.0.0.1",
        port: int = 8000,
    ) -> None:
        require_packages("fastapi", "uvicorn")
        import uvicorn

        from .bounded_protocol import BoundedProtocol

        settings = ServerSettings() if settings is None else settings
        if not isinstance(host, str) or not host:  # an empty one would be all addresses of the machine
            raise InvalidValueError(f"the host to listen on must be an address such as '127.0.0.1', not {host!r}")
        if not is_loopback(host) and settings.token is None:
            raise InvalidValueError(
                f"a server on {host!r} can be reached from other machines, and so needs a token; without one, listen "
                "on 127.0.0.1"
            )
        limits = settings.limits
        protocol = functools.partial(BoundedProtocol, ConnectionGate(limits.connections), limits.body_seconds)
        config = uvicorn.Config(
            create_app(service, settings),
            http=cast(Any, protocol),  # a connection is made by calling it
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE,
            timeout_keep_alive=_KEEP_ALIVE,
            h11_max_incomplete_event_size=_HEADERS,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None
        address = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        self._listener = _listen(address, port)
        shown = f"[{address}]" if ":" in address else address
        self.url = f"http://{shown}:{self._listener.getsockname()[1]}"

    def run(self) -> None:
        """Answers until Ctrl-C or a signal to end; requests that are being worked on have three seconds then."""
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn repeats it once it has stopped
            self._server.run(sockets=[self._listener])

    def __enter__(self) -> HttpServer:
        self._thread = threading.Thread(target=self.run, name=f"server {self.url}", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(_GRACE + _PATIENCE)
            if self._thread.is_alive():
                _logger.warning("%s did not stop within %g s", self.url, _GRACE + _PATIENCE)

    def __repr__(self) -> str:
        return f"HttpServer({self.url!r})"


def _listen(address: str, port: int) -> socket.socket:
    """A socket of our own: a port that is taken is an error that can be caught, and a free one is known."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # The protocol is named because asyncio looks at it: without it answers wait 40 ms for an acknowledgement (Nagle).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(_BACKLOG)
    except (OSError, ValueError, TypeError, OverflowError) as error:  # what is no name of a host, or no port
        listener.close()
        why = getattr(error, "strerror", None) or error
        raise ListenError(f"cannot listen on {address!r}, port {port}: {why}") from error
    return listener
