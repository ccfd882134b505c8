"""`ServerAddress`: where a server is, checked before anybody is asked."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from ....kinematics import InvalidValueError


@dataclass(frozen=True)
class ServerAddress:
    """Where a server is.

    Attributes:
        url: As it was given, without slashes at the end.
        scheme: ``"http"`` or ``"https"``.
        host: Name or number, in ASCII.
        port: TCP port; None for the usual one of the scheme.
        path: What all addresses of the server begin with; mostly empty.
    """

    url: str
    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def host_header(self) -> str:
        """What a request has as its Host: with a port, and with brackets around an IPv6 address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @classmethod
    def of(cls, url: str) -> ServerAddress:
        """Takes an address apart.

        Raises:
            InvalidValueError: It is none.
        """
        # Line ends and the like, which `urlsplit` drops, are most likely an accident.
        if not isinstance(url, str) or not url.isprintable() or " " in url:
            raise _wrong(url)
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
            if host is None or parts.scheme not in ("http", "https") or parts.query or parts.fragment:
                raise _wrong(url)
            if "@" in parts.netloc:
                raise InvalidValueError("an address has no name and password in it; pass the token as `token`")
            path = parts.path.rstrip("/").encode("ascii").decode()
            return cls(url.rstrip("/"), parts.scheme, host.encode("idna").decode(), port, path)
        except InvalidValueError:
            raise
        except ValueError:  # no port, half an IPv6 address, no name of a host
            raise _wrong(url) from None


def _wrong(url: object) -> InvalidValueError:
    shown = "what has a name and password in it" if isinstance(url, str) and "@" in url else repr(url)
    return InvalidValueError(f"the address of a server is such as 'http://127.0.0.1:8000', not {shown}")
