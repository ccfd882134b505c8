"""`HierarchicalDeltaIK`: one step towards several tasks by priority."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, NodeSet, PoseLike, Skeleton, State, World
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs, dof_indices
from ..cartesian_selection import CartesianSelection
from ..errors import SolverError
from ..inverse_kinematics import InverseKinematics
from ..option_checks import as_positive
from ..tasks.task_space_region import TaskSpaceRegion
from .hierarchical_ik import HierarchicalIK, Task
from .hierarchy_tasks import HierarchyTasks
from .prepared_delta_ik import PreparedDeltaIK
from .step_bounds import StepBounds
from .stepper_tasks import step_obstacle


class HierarchicalDeltaIK(HierarchicalIK):
    """Gives the change of a configuration that brings several tasks nearer, each in the null space of those above.

    Tasks are frames with any part of a pose (`add_frame`), and error methods: `CenterOfMassTask`, `JointLimitTask`,
    `PostureTask`, own ones. Their order is given by ``level``, 0 for the most important one, or by ``priority``, the
    highest first, as ArmarX has it; one of the two for all tasks of a hierarchy.

    No lower task disturbs a higher one, to first order: not by damping near a singularity, not by a limit. A joint
    that meets its position limit, its velocity limit or its largest step takes no more part in the level that would
    take it further, and the others make up for it; lower levels have what is left (see
    `bounded_hierarchical_gradient`).

    `solve`, inherited, goes on until all required tasks are met; it makes one attempt unless ``problem.attempts`` says
    otherwise, from the present positions or a seed.

    Args:
        skeleton: The robot.
        node_set: What may move, or its name in the skeleton; all degrees of freedom when None.
        time_step: Time of a step (s), for which velocity limits are kept; None leaves them out.

    Raises:
        UnknownNameError: The skeleton has no such node set.
        InvalidValueError: A node set of another skeleton, or a time that is not positive.
    """

    def __init__(
        self, skeleton: Skeleton, node_set: NodeSet | str | None = None, *, time_step: float | None = None
    ) -> None:
        super().__init__(skeleton)
        chosen = skeleton.node_set(node_set) if isinstance(node_set, str) else node_set
        if chosen is not None:
            if not isinstance(chosen, NodeSet) or chosen.skeleton is not skeleton:
                raise InvalidValueError(f"node_set must be a node set of skeleton {skeleton.name!r}, not {chosen!r}")
            self.set_dofs(chosen.dofs)
        self.time_step = time_step
        self.problem.attempts = 1
        self._priorities: dict[Task, float] = {}
        self._kept: ActiveDofs | None = None

    @property
    def time_step(self) -> float | None:
        """Time of a step (s); None when velocity limits do not count."""
        return self._time_step

    @time_step.setter
    def time_step(self, time_step: float | None) -> None:
        self._time_step = None if time_step is None else as_positive("time_step", time_step)

    # Tasks.

    def add(self, task: Task, level: int | None = None, *, priority: float | None = None) -> None:
        """Adds a task, or gives one that is there another place.

        Args:
            task: See `HierarchicalIK.add`.
            level: 0 is the most important one; when neither is given, as in `HierarchicalIK.add`.
            priority: The highest number is the most important one.

        Raises:
            InvalidValueError: Both, or the one where other tasks have the other; else as `HierarchicalIK.add`.
        """
        others = [each for each in self._tasks if each is not task]
        if priority is None:
            if any(each in self._priorities for each in others):
                raise InvalidValueError(
                    "the tasks of this hierarchy are ordered by priority; give priority=, not level="
                )
            super().add(task, level)
            self._priorities.pop(task, None)
            return
        if level is not None:
            raise InvalidValueError("give level= (0 is the most important) or priority= (the highest is), not both")
        if any(each not in self._priorities for each in others):
            raise InvalidValueError("tasks of this hierarchy are ordered by level; give level=, not priority=")
        number = _checked_priority(priority)
        super().add(task, 0)
        self._priorities[task] = number
        self._order()

    def add_frame(
        self,
        frame: Frame | str,
        target: PoseLike | Frame | None = None,
        selection: CartesianSelection | str = CartesianSelection.ALL,
        *,
        level: int | None = None,
        priority: float | None = None,
    ) -> InverseKinematics:
        """Adds a task for a frame.

        Args:
            frame: A frame of the skeleton, or its name.
            target: World pose or frame; where the frame is now when None.
            selection: Which part of the pose: ``"x"``, ``"y"``, ``"z"``, ``"position"``, ``"orientation"``, ``"all"``,
                or several joined by ``|``; coordinates are along the world's axes.
            level: See `add`.
            priority: See `add`.

        Returns:
            The module of the task, whose target may be moved.
        """
        rows = np.array(CartesianSelection.of(selection).rows)
        module = InverseKinematics(self._skeleton.frame(frame) if isinstance(frame, str) else frame)
        size = np.where(rows, 0.0, math.inf)
        module.error_method = TaskSpaceRegion((-size, size), reference_frame=World())
        if target is not None:
            module.target = target
        self.add(module, level, priority=priority)
        return module

    def remove(self, task: Task) -> None:
        """Removes a task; `UnknownNameError` when it is not there."""
        super().remove(task)
        self._priorities.pop(task, None)
        self._order()

    def _order(self) -> None:
        """Gives every task the level of its priority."""
        ranks = sorted(set(self._priorities.values()), reverse=True)
        for task, number in self._priorities.items():
            super().add(task, ranks.index(number))

    # Steps.

    def step(
        self,
        state: State | ArrayLike | Mapping[str, Any] | None = None,
        step_size: float = 1.0,
        *,
        time_step: float | None = None,
    ) -> Array:
        """The change of the configuration in one step; moves nothing.

        `Skeleton.integrate` applies it, or addition where there are no free and spherical joints.

        Args:
            state: Where to start: a configuration (n,), a mapping, a `State`; the present positions when None.
            step_size: What part of the step that would meet the linearised tasks is taken, at most 1.
            time_step: Overrides `time_step`.

        Returns:
            Joint velocities for one unit of time (n,); zero for what may not move. Without tasks all are zero.
        """
        q = state.q if isinstance(state, State) else self._skeleton.as_configuration(state)
        # Binding the compiled step takes longer than a step on the object path, which is the same but for rounding.
        return self._prepared(step_size, time_step, at_once=True).step(q)

    def prepare(self, step_size: float = 1.0, *, time_step: float | None = None) -> PreparedDeltaIK:
        """Steps with everything bound, for control loops: an object with ``step(q)`` and ``set_target(task, target)``.

        Args:
            step_size: See `step`.
            time_step: See `step`.

        Raises:
            SolverError: The problem asks for the compiled engine, which cannot do this.
        """
        return self._prepared(step_size, time_step, at_once=False)

    def _prepared(self, step_size: float, time_step: float | None, at_once: bool) -> PreparedDeltaIK:
        size = as_positive("step_size", step_size)
        if size > 1.0:
            raise InvalidValueError(f"step_size must be at most 1, not {step_size!r}")
        time = self._time_step if time_step is None else as_positive("time_step", time_step)
        active = self._active()
        asked, sources = self._aimed()
        tasks = HierarchyTasks(asked, self._gradient_method, self.problem.tolerance)
        order = {
            id(own): source for own, source in zip((each for level in asked for each in level), sources, strict=True)
        }
        bounds = StepBounds(active, self.problem.max_step, time, self.problem.respect_limits)
        engine, obstacle = self.problem.engine, step_obstacle(tasks, active)
        if engine == "compiled" and obstacle:
            raise SolverError(f"the compiled engine cannot do these steps: {obstacle}; use engine='auto'")
        compiled = not obstacle and engine != "object" and not (at_once and engine == "auto")
        return PreparedDeltaIK(active, tasks, [order[id(own)] for own in tasks.all], bounds, size, compiled)

    def _aimed(self) -> tuple[list[list[Any]], list[Task]]:
        """The active tasks by level, without empty levels, and what was added for each, in that order."""
        sources = [
            task for level in self.levels for task in level if not isinstance(task, InverseKinematics) or task.active
        ]
        asked = [level for level in self._request_levels() if level]
        return [[task._replace(level=k) for task in level] for k, level in enumerate(asked)], sources

    def _active(self) -> ActiveDofs:
        """What may move; made once for a version of the skeleton."""
        chosen = self._skeleton.dofs if self._dofs is None else self._dofs
        indices = dof_indices(self._skeleton, chosen)
        kept = self._kept
        if kept is None or kept.version != self._skeleton.version or kept.indices.tolist() != indices:
            kept = self._kept = ActiveDofs(self._skeleton, indices)
        return kept


def _checked_priority(priority: float) -> float:
    if isinstance(priority, bool) or not isinstance(priority, int | float | np.number) or not math.isfinite(priority):
        raise InvalidValueError(f"priority must be a finite number, not {priority!r}")
    return float(priority)
