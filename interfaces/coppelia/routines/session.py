"""`Session`: the environments of the routines, and which of them is present.

The routines work on a present environment and keep their last error, as CoppeliaSim's do. Both belong to a context
(`contextvars`): threads, and tasks of asyncio, do not disturb each other. A thread begins with no environments; to
share those of another, hand over its session: ``use(session())``.
"""

from __future__ import annotations

import threading
from contextvars import ContextVar

from ..environment import Environment
from ..errors import HandleError, NoEnvironmentError

_session: ContextVar[Session | None] = ContextVar("kinetree_coppelia_session", default=None)
_present: ContextVar[int] = ContextVar("kinetree_coppelia_present", default=-1)
_last_error: ContextVar[str] = ContextVar("kinetree_coppelia_last_error", default="")


class Session:
    """Environments by handle. Handles count up from 0 and are never given out again."""

    def __init__(self) -> None:
        self._environments: dict[int, Environment] = {}
        self._next = 0
        self._lock = threading.Lock()

    @property
    def environments(self) -> dict[int, Environment]:
        """Handle to environment, the oldest first."""
        return dict(self._environments)

    def add(self, environment: Environment) -> int:
        """Takes an environment in; returns its handle."""
        with self._lock:
            handle = self._next
            self._next += 1
        environment._handle = handle
        self._environments[handle] = environment
        return handle

    def remove(self, handle: int) -> None:
        """Lets an environment go."""
        self._environments.pop(handle)._handle = -1

    def environment(self, handle: int) -> Environment:
        """The environment with a handle.

        Raises:
            HandleError: There is none.
        """
        found = self._environments.get(handle)
        if found is None:
            was = isinstance(handle, int) and 0 <= handle < self._next
            raise HandleError(f"environment handle {handle} " + ("was erased" if was else "does not exist"))
        return found

    def __repr__(self) -> str:
        return f"<Session with environments {sorted(self._environments)}>"


def session() -> Session:
    """The session of this context; a new one when it has none."""
    found = _session.get()
    if found is None:
        found = Session()
        _session.set(found)
    return found


def use(shared: Session) -> None:
    """Makes a session that of this context; its oldest environment becomes the present one."""
    _session.set(shared)
    select(min(shared.environments, default=-1))


def select(handle: int) -> None:
    """Makes an environment the present one of this context; -1 for none."""
    _present.set(handle)


def present_handle() -> int:
    """Handle of the present environment; -1 when there is none (any more)."""
    handle = _present.get()
    found = _session.get()
    return handle if found is not None and handle in found._environments else -1


def present() -> Environment:
    """The present environment.

    Raises:
        NoEnvironmentError: There is none.
    """
    found = _session.get()
    environment = None if found is None else found._environments.get(_present.get())
    if environment is None:
        raise NoEnvironmentError("there is no present environment; call ikCreateEnvironment or ikSwitchEnvironment")
    return environment


def note_error(message: str) -> None:
    """Keeps a message for `take_error`."""
    _last_error.set(message)


def last_error() -> str:
    """The last message; empty when there is none."""
    return _last_error.get()


def take_error() -> str:
    """The last message, which is forgotten by it; empty when there is none."""
    message = _last_error.get()
    _last_error.set("")
    return message
