"""Exceptions of the viewer."""

from __future__ import annotations

from ...kinematics import KinetreeError


class ViewerError(KinetreeError):
    """Base class of what goes wrong with the viewer."""


class MissingViewerPackageError(ViewerError, ImportError):
    """viser, which draws in the browser, is not installed."""


class ViewerStoppedError(ViewerError, RuntimeError):
    """The viewer was stopped, so nothing can be shown."""
