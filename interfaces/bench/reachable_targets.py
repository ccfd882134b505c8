"""`Workload`: reachable targets of a robot, the same for everything that is measured on them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from ...kinematics import Chain, Skeleton
from .query import Query
from .verification import Verification, pose_errors

Array = NDArray[np.float64]

#: Arms with fewer degrees of freedom than a pose has are asked for positions alone.
POSE_ROWS = 6
#: How far a near seed is from the witness at most, in each joint (rad, m).
NEAR = 0.1


@dataclass(frozen=True, repr=False)
class Workload:
    """A robot, a frame of it, its natural tip as a rule, and m targets.

    Attributes:
        name: Of the robot.
        robot: At its rest positions.
        chain: Joints that may move, to the frame.
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

    def __repr__(self) -> str:
        what = "poses" if self.is_full_pose else "positions"
        return f"<Workload {self.name!r}: {len(self)} {what} of {self.chain.tip.name!r}, {len(self.chain.dofs)} joints>"

    def first(self, count: int) -> Workload:
        """The first targets alone."""
        return replace(self, targets=self.targets[:count], seeds=self.seeds[:count], witnesses=self.witnesses[:count])

    def in_base(self) -> Array:
        """The targets (m, 4, 4) relative to the chain's base, for libraries that know only the chain."""
        base = self.robot.state(self.robot.positions).transform(self.chain.base)
        inverse: Array = base.inverse().homogeneous
        return inverse @ self.targets

    def of_chain(self, q: Array) -> Array:
        """The part (m, k) of configurations (m, n) that the chain has."""
        part: Array = q[:, self.chain.dof_indices]
        return part

    def whole(self, q: Array) -> Array:
        """Configurations (m, n), the inverse of `of_chain`: the rest of the robot as it is.

        Args:
            q: Values of the chain's joints (m, k).
        """
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
        tips: Array = poses @ offset
        return tips

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

        Returns:
            What is right and wrong about each.
        """
        answered = np.isfinite(q).all(axis=1)
        errors = np.full((2, len(q)), np.nan)
        with np.errstate(over="ignore", invalid="ignore"):  # answers may be anything
            errors[:, answered] = pose_errors(self.poses(q[answered]), self.targets[answered])
        if not self.is_full_pose:
            errors[1, answered] = 0.0
        lower, upper = self.robot.lower_limits - slack, self.robot.upper_limits + slack
        with np.errstate(invalid="ignore"):
            inside = np.asarray(((q >= lower) & (q <= upper)).all(axis=1))
        return Verification(errors[0], errors[1], inside & answered)

    def errors(self, q: Array, target: pin.SE3) -> tuple[float, float]:
        """By how much the tip misses a target (m, rad), by Pinocchio alone; no angle when none is asked for.

        Args:
            q: Configuration (n,).
            target: Of the tip, in the world.
        """
        away, angle = pose_errors(self.poses(q[None]), target.homogeneous[None])
        return float(away[0]), float(angle[0]) if self.is_full_pose else 0.0

    def is_inside_limits(self, q: Array) -> bool:
        """No joint beyond a limit, without any slack.

        Args:
            q: Configuration (n,).
        """
        return bool((q >= self.robot.lower_limits).all() and (q <= self.robot.upper_limits).all())
