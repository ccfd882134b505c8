"""The tasks of a hierarchy, aimed for one call, and all of them measured at once."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np

from ...kinematics import State
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..gradient_method import GradientMethod
from ..gradient_methods.jacobian_dls import JacobianDLS
from ..gradient_methods.levenberg_marquardt import LevenbergMarquardt
from ..inverse_kinematics import InverseKinematics
from ..tasks.center_of_mass_task import CenterOfMassTask
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion


class HierarchyTask(NamedTuple):
    """A task, aimed for one call."""

    name: str
    level: int
    error_method: ErrorMethod
    is_required: bool
    module: InverseKinematics | None


class Measured(NamedTuple):
    """All tasks at one configuration.

    Attributes:
        jacobian: (m, n) of all tasks, level by level, in each level the required tasks first.
        error: (m,).
        rows: For each level the first row, the end of the required ones, the end of all.
        misses: For each task how far it is off (m, rad).
        missed: For each level the sum of squares of what required tasks outside the tolerance are off.
        wish: The same sum for the tasks that are not required.
    """

    jacobian: Array
    error: Array
    rows: list[tuple[int, int, int]]
    misses: list[tuple[float, float]]
    missed: tuple[float, ...]
    wish: float

    @property
    def is_solved(self) -> bool:
        """True when every required task is met."""
        return not any(self.missed)


class HierarchyTasks:
    """The active tasks of a hierarchy by level.

    Args:
        levels: Tasks of each level.
        method: The step of levels without a module; others use that of their first module.
        tolerance: When a task is met (m, rad).
    """

    def __init__(
        self, levels: list[list[HierarchyTask]], method: GradientMethod, tolerance: tuple[float, float]
    ) -> None:
        self.levels = [sorted(level, key=lambda task: not task.is_required) for level in levels]
        self.all = [task for level in self.levels for task in level]
        self.has_wishes = any(not task.is_required for task in self.all)
        self.tolerance = tolerance
        self.methods = [
            next((task.module.gradient_method for task in level if task.module is not None), method)
            for level in self.levels
        ]

    def is_met(self, away: float, turned: float) -> bool:
        """True when a task that is off by this is met."""
        return away <= self.tolerance[0] and turned <= self.tolerance[1]

    def missed(self, misses: Array) -> tuple[float, ...]:
        """`Measured.missed` from how far each of ``all`` is off, (t, 2) in m and rad."""
        result, k = [], 0
        values = misses.tolist()
        for level in self.levels:
            total = 0.0
            for task in level:
                away, turned = values[k]
                k += 1
                if task.is_required and not self.is_met(away, turned):
                    total += away * away + turned * turned
            result.append(total)
        return tuple(result)

    def measure(self, state: State) -> Measured:
        """Everything at the present configuration of a state."""
        jacobians, errors = [np.zeros((0, len(state.dofs)))], [np.zeros(0)]
        rows: list[tuple[int, int, int]] = []
        misses: list[tuple[float, float]] = []
        missed: list[float] = []
        wish, row = 0.0, 0
        for level in self.levels:
            first, required, total = row, row, 0.0
            for task in level:
                error, jacobian, away, turned = task.error_method.measure(state)
                jacobians.append(jacobian)
                errors.append(error)
                misses.append((away, turned))
                row += len(error)
                if not task.is_required:
                    wish += away * away + turned * turned
                    continue
                required = row
                if not self.is_met(away, turned):
                    total += away * away + turned * turned
            rows.append((first, required, row))
            missed.append(total)
        return Measured(np.vstack(jacobians), np.concatenate(errors), rows, misses, tuple(missed), wish)


def compiled_obstacle(tasks: HierarchyTasks, active: ActiveDofs) -> str:
    """What keeps a hierarchy from being compiled; empty when nothing does."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    if not all(tasks.levels) or not tasks.levels:
        return "a level has no task"
    if not len(active):
        return "nothing may move"
    for method in tasks.methods:
        if type(method) not in (LevenbergMarquardt, JacobianDLS) or not method._is_plain:
            return f"{type(method).__name__} with these settings is not compiled for hierarchies"
    for task in tasks.all:
        own = task.error_method
        whole = type(own) is TaskSpaceRegion and own.aimed.is_plain
        if not (whole or (type(own) is CenterOfMassTask and own.is_plain)) or not task.is_required:
            return f"task {task.name!r} is not a full pose or a position without weights, nor a plain centre of mass"
    return active.obstacle_to_compiling()
