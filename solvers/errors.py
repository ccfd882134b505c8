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


class TooManySolutionsError(SolverError):
    """There are more solutions than were asked for at most."""


class IkFastError(SolverError):
    """Generated code cannot be built, loaded or used with a robot."""


class IkFastBuildError(IkFastError):
    """There is no compiler, or it refuses the generated code."""


class IkFastLibraryError(IkFastError):
    """A file is no library of generated code, or a damaged one."""


class IkFastFileNotFoundError(IkFastLibraryError, FileNotFoundError):
    """There is no such library."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class IkFastSymbolError(IkFastLibraryError):
    """A library lacks functions that generated code has, or needs others that are nowhere.

    Attributes:
        symbols: Their names.
    """

    def __init__(self, message: str, symbols: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.symbols = symbols


class IkFastMismatchError(IkFastError):
    """Generated code is for another robot, or for other frames of it, or its hooks contradict each other."""
