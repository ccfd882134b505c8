"""`Contact`: where two things touch."""

from __future__ import annotations

from dataclasses import dataclass

from ..transforms import Array

#: Depths (m) smaller than this are what rounding leaves of none.
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class Contact:
    """Two things that touch, at the place where they overlap most.

    Attributes:
        pair: Their names, the robot's first.
        depth: How far they overlap (m): by how much one must move along the normal to part them. Of meshes it is
            the depth of two triangles only. Negative when the two are apart but nearer than the margin.
        points: (2, 3) the deepest points of the first and of the second in the world.
        normal: (3,) unit vector in the world from the first towards the second.
    """

    pair: tuple[str, str]
    depth: float
    points: Array
    normal: Array

    def __str__(self) -> str:
        both = f"{self.pair[0]!r} and {self.pair[1]!r}"
        if abs(self.depth) < _NOTHING:
            return f"{both} touch"
        if self.depth < 0.0:
            return f"{both} are {-self.depth:.4g} m apart, which is less than the margin"
        return f"{both} overlap by {self.depth:.4g} m"
