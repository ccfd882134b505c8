"""Reachable targets, the same for everything that is measured on them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree import models
from kinetree.kinematics import Chain, Skeleton

Array = NDArray[np.float64]

#: Arms with fewer degrees of freedom than a pose has are asked for positions alone.
POSE_ROWS = 6
#: How far a near seed is from the witness at most, in each joint (rad, m).
NEAR = 0.1
#: Largest step of a joint between two points of a path (rad, m).
PATH_STEP = 0.01


@dataclass(frozen=True)
class Query:
    """One target.

    Attributes:
        target: Pose of the tip in the world.
        seed: Configuration (n,) to start from, elsewhere at random; the rest of the robot is as at the target.
        witness: A configuration (n,) that reaches it.
    """

    target: pin.SE3
    seed: Array
    witness: Array


@dataclass(frozen=True)
class Verification:
    """Answers to m targets, checked by Pinocchio alone.

    Attributes:
        position_error: Distance (m,) of the tip to the target (m); nan without an answer.
        orientation_error: True rotation angle (m,) to the target (rad); 0 when none is asked for.
        inside: Whether all joints are inside their limits (m,); False without an answer.
    """

    position_error: Array
    orientation_error: Array
    inside: NDArray[np.bool_]

    def solved(self, position_tolerance: float, orientation_tolerance: float) -> NDArray[np.bool_]:
        """Which targets (m,) are reached, inside the limits."""
        with np.errstate(invalid="ignore"):
            near = (self.position_error <= position_tolerance) & (self.orientation_error <= orientation_tolerance)
        return near & self.inside

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which targets (m,) have an answer, right or wrong."""
        return np.isfinite(self.position_error)


