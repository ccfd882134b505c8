"""Exceptions of reachability maps."""

from __future__ import annotations

from ..errors import KinetreeError


class ReachabilityError(KinetreeError):
    """Base class of what goes wrong with reachability maps."""


class MapTooLargeError(ReachabilityError, MemoryError):
    """A map would take more memory than there is or than was allowed; nothing was allocated."""


class StaleMapError(ReachabilityError, RuntimeError):
    """The robot is no longer as it was when the map was made: its base moved, a joint outside the set, a limit."""


class MapMismatchError(ReachabilityError, ValueError):
    """Two maps have different cells, frames or kinds of values, so they cannot be put together or compared."""


class SymmetryError(ReachabilityError, ValueError):
    """An arm has not the symmetry that a reduced map needs."""


class DamagedMapError(ReachabilityError, ValueError):
    """A file is no reachability map, of another version, incomplete or changed."""


class WrongRobotError(ReachabilityError, ValueError):
    """A map was made for another robot."""


class WrongNodeSetError(ReachabilityError, ValueError):
    """A map was made for another node set: other joints, another tip or another base."""


class MissingPackageError(ReachabilityError, ImportError):
    """A package of an extra is not installed."""
