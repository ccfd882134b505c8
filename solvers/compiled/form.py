"""`Form`: a task and a step rule as the kernels know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...kinematics import Frame, SimpleFrame
from ...kinematics.core.plan import Plan
from ...kinematics.transforms import Array
from ..targets.direction_basis import direction_basis
from ..targets.ik_target import IkTarget
from ..tasks.aimed_region import AimedRegion
from ..tasks.center_of_mass_task import CenterOfMassTask
from ..tasks.error_method import ErrorMethod
from ..tasks.relative_pose import Mount
from ..tasks.task_space_region import TaskSpaceRegion
from .center_of_mass_task import CENTER_OF_MASS, center_of_mass_data
from .pose_task import POSE
from .region_task import REGION, region_data
from .target_task import TARGET, target_data
from .task import CompiledTask


class Form(NamedTuple):
    """What a task is for the kernels.

    Attributes:
        task: The kernels.
        rows: Length of the error.
        tips: What the plan has to lead to.
        whole_body: Whether the plan has to hold every joint that may move.
        data: Gives the numbers of the task for a plan.
        goal: Where to (4, 4); the packed values of a target that is no plain pose.
    """

    task: CompiledTask
    rows: int
    tips: tuple[Frame, ...]
    whole_body: bool
    data: Callable[[Plan], Array]
    goal: Array


def form_of(method: ErrorMethod) -> Form:
    """The form of an aimed error method that `engine_for` found nothing against."""
    if isinstance(method, TaskSpaceRegion):
        return _form_of_region(method.aimed)
    if isinstance(method, IkTarget):
        return _form_of_target(method)
    assert isinstance(method, CenterOfMassTask)
    goal = np.eye(4)
    goal[: method.rows, 3] = method.goal
    return Form(CENTER_OF_MASS, method.rows, (), True, lambda plan: center_of_mass_data(method, plan), goal)


def _form_of_region(aim: AimedRegion) -> Form:
    tip = _tip(aim.relative.tool)
    goal = aim.relative.target.pose.homogeneous
    if aim.is_plain:
        return _plain(tip, aim.has_rotation, goal)
    data = region_data(aim.bounds, aim.relative.reference.pose.rotation)
    return Form(REGION, len(aim.bounds.rows), (tip,), False, lambda plan: data, goal)


def _form_of_target(target: IkTarget) -> Form:
    relative = target.relative
    tip, reference = _tip(relative.tool), relative.reference.pose.homogeneous
    if target.is_plain:
        # What the kernels of poses do, they do faster.
        return _plain(tip, target.rows > 3, target.goal)
    data = target_data(target.place, target.turn, target.axis, direction_basis(target.tool_direction), reference)
    return Form(TARGET, target.rows, (tip,), False, lambda plan: data, target.goal)


def _plain(tip: Frame, has_rotation: bool, goal: Array) -> Form:
    data = np.array([1.0 if has_rotation else 0.0])
    return Form(POSE, 6 if has_rotation else 3, (tip,), False, lambda plan: data, goal)


def _tip(tool: Mount) -> Frame:
    assert tool.link is not None  # `engine_for` has looked
    return tool.link if _is_identity(tool.pose.homogeneous) else SimpleFrame("tool", tool.link, tool.pose)


def _is_identity(matrix: Array) -> bool:
    return bool((matrix == np.eye(4)).all())
