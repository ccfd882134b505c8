"""What ``--avoid-collisions`` and ``--scene`` ask for: a robot in its surroundings."""

from __future__ import annotations

from typing import Annotated

import typer

from ...kinematics import CollisionDetector, Skeleton
from ...models import Scene, load_scene

SceneOption = Annotated[
    str | None,
    typer.Option("--scene", metavar="FILE", help="What is around the robot and what it carries: a scene file (TOML)."),
]


def read_detector(robot: Skeleton, scene_file: str | None) -> CollisionDetector:
    """A detector for a robot in the scene of a file; for the robot alone without one.

    Raises:
        KinetreeError: The file is wrong, it does not fit the robot, or the robot has no shapes.
    """
    scene = Scene() if scene_file is None else load_scene(scene_file)
    return scene.detector(robot)
