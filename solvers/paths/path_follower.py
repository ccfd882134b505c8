"""Following targets as far as each is next to the one before, by whatever engine can."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ...kinematics.transforms import Array
from ..engine import engine_for
from ..goals import as_target
from ..reason import Reason
from ..request import Request, make_request


class PathFollower(Protocol):
    """Something that follows a path."""

    def follow(self, goals: Array, arrays: dict[str, Any], first: int, continuity: float) -> int:
        """Solves targets in turn, each from the solution before it.

        Args:
            goals: (m, 4, 4).
            arrays: Of a `BatchSolution`; row ``first - 1`` is where the path begins. Written as far as it goes.
            first: Row of the first target.
            continuity: Largest change of a coordinate from one target to the next.

        Returns:
            The first row that was not reached within the continuity; m when all were.
        """


def make_follower(request: Request) -> PathFollower:
    """The follower for a module and its options."""
    if engine_for(request).name != "compiled":
        return ObjectFollower(request)
    from ..compiled.compiled_follower import CompiledFollower

    return CompiledFollower(request)


class ObjectFollower:
    """Target by target, in Python.

    Args:
        request: Module and options.
    """

    def __init__(self, request: Request) -> None:
        self._module = request.module
        self._method = request.error_method
        self._problem = request.problem.replaced(attempts=1)

    def follow(self, goals: Array, arrays: dict[str, Any], first: int, continuity: float) -> int:
        """See `PathFollower`."""
        for row in range(first, len(goals)):
            before = arrays["q"][row - 1]
            target = as_target(self._method, goals[row])
            request = make_request(self._module, target, self._problem, before, explains=False, warns=False)
            found = engine_for(request).solve(request)
            if not found.success or np.abs(found.q - before).max(initial=0.0) > continuity:
                return row
            for name in ("q", "success", "position_error", "orientation_error", "iterations", "attempts"):
                arrays[name][row] = getattr(found, name)
            arrays["reason"][row] = Reason.CONVERGED
        return len(goals)
