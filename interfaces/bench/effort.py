"""`Effort`: how hard each target is tried."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...kinematics import InvalidValueError

#: What counts as reached (m, rad): what the solvers take by default.
TOLERANCE = 1e-6
#: Seconds for a target. The slowest built-in method takes 0.1 s for most targets that it solves at all.
TIMEOUT = 0.5


@dataclass(frozen=True)
class Effort:
    """How hard each target is tried.

    Attributes:
        tolerance: What counts as reached, in metres and radians; solvers are told, and answers are checked with it.
        attempts: Starts from random places at most; each solver's own number when None.
        timeout: Seconds for a target. Solvers of the user's that take none are not interrupted.

    Raises:
        InvalidValueError: A number that is not positive, or not finite.
    """

    tolerance: float = TOLERANCE
    attempts: int | None = None
    timeout: float = TIMEOUT

    def __post_init__(self) -> None:
        for name in ("tolerance", "timeout"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                raise InvalidValueError(f"{name} must be positive and finite, not {value}")
        if self.attempts is not None and self.attempts < 1:
            raise InvalidValueError(f"attempts must be at least 1, not {self.attempts}")
