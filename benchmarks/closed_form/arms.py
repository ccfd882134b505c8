"""Arms of each kind with random lengths and angles, as robots."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree.interfaces.bench import Workload, workload, workload_of
from kinetree.kinematics import RevoluteJoint, Skeleton
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry

Array = NDArray[np.float64]
#: The name of an arm of six joints without any structure; the same one for a seed.
GENERAL = "general_6r"
#: Limits of all joints of random arms (rad).
LIMIT = np.pi
#: Smallest angle (rad) between neighbouring axes that are not meant to be parallel.
APART = 0.35


def arm_workload(name: str, count: int, seed: int = 0) -> Workload:
    """Targets for a built-in robot, or for `GENERAL`."""
    if name != GENERAL:
        return workload(name, count, seed)
    geometry = general(np.random.default_rng([seed, 4]))
    return workload_of(robot_of(geometry, GENERAL), GENERAL, count, seed)


def robot_of(geometry: ChainGeometry, name: str) -> Skeleton:
    """A robot of turning joints with the axes of a geometry."""
    robot = Skeleton(name)
    link = robot.add_link("base")
    for k, (axis, offset) in enumerate(zip(geometry.axes, geometry.offsets, strict=False), 1):
        joint = RevoluteJoint(f"joint_{k}", axis=axis, limits=(-LIMIT, LIMIT))
        link = robot.add_link(f"link_{k}", joint, link, pin.SE3(np.eye(3), np.array(offset)))
    tip = robot.add_link("tip", None, link, pin.SE3(np.array(geometry.tip_rotation), np.array(geometry.offsets[-1])))
    robot.tip = tip
    return robot


# Kinds of arms.


def general(rng: np.random.Generator) -> ChainGeometry:
    """Six axes anywhere."""
    return _made(rng, _axes(rng, 6), _offsets(rng, 6))


def offset_wrist(rng: np.random.Generator) -> ChainGeometry:
    """Axes 2 and 3 parallel, 4 and 5 meet, the last one misses them: as xArm 6 and CRX have it."""
    axes, offsets = _axes(rng, 6, parallel=(2,)), _offsets(rng, 6)
    offsets[4] = 0.0
    return _made(rng, axes, offsets)


def spherical_wrist(rng: np.random.Generator) -> ChainGeometry:
    """Axes 4, 5 and 6 meet in a point."""
    offsets = _offsets(rng, 6)
    offsets[4:6] = 0.0
    return _made(rng, _axes(rng, 6), offsets)


def spherical_wrist_two_parallel(rng: np.random.Generator) -> ChainGeometry:
    """Besides, axes 2 and 3 are parallel."""
    offsets = _offsets(rng, 6)
    offsets[4:6] = 0.0
    return _made(rng, _axes(rng, 6, parallel=(2,)), offsets)


def spherical_wrist_two_meeting(rng: np.random.Generator) -> ChainGeometry:
    """Besides, axes 1 and 2 meet."""
    offsets = _offsets(rng, 6)
    offsets[1], offsets[4:6] = 0.0, 0.0
    return _made(rng, _axes(rng, 6), offsets)


def spherical_wrist_at_base(rng: np.random.Generator) -> ChainGeometry:
    """The wrist carries the arm."""
    return spherical_wrist_two_parallel(rng).reversed()


def middle_parallel(rng: np.random.Generator) -> ChainGeometry:
    """Axes 2, 3 and 4 parallel, 5 and 6 meet: as Universal Robots have it, at any angles."""
    axes, offsets = _axes(rng, 6, parallel=(2, 3)), _offsets(rng, 6)
    offsets[5] = rng.normal(scale=0.3) * axes[4]
    return _made(rng, axes, offsets)


def middle_parallel_at_base(rng: np.random.Generator) -> ChainGeometry:
    """The same, base and tip exchanged: axes 3, 4 and 5 parallel."""
    return middle_parallel(rng).reversed()


def first_parallel(rng: np.random.Generator) -> ChainGeometry:
    """Axes 1, 2 and 3 parallel."""
    return _made(rng, _axes(rng, 6, parallel=(1, 2)), _offsets(rng, 6))


def spherical_shoulder_and_wrist(rng: np.random.Generator) -> ChainGeometry:
    """Seven joints: three meet at right angles in the shoulder, three in the wrist, as iiwa has it."""
    _, y, z = np.eye(3)
    upper, fore = rng.uniform(0.2, 0.6, 2)
    offsets = np.zeros((8, 3))
    offsets[0], offsets[3], offsets[4], offsets[7] = 0.3 * z, upper * z, fore * z, rng.uniform(0.05, 0.2) * z
    return _turned(rng, np.array([z, y, z, -y, z, y, z]), offsets)


def spherical_shoulder_offset_wrist(rng: np.random.Generator) -> ChainGeometry:
    """Seven joints: a spherical shoulder, an offset elbow, and a wrist whose last axis is offset, as Panda has it."""
    x, y, z = np.eye(3)
    upper, fore = rng.uniform(0.2, 0.6, 2)
    elbow, flange, tool = rng.uniform(0.05, 0.15, 3)
    offsets = np.zeros((8, 3))
    offsets[0], offsets[3], offsets[4] = 0.3 * z, upper * z + elbow * x, fore * z - elbow * x
    offsets[6], offsets[7] = flange * x, -tool * z
    return _turned(rng, np.array([z, y, z, -y, z, -y, -z]), offsets)


Maker = Callable[[np.random.Generator], ChainGeometry]


def _made(rng: np.random.Generator, axes: Array, offsets: Array) -> ChainGeometry:
    return ChainGeometry.made(axes, offsets, _rotation(rng))


def _turned(rng: np.random.Generator, axes: Array, offsets: Array) -> ChainGeometry:
    """The same arm standing anyhow."""
    rotation = _rotation(rng)
    return ChainGeometry.made(axes @ rotation.T, offsets @ rotation.T, _rotation(rng))


def _axes(rng: np.random.Generator, count: int, parallel: tuple[int, ...] = ()) -> Array:
    """Unit vectors (count, 3), parallel to the next one behind the joints of those places (from 1)."""
    axes = [_unit(rng)]
    while len(axes) < count:
        if len(axes) in parallel:
            axes.append(axes[-1] * rng.choice([-1.0, 1.0]))
            continue
        across = np.cross(axes[-1], _unit(rng))
        angle = rng.uniform(APART, np.pi - APART)
        axes.append(np.cos(angle) * axes[-1] + np.sin(angle) * across / np.linalg.norm(across))
    return np.array(axes)


def _offsets(rng: np.random.Generator, count: int) -> Array:
    return rng.normal(scale=0.3, size=(count + 1, 3))


def _unit(rng: np.random.Generator) -> Array:
    vector: Array = rng.normal(size=3)
    return vector / np.linalg.norm(vector)


def _rotation(rng: np.random.Generator) -> Array:
    quaternion = pin.Quaternion(rng.normal(size=4))
    quaternion.normalize()
    rotation: Array = quaternion.matrix()
    return rotation
