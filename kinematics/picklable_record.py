"""`PicklableRecord`: frozen dataclasses with read-only mappings can be copied and pickled."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, TypeVar

_Record = TypeVar("_Record", bound="PicklableRecord")


class PicklableRecord:
    """Gives a dataclass back from its fields, since Python pickles no ``MappingProxyType``."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        values = [getattr(self, each.name) for each in dataclasses.fields(self)]  # type: ignore[arg-type]
        read_only = tuple(isinstance(value, MappingProxyType) for value in values)
        plain = [dict(value) if hidden else value for value, hidden in zip(values, read_only, strict=True)]
        return _restored, (type(self), read_only, *plain)


def _restored(kind: type[_Record], read_only: tuple[bool, ...], *values: Any) -> _Record:
    return kind(*[MappingProxyType(each) if hidden else each for each, hidden in zip(values, read_only, strict=True)])
