"""`Guard`: refuses requests that are not to be read at all."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .connection_gate import LET_IN
from .docs_page import DOCS_FILES, DOCS_PATH
from .problem import problem, unauthorized
from .server_settings import ServerSettings

#: What is told without a token: that the server is there, and how to talk to it.
OPEN_PATHS = frozenset({"/health", "/openapi.json", DOCS_PATH, *(f"{DOCS_PATH}/{name}" for name in DOCS_FILES)})
_PORT = re.compile(r":\d+$")


class Guard:
    """Looks at requests before anything else does: the host they are for, the token, the kind and size of the body.

    Bodies are read here, as a whole and within a time, so that nobody keeps a request open by sending it slowly.

    Args:
        app: What answers requests that pass.
        settings: Who may ask, and how much.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._limits = settings.limits
        self._hosts = None if settings.allowed_hosts is None else {each.lower() for each in settings.allowed_hosts}
        self._token = None if settings.token is None else _digest(settings.token.encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request (ASGI), or passes it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket: there are none here
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        body = self._refusal(scope) or await self._body(receive)
        if body and isinstance(body, bytes) and not _is_json(scope):
            body = problem(415, "send JSON, and the header: Content-Type: application/json")
        if isinstance(body, Response):
            await body(scope, receive, send)
        else:
            if self._token is None or scope["path"] not in OPEN_PATHS:  # those of strangers tell nothing
                scope.get("state", {}).get(LET_IN, lambda: None)()
            await self._answered(scope, _replayed(body, receive), send)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on; one that is cut off because the server stops is told so."""
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except asyncio.CancelledError:
            if begun:
                raise
            await problem(503, "the server stops; whether the request was carried out is not known")(
                scope, receive, send
            )

    def _refusal(self, scope: Scope) -> Response | None:
        headers = _headers(scope)
        if self._hosts is not None and not self._is_for_us(headers.get(b"host", [])):
            return problem(421, "the Host header is none of this server's names; others are allowed at its start")
        if self._token is not None and scope["path"] not in OPEN_PATHS:
            given = headers.get(b"authorization", [])
            if len(given) != 1 or not self._is_right(given[0]):
                return unauthorized()
        length = headers.get(b"content-length", [b"0"])[-1]
        if not length.isdigit() or len(length) > 18 or int(length) > self._limits.body_bytes:
            return self._too_large()
        return None

    def _is_for_us(self, hosts: list[bytes]) -> bool:
        if len(hosts) != 1 or self._hosts is None:
            return False
        return _PORT.sub("", hosts[0].decode("latin-1")).lower().rstrip(".") in self._hosts

    def _is_right(self, authorization: bytes) -> bool:
        scheme, _, token = authorization.partition(b" ")
        # Digests are of one length, and are compared in a time that tells nothing about where they differ.
        same = hmac.compare_digest(_digest(token.strip()), self._token or b"")
        return scheme.lower() == b"bearer" and same

    async def _body(self, receive: Receive) -> bytes | Response:
        try:
            return await asyncio.wait_for(self._read(receive), self._limits.body_seconds)
        except TimeoutError:
            return problem(408, f"the request did not arrive within {self._limits.body_seconds:g} s")

    async def _read(self, receive: Receive) -> bytes | Response:
        parts = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return problem(400, "the request ended early")
            parts += message.get("body", b"")
            if len(parts) > self._limits.body_bytes:
                return self._too_large()
            if not message.get("more_body", False):
                return bytes(parts)

    def _too_large(self) -> Response:
        return problem(413, f"a request may have {self._limits.body_bytes} bytes", headers={"Connection": "close"})


def _headers(scope: Scope) -> dict[bytes, list[bytes]]:
    headers: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.lower(), []).append(value)
    return headers


def _is_json(scope: Scope) -> bool:
    """What is no JSON is what a form of any web page may send here without being asked first."""
    kinds = _headers(scope).get(b"content-type", [])
    return len(kinds) == 1 and kinds[0].partition(b";")[0].strip().lower() == b"application/json"


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What hands out a body that was read already, and then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay
