"""Targets drawn at random, and along a motion; all of them can be reached."""

from __future__ import annotations

import zlib

import numpy as np

from ... import models
from ...kinematics import Frame, InvalidValueError, Skeleton, StructureError
from .reachable_targets import Workload

#: Largest step of a joint between two points of a path (rad, m).
PATH_STEP = 0.01


def workload(name: str, count: int, seed: int = 0) -> Workload:
    """Targets for a built-in robot.

    Args:
        name: The robot.
        count: How many.
        seed: The same seed gives the same targets for a robot, whatever else is measured.
    """
    return workload_of(models.load(name), name, count, seed)


def workload_of(robot: Skeleton, name: str, count: int, seed: int = 0, frame: Frame | None = None) -> Workload:
    """Targets for any robot; see `workload`.

    Args:
        robot: It is put at its rest positions.
        name: What to call it; decides about the targets, as the seed does.
        count: How many.
        seed: Of what is random.
        frame: Whose targets; the natural tip's when None.

    Raises:
        StructureError: No joint moves the frame.
        InvalidValueError: A count that is negative.
    """
    if count < 0:
        raise InvalidValueError(f"count must not be negative, not {count}")
    robot.positions = robot.clamp(robot.rest_positions)
    frame = robot.tip if frame is None else frame
    chain = frame.chain()
    if not chain.dofs:
        raise StructureError(f"no joint moves frame {frame.name!r} of {robot.name!r}, so it has no targets")
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    drawn = np.empty((count, 2, len(robot.positions)))
    for k in range(count):
        drawn[k] = [robot.random_positions(rng, chain.dof_indices) for _ in range(2)]
    bare = Workload(name, robot, chain, np.empty((0, 4, 4)), drawn[:0, 0], drawn[:0, 0])
    return Workload(name, robot, chain, bare.poses(drawn[:, 0]), drawn[:, 1], drawn[:, 0])


def path(name: str, count: int, seed: int = 0) -> Workload:
    """Targets along a smooth motion, `PATH_STEP` at most in each joint from one to the next.

    Every joint swings about the middle of its range with a speed of its own, so that the tip turns and moves
    in all directions; joints without end swing as far as half a turn.

    Args:
        name: Of a built-in robot.
        count: How many.
        seed: The same seed gives the same targets.
    """
    start = workload(name, 1, seed)
    indices = start.chain.dof_indices
    lower, upper = start.robot.lower_limits[indices], start.robot.upper_limits[indices]
    rng = np.random.default_rng([seed, 3, zlib.crc32(name.encode())])
    bounded = np.isfinite(lower) & np.isfinite(upper)
    middle = np.where(bounded, 0.5 * (np.where(bounded, lower, 0.0) + np.where(bounded, upper, 0.0)), 0.0)
    reach = np.where(bounded, 0.4 * np.where(bounded, upper - lower, 0.0), 0.5 * np.pi)
    speed = rng.uniform(0.5, 1.0, len(indices)) * PATH_STEP / reach
    phase = rng.uniform(-np.pi, np.pi, len(indices))
    q = start.whole(middle + reach * np.sin(np.arange(count + 1)[:, None] * speed + phase))
    return Workload(name, start.robot, start.chain, start.poses(q[1:]), q[:-1], q[1:])
