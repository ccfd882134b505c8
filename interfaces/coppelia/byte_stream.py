"""`ByteWriter`, `ByteReader`: numbers and texts as bytes, little-endian, with every length checked."""

from __future__ import annotations

import struct

from .errors import SaveFileError


class ByteWriter:
    """Collects bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def integers(self, *values: int) -> None:
        """64 bits each, signed."""
        self._parts.append(struct.pack(f"<{len(values)}q", *values))

    def reals(self, *values: float) -> None:
        """64 bits each; what was written is read bit by bit."""
        self._parts.append(struct.pack(f"<{len(values)}d", *values))

    def text(self, value: str) -> None:
        """Number of bytes, then UTF-8."""
        encoded = value.encode("utf-8", "surrogatepass")
        self.integers(len(encoded))
        self._parts.append(encoded)

    def bytes(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)


class ByteReader:
    """Takes bytes apart again.

    Args:
        data: What a `ByteWriter` wrote.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def _take(self, size: int) -> bytes:
        if size < 0 or size > len(self._data) - self._place:
            raise SaveFileError(f"the content ends at byte {len(self._data)}, within something that begins before")
        self._place += size
        return self._data[self._place - size : self._place]

    def integers(self, count: int) -> tuple[int, ...]:
        """So many whole numbers."""
        return struct.unpack(f"<{count}q", self._take(8 * count))

    def integer(self, lower: int, upper: int, what: str) -> int:
        """A whole number in a range, both ends included."""
        (value,) = self.integers(1)
        if not lower <= value <= upper:
            raise SaveFileError(f"{what} is {value}, which is not from {lower} to {upper}")
        return value

    def reals(self, count: int) -> tuple[float, ...]:
        """So many numbers."""
        return struct.unpack(f"<{count}d", self._take(8 * count))

    def text(self) -> str:
        """A text."""
        size = self.integer(0, len(self._data), "the length of a name")
        try:
            return self._take(size).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise SaveFileError("a name is no UTF-8") from None

    def end(self) -> None:
        """Raises unless all was read."""
        if self._place != len(self._data):
            raise SaveFileError(f"{len(self._data) - self._place} bytes are left over behind the content")
