"""`Distance`: how near the nearest two things are."""

from __future__ import annotations

from dataclasses import dataclass

from ..transforms import Array


@dataclass(frozen=True, eq=False, slots=True)
class Distance:
    """The smallest distance of all pairs that are checked, or of those with an obstacle.

    Attributes:
        value: Metres; negative by the depth when the two overlap (meshes that touch: zero). Infinite when there
            is no pair to check.
        pair: Names of the two, the robot's first; None when there is no pair to check.
        points: (2, 3) the nearest points of the first and of the second in the world; None when there is no pair.
    """

    value: float
    pair: tuple[str, str] | None
    points: Array | None

    def __str__(self) -> str:
        if self.pair is None:
            return "nothing to be near to"
        return f"{self.pair[0]!r} to {self.pair[1]!r}: {self.value + 0.0:.4g} m"
