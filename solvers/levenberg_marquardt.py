"""`LevenbergMarquardt`: damped least squares whose damping vanishes with the error; the default method."""

from __future__ import annotations

import math

from ..kinematics import InvalidValueError
from ..kinematics.transforms import Array
from . import defaults
from .damped_solve import damped_solve, damped_solve_reference
from .gradient_method import GradientMethod
from .pace import FAST


class LevenbergMarquardt(GradientMethod):
    """g = J^T (J J^T + mu I)^-1 e with mu = damping e.e + floor.

    Far from the goal it is careful, near it it converges quadratically, also at singular goals, as no fixed
    damping does. Damping in proportion to the squared error is from Sugihara, "Solvability-unconcerned
    inverse kinematics by the Levenberg-Marquardt method", IEEE Transactions on Robotics 27(5), 2011. The
    factor is our own: over random poses of 6- and 7-joint arms 0.01 needs the fewest iterations in all
    restarts together.

    Args:
        damping: Factor of the squared error.
        floor: What remains at the goal; it keeps the matrix positive definite.
    """

    pace = FAST
    _is_trusted = True

    def __init__(self, damping: float = defaults.DAMPING, floor: float = defaults.DAMPING_FLOOR) -> None:
        self.damping = damping
        self.floor = floor

    @property
    def damping(self) -> float:
        """Factor of the squared error."""
        return self._damping

    @damping.setter
    def damping(self, damping: float) -> None:
        if not (math.isfinite(damping) and damping >= 0.0):
            raise InvalidValueError(f"damping must be zero or more and finite, not {damping}")
        self._damping = float(damping)
        self._options_changed()

    @property
    def floor(self) -> float:
        """Damping that remains at the goal."""
        return self._floor

    @floor.setter
    def floor(self, floor: float) -> None:
        if not (math.isfinite(floor) and floor > 0.0):
            raise InvalidValueError(f"floor must be positive and finite, not {floor}")
        self._floor = float(floor)
        self._options_changed()

    def gradient(self, jacobian: Array, error: Array) -> Array:
        """See the class."""
        return damped_solve(jacobian, error, self._damping * error.dot(error) + self._floor)

    def reference(self, jacobian: Array, error: Array) -> Array:
        """The same in plain NumPy."""
        return damped_solve_reference(jacobian, error, self._damping * float(error @ error) + self._floor)
