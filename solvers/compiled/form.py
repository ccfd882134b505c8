"""`Form`: a task and a step rule as the kernels know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...kinematics import Frame, SimpleFrame
from ...kinematics.core.plan import Plan
from ...kinematics.transforms import Array
from ..aimed_region import AimedRegion
from ..center_of_mass_task import CenterOfMassTask
from ..error_method import ErrorMethod
from ..task_space_region import TaskSpaceRegion
from .center_of_mass_task import CENTER_OF_MASS, center_of_mass_data
from .pose_task import POSE
from .region_task import REGION, region_data
from .task import CompiledTask


class Form(NamedTuple):
    """What a task is for the kernels.

    Attributes:
        task: The kernels.
        rows: Length of the error.
        tips: What the plan has to lead to.
        whole_body: Whether the plan has to hold every joint that may move.
        data: Gives the numbers of the task for a plan.
        goal: Where to (4, 4).
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
    assert isinstance(method, CenterOfMassTask)
    goal = np.eye(4)
    goal[: method.rows, 3] = method.goal
    return Form(CENTER_OF_MASS, method.rows, (), True, lambda plan: center_of_mass_data(method, plan), goal)


def _form_of_region(aim: AimedRegion) -> Form:
    tool = aim.relative.tool
    assert tool.link is not None
    tip: Frame = SimpleFrame("tool", tool.link, tool.pose) if not _is_identity(tool.pose.homogeneous) else tool.link
    goal = aim.relative.target.pose.homogeneous
    if aim.is_plain:
        has_rotation = np.array([1.0 if aim.has_rotation else 0.0])
        return Form(POSE, 6 if aim.has_rotation else 3, (tip,), False, lambda plan: has_rotation, goal)
    data = region_data(aim.bounds, aim.relative.reference.pose.rotation)
    return Form(REGION, len(aim.bounds.rows), (tip,), False, lambda plan: data, goal)


def _is_identity(matrix: Array) -> bool:
    return bool((matrix == np.eye(4)).all())
