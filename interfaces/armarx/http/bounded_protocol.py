"""`BoundedProtocol`: a connection of uvicorn's with limits on time, and with problems for its own errors."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from .connection_gate import LET_IN, ConnectionGate, Standing
from .problem import problem


class BoundedProtocol(H11Protocol):
    """A connection of uvicorn's, for which three times are limited that uvicorn leaves open.

    These are the time until the head of a request is there (the first one too, and however little of it has come), the
    time that somebody who does not read is written to, and the time that a closed connection takes to be gone. Errors
    that uvicorn itself finds are problems like all others.

    Args:
        gate: Of all connections of the server.
        seconds: For a head to arrive, and for what is written to be taken.
        options: Those of uvicorn's protocol.
    """

    def __init__(self, gate: ConnectionGate, seconds: float, **options: Any) -> None:
        super().__init__(**options)
        self.standing = Standing.STRANGER
        self._gate = gate
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """From here on a head is waited for."""
        super().connection_made(transport)
        self._gate.enter(self)
        if self.standing is Standing.REFUSED:
            self.app = _no_room
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._rest()
        self._gate.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The time of a head ends when it is there, not with a part of it."""
        super().data_received(data)
        if self._is_answering() and not self.flow.write_paused:
            self._rest()

    def on_response_complete(self) -> None:
        """The next head is waited for, or that the other side takes the answer."""
        self._wait()
        if self.standing is Standing.SERVED:
            self.standing = Standing.GUEST
        super().on_response_complete()  # it may find that the next request is here already
        if self._is_answering():
            self._rest()

    def pause_writing(self) -> None:
        """The other side does not read."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """The other side has read."""
        super().resume_writing()
        if self._is_answering():
            self._rest()

    def let_in(self) -> None:
        """Notes that the present request is one of those who may ask."""
        if self.standing is not Standing.REFUSED:
            self.standing = Standing.SERVED
            self._gate.touch(self)

    def handle_events(self) -> None:
        """Gives the requests that begin here a way to note that they were let in."""
        super().handle_events()
        if self._is_answering():
            self.scope["state"][LET_IN] = self.let_in

    def drop(self) -> None:
        """Closes the connection without waiting for the other side."""
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Of a request that is no HTTP."""
        self._tell(problem(400, "this is no request of HTTP/1.1, or its head is too large"))

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _tell(self, answer: Response) -> None:
        """Answers without a request, and closes."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [*answer.raw_headers, (b"connection", b"close")]
            event = h11.Response(status_code=answer.status_code, headers=headers)
            for each in (event, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(each) or b"")
        self.transport.close()
        self._wait()

    def _wait(self) -> None:
        self._rest()
        self._timer = self.loop.call_later(self._seconds, self._end)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        begun = bool(self.conn.trailing_data[0])
        if begun and not self.transport.is_closing() and self.conn.our_state is h11.IDLE:
            self._tell(problem(408, f"the head of the request did not arrive within {self._seconds:g} s"))
        else:
            self.drop()


async def _no_room(scope: Scope, receive: Receive, send: Send) -> None:
    answer = problem(
        503, "there are as many connections as the server takes", "no_room", {"Connection": "close", "Retry-After": "1"}
    )
    await answer(scope, receive, send)
