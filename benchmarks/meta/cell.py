"""`Cell`: an arm at a table, beside a shelf, with a tool in its hand."""

from __future__ import annotations

from dataclasses import dataclass

from kinetree import models
from kinetree.kinematics import Box, CollisionDetector, Cylinder, Geometry, Skeleton

#: Where a box or a cylinder stands: name, geometry, position (m) in the world.
Piece = tuple[str, Geometry, tuple[float, float, float]]

#: The arm stands on the table's edge, the shelf within its reach: two sides, a back, three boards, goods on them.
TABLE: tuple[Piece, ...] = (
    ("table top", Box(1.3, 1.6, 0.04), (0.75, 0.0, -0.03)),
    ("crate front", Box(0.02, 0.40, 0.16), (0.36, -0.42, 0.07)),
    ("crate back", Box(0.02, 0.40, 0.16), (0.68, -0.42, 0.07)),
    ("crate left", Box(0.30, 0.02, 0.16), (0.52, -0.23, 0.07)),
    ("crate right", Box(0.30, 0.02, 0.16), (0.52, -0.61, 0.07)),
    ("pillar", Cylinder(0.05, 1.0), (0.30, 0.55, 0.49)),
)
SHELF: tuple[Piece, ...] = (
    ("shelf left", Box(0.35, 0.02, 1.0), (0.75, 0.45, 0.49)),
    ("shelf right", Box(0.35, 0.02, 1.0), (0.75, -0.15, 0.49)),
    ("shelf back", Box(0.02, 0.60, 1.0), (0.93, 0.15, 0.49)),
    ("low board", Box(0.35, 0.58, 0.02), (0.75, 0.15, 0.25)),
    ("high board", Box(0.35, 0.58, 0.02), (0.75, 0.15, 0.60)),
    ("carton", Box(0.15, 0.12, 0.18), (0.78, 0.28, 0.35)),
    ("tin", Cylinder(0.05, 0.14), (0.72, 0.02, 0.33)),
)
#: A rod that the hand holds: its part beyond the tool point is what can hit things.
TOOL = Cylinder(0.015, 0.16)
#: Where the middle of the rod is on the tip (m).
TOOL_PLACE = (0.0, 0.0, 0.09)
#: Where targets are: above the table, in the crate, in the shelf; lowest and highest place of the tip (m).
TARGET_SPACE = ((0.25, -0.65, 0.0), (0.95, 0.65, 0.95))
#: Links that the tool may touch: those that hold it.
HOLDERS = {"panda": ("panda_hand", "panda_leftfinger", "panda_rightfinger"), "ur5": ("wrist_3_link",)}


@dataclass(frozen=True)
class Cell:
    """A robot with what stands around it.

    Attributes:
        name: Of the built-in robot.
        robot: At its rest positions.
        pieces: What stands around.
        detector: Of collisions, with pieces and tool.
    """

    name: str
    robot: Skeleton
    pieces: tuple[Piece, ...]
    detector: CollisionDetector


def make_cell(name: str) -> Cell:
    """The cell of a built-in robot."""
    robot = models.load(name)
    robot.positions = robot.clamp(robot.rest_positions)
    detector = CollisionDetector(robot)
    pieces = TABLE + SHELF
    for piece, geometry, position in pieces:
        detector.add(piece, geometry, (position, (0.0, 0.0, 0.0, 1.0)))
    place = (TOOL_PLACE, (0.0, 0.0, 0.0, 1.0))
    detector.attach("tool", TOOL, robot.tip, place, touches=HOLDERS.get(name, ()))
    return Cell(name, robot, pieces, detector)
