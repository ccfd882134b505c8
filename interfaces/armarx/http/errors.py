"""Exceptions of the service over HTTP."""

from __future__ import annotations

from ....kinematics import KinetreeError


class MissingServePackageError(KinetreeError, ImportError):
    """A package of the extra ``serve`` is not installed."""


class ListenError(KinetreeError, OSError):
    """A server cannot listen at an address: the port is taken or not allowed, or this machine has no such address."""


class FileRefusedError(KinetreeError, PermissionError):
    """The server does not touch a file of that name: no plain name, a link, or there are too many files."""


class FileTooLargeError(KinetreeError, ValueError):
    """The server does not open a file of that size."""


class ServiceBusyError(KinetreeError, RuntimeError):
    """The server has as many requests as it takes at once; nothing was done.

    Attributes:
        retry_after: Seconds after which to try again.
    """

    def __init__(self, message: str, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RemoteServiceError(KinetreeError, RuntimeError):
    """The server answered with an error, or with something that is no answer of this service.

    Attributes:
        status: Its HTTP status; None where there was none.
        reason: What it calls the error, for example ``"not_found"``.
    """

    def __init__(self, message: str, status: int | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason


class UnauthorizedError(RemoteServiceError, PermissionError):
    """The server wants a token, and this was none or another one."""


class ServiceUnavailableError(RemoteServiceError, ConnectionError):
    """Nobody answers there, or not in time; whether the request was carried out is not known."""
