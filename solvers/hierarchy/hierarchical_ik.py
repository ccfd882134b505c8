"""`HierarchicalIK`: several tasks with priorities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import DegreeOfFreedom, InvalidValueError, Joint, Skeleton, unknown_name
from ...kinematics.known_attributes import KnownAttributes
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs, dof_indices
from ..constraints.same_robot import constraint_for
from ..gradient_method import GradientMethod
from ..gradient_methods.levenberg_marquardt import LevenbergMarquardt
from ..inverse_kinematics import InverseKinematics
from ..problem import Problem
from ..request import Constraint
from ..solution import Solution
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion
from .hierarchical_step import null_space_projectors
from .hierarchy_search import HierarchyRequest, HierarchySearch
from .hierarchy_tasks import HierarchyTask, HierarchyTasks

#: What may be added: a module, or an error method that needs none.
Task = InverseKinematics | ErrorMethod


class HierarchicalIK(KnownAttributes):
    """Solves tasks by priority: a level is served only as far as it does not disturb those above.

    Level 0 is the most important one. Tasks of one level are stacked. All of them are solved over the same
    degrees of freedom: `dofs`, by default all that any active task uses (an error method uses all).

    Args:
        skeleton: The robot.
        dofs: What may move; see `InverseKinematics`.

    Raises:
        InvalidValueError: Something that is no skeleton.
    """

    problem: Problem

    def __init__(
        self, skeleton: Skeleton, *, dofs: Iterable[str | int | DegreeOfFreedom | Joint] | None = None
    ) -> None:
        if not isinstance(skeleton, Skeleton):
            raise InvalidValueError(f"HierarchicalIK needs a skeleton, not {skeleton!r}")
        self._skeleton = skeleton
        self._tasks: dict[Task, int] = {}
        self._dofs: list[DegreeOfFreedom] | None = None
        if dofs is not None:
            self.set_dofs(dofs)
        self._gradient_method: GradientMethod = LevenbergMarquardt()
        self.problem = Problem(
            iterations=defaults.HIERARCHY_ITERATIONS,
            attempts=defaults.HIERARCHY_ATTEMPTS,
            improvement=defaults.HIERARCHY_IMPROVEMENT,
            strikes=defaults.HIERARCHY_STRIKES,
        )

    @property
    def skeleton(self) -> Skeleton:
        """The robot."""
        return self._skeleton

    # Tasks.

    def add(self, task: Task, level: int | None = None) -> None:
        """Adds a task, or moves one that is there to another level.

        Args:
            task: A module of this skeleton, or an error method such as `CenterOfMassTask`.
            level: 0 is the most important one; a module's own `InverseKinematics.hierarchy_level` when None,
                which for error methods is 0.

        Raises:
            InvalidValueError: Of another skeleton, no task, or a level that is none.
        """
        module = task if isinstance(task, InverseKinematics) else None
        if isinstance(task, ErrorMethod) and task.is_bound:
            module = task.module
        if module is not None and module.skeleton is not self._skeleton:
            raise InvalidValueError(
                f"the module of {module.name!r} is of skeleton {module.skeleton.name!r}, not of {self._skeleton.name!r}"
            )
        if not isinstance(task, InverseKinematics | ErrorMethod):
            raise InvalidValueError(f"a task must be an InverseKinematics module or an ErrorMethod, not {task!r}")
        if isinstance(task, TaskSpaceRegion) and not task.is_bound:
            raise InvalidValueError(
                "a TaskSpaceRegion needs a frame and a target: assign it to the error_method of an "
                "InverseKinematics module and add that"
            )
        if level is not None and (isinstance(level, bool) or not isinstance(level, (int, np.integer)) or level < 0):
            raise InvalidValueError(f"level must be a whole number of at least 0, not {level!r}")
        if isinstance(task, InverseKinematics) and level is not None:
            task.hierarchy_level = int(level)
        self._tasks[task] = 0 if level is None else int(level)

    def remove(self, task: Task) -> None:
        """Removes a task; `UnknownNameError` when it is not there."""
        if task not in self._tasks:
            raise unknown_name("task", task.name, [each.name for each in self._tasks], "the hierarchy")
        del self._tasks[task]

    @property
    def tasks(self) -> tuple[tuple[Task, int], ...]:
        """All tasks with their levels, inactive ones included, in the order in which they were added."""
        return tuple((task, _level(task, level)) for task, level in self._all_tasks().items())

    def _all_tasks(self) -> dict[Task, int]:
        return self._tasks

    @property
    def levels(self) -> list[list[Task]]:
        """Tasks by level, from 0 to the highest level in use; a level may be empty."""
        result: list[list[Task]] = []
        for task, level in self.tasks:
            result.extend([] for _ in range(level + 1 - len(result)))
            result[level].append(task)
        return result

    # What moves, and how.

    @property
    def dofs(self) -> tuple[DegreeOfFreedom, ...]:
        """What may move."""
        return self._active().dofs

    def set_dofs(self, dofs: Iterable[str | int | DegreeOfFreedom | Joint] | None) -> None:
        """Moves only these; all that any active task uses when None."""
        if dofs is None:
            self._dofs = None
        else:
            self._dofs = [self._skeleton.dofs[index] for index in dof_indices(self._skeleton, dofs)]

    def _active(self) -> ActiveDofs:
        if self._dofs is not None:
            return ActiveDofs(self._skeleton, dof_indices(self._skeleton, self._dofs))
        used: set[int] = set()
        for task, _ in self.tasks:
            if isinstance(task, ErrorMethod):
                used.update(range(self._skeleton.num_dofs))
            elif task.active:
                used.update(int(index) for index in task.dof_indices)
        return ActiveDofs(self._skeleton, sorted(used))

    @property
    def gradient_method(self) -> GradientMethod:
        """The step of levels without a module; others use the method of their first active module."""
        return self._gradient_method

    @gradient_method.setter
    def gradient_method(self, method: GradientMethod) -> None:
        if isinstance(method, type) or not isinstance(method, GradientMethod):
            raise InvalidValueError(f"gradient_method must be a GradientMethod object, not {method!r}")
        self._gradient_method = method

    def null_spaces(self, q: ArrayLike | Mapping[str, Any] | None = None) -> list[Array]:
        """For each level the projector (k, k) onto what it and the levels above leave free.

        Args:
            q: Configuration (n,) or mapping; the present positions when None.

        Returns:
            As many as `levels`, over `dofs`.
        """
        active = self._active()
        state = self._skeleton.state(q, active.indices)
        by_level: list[Array] = []
        for tasks in self._request_levels():
            parts = [task.error_method.measure(state)[1] for task in tasks]
            by_level.append(np.vstack([np.zeros((0, len(active))), *parts]))
        return null_space_projectors(by_level, len(active))

    def _request_levels(self) -> list[list[HierarchyTask]]:
        """The active tasks, aimed at their targets."""
        result: list[list[HierarchyTask]] = []
        for number, tasks in enumerate(self.levels):
            level = []
            for task in tasks:
                if isinstance(task, ErrorMethod):
                    level.append(HierarchyTask(task.name, number, task.aimed_at(), task.is_required, None))
                elif task.active:
                    method = task.error_method.aimed_at()
                    level.append(HierarchyTask(task.name, number, method, method.is_required, task))
            result.append(level)
        return result

    # Solving.

    def solve(
        self,
        *,
        seed: ArrayLike | Mapping[str, Any] | None = None,
        constraint: Constraint | None = None,
        attempts: int | None = None,
        iterations: int | None = None,
        tolerance: float | tuple[float, float] | None = None,
        timeout: float | None = None,
        random_seed: int | np.random.Generator | None = None,
    ) -> Solution:
        """Looks for a configuration that meets all required tasks; moves nothing.

        Wishes (`ErrorMethod.is_required` is False) are followed as far as the others allow.

        Args:
            seed: See `InverseKinematics.solve`, as for the others.
            constraint: Refuses solutions.
            attempts: Overrides the problem's.
            iterations: Overrides the problem's.
            tolerance: Overrides the problem's.
            timeout: Overrides the problem's (s).
            random_seed: Overrides the problem's.

        Returns:
            The solution. When not solved, the configuration that meets as many of the first levels as
            possible, then misses the next one least; `Solution.tasks` and ``detail`` tell what is missed.
        """
        problem = self.problem.replaced(
            attempts=attempts,
            iterations=iterations,
            tolerance=tolerance,
            timeout=timeout,
            random_seed=random_seed,
        )
        asked = constraint_for(self._skeleton, constraint)
        start = self._skeleton.as_configuration(seed, name="seed")
        active = self._active()
        if problem.respect_limits:
            active.warn_if_outside(start, "the present positions" if seed is None else "the seed")
        tasks = HierarchyTasks(self._request_levels(), self._gradient_method, problem.tolerance)
        request = HierarchyRequest(active, tasks, problem, start, asked)
        return HierarchySearch(request).run()

    def solve_and_apply(self, *, apply_best: bool = False, **options: Any) -> Solution:
        """Solves, and on success moves the skeleton to the solution.

        Args:
            apply_best: Move to what was found even when it is no solution.
            options: See `solve`.

        Returns:
            See `solve`.
        """
        solution = self.solve(**options)
        if solution.success or apply_best:
            self._skeleton.positions = solution.q
        return solution

    def __repr__(self) -> str:
        counts = f"{len(self.tasks)} tasks in {len(self.levels)} levels"
        return f"<{type(self).__name__} of {self._skeleton.name!r}: {counts}>"


def _level(task: Task, level: int) -> int:
    """A module's own level counts, so that changing it moves the task."""
    return task.hierarchy_level if isinstance(task, InverseKinematics) else level


#: DART's name for a hierarchy of chosen modules.
CompositeIK = HierarchicalIK
