"""Reachable targets, the same for everything that is measured on them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree import models
from kinetree.kinematics import Chain, Skeleton

#: Arms with fewer degrees of freedom than a pose has are asked for positions alone.
POSE_ROWS = 6


@dataclass(frozen=True)
class Query:
    """One target.

    Attributes:
        target: Pose of the tip in the world.
        seed: Configuration (n,) to start from, elsewhere at random; the rest of the robot is as at the target.
        witness: A configuration (n,) that reaches it.
    """

    target: pin.SE3
    seed: NDArray[np.float64]
    witness: NDArray[np.float64]


@dataclass(frozen=True)
class Workload:
    """A robot, its natural tip, and targets.

    Attributes:
        robot: At its rest positions.
        chain: Joints that may move.
        queries: In random order.
    """

    robot: Skeleton
    chain: Chain
    queries: tuple[Query, ...]

    @property
    def is_full_pose(self) -> bool:
        """False when only the position is asked for."""
        return len(self.chain.dofs) >= POSE_ROWS

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries)

    def pose(self, q: NDArray[np.float64]) -> pin.SE3:
        """Where the tip is, by Pinocchio alone."""
        model = self.robot.model
        data = model.createData()
        link = self.chain.tip.link
        assert link is not None
        pin.framesForwardKinematics(model, data, self.robot.to_pinocchio(q))
        return data.oMf[model.getFrameId(link.name)] * self.chain.tip.transform(link)

    def errors(self, q: NDArray[np.float64], target: pin.SE3) -> tuple[float, float]:
        """By how much the tip misses a target (m, rad), by Pinocchio alone; no angle when none is asked for."""
        reached = self.pose(q)
        away = float(np.linalg.norm(reached.translation - target.translation))
        if not self.is_full_pose:
            return away, 0.0
        return away, float(np.linalg.norm(pin.log3(target.rotation.T @ reached.rotation)))

    def is_inside_limits(self, q: NDArray[np.float64]) -> bool:
        """No joint beyond a limit, without any slack."""
        return bool((q >= self.robot.lower_limits).all() and (q <= self.robot.upper_limits).all())


def workload(name: str, count: int, seed: int = 0) -> Workload:
    """Targets for a built-in robot.

    Args:
        name: The robot.
        count: How many.
        seed: The same seed gives the same targets for a robot, whatever else is measured.
    """
    robot = models.load(name)
    robot.positions = robot.clamp(robot.rest_positions)
    chain = robot.tip.chain()
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    bare = Workload(robot, chain, ())
    queries = []
    for _ in range(count):
        witness = robot.random_positions(rng, chain.dof_indices)
        start = robot.random_positions(rng, chain.dof_indices)
        queries.append(Query(bare.pose(witness), start, witness))
    return Workload(robot, chain, tuple(queries))
