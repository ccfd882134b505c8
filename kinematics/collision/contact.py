"""`Contact`: where two things touch."""

from __future__ import annotations

from dataclasses import dataclass

from ..transforms import Array


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
        return f"{self.pair[0]!r} and {self.pair[1]!r} overlap by {self.depth:.4g} m"
