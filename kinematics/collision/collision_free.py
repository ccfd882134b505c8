"""`CollisionFree`: the constraint that a robot touches nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..q_constraint import QConstraint
from ..transforms import Array
from .collision import Collision

if TYPE_CHECKING:
    from ..skeleton import Skeleton
    from .collision_detector import CollisionDetector

#: Pairs that an explanation names.
_NAMED = 3


class CollisionFree(QConstraint):
    """Accepts the configurations at which a detector finds no collision, in the world as it is when asked.

    Args:
        detector: What is asked.

    Attributes:
        detector: What is asked.
    """

    def __init__(self, detector: CollisionDetector) -> None:
        super().__init__(self._is_free, "collision")
        self.detector = detector

    @property
    def skeleton(self) -> Skeleton:
        """The robot whose configurations it takes."""
        return self.detector.skeleton

    def _is_free(self, q: Array) -> bool:
        return not self.detector.in_collision(q)

    def collisions(self, q: Array) -> tuple[Collision, ...]:
        """All pairs that collide at q (n,), those that overlap most first."""
        detector = self.detector
        contacts = sorted(detector.contacts(q), key=lambda contact: -contact.depth)
        return tuple(
            Collision(each.pair, detector.margin if each.pair[1] in detector.obstacles else detector.self_margin)
            for each in contacts
        )

    def explain(self, q: Array) -> str:
        """The pairs that touch, in words: ``"'panda_link5' touches 'table'"``; empty when none does.

        Of several, three are named, those that overlap most.

        Args:
            q: Configuration (n,).
        """
        found = self.collisions(q)
        return ", ".join(map(str, found[:_NAMED])) + (", ..." if len(found) > _NAMED else "")
