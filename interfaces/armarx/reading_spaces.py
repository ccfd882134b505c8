"""Reading and writing reachability spaces, with whatever goes wrong with their files as a `Refusal`."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

from ...kinematics import (
    DamagedMapError,
    KinetreeError,
    MapTooLargeError,
    MissingPackageError,
    NodeSet,
    NotAFileError,
    ReachabilityError,
    ReachabilityMap,
    StaleMapError,
    WrongNodeSetError,
    WrongRobotError,
)
from .outcome import FailureReason
from .refusal import Refusal

_LOGGER = logging.getLogger(__name__)

#: Characters of a path in a text.
_LONGEST = 200
#: The first that fits.
_REASONS: tuple[tuple[type[Exception], FailureReason], ...] = (
    (DamagedMapError, FailureReason.FILE_DAMAGED),
    (WrongNodeSetError, FailureReason.FILE_MISMATCH),
    (WrongRobotError, FailureReason.FILE_MISMATCH),
    (StaleMapError, FailureReason.STALE_REACHABILITY_SPACE),
    (MissingPackageError, FailureReason.MISSING_PACKAGE),
    (MapTooLargeError, FailureReason.TOO_LARGE),
    (ReachabilityError, FailureReason.FILE_MISMATCH),
    (NotAFileError, FailureReason.FILE_ERROR),
    (OSError, FailureReason.FILE_ERROR),
    (MemoryError, FailureReason.TOO_LARGE),
)
#: Where something lies in memory, which is of no use to who reads it, and none of their business.
_ADDRESS = re.compile(r"(?: at)? ?\b0x[0-9a-fA-F]+")


def as_path(filename: str) -> Path:
    """The path of a file name; refused when no file can have it."""
    try:
        possible = b"\0" not in os.fsencode(filename) and filename != ""
    except UnicodeEncodeError:  # half a character
        possible = False
    if not possible:
        raise Refusal(FailureReason.FILE_REFUSED, f"{filename!r} is no name of a file")
    return Path(filename)


def space_in_file(path: Path, node_set: NodeSet | None, max_memory: int | None) -> ReachabilityMap:
    """The space in a file, for a node set or without its robot."""
    try:
        return ReachabilityMap.load(path.absolute(), node_set, max_memory=max_memory)
    except Exception as error:
        missing = isinstance(error, FileNotFoundError)
        raise _refused(path, error, "read", FailureReason.FILE_NOT_FOUND if missing else None) from error


def write_space(space: ReachabilityMap, path: Path) -> None:
    """Writes a space to a file."""
    try:
        if not path.parent.is_dir():
            raise NotADirectoryError(f"there is no folder {path.parent} to write {path.name!r} in")
        space.save(path.absolute())
    except Exception as error:
        raise _refused(path, error, "written", None) from error


def _refused(path: Path, error: Exception, done: str, reason: FailureReason | None) -> Refusal:
    """What an error about a file amounts to; ``done`` is what should have been done with the file."""
    if reason is None:
        reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), None)
    if reason is None:
        # Nobody thought of it, such as a name that the format of the file has no way to write.
        _LOGGER.warning("%s could not be %s", path, done, exc_info=error)
        reason = FailureReason.FILE_ERROR
    return Refusal(reason, _told(path, error, done))


def _told(path: Path, error: Exception, done: str) -> str:
    """What was in the way, without where things lie in memory and without the names of files that are gone again."""
    if isinstance(error, OSError) and not isinstance(error, KinetreeError) and error.errno:
        return f"{_short(path)} cannot be {done}: {os.strerror(error.errno)}"
    text = str(error).replace(str(path.absolute()), str(path)) or type(error).__name__
    text = re.sub(rf"\.{re.escape(path.name[:200])}\.[0-9a-f]{{12}}\b", lambda _: path.name, _ADDRESS.sub("", text))
    return text if path.name in text else f"{_short(path)} cannot be {done}: {text}"


def _short(path: Path) -> str:
    """A path in a text: its end when it is very long."""
    text = str(path)
    return text if len(text) <= _LONGEST else f"...{text[-_LONGEST:]}"
