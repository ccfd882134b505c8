"""Bytes behind a seal: a header of a fixed size that tells how many there are and their SHA-256.

HDF5 leaves room for such a header in front of what it reads, its *user block*, so a sealed file is ordinary HDF5 all
the same. The seal is checked as plain bytes before HDF5 sees any of them, for a changed byte in its own structures can
make it read for ever.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import BinaryIO

from ..errors import NotAFileError
from .errors import DamagedMapError, MapTooLargeError
from .memory import memory_limit, size_text

#: Of the layout of a file. Version 1 had no seal.
VERSION = 2
#: Bytes of the header: the least that HDF5 takes.
HEADER = 512
_TITLE = b"kinetree reachability map\n"
_FIELDS = re.compile(rb"version (\d{1,9})\nbytes (\d{1,18})\nsha256 ([0-9a-f]{64})\n")
_HDF5 = b"\x89HDF\r\n\x1a\n"
#: Bytes that are written at once.
_PART = 1 << 24


def write_sealed(stream: BinaryIO, whole: memoryview) -> None:
    """Writes what has room for a seal in front, with its seal."""
    content = whole[HEADER:]
    stream.write(_header(VERSION, len(content), hashlib.sha256(content).hexdigest()))
    for start in range(0, len(content), _PART):
        stream.write(content[start : start + _PART])


def read_sealed(path: Path, max_memory: int | None) -> bytes:
    """All bytes of a file, once they were found to be what was written.

    Args:
        path: Of the file.
        max_memory: Bytes that a map may take; see `memory_limit`. What is compressed takes no more.

    Raises:
        FileNotFoundError: There is no such file.
        NotAFileError: A folder, a pipe or the like has that name; it is not read.
        OSError: It cannot be read.
        DamagedMapError: It is no map, of another version, incomplete or changed.
        MapTooLargeError: There is more of it than a map may take.
    """
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    if not path.is_file():  # a pipe would be waited at for ever
        raise NotAFileError(f"{path} is no file, so no map is read from it")
    with path.open("rb") as stream:
        length, digest = _checked_header(path, stream.read(HEADER))
        found = os.fstat(stream.fileno()).st_size - HEADER
        if found != length:
            raise DamagedMapError(f"{path} is incomplete or was changed: it has {found} bytes of content, not {length}")
        limit, where = memory_limit(max_memory)
        if length > 1.01 * limit + 2**20:  # what cannot be compressed gets a little larger, and there is the rest
            raise MapTooLargeError(f"{path} has {size_text(length)}, and {where} is {size_text(limit)}")
        stream.seek(0)
        whole = stream.read(HEADER + length)
    if len(whole) != HEADER + length or hashlib.sha256(memoryview(whole)[HEADER:]).hexdigest() != digest:
        raise DamagedMapError(f"{path} is damaged: what is in it does not add up to its checksum")
    return whole


def _header(version: int, length: int, digest: str) -> bytes:
    text = _TITLE + f"version {version}\nbytes {length}\nsha256 {digest}\n".encode("ascii")
    return text.ljust(HEADER, b"\0")


def _checked_header(path: Path, header: bytes) -> tuple[int, str]:
    """How many bytes follow, and their digest."""
    if header.startswith(_HDF5):
        raise DamagedMapError(
            f"{path} is an HDF5 file, but no reachability map of version {VERSION}; one that an older kinetree wrote "
            "has to be made anew"
        )
    if not header.startswith(_TITLE):
        raise DamagedMapError(f"{path} is no reachability map")
    found = _FIELDS.match(header, len(_TITLE))
    if found is None:
        raise DamagedMapError(f"{path} is damaged: its header is not readable")
    version, length, digest = int(found[1]), int(found[2]), found[3].decode("ascii")
    if version != VERSION:
        raise DamagedMapError(
            f"{path} is of version {version}, and this kinetree reads version {VERSION}; make the map anew"
        )
    if header != _header(version, length, digest):
        raise DamagedMapError(f"{path} is damaged: its header was changed")
    return length, digest
