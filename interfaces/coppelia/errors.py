"""Exceptions of this interface; each also derives from the matching built-in exception."""

from __future__ import annotations

from ...kinematics.errors import KinetreeError


class HandleError(KinetreeError, LookupError):
    """A handle is none, or nothing in the environment has it (any more)."""


class ErasedError(KinetreeError, LookupError):
    """An object, a group or an element was erased, and is used still."""


class NoEnvironmentError(KinetreeError, LookupError):
    """There is no present environment."""


class SaveFileError(KinetreeError, ValueError):
    """Saved kinematic content is damaged, cut off, or of another kind or version."""


class CallbackError(KinetreeError, RuntimeError):
    """A callback gave back something that cannot be used."""