@dataclass(frozen=True)
class Workload:
    """A robot, its natural tip, and m targets.

    Attributes:
        name: Of the built-in robot.
        robot: At its rest positions.
        chain: Joints that may move.
        targets: Poses (m, 4, 4) of the tip in the world.
        seeds: Configurations (m, n) to start from, elsewhere at random.
        witnesses: Configurations (m, n) that reach the targets.
    """

    name: str
    robot: Skeleton
    chain: Chain
    targets: Array
    seeds: Array
    witnesses: Array

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """The same as objects."""
        rows = zip(self.targets, self.seeds, self.witnesses, strict=True)
        return tuple(Query(pin.SE3(target), seed, witness) for target, seed, witness in rows)

    @property
    def is_full_pose(self) -> bool:
        """False when only the position is asked for."""
        return len(self.chain.dofs) >= POSE_ROWS

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.targets)

    def in_base(self) -> Array:
        """The targets (m, 4, 4) relative to the chain's base, for libraries that know only the chain."""
        base = self.robot.state(self.robot.positions).transform(self.chain.base)
        inverse: Array = base.inverse().homogeneous
        return inverse @ self.targets

    def of_chain(self, q: Array) -> Array:
        """The part (m, k) of configurations (m, n) that the chain has."""
        return q[:, self.chain.dof_indices]

    def whole(self, q: Array) -> Array:
        """The inverse of `of_chain`: the rest of the robot as it is."""
        complete = np.tile(self.robot.positions, (len(q), 1))
        complete[:, self.chain.dof_indices] = q
        return complete

    def near_seeds(self, seed: int = 0) -> Array:
        """Configurations (m, n) with each joint within `NEAR` of the witness, inside the limits."""
        rng = np.random.default_rng([seed, 2, zlib.crc32(self.name.encode())])
        off = rng.uniform(-NEAR, NEAR, (len(self), len(self.chain.dofs)))
        seeds = self.witnesses.copy()
        seeds[:, self.chain.dof_indices] += off
        return np.clip(seeds, self.robot.lower_limits, self.robot.upper_limits)

    def poses(self, q: Array) -> Array:
        """Where the tip is (m, 4, 4) at configurations (m, n), by Pinocchio alone."""
        model, data = self.robot.model, self.robot.model.createData()
        link = self.chain.tip.link
        assert link is not None
        frame, offset = model.getFrameId(link.name), self.chain.tip.transform(link).homogeneous
        poses = np.empty((len(q), 4, 4))
        for k, row in enumerate(q):
            pin.framesForwardKinematics(model, data, self.robot.to_pinocchio(row))
            poses[k] = data.oMf[frame].homogeneous
        return poses @ offset

    def jacobian(self, q: Array) -> Array:
        """Of the chain (6, k) at a configuration (n,) in the axes of the world, linear rows first; Pinocchio alone."""
        model, data = self.robot.model, self.robot.model.createData()
        link = self.chain.tip.link
        assert link is not None
        whole = pin.computeFrameJacobian(
            model, data, self.robot.to_pinocchio(q), model.getFrameId(link.name), pin.LOCAL_WORLD_ALIGNED
        )
        pin.framesForwardKinematics(model, data, self.robot.to_pinocchio(q))
        arm = data.oMf[model.getFrameId(link.name)].rotation @ self.chain.tip.transform(link).translation
        # What each of our numbers does to those of Pinocchio: dependent joints follow in step.
        zero = self.robot.to_pinocchio(np.zeros(len(q)))
        columns = [self.robot.to_pinocchio(unit) - zero for unit in np.eye(len(q))[self.chain.dof_indices]]
        jacobian: Array = whole @ np.array(columns).T
        jacobian[:3] += np.cross(jacobian[3:], arm, axis=0)
        return jacobian

    def pose(self, q: Array) -> pin.SE3:
        """Where the tip is at one configuration (n,)."""
        return pin.SE3(self.poses(q[None])[0])

    def verify(self, q: Array, slack: float = 0.0) -> Verification:
        """Checks answers (m, n) to all targets.

        Args:
            q: Configurations; a row with nan is no answer.
            slack: How far beyond a limit still counts as inside.
        """
        answered = np.isfinite(q).all(axis=1)
        errors = np.full((2, len(q)), np.nan)
        errors[:, answered] = pose_errors(self.poses(q[answered]), self.targets[answered])
        if not self.is_full_pose:
            errors[1, answered] = 0.0
        with np.errstate(invalid="ignore"):
            inside = ((q >= self.robot.lower_limits - slack) & (q <= self.robot.upper_limits + slack)).all(axis=1)
        return Verification(errors[0], errors[1], inside & answered)

    def errors(self, q: Array, target: pin.SE3) -> tuple[float, float]:
        """By how much the tip misses a target (m, rad), by Pinocchio alone; no angle when none is asked for."""
        away, angle = pose_errors(self.poses(q[None]), target.homogeneous[None])
        return float(away[0]), float(angle[0]) if self.is_full_pose else 0.0

    def is_inside_limits(self, q: Array) -> bool:
        """No joint beyond a limit, without any slack."""
        return bool((q >= self.robot.lower_limits).all() and (q <= self.robot.upper_limits).all())


def pose_errors(reached: Array, wanted: Array) -> tuple[Array, Array]:
    """Distances (m,) and true rotation angles (m,) between poses (m, 4, 4).

    The angle comes from sine and cosine together: exact near 0 and near pi.
    """
    away = np.linalg.norm(reached[:, :3, 3] - wanted[:, :3, 3], axis=1)
    turn = np.swapaxes(wanted[:, :3, :3], 1, 2) @ reached[:, :3, :3]
    axis = np.stack(
        [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], axis=1
    )
    angle = np.arctan2(np.linalg.norm(axis, axis=1), np.trace(turn, axis1=1, axis2=2) - 1.0)
    return away, angle


def workload(name: str, count: int, seed: int = 0) -> Workload:
    """Targets for a built-in robot.

    Args:
        name: The robot.
        count: How many.
        seed: The same seed gives the same targets for a robot, whatever else is measured.
    """
    return workload_of(models.load(name), name, count, seed)


def workload_of(robot: Skeleton, name: str, count: int, seed: int = 0) -> Workload:
    """Targets for any robot; see `workload`.

    Args:
        robot: It is put at its rest positions.
        name: What to call it; decides about the targets, as the seed does.
        count: How many.
        seed: Of what is random.
    """
    robot.positions = robot.clamp(robot.rest_positions)
    chain = robot.tip.chain()
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
