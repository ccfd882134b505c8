"""Exceptions of the kinematics layer; each also derives from the matching built-in exception."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class KinetreeError(Exception):
    """Base class of every exception that kinetree raises on purpose."""


class InvalidPoseError(KinetreeError, ValueError):
    """A pose argument is not finite, not a rigid transform, or not in an accepted form."""


class ShapeError(KinetreeError, ValueError):
    """An array has the wrong number of entries; nothing is ever broadcast."""


class InvalidValueError(KinetreeError, ValueError):
    """A number or option is outside what it may be (nan, infinite, negative, unknown choice)."""


class DuplicateNameError(KinetreeError, ValueError):
    """Two things of one skeleton would carry the same name."""


class StructureError(KinetreeError, ValueError):
    """The tree cannot be built or edited in the requested way."""


class DependencyCycleError(StructureError):
    """Joints would depend on each other in a circle."""


class GeometryError(KinetreeError, ValueError):
    """A shape cannot be used for collisions: its file is missing or unreadable, or its kind is not supported there."""


class NotAFileError(KinetreeError, OSError):
    """What is to be written would take the place of a folder, a device or the like."""


class SrdfError(KinetreeError, ValueError):
    """An SRDF file is unreadable, is no well-formed XML, or contradicts itself."""


class UnknownNameError(KinetreeError, KeyError):
    """No link, joint, degree of freedom, frame or robot has the given name."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would quote the whole message.
        return str(self.args[0]) if self.args else ""


class UnknownAttributeError(UnknownNameError, AttributeError):
    """An object has no option of the name that was set."""


def unknown_name(kind: str, name: str, known: Iterable[str], where: str) -> UnknownNameError:
    """Builds the error for a name that is not there, with the names that look like it.

    Args:
        kind: What was looked for, for example ``"frame"``.
        name: The name that was asked for.
        known: The names that exist.
        where: What was searched, for example ``"skeleton 'panda'"``.
    """
    return UnknownNameError(f"{where} has no {kind} {name!r}; {name_hint(name, known)}")


def name_hint(name: str, known: Iterable[str]) -> str:
    """Which of the names that exist look like one that does not; else what there is."""
    names = list(known)
    lowered = {each.lower(): each for each in names}
    close = [lowered[match] for match in difflib.get_close_matches(str(name).lower(), lowered, n=3, cutoff=0.6)]
    if close:
        return "did you mean " + " or ".join(repr(each) for each in close) + "?"
    if names:
        return f"there are: {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}"
    return "there are none"
