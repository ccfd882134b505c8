"""`check_object_file`: looks at a shared library before the loader does, which trusts what it finds."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from ..errors import IkFastFileNotFoundError, IkFastLibraryError

_SHARED_OBJECT = 3
_LOADED_SEGMENT = 1


def check_object_file(path: Path) -> None:
    """Refuses files that are no shared library, or of which a part is missing.

    The loader maps what the file's header promises; touching a page beyond the end of a truncated file ends the
    process.

    Raises:
        IkFastFileNotFoundError: There is no such file.
        IkFastLibraryError: It is none, or damaged.
    """
    if not path.exists():
        raise IkFastFileNotFoundError(f"there is no library {str(path)!r}")
    if not path.is_file():
        raise IkFastLibraryError(f"{str(path)!r} is no file")
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise IkFastLibraryError(f"cannot read {str(path)!r}: {problem.strerror}") from problem
    if sys.platform == "linux":
        fault = _elf_fault(content)
        if fault:
            raise IkFastLibraryError(f"{str(path)!r} {fault}{_hint(content)}")


def _hint(content: bytes) -> str:
    head = content[:4000]
    if b"#include" in head or b"ikfast" in head.lower():
        return "; it looks like source code: `kinetree ikfast build FILE.cpp -o LIBRARY.so` makes a library of it"
    return ""


def _elf_fault(content: bytes) -> str | None:
    """What is wrong with an ELF file; None for nothing."""
    if content[:4] != b"\x7fELF":
        return "is no shared library"
    if len(content) < 64:
        return "is damaged: its header is cut off"
    word, order = content[4], content[5]
    if (word == 2) != (sys.maxsize > 2**32) or (order == 1) != (sys.byteorder == "little"):
        return "is a library for another kind of processor"
    prefix = "<" if order == 1 else ">"
    # Of the header: type, machine, version, entry, program headers' place, sections' place, flags, sizes and counts.
    fields = struct.unpack_from(prefix + ("HHIQQQIHHHHHH" if word == 2 else "HHIIIIIHHHHHH"), content, 16)
    kind, start, size, count = fields[0], fields[4], fields[8], fields[9]
    if kind != _SHARED_OBJECT:
        return "is no shared library (an object file or a program)"
    segment = prefix + ("IIQQQQQQ" if word == 2 else "IIIIIIII")
    if count == 0 or size < struct.calcsize(segment) or start + count * size > len(content):
        return "is damaged: its table of segments is cut off"
    for k in range(count):
        entry = struct.unpack_from(segment, content, start + k * size)
        offset, length = (entry[2], entry[5]) if word == 2 else (entry[1], entry[4])
        if entry[0] == _LOADED_SEGMENT and offset + length > len(content):
            return f"is damaged: {offset + length - len(content)} bytes at its end are missing"
    return None
