"""`KnownAttributes`: an attribute that a class does not have cannot be set by mistake."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .errors import UnknownAttributeError, name_hint

#: How the modules of ours are named.
_OURS = f"{str(__package__).partition('.')[0]}."


class KnownAttributes:
    """Refuses public attributes that the class does not have, so that a mistyped option is not taken in silence.

    A class has what it or one of its bases defines or annotates. Names that begin with an underscore are free, and so
    is everything in objects of classes that others derive from ours.
    """

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers take a class with this method for one that has any attribute

        def __setattr__(self, name: str, value: Any) -> None:
            if name[0] != "_":
                own = type(self)
                if own.__module__.startswith(_OURS) and name not in _names_of(own) and not hasattr(own, name):
                    raise unknown_option(own.__name__, name, _options_of(own))
            object.__setattr__(self, name, value)


def unknown_option(kind: str, name: str, known: Iterable[str]) -> UnknownAttributeError:
    """The error for an option that the objects of a class do not have, with those that look like it."""
    return UnknownAttributeError(f"{kind} has no option {name!r}; {name_hint(name, known)}")


@functools.cache
def _names_of(own: type) -> frozenset[str]:
    """All names that a class and its bases define or annotate."""
    return frozenset(name for each in own.__mro__ for name in (*vars(each), *inspect.get_annotations(each)))


@functools.cache
def _options_of(own: type) -> tuple[str, ...]:
    """The names that are there to be set."""
    return tuple(name for name in sorted(_names_of(own)) if name[0] != "_" and _is_option(own, name))


def _is_option(own: type, name: str) -> bool:
    value = inspect.getattr_static(own, name, None)
    if isinstance(value, property):
        return value.fset is not None
    annotated = next((note for each in own.__mro__ if (note := inspect.get_annotations(each).get(name))), "")
    return not (callable(value) or isinstance(value, classmethod | staticmethod) or "ClassVar" in str(annotated))
