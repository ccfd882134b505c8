"""Collisions of a robot with itself, with what it carries and with its surroundings."""

from .attached_object import AttachedObject
from .collision import Collision
from .collision_detector import CollisionDetector
from .collision_free import CollisionFree
from .contact import Contact
from .distance import Distance
from .excluded_pair import ExcludedPair
from .obstacle import Obstacle
from .srdf import Srdf

__all__ = [
    "AttachedObject",
    "Collision",
    "CollisionDetector",
    "CollisionFree",
    "Contact",
    "Distance",
    "ExcludedPair",
    "Obstacle",
    "Srdf",
]
