"""Targets of the 16 types that a configuration fulfils, and what an answer misses of them, by their definitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree.kinematics import Frame, SimpleFrame, Skeleton, World, as_axis
from kinetree.solvers import (
    IkTarget,
    Lookat3D,
    Ray4D,
    Rotation3D,
    Transform6D,
    TranslationDirection5D,
    TranslationLocalGlobal6D,
    TranslationXYOrientation3D,
)
from kinetree.solvers.targets.ik_type import IkType

Array = NDArray[np.float64]
#: Where an angle is counted from, the axis that it is measured to, and the one that the direction is across, by type.
_CONES = {
    IkType.TRANSLATION_X_AXIS_ANGLE_4D: 0,
    IkType.TRANSLATION_Y_AXIS_ANGLE_4D: 1,
    IkType.TRANSLATION_Z_AXIS_ANGLE_4D: 2,
}
_PLANES = {
    IkType.TRANSLATION_X_AXIS_ANGLE_Z_NORM_4D: (0, 1, 2),
    IkType.TRANSLATION_Y_AXIS_ANGLE_X_NORM_4D: (1, 2, 0),
    IkType.TRANSLATION_Z_AXIS_ANGLE_Y_NORM_4D: (2, 0, 1),
}


@dataclass(frozen=True)
class Drawn:
    """A target, where it was made, and a configuration to start from.

    Attributes:
        target: What to solve.
        seed: Configuration (n,), elsewhere at random.
        reference: Pose of what the target's values are relative to.
    """

    target: IkTarget
    seed: Array
    reference: pin.SE3


def draw(
    kind: type[IkTarget], robot: Skeleton, places: Sequence[int], direction: str | None, rng: np.random.Generator
) -> Drawn:
    """A target that the robot fulfils somewhere inside its limits.

    Args:
        kind: Its class.
        robot: At its rest positions, where what does not move stays.
        places: Degrees of freedom that move.
        direction: The tool's; the usual one when None.
        rng: Draws.
    """
    witness, seed = (robot.random_positions(rng, places) for _ in range(2))
    pose = robot.state(witness).transform(robot.tip)
    tool = as_axis(kind.tool_axis if direction is None else direction)
    pointing = pose.rotation @ tool
    options: dict[str, Any] = {"tool_direction": tool} if kind.has_tool_direction() else {}
    reference: Frame | None = None
    base = pin.SE3.Identity()
    if kind is Lookat3D:
        return Drawn(kind(pose.translation + rng.uniform(0.1, 1.0) * pointing, **options), seed, base)
    if kind is Ray4D:
        return Drawn(kind(pose.translation + rng.uniform(-0.5, 0.5) * pointing, pointing, **options), seed, base)
    if kind is TranslationLocalGlobal6D:
        local = rng.normal(scale=0.1, size=3)
        return Drawn(kind(local, pose.act(local)), seed, base)
    if kind.ik_type in _PLANES and abs(pointing[_PLANES[kind.ik_type][2]]) > 1e-9:
        # The tool of this arm is in the plane of a reference that stands askew.
        base = _with_axis_across(pointing, _PLANES[kind.ik_type][2], rng)
        reference = SimpleFrame("askew", World(), base)
    directed = {"direction": tool} if kind.has_tool_direction() else {}
    return Drawn(kind.from_pose(base.actInv(pose), reference=reference, **directed), seed, base)


def missing(drawn: Drawn, pose: pin.SE3) -> tuple[float, float]:
    """Distance (m) and angle (rad) that the tool at a pose misses a target by."""
    target = drawn.target
    at = drawn.reference.actInv(pose)
    kind, goal, pointing = target.ik_type, target.goal, at.rotation @ target.tool_direction
    point, wanted = goal[:3, 3], goal[0, :3]
    away = at.translation - point
    if isinstance(target, Transform6D):
        return float(np.linalg.norm(away)), _turn(at.rotation, goal[:3, :3])
    if isinstance(target, Rotation3D):
        return 0.0, _turn(at.rotation, goal[:3, :3])
    if isinstance(target, TranslationLocalGlobal6D):
        return float(np.linalg.norm(at.act(np.diag(goal)[:3]) - point)), 0.0
    if isinstance(target, Lookat3D):
        return 0.0, _angle(pointing, -away)
    if isinstance(target, Ray4D):
        return float(np.linalg.norm(away - away.dot(wanted) * wanted)), _angle(pointing, wanted)
    if kind is IkType.DIRECTION_3D:
        return 0.0, _angle(pointing, wanted)
    if isinstance(target, TranslationDirection5D):
        return float(np.linalg.norm(away)), _angle(pointing, wanted)
    if kind is IkType.TRANSLATION_3D:
        return float(np.linalg.norm(away)), 0.0
    if kind is IkType.TRANSLATION_XY_2D:
        return float(np.linalg.norm(away[:2])), 0.0
    value = goal[0, 0]
    if isinstance(target, TranslationXYOrientation3D):
        return float(np.linalg.norm(away[:2])), _difference(np.arctan2(pointing[1], pointing[0]), value)
    if kind in _CONES:
        return float(np.linalg.norm(away)), abs(_angle(pointing, np.eye(3)[_CONES[kind]]) - value)
    first, second, _ = _PLANES[kind]
    return float(np.linalg.norm(away)), _angle(
        pointing, np.cos(value) * np.eye(3)[first] + np.sin(value) * np.eye(3)[second]
    )


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a.dot(b)))


def _difference(a: float, b: float) -> float:
    return abs(float((a - b + np.pi) % (2.0 * np.pi) - np.pi))


def _turn(reached: Array, wanted: Array) -> float:
    return float(np.linalg.norm(pin.log3(wanted.T @ reached)))


def _with_axis_across(pointing: Array, axis: int, rng: np.random.Generator) -> pin.SE3:
    """A frame anywhere, one of whose axes is at right angles to a direction."""
    normal = np.cross(pointing, rng.normal(size=3))
    normal /= np.linalg.norm(normal)
    other = np.cross(normal, rng.normal(size=3))
    other /= np.linalg.norm(other)
    columns = np.empty((3, 3))
    columns[:, axis], columns[:, (axis + 1) % 3] = normal, other
    columns[:, (axis + 2) % 3] = np.cross(normal, other)
    return pin.SE3(columns, rng.normal(scale=0.2, size=3))
