"""`MapFolder`: the one folder in which the server touches files."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from .errors import FileRefusedError

#: A plain name: no separators, no leading dot, nothing that a shell or another system takes for something else.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.h5", flags=re.ASCII)
#: Names that are devices on Windows, whatever follows the dot.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)\.", flags=re.ASCII | re.IGNORECASE)


class MapFolder:
    """The one folder in which the server touches files.

    Args:
        path: The folder; None refuses every file.
        most: Files in it, after which no new one is made.
    """

    def __init__(self, path: Path | None, most: int) -> None:
        self._path = path
        self._most = most

    def to_read(self, name: str) -> Path:
        """The path of a file that is to be loaded; it need not exist.

        Raises:
            FileRefusedError: There is no folder, or it is no plain name, or there is something else than a file.
        """
        return self._inside(name)

    def to_write(self, name: str) -> Path:
        """The path of a file that is to be saved.

        Raises:
            FileRefusedError: As for `to_read`, and when there are too many files already.
        """
        path = self._inside(name)
        if not path.exists():
            present = sum(1 for _ in path.parent.iterdir())
            if present >= self._most:
                raise FileRefusedError(f"the folder has {present} files, and {self._most} are allowed")
        return path

    def hide(self, text: str) -> str:
        """A text without the path of the folder, which is no business of those who ask."""
        return text if self._path is None else text.replace(f"{self._path}/", "").replace(str(self._path), "the folder")

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
