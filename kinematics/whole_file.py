"""`whole_file`: a file that appears whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import NotAFileError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Gives another path to write to, in the same folder, which takes the place of a file when the block ends well.

    What is there is replaced in one step and keeps its permissions; a link stays and leads to the new content. When
    the block raises, nothing has changed.

    Args:
        path: The file; ``~`` stands for the home folder.

    Raises:
        NotAFileError: A folder, a device, a pipe or the like is there, which is left alone.
        OSError: It cannot be written there.
    """
    target = Path(os.path.realpath(Path(path).expanduser()))
    if target.exists() and not target.is_file():
        raise NotAFileError(
            f"{str(path)!r} is a {_kind(target)} and no file, so it is not replaced; choose another name"
        )
    # In the same folder, so that taking its final name is one step that either happens or does not.
    beside = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}")
    try:
        yield beside
        if target.exists():
            shutil.copymode(target, beside)
        with beside.open("rb") as stream:
            os.fsync(stream.fileno())
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _kind(path: Path) -> str:
    if path.is_dir():
        return "folder"
    if path.is_fifo():
        return "pipe"
    if path.is_socket():
        return "socket"
    return "device"
