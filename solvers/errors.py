"""Exceptions of the solvers: something that a user plugged in does not keep its promises."""

from __future__ import annotations

from ..kinematics.errors import KinetreeError


class SolverError(KinetreeError, RuntimeError):
    """Base class of what goes wrong inside a solve. Not finding a solution is not an error."""


class GradientMethodError(SolverError):
    """A `GradientMethod` raised, or gave back something that is not a step."""


class ErrorMethodError(SolverError):
    """An `ErrorMethod` raised, gave back wrong shapes or values, or is not bound to a module."""


class ConstraintError(SolverError):
    """A constraint raised, or answered with something that is neither true nor false."""


class ObjectiveError(SolverError):
    """An objective raised, or its value or gradient is not finite or has the wrong shape."""
