"""`AttachedObject`: something that a robot carries."""

from __future__ import annotations

from dataclasses import dataclass, field

import pinocchio as pin

from ..errors import StructureError
from ..frame import Frame
from ..link import Link
from ..shapes import Shape
from ..skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class AttachedObject:
    """Shapes that go with a frame of a robot; made by `CollisionDetector.attach`, never directly.

    Attributes:
        name: Unique among the links, obstacles and attached objects of a detector.
        shapes: What it is made of.
        frame: The frame of the robot that carries it.
        placement: Its pose in that frame; do not change it.
        touches: Names of the links and other things that it may touch.
    """

    name: str
    shapes: tuple[Shape, ...]
    frame: Frame
    placement: pin.SE3 = field(repr=False)
    touches: frozenset[str] = frozenset()

    def link_of(self, skeleton: Skeleton) -> Link:
        """The link that carries it.

        Raises:
            StructureError: The frame is no longer one of the robot's.
        """
        link = self.frame.link
        if link is None or link.skeleton is not skeleton:
            raise StructureError(
                f"attached object {self.name!r} hangs on frame {self.frame.name!r}, which is not part of "
                f"{skeleton.name!r} (any more); detach it, or attach it to another frame"
            )
        return link

    def pose_in(self, link: Link) -> pin.SE3:
        """Its present pose in the link that carries it."""
        offset = self.frame._pose_in(link)
        if offset is None:
            offset = self.frame.transform(link)
        return offset * self.placement
