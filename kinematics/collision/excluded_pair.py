"""`ExcludedPair`: two links that are never checked against each other, and why."""

from __future__ import annotations

from typing import NamedTuple


class ExcludedPair(NamedTuple):
    """Two things whose contact does not count.

    Attributes:
        first: Name of one.
        second: Name of the other.
        reason: Why, in words.
    """

    first: str
    second: str
    reason: str

    def __str__(self) -> str:
        return f"{self.first!r} and {self.second!r}: {self.reason}"
