"""Routines for environments, for saving and loading, and for errors."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kinematics.errors import InvalidValueError
from ..environment import Environment
from .lookup import as_flag, as_integer
from .routine import failed, routine
from .session import present, present_handle, select, session, take_error


class CreatedEnvironment(NamedTuple):
    """A new environment, which is the present one now."""

    success: bool
    environmentHandle: int | None


class ErasedEnvironment(NamedTuple):
    """The environment that is the present one now; -1 when there is none left."""

    success: bool
    switchedEnvironmentHandle: int | None


class DuplicatedEnvironment(NamedTuple):
    """The copy; the present environment is the same as before."""

    success: bool
    newEnvironmentHandle: int | None


class Saved(NamedTuple):
    """Bytes, and how many; None when there is nothing to save."""

    data: bytes | None
    dataLength: int


@routine(failed(CreatedEnvironment))
def ikCreateEnvironment(flags: int = 0) -> CreatedEnvironment:
    """Makes an environment, and switches to it. ``flags`` are kept at 0."""
    if as_integer(flags, "flags") != 0:
        raise InvalidValueError(f"flags must be 0, not {flags}")
    handle = session().add(Environment())
    select(handle)
    return CreatedEnvironment(True, handle)


@routine(failed(ErasedEnvironment))
def ikEraseEnvironment() -> ErasedEnvironment:
    """Erases the present environment, and switches to the oldest that is left."""
    present()
    found = session()
    found.remove(present_handle())
    following = min(found.environments, default=-1)
    select(following)
    return ErasedEnvironment(True, following)


@routine(failed(DuplicatedEnvironment))
def ikDuplicateEnvironment() -> DuplicatedEnvironment:
    """Copies the present environment, with the same handles in it; dependency callbacks are copied too."""
    return DuplicatedEnvironment(True, session().add(present().duplicate()))


@routine(False)
def ikSwitchEnvironment(handle: int, allowAlsoProtectedEnvironment: bool = False) -> bool:
    """Makes an environment the present one. No environment is protected, so the second argument does nothing.

    Args:
        handle: Of the environment.
        allowAlsoProtectedEnvironment: Taken, and not looked at.
    """
    number = as_integer(handle, "handle")
    as_flag(allowAlsoProtectedEnvironment, "allowAlsoProtectedEnvironment")
    session().environment(number)
    select(number)
    return True


@routine(Saved(None, 0))
def ikSave() -> Saved:
    """Saves the present environment."""
    environment = present()
    if environment.is_empty:
        raise InvalidValueError(f"{environment} is empty; there is nothing to save")
    data = environment.save()
    return Saved(data, len(data))


@routine(False)
def ikLoad(data: bytes, dataLength: int | None = None) -> bool:
    """Loads what was saved into the present environment, which has to be empty.

    Args:
        data: From ``ikSave``.
        dataLength: How many bytes of it count; all when None.
    """
    environment = present()
    if dataLength is not None:
        count = as_integer(dataLength, "dataLength")
        if not isinstance(data, bytes | bytearray | memoryview) or not 0 <= count <= len(bytes(data)):
            raise InvalidValueError(f"dataLength is {count}; data has not so many bytes")
        data = bytes(data)[:count]
    environment.load_into(data)
    return True


def ikReleaseBuffer(buffer: Any) -> None:
    """Does nothing: buffers are released by Python. Kept so that ported code runs."""


def ikGetLastError() -> str:
    """The last error of this context, which is forgotten by it; empty when there was none."""
    return take_error()
