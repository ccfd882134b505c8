"""`MapFolder`: the one folder in which the server touches files."""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
from pathlib import Path

from ..outcome import FailureReason, Outcome
from .errors import FileRefusedError, FileTooLargeError

_logger = logging.getLogger(__name__)

#: A plain name: no separators, no leading dot, nothing that a shell or another system takes for something else.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.h5", flags=re.ASCII)
#: Names that are devices on Windows, whatever follows the dot.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)\.", flags=re.ASCII | re.IGNORECASE)
#: What is no business of those who ask, and of no use to them: addresses, descriptors, several lines of a library.
_INNER = re.compile(r"0x[0-9a-f]+|descriptor|buf =|errno|[\n\r]|\.h5\.[0-9a-z]{4}|\.tmp|<.* object", re.IGNORECASE)
#: What may be told of why a file cannot be had.
_CAUSES = [
    os.strerror(getattr(errno, name))
    for name in ("ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "EIO", "EMFILE", "ENOENT", "ENOTDIR", "EFBIG")
    if hasattr(errno, name)
]


class MapFolder:
    """The one folder in which the server touches files.

    Args:
        path: The folder; None refuses every file.
        most: Files in it, after which no new one is made.
        most_bytes: Of a file that is read.
    """

    def __init__(self, path: Path | None, most: int, most_bytes: int) -> None:
        self._path = path
        self._most = most
        self._most_bytes = most_bytes

    def to_read(self, name: str) -> Path:
        """The path of a file that is to be loaded; it need not exist.

        Raises:
            FileRefusedError: There is no folder, or it is no plain name, or there is something else than a file.
            FileTooLargeError: It has more.
            OSError: The folder cannot be read.
        """
        path = self._inside(name)
        size = path.stat().st_size if path.exists() else 0
        if size > self._most_bytes:
            raise FileTooLargeError(f"{name!r} has {size} bytes, and {self._most_bytes} are allowed")
        return path

    def to_write(self, name: str) -> Path:
        """The path of a file that is to be saved.

        Raises:
            FileRefusedError: As for `to_read`, and when there are too many files already.
            OSError: The folder is gone, or cannot be read.
        """
        path = self._inside(name)
        if not path.exists():
            present = sum(1 for _ in path.parent.iterdir())
            if present >= self._most:
                raise FileRefusedError(f"the folder has {present} files, and {self._most} are allowed")
        return path

    def told(self, name: str, outcome: Outcome[bool]) -> str:
        """What those who ask are told about a file.

        The path of the folder is no business of theirs, and what a library writes about its insides is of no use to
        them; that goes to the log.

        Args:
            name: What they call the file.
            outcome: What came of it.
        """
        detail = outcome.detail
        if self._path is not None:
            detail = detail.replace(f"{self._path}/", "").replace(str(self._path), "the folder")
        if outcome.reason is not FailureReason.FILE_ERROR and not _INNER.search(detail):
            return detail
        _logger.warning("file %r: %s: %s", name, outcome.reason, outcome.detail)
        causes = [each for each in _CAUSES if each.lower() in detail.lower()]
        return f"{name!r} cannot be read or written: {causes[0] if causes else 'the log of the server says why'}"

    def _inside(self, name: str) -> Path:
        if self._path is None:
            raise FileRefusedError("this server was started without a folder (--folder), so it neither saves nor loads")
        if not _NAME.fullmatch(name) or _DEVICES.match(name):
            raise FileRefusedError(
                f"{name!r} is no name of a map here: letters, digits, '_', '-' and '.', then '.h5', and no folders"
            )
        path = self._path / name
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return path
        if not stat.S_ISREG(mode):
            raise FileRefusedError(f"{name!r} is no ordinary file, and links are not followed")
        return path
