"""`PreparedDeltaIK`: steps of a hierarchy with everything bound, for control loops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import State, StructureError, as_vector, unknown_name
from ...kinematics.state import as_slice
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..gradient_method import GradientMethod
from ..gradient_methods.jacobian_pseudo_inverse import JacobianPseudoInverse
from ..gradient_methods.jacobian_transpose import JacobianTranspose
from ..inverse_kinematics import InverseKinematics
from ..limited_step import StepRule
from ..tasks.error_method import ErrorMethod
from .bounded_hierarchical_step import bounded_hierarchical_gradient
from .hierarchical_step import Level
from .hierarchy_tasks import HierarchyTasks
from .step_bounds import StepBounds
from .stepper_tasks import make_stepper, stepper_task

if TYPE_CHECKING:
    from ..compiled.hierarchical_stepper import HierarchicalStepper


class PreparedDeltaIK:
    """Steps of a `HierarchicalDeltaIK` with its tasks and options as they were when this was made.

    `HierarchicalDeltaIK.prepare` makes it. One object serves one thread.

    Args:
        active: What may move.
        tasks: All tasks, aimed.
        sources: For each of ``tasks.all`` what was added to the hierarchy.
        bounds: How far joints may go in a step.
        step_size: What part of the whole step is taken.
        compiled: Use the compiled kernels; the tasks must be such that `step_obstacle` finds nothing against it.
    """

    def __init__(
        self,
        active: ActiveDofs,
        tasks: HierarchyTasks,
        sources: Sequence[InverseKinematics | ErrorMethod],
        bounds: StepBounds,
        step_size: float,
        compiled: bool,
    ) -> None:
        self._active, self._tasks, self._sources = active, tasks, list(sources)
        self._bounds, self._step_size = bounds, step_size
        self._skeleton, self._version = active.skeleton, active.version
        self._length = active.skeleton.num_dofs
        self._shape = (self._length,)
        self._is_whole = active.indices.tolist() == list(range(self._length))
        self._own = as_slice(active.indices)
        self._methods = [task.error_method for task in tasks.all]
        self._stepper: HierarchicalStepper | None = make_stepper(tasks, active) if compiled else None
        self._limits: Any = None
        if self._stepper is not None and not bounds.are_far:
            self._bind_limits(self._stepper)

    def _bind_limits(self, stepper: HierarchicalStepper) -> None:
        """What the kernel needs for steps inside bounds; loaded now, not in the middle of a control loop."""
        from ..bounded_kernels import whole_bounded_step as kernel

        bounds, roots, k = self._bounds, self._active.root_weights, len(self._active)
        unit = np.full(k, self._step_size) if roots is None else self._step_size * roots
        self._limits = kernel.limits_of_steps(bounds.lower, bounds.upper, bounds.reach, unit, stepper._integers)
        self._limited_step: Array = self._limits[k * kernel.STEP : k * (kernel.STEP + 1), 0]
        self._limited_kernel = kernel.compiled_whole_bounded_step()

    @property
    def engine(self) -> str:
        """What computes: ``"compiled"`` or ``"object"``."""
        return "object" if self._stepper is None else "compiled"

    def set_target(self, task: InverseKinematics | ErrorMethod, target: Any) -> None:
        """Moves the target of a task here, not in the hierarchy.

        Args:
            task: One that was added.
            target: As its error method takes it: a world pose, the goal of a centre of mass, a posture.

        Raises:
            UnknownNameError: It is not among the tasks.
        """
        if task not in self._sources:
            name = getattr(task, "name", repr(task))
            raise unknown_name("task", name, [each.name for each in self._tasks.all], "the hierarchy")
        place = self._sources.index(task)
        method = task.error_method if isinstance(task, InverseKinematics) else task
        aimed = method.aimed_at(target)
        if self._stepper is not None:
            own = stepper_task(self._tasks.all[place]._replace(error_method=aimed))
            goal = getattr(own, "goal", None)
            self._stepper.set_target(place, own.target if goal is None else goal)  # type: ignore[union-attr]
        self._methods[place] = aimed

    def step(self, q: ArrayLike) -> Array:
        """The change (n,) of one step from a configuration (n,); see `HierarchicalDeltaIK.step`.

        Args:
            q: Where the robot is (n,).

        Raises:
            StructureError: The skeleton was changed since the step was prepared.
        """
        stepper = self._stepper
        if stepper is None:
            delta = self._object_step(q)
        else:
            if self._skeleton.version != self._version:
                raise StructureError(f"skeleton {self._skeleton.name!r} was changed; prepare the steps anew")
            plain = type(q) is np.ndarray and q.shape == self._shape and math.isfinite(q.dot(q))
            stepper._q[:] = q if plain else as_vector(q, self._length, "q")
            if self._limits is None:
                stepper._kernel(stepper._integers, stepper._numbers)
                delta = stepper._gradient * -self._step_size
            else:
                self._limited_kernel(stepper._integers, stepper._numbers, self._limits)
                delta = self._limited_step.copy()
        if self._is_whole:
            return delta
        result = np.zeros(self._length)
        result[self._own] = delta
        return result

    def _object_step(self, q: ArrayLike) -> Array:
        state = self._state(q)
        try:
            measured = [method.measure(state) for method in self._methods]
            jacobian = np.vstack([np.zeros((0, len(self._active))), *(each[1] for each in measured)])
            error = np.concatenate([np.zeros(0), *(each[0] for each in measured)])
            return self._bounded(state, jacobian, error, [len(each[0]) for each in measured])
        finally:
            self._active.return_state(state)

    def _state(self, q: ArrayLike) -> State:
        if self._skeleton.version != self._version:
            raise StructureError(f"skeleton {self._skeleton.name!r} was changed; prepare the steps anew")
        return self._active.borrow_state(as_vector(q, self._length, "q"))

    def _bounded(self, state: State, jacobian: Array, error: Array, sizes: list[int]) -> Array:
        """The step (k,) inside the bounds, for tasks with so many rows each."""
        x = state.x
        low, high = self._bounds.around(x)
        # Joints of small weight are made unattractive by scaling their columns down, as in `LimitedStep`.
        roots = self._active.root_weights
        scale = np.ones(len(x)) if roots is None else roots
        unit = self._step_size * scale
        ends = self._firsts(sizes)
        levels = []
        for (first, end), method in zip(itertools.pairwise(ends), self._tasks.methods, strict=True):
            own = jacobian[first:end] * scale
            levels.append(Level(own, error[first:end], _rule(method, own, state)))
        moves = unit > 0.0  # without weight a joint has no part in any level
        lower, upper = np.full(len(x), -math.inf), np.full(len(x), math.inf)
        # A tiny part of a step meets no bound at all: what overflows then is as good as no bound, and infinity says so.
        with np.errstate(over="ignore"):
            np.divide(-high, unit, out=lower, where=moves)
            np.divide(-low, unit, out=upper, where=moves)
        delta = bounded_hierarchical_gradient(levels, lower, upper) * -unit
        return np.asarray(np.minimum(np.maximum(delta, low), high))  # the scaling is undone but for rounding

    def _firsts(self, sizes: list[int]) -> list[int]:
        """The first row of each level, and the number of rows, for tasks with so many rows each."""
        place, ends = 0, [0]
        for tasks in self._tasks.levels:
            ends.append(ends[-1] + sum(sizes[place : place + len(tasks)]))
            place += len(tasks)
        return ends

    def misses(self, q: ArrayLike) -> Array:
        """(t, 2) how far each task is off (m and rad) at a configuration (n,), level by level."""
        if self._stepper is not None:
            return self._stepper.measure(q)
        state = self._state(q)
        try:
            return np.array([method.residual(state) for method in self._methods]).reshape(-1, 2)
        finally:
            self._active.return_state(state)

    def __repr__(self) -> str:
        names = ", ".join(repr(task.name) for task in self._tasks.all)
        return f"<PreparedDeltaIK of {self._skeleton.name!r}: {names}; {self.engine}>"


def _rule(method: GradientMethod, whole: Array, state: State) -> StepRule:
    """The step of a level by a method, for what the levels above leave of its whole Jacobian."""
    cutoff = _cutoff(method)
    if cutoff is None or not whole.size:
        return lambda jacobian, error: method.checked_gradient(jacobian, error, state, method.ik, 0)
    # A cutoff counts from the largest singular value that a method sees. Where the levels above leave next to nothing
    # of a level, that would be next to nothing too, and the step as long as the joints may go.
    least = cutoff * float(np.linalg.norm(whole, 2))

    def rule(jacobian: Array, error: Array) -> Array:
        u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
        strong = s > least
        return method.checked_gradient((u[:, strong] * s[strong]).dot(vt[strong]), error, state, method.ik, 0)

    return rule


def _cutoff(method: GradientMethod) -> float | None:
    """The part of the largest singular value that a method needs; None for a damped one, which needs none."""
    if type(method) is JacobianPseudoInverse:
        return method.cutoff
    # The best length along the transpose is that of the exact step where all of the error is in a weak direction.
    if type(method) is JacobianTranspose and method.scaling == "optimal":
        return defaults.PSEUDO_INVERSE_CUTOFF
    return None
