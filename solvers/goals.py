"""Goals as 4x4 matrices, and back to what an error method is aimed at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import Frame, as_vector
from ..kinematics.transforms import Array
from .far_targets import check_reach, goal_pose
from .targets.ik_target import IkTarget
from .tasks.center_of_mass_task import CenterOfMassTask
from .tasks.error_method import ErrorMethod
from .tasks.task_space_region import TaskSpaceRegion


def coordinates_of(method: ErrorMethod) -> int:
    """How many coordinates may stand for a goal: 3 where the rotation is free, 2 or 3 for a centre of mass, else 0."""
    if isinstance(method, CenterOfMassTask):
        return method.rows
    if isinstance(method, IkTarget):
        return method.num_coordinates
    return 3 if isinstance(method, TaskSpaceRegion) and method.ignores_rotation else 0


def as_goal(method: ErrorMethod, target: Any, name: str) -> Array:
    """The goal (4, 4) of a target in any form that the method takes; a frame as it stands now.

    Raises:
        KinetreeError: It takes no such target.
    """
    if isinstance(method, IkTarget):
        return method.goal_of(target, name)
    coordinates = coordinates_of(method)
    is_list = isinstance(target, list | tuple | np.ndarray) and len(target) == coordinates
    if coordinates and (is_list or isinstance(method, CenterOfMassTask)):
        goal = np.eye(4)
        goal[:coordinates, 3] = as_vector(target, coordinates, name)
        check_reach(goal[:3, 3], name)
        return goal
    pose = goal_pose(target.transform() if isinstance(target, Frame) else target, name)
    homogeneous: Array = pin.SE3(pose).homogeneous
    return homogeneous


def as_target(method: ErrorMethod, goal: Array) -> Array | ErrorMethod:
    """What stands for a goal (4, 4) in a request."""
    if isinstance(method, IkTarget):
        return method.with_goal(goal)
    coordinates = coordinates_of(method)
    return goal[:coordinates, 3] if coordinates else goal


def any_target(method: ErrorMethod) -> Array | ErrorMethod:
    """A target that stands for all others, where only the kind of task matters.

    Not the module's own, which may hang on a frame whose axes the others do not have.
    """
    return method if isinstance(method, IkTarget) else as_target(method, np.eye(4))


def method_for(method: ErrorMethod, targets: Any) -> ErrorMethod:
    """The error method that a sequence of targets is for: the module's own, unless they are `IkTarget`s."""
    if not isinstance(targets, list | tuple) and not (isinstance(targets, np.ndarray) and targets.dtype.hasobject):
        return method
    return next((each for each in targets if isinstance(each, IkTarget)), method)


def between(method: ErrorMethod, first: Array, second: Array, fraction: float) -> Array:
    """A goal (4, 4) on the way from one to another."""
    if isinstance(method, IkTarget):
        return method.between(first, second, fraction)
    homogeneous: Array = pin.SE3.Interpolate(pin.SE3(first), pin.SE3(second), fraction).homogeneous
    return homogeneous
