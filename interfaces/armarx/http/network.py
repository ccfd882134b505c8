"""`network_of`: the network as the client uses it, where a request as a whole has to be over in time."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import httpcore

#: What is waited for after the deadline, so that a time is never 0, which would mean not to wait for what is there (s).
_LEAST = 1e-3


class DeadlineBackend(httpcore.SyncBackend):
    """The network, with times that are deadlines of the monotonic clock instead of seconds from now.

    A time for each read would have a server hold up a request for ever by sending a byte now and then.
    """

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection that is there by the deadline."""
        return _DeadlineStream(super().connect_tcp(host, port, _left(timeout), local_address, socket_options))


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(deadline - time.monotonic(), _LEAST)
