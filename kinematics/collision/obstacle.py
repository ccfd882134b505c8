"""`Obstacle`: something in the robot's surroundings."""

from __future__ import annotations

from dataclasses import dataclass, field

import pinocchio as pin

from ..errors import StructureError
from ..frame import Frame
from ..shapes import Shape
from ..skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Obstacle:
    """Shapes that a robot must not touch; made by `CollisionDetector.add`, never directly.

    Attributes:
        name: Unique among the links, obstacles and attached objects of a detector.
        shapes: What it is made of.
        placement: Its pose in ``parent``; do not change it, use `CollisionDetector.move`.
        parent: The frame that it hangs on and moves with; None for the world.
    """

    name: str
    shapes: tuple[Shape, ...]
    placement: pin.SE3 = field(repr=False)
    parent: Frame | None = None

    def transform(self) -> pin.SE3:
        """Its present pose in the world, as a new object."""
        if self.parent is None:
            return pin.SE3(self.placement)
        return self.parent._world_transform() * self.placement

    def check_parent(self, skeleton: Skeleton) -> None:
        """Refuses an obstacle that hangs on the robot itself.

        Raises:
            StructureError: A link of the skeleton carries the parent frame.
        """
        if self.parent is not None and self.parent.skeleton is skeleton:
            raise StructureError(
                f"obstacle {self.name!r} hangs on frame {self.parent.name!r} of {skeleton.name!r} itself; what the "
                "robot carries is attached with CollisionDetector.attach"
            )
