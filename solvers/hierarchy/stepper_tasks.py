"""The tasks of a hierarchy as the compiled step takes them, and what keeps a step from being compiled."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...kinematics import SimpleFrame
from ..active_dofs import ActiveDofs
from ..gradient_method import GradientMethod
from ..gradient_methods.jacobian_dls import JacobianDLS
from ..gradient_methods.levenberg_marquardt import LevenbergMarquardt
from ..tasks.center_of_mass_task import CenterOfMassTask
from ..tasks.task_space_region import TaskSpaceRegion
from .hierarchy_tasks import HierarchyTask, HierarchyTasks

if TYPE_CHECKING:
    from ..compiled.hierarchical_stepper import CenterTask, HierarchicalStepper, TipTask


def step_obstacle(tasks: HierarchyTasks, active: ActiveDofs) -> str:
    """What keeps single steps of a hierarchy from being compiled; empty when nothing does.

    More can be compiled than in a search: regions that select coordinates along the world's axes.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    if not tasks.levels or not all(tasks.levels):
        return "there is no task"
    if not len(active):
        return "nothing may move"
    if active.max_step is not None:
        return "joints have largest steps of their own"
    for method in tasks.methods:
        if type(method) not in (LevenbergMarquardt, JacobianDLS) or not method._is_plain:
            return f"{type(method).__name__} with these settings is not compiled for hierarchies"
    for task in tasks.all:
        own = task.error_method
        if not (type(own) is CenterOfMassTask and own.is_plain) and _selected(task) is None:
            return f"task {task.name!r} is not a part of a pose along the world's axes, nor a plain centre of mass"
    return active.obstacle_to_compiling()


def _selected(task: HierarchyTask) -> Sequence[bool] | None:
    """Which of the six components along the world's axes a task wants to be zero; None when that is not what it is."""
    own = task.error_method
    if type(own) is not TaskSpaceRegion:
        return None
    bounds, relative = own.aimed.bounds, own.aimed.relative
    rows = bounds.active
    plain = (bounds.exact == rows).all() and bounds.row_weights is None and bounds.clamp == math.inf
    if not (plain and rows.any() and relative.stands_still) or rows[3:].any() != rows[3:].all():
        return None
    if not own.aimed.is_plain and (relative.reference.pose.rotation != np.eye(3)).any():
        return None
    return [bool(row) for row in rows]


def stepper_task(task: HierarchyTask) -> TipTask | CenterTask:
    """A task that `step_obstacle` has nothing against."""
    from ..compiled.hierarchical_stepper import CenterTask, TipTask

    own = task.error_method
    if isinstance(own, CenterOfMassTask):
        return CenterTask(own.goal, task.level, own.weight)
    assert isinstance(own, TaskSpaceRegion)
    tool, rows = own.aimed.relative.tool, _selected(task)
    assert tool.link is not None
    assert rows is not None
    return TipTask(SimpleFrame("tool", tool.link, tool.pose), own.aimed.relative.target.pose, task.level, rows)


def make_stepper(tasks: HierarchyTasks, active: ActiveDofs) -> HierarchicalStepper:
    """The compiled step without any limits."""
    # Imported late, and only when it is used: it takes Numba along.
    from ..compiled.hierarchical_stepper import HierarchicalStepper

    return HierarchicalStepper(
        active.skeleton,
        [stepper_task(task) for task in tasks.all],
        dofs=active.indices.tolist(),
        damping=[damping_of(method) for method in tasks.methods],
        max_step=math.inf,
        respect_limits=False,
    )


def damping_of(method: GradientMethod) -> tuple[float, float]:
    """Factor and floor of the damping of a method that is compiled."""
    if isinstance(method, LevenbergMarquardt):
        return method.damping, method.floor
    assert isinstance(method, JacobianDLS)
    return 0.0, method.damping**2
