"""`check_output`: whether a file can be written, seen before anything is measured."""

from __future__ import annotations

import os
from pathlib import Path

from ...kinematics import InvalidValueError


def check_output(path: Path, what: str) -> None:
    """Opens a file for writing and leaves it as it was.

    Args:
        path: Of the file. Pipes and devices are not opened, which might wait for a reader.
        what: What is to be written, for the message.

    Raises:
        InvalidValueError: It is a folder (as the empty path is), its folder does not exist, or it cannot be opened.
    """
    try:
        if path.is_dir():
            raise InvalidValueError(f"{what} cannot be written to {str(path)!r}, which is a folder; name a file")
        if path.exists():
            _open_existing(path)
            return
        # Where a link leads to nothing, the file would be made where it points to.
        made = Path(os.path.realpath(path))
        if not made.parent.is_dir():
            raise InvalidValueError(f"there is no folder {str(path.parent)!r} to write {path.name!r} to")
        made.open("xb").close()
        made.unlink()
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidValueError):
            raise
        raise InvalidValueError(f"{what} cannot be written to {str(path)!r}: {_why(error)}") from error


def check_different(first: Path, second: Path) -> None:
    """Refuses one file under two names, links included.

    Raises:
        InvalidValueError: Both are the same file.
    """
    are_same = os.path.realpath(first) == os.path.realpath(second)
    if are_same or (first.exists() and second.exists() and first.samefile(second)):
        raise InvalidValueError(f"{str(first)!r} and {str(second)!r} are the same file; name two")


def _open_existing(path: Path) -> None:
    if path.is_file():
        path.open("ab").close()
    elif not os.access(path, os.W_OK):
        raise PermissionError("it may not be written")


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
