"""Goals as 4x4 matrices, and back to what an error method is aimed at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import Frame, as_pose, as_vector
from ..kinematics.transforms import Array
from .center_of_mass_task import CenterOfMassTask
from .error_method import ErrorMethod
from .task_space_region import TaskSpaceRegion


def coordinates_of(method: ErrorMethod) -> int:
    """How many coordinates may stand for a goal: 3 where the rotation is free, 2 or 3 for a centre of mass, else 0."""
    if isinstance(method, CenterOfMassTask):
        return method.rows
    return 3 if isinstance(method, TaskSpaceRegion) and method.ignores_rotation else 0


def as_goal(method: ErrorMethod, target: Any, name: str) -> Array:
    """The goal (4, 4) of a target in any form that the method takes; a frame as it stands now.

    Raises:
        KinetreeError: It takes no such target.
    """
    coordinates = coordinates_of(method)
    is_list = isinstance(target, list | tuple | np.ndarray) and len(target) == coordinates
    if coordinates and (is_list or isinstance(method, CenterOfMassTask)):
        goal = np.eye(4)
        goal[:coordinates, 3] = as_vector(target, coordinates, name)
        return goal
    pose = target.transform() if isinstance(target, Frame) else as_pose(target, name)
    homogeneous: Array = pin.SE3(pose).homogeneous
    return homogeneous


def as_target(method: ErrorMethod, goal: Array) -> Array:
    """What `ErrorMethod.aimed_at` takes for a goal (4, 4)."""
    coordinates = coordinates_of(method)
    return goal[:coordinates, 3] if coordinates else goal


def any_target(method: ErrorMethod) -> Array:
    """A target that stands for all others, where only the kind of task matters.

    Not the module's own, which may hang on a frame whose axes the others do not have.
    """
    return as_target(method, np.eye(4))
