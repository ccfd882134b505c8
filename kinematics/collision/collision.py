"""`Collision`: whether something touches, and what."""

from __future__ import annotations

from typing import NamedTuple


class Collision(NamedTuple):
    """What a check found; false when nothing collides.

    Attributes:
        pair: Names of the two things that collide, the robot's first; None when nothing does.
        margin: The distance (m) below which these two count as colliding; 0 when they must touch.
    """

    pair: tuple[str, str] | None = None
    margin: float = 0.0

    def __bool__(self) -> bool:
        return self.pair is not None

    def __str__(self) -> str:
        if self.pair is None:
            return "no collision"
        first, second = self.pair
        if self.margin > 0.0:
            return f"{first!r} comes nearer than {self.margin:g} m to {second!r}"
        return f"{first!r} touches {second!r}"
