"""Targets of every kind that are fulfilled at some configuration, and what each kind means, written down anew."""

import math

import numpy as np

from kinetree.solvers import (
    Direction3D,
    Lookat3D,
    Ray4D,
    Rotation3D,
    Transform6D,
    Translation3D,
    TranslationDirection5D,
    TranslationLocalGlobal6D,
    TranslationXAxisAngle4D,
    TranslationXAxisAngleZNorm4D,
    TranslationXY2D,
    TranslationXYOrientation3D,
    TranslationYAxisAngle4D,
    TranslationYAxisAngleXNorm4D,
    TranslationZAxisAngle4D,
    TranslationZAxisAngleYNorm4D,
)

CLASSES = [
    Transform6D,
    Rotation3D,
    Translation3D,
    Direction3D,
    Ray4D,
    Lookat3D,
    TranslationDirection5D,
    TranslationXY2D,
    TranslationXYOrientation3D,
    TranslationLocalGlobal6D,
    TranslationXAxisAngle4D,
    TranslationYAxisAngle4D,
    TranslationZAxisAngle4D,
    TranslationXAxisAngleZNorm4D,
    TranslationYAxisAngleXNorm4D,
    TranslationZAxisAngleYNorm4D,
]
X, Y, Z = np.eye(3)
#: For the last three: the axis that the angle is counted from, and the one that it is counted towards.
PLANES = {
    TranslationXAxisAngleZNorm4D: (X, Y),
    TranslationYAxisAngleXNorm4D: (Y, Z),
    TranslationZAxisAngleYNorm4D: (Z, X),
}
AXES = {TranslationXAxisAngle4D: X, TranslationYAxisAngle4D: Y, TranslationZAxisAngle4D: Z}


def fulfilled(kind, pose, rng, reference=None, plain=False):
    """A target of a kind that a pose fulfils, with a random direction of the tool unless it is to be ``plain``."""
    if kind in PLANES:
        start, towards = PLANES[kind]
        angle = rng.uniform(-math.pi, math.pi)
        direction = pose.rotation.T @ (math.cos(angle) * start + math.sin(angle) * towards)
        return kind.from_pose(pose, direction, reference=reference)
    if kind is TranslationLocalGlobal6D:
        return kind.from_pose(pose, local=rng.uniform(-0.1, 0.1, 3), reference=reference)
    if plain or not kind.has_tool_direction():
        return kind.from_pose(pose, reference=reference)
    return kind.from_pose(pose, rng.normal(size=3), reference=reference)


def misses(target, pose):
    """Distance (m) and angle (rad) by which a pose of the tool, in the reference, misses a target."""
    kind = type(target)
    at, pointing = pose.translation, pose.rotation @ target.tool_direction
    if kind is Transform6D:
        return float(np.linalg.norm(at - target.pose.translation)), turn(pose.rotation, target.pose.rotation)
    if kind is Rotation3D:
        return 0.0, turn(pose.rotation, target.rotation)
    if kind is Direction3D:
        return 0.0, angle(pointing, target.direction)
    if kind is Lookat3D:
        return 0.0, angle(pointing, target.point - at)
    if kind is Ray4D:
        return float(np.linalg.norm(np.cross(target.direction, at - target.point))), angle(pointing, target.direction)
    if kind is TranslationLocalGlobal6D:
        return float(np.linalg.norm(pose.act(target.local) - target.point)), 0.0
    size = len(target.point)
    away = float(np.linalg.norm(at[:size] - target.point))
    if kind is TranslationDirection5D:
        return away, angle(pointing, target.direction)
    if kind is TranslationXYOrientation3D:
        return away, abs(math.remainder(math.atan2(pointing[1], pointing[0]) - target.angle, 2.0 * math.pi))
    if kind in AXES:
        return away, abs(angle(pointing, AXES[kind]) - target.angle)
    if kind in PLANES:
        start, towards = PLANES[kind]
        return away, angle(pointing, math.cos(target.angle) * start + math.sin(target.angle) * towards)
    return away, 0.0


def angle(a, b):
    """Between two vectors, in [0, pi]."""
    return math.atan2(float(np.linalg.norm(np.cross(a, b))), float(np.dot(a, b)))


def turn(a, b):
    """Angle between two rotations, in [0, pi], by the chord between them."""
    return 2.0 * math.asin(min(1.0, float(np.linalg.norm(a - b)) / math.sqrt(8.0)))
