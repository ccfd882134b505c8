"""`RecentlyUsed`: the things that were used last, made when they are missing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any


class RecentlyUsed:
    """Keeps a number of things by key; the one that was used longest ago goes first. Used by one thread at a time.

    Args:
        most: How many.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What is kept under a key, else what is made now; nothing is kept when making it fails."""
        found = self._kept.pop(key) if key in self._kept else make()
        self._kept[key] = found  # dictionaries keep the order of adding
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return found

    def __len__(self) -> int:
        return len(self._kept)

    def __repr__(self) -> str:
        return f"<RecentlyUsed {len(self)} of {self._most}>"
