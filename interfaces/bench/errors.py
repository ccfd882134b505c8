"""Exceptions of the measurements."""

from __future__ import annotations

from ...kinematics import KinetreeError


class BenchError(KinetreeError):
    """Base class of what goes wrong with measurements."""


class OwnSolverError(BenchError, ValueError):
    """A solver of the user's cannot be imported, is none, or cannot be made for the robot."""


class AnswerError(BenchError, ValueError):
    """What a solver gave for a target is no answer."""


class PlotError(BenchError, ValueError):
    """A picture cannot be drawn to the file that was named."""


class MissingPackageError(BenchError, ImportError):
    """A package of an extra is not installed."""
