"""`ServerSettings`: who may ask the server, and for what."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from ....kinematics import InvalidValueError
from .limits import Limits

#: Names of a server that only this machine can reach.
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
#: Characters that a token has at least: 16 random ones cannot be tried out.
_LEAST_TOKEN = 16


@dataclass(frozen=True)
class ServerSettings:
    """Who may ask the server, and for what.

    Attributes:
        token: What a request has to bring as ``Authorization: Bearer TOKEN``; None asks for nothing.
        folder: Where reachability spaces are saved and loaded, an existing folder; None refuses both.
        allowed_hosts: What a request may have in its Host header (without a port); None takes anything, which needs a
            token. A web page can have its own name point at this machine, and its scripts then reach a server that
            listens on the loopback; but their requests carry the name of the page.
        limits: How much a request may ask for.

    Raises:
        InvalidValueError: A weak token, a folder that is none, or neither a token nor names of hosts.
    """

    token: str | None = field(default=None, repr=False)
    folder: Path | None = None
    allowed_hosts: tuple[str, ...] | None = LOOPBACK_NAMES
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.token is not None and (
            len(self.token) < _LEAST_TOKEN
            or not self.token.isascii()
            or not self.token.isprintable()
            or " " in self.token
        ):
            raise InvalidValueError(
                f"the token must be {_LEAST_TOKEN} or more ASCII characters without spaces; one is made by: "
                'python -c "import secrets; print(secrets.token_urlsafe(32))"'
            )
        if self.token is None and self.allowed_hosts is None:
            raise InvalidValueError("a server that takes requests for any host needs a token")
        if self.folder is not None:
            folder = Path(self.folder).resolve()
            if not folder.is_dir():
                raise InvalidValueError(f"the folder for reachability spaces must exist; {str(folder)!r} is none")
            object.__setattr__(self, "folder", folder)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
