"""`CollisionFree`: the constraint that a robot touches nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..q_constraint import QConstraint
from ..transforms import Array

if TYPE_CHECKING:
    from .collision_detector import CollisionDetector


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

    def _is_free(self, q: Array) -> bool:
        return not self.detector.in_collision(q)

    def explain(self, q: Array) -> str:
        """The pair that touches, in words: ``"'panda_link5' touches 'table'"``; empty when none does."""
        collision = self.detector.check(q)
        return str(collision) if collision else ""
