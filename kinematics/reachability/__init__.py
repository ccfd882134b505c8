"""Reachability: where the tip of a node set can go."""

from .arm_symmetry import ArmSymmetry
from .base_placement import BaseRanking, bases_on_plane, rank_bases
from .errors import (
    DamagedMapError,
    MapMismatchError,
    MapTooLargeError,
    MissingPackageError,
    ReachabilityError,
    StaleMapError,
    SymmetryError,
    WrongNodeSetError,
    WrongRobotError,
)
from .map_comparison import MapComparison
from .map_record import MapRecord
from .pose_grid import PoseGrid
from .pose_index import PoseIndex
from .reachability_map import ReachabilityMap
from .symmetric_grid import SymmetricGrid

__all__ = [
    "ArmSymmetry",
    "BaseRanking",
    "DamagedMapError",
    "MapComparison",
    "MapMismatchError",
    "MapRecord",
    "MapTooLargeError",
    "MissingPackageError",
    "PoseGrid",
    "PoseIndex",
    "ReachabilityError",
    "ReachabilityMap",
    "StaleMapError",
    "SymmetricGrid",
    "SymmetryError",
    "WrongNodeSetError",
    "WrongRobotError",
    "bases_on_plane",
    "rank_bases",
]
