"""`Notes`: what a reader repaired or left out."""

from __future__ import annotations

#: More names than this are counted, not listed.
_SHOWN = 6


class Notes:
    """Collects remarks, so that fifty joints with the same defect make one sentence and not fifty."""

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}

    def add(self, remark: str, name: str | None = None) -> None:
        """Adds a remark.

        Args:
            remark: What was done, in words that fit one or many things.
            name: The thing that it was done to; the same remark about others joins it.
        """
        names = self._names.setdefault(remark, [])
        if name is not None and name not in names:
            names.append(name)

    def sentences(self) -> list[str]:
        """One sentence for each remark, in the order in which they came up."""
        return [_sentence(remark, names) for remark, names in self._names.items()]


def _sentence(remark: str, names: list[str]) -> str:
    if not names:
        return remark
    listed = ", ".join(repr(name) for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{remark}: {listed}" + (f" and {more} more" if more > 0 else "")
