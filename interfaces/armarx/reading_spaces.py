"""Reading reachability spaces from files, with what can be wrong with these as a `Refusal`."""

from __future__ import annotations

from pathlib import Path

from ...kinematics import (
    DamagedMapError,
    MissingPackageError,
    NodeSet,
    ReachabilityError,
    ReachabilityMap,
    StaleMapError,
    WrongNodeSetError,
    WrongRobotError,
)
from .outcome import FailureReason
from .refusal import Refusal

#: The first that fits.
_REASONS: tuple[tuple[type[Exception], FailureReason], ...] = (
    (FileNotFoundError, FailureReason.FILE_NOT_FOUND),
    (DamagedMapError, FailureReason.FILE_DAMAGED),
    (WrongNodeSetError, FailureReason.FILE_MISMATCH),
    (WrongRobotError, FailureReason.FILE_MISMATCH),
    (StaleMapError, FailureReason.STALE_REACHABILITY_SPACE),
    (MissingPackageError, FailureReason.MISSING_PACKAGE),
    (ReachabilityError, FailureReason.FILE_MISMATCH),
    (OSError, FailureReason.FILE_ERROR),
    (MemoryError, FailureReason.TOO_LARGE),
)


def as_path(filename: str) -> Path:
    """The path of a file name; refused when no file can have it."""
    if not filename or "\0" in filename:
        raise Refusal(FailureReason.FILE_REFUSED, f"{filename!r} is no name of a file")
    return Path(filename)


def space_in_file(path: Path, node_set: NodeSet | None = None) -> ReachabilityMap:
    """The space in a file, for a node set or without its robot."""
    try:
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder")
        return ReachabilityMap.load(path, node_set)
    except Exception as error:
        raise refused_file(path, error) from error


def refused_file(path: Path, error: Exception) -> Refusal:
    """What an error about a file amounts to; the error itself when it is none of those that can be expected."""
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return Refusal(reason, str(error) or f"{path}: {type(error).__name__}")
    raise error
