"""`IterativeIK`: an `InvKinSolver` that iterates from a start."""

from __future__ import annotations

import math

import numpy as np

from ..kinematics import InvalidValueError
from . import defaults
from .inv_kin_solver import InvKinSolver


class IterativeIK(InvKinSolver):
    """A solver that goes from the given state towards the pose, step by step.

    Attributes: see `max_error` and `max_iterations`.
    """

    _max_error: float = defaults.POSITION_TOLERANCE
    _max_iterations: int = defaults.SINGLE_ITERATIONS

    @property
    def max_error(self) -> float:
        """What counts as there: distance (m) and angle (rad) at most this."""
        return self._max_error

    @max_error.setter
    def max_error(self, value: float) -> None:
        if not (math.isfinite(value) and value > 0.0):
            raise InvalidValueError(f"max_error must be positive and finite, not {value}")
        self._max_error = float(value)

    @property
    def max_iterations(self) -> int:
        """Iterations of a solve, at most."""
        return self._max_iterations

    @max_iterations.setter
    def max_iterations(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
            raise InvalidValueError(f"max_iterations must be a whole number of at least 0, not {value!r}")
        self._max_iterations = int(value)
