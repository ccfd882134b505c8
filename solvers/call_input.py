"""`CallInput`: targets and seeds of calls, written to the buffers that a kernel reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import Frame, Skeleton
from ..kinematics.transforms import Array
from .far_targets import goal_pose
from .targets.ik_target import IkTarget
from .tasks.error_method import ErrorMethod


class CallInput:
    """Takes what a call is given, in any form, as far as it asks for no more than a pose or the module's own target.

    Args:
        skeleton: The robot that the seeds are of.
        goal: Buffer (4, 4) of the pose.
        seed: Buffer (n,) of the configuration.
        takes_poses: Whether the module is aimed at poses.
        own_target: The kind of target that the module is aimed at instead, if any.
    """

    __slots__ = ("_goal", "_own_target", "_seed", "_skeleton", "_takes_poses")

    def __init__(
        self, skeleton: Skeleton, goal: Array, seed: Array, takes_poses: bool, own_target: IkTarget | None
    ) -> None:
        self._skeleton = skeleton
        self._goal, self._seed = goal, seed
        self._takes_poses, self._own_target = takes_poses, own_target

    def write(self, target: Any, seed: Any) -> bool:
        """Copies a goal and a seed of any form to the buffers; false when more than that is asked for."""
        if isinstance(target, IkTarget):
            if self._own_target is None or not self._own_target.has_tool_of(target):
                return False
            self._goal[:] = target.goal
        elif not self._takes_poses:
            return False
        elif type(target) is pin.SE3:
            self._goal[:] = target.homogeneous
        elif type(target) is np.ndarray and target.shape == (4, 4) and target.dtype == np.float64:
            self._goal[:] = target
        elif target is None or isinstance(target, Frame | ErrorMethod) or _is_position(target):
            return False
        else:
            self._goal[:] = goal_pose(target, "target").homogeneous
        if seed is None:
            self._seed[:] = self._skeleton.positions
        elif type(seed) is np.ndarray and seed.shape == self._seed.shape and seed.dtype == np.float64:
            self._seed[:] = seed
        else:
            self._seed[:] = self._skeleton.as_configuration(seed, name="seed")
        return True


def _is_position(target: Any) -> bool:
    """True for what may be a position, which is a target where the rotation is free."""
    if isinstance(target, np.ndarray):
        return bool(target.shape == (3,))
    return isinstance(target, list | tuple) and len(target) == 3
