"""`HierarchicalStepper`: the compiled step of a hierarchy with plan and buffers bound, for control loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from ...kinematics import Frame, InvalidValueError, Joint, Skeleton, StructureError, as_pose, as_vector
from ...kinematics.core.plan import Plan
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..option_checks import as_positive
from . import hierarchical_layout as layout
from .hierarchical_limits import CURVED, STOPS, WRAPS
from .hierarchical_whole_step import compiled_whole_step

#: Stands for "no limit": kernels are compiled for finite numbers.
_FAR_AWAY = 1e30
_ALL = (True, True, True, True, True, True)


@dataclass(frozen=True)
class TipTask:
    """A frame is to be at a pose.

    Attributes:
        frame: What is moved; any frame that hangs on the skeleton.
        target: World pose.
        level: 0 is the most important one.
        rows: Which of the six components count: position, then rotation vector, along the world axes.
        weights: (6,) factors of the components; they shape steps.
    """

    frame: Frame
    target: pin.SE3
    level: int = 0
    rows: Sequence[bool] = _ALL
    weights: ArrayLike = field(default=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0))


@dataclass(frozen=True)
class CenterTask:
    """The centre of mass is to be over a point of the floor, or at a point in space.

    Attributes:
        goal: (2,) or (3,) in the world (m).
        level: 0 is the most important one.
        weight: Factor of the error.
    """

    goal: ArrayLike
    level: int = 0
    weight: float = 1.0


class HierarchicalStepper:
    """Takes steps of a hierarchy: forward kinematics, errors, Jacobians, levels, limits and motion in one call.

    With ``wraps`` a step is the same as that of `HierarchicalIK`'s object path with `LevenbergMarquardt`, but for
    this: a robot that would stand still with joints held in vain is freed. Degrees of freedom outside ``dofs``
    stay where ``q`` had them when this was made. Not for two threads at a time.

    Args:
        skeleton: The robot.
        tasks: `TipTask` and `CenterTask` objects; their order is that of `misses` and of `set_target`.
        dofs: Skeleton indices of what may move; all when None.
        q: Configuration (n,) of what does not; the present positions when None.
        damping: (factor, floor) of the Levenberg-Marquardt damping, mu = factor e.e + floor, for every level,
            or one pair for each level. Damped least squares is (0, lambda^2).
        max_step: Largest change of a coordinate in one step (rad or m).
        respect_limits: False lets joints go anywhere.
        wraps: An angle that would leave its limits goes on a whole turn further back when that is inside, as in a
            search for a configuration; a robot that follows the steps would have to jump.

    Raises:
        InvalidValueError: No task, levels left out, a task without rows, or a joint that no kernel moves.
        StructureError: A frame of another skeleton, or a `CenterTask` for a robot without mass.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        tasks: Sequence[TipTask | CenterTask],
        *,
        dofs: Iterable[int] | None = None,
        q: ArrayLike | None = None,
        damping: ArrayLike = (defaults.DAMPING, defaults.DAMPING_FLOOR),
        max_step: float = defaults.MAX_STEP,
        respect_limits: bool = True,
        wraps: bool = False,
    ) -> None:
        max_step = as_positive("max_step", max_step)
        self._skeleton = skeleton
        self.version = skeleton.version
        self._levels = _checked_levels(tasks)
        active = ActiveDofs(skeleton, range(skeleton.num_dofs) if dofs is None else dofs)
        frames = list(dict.fromkeys(task.frame for task in tasks if isinstance(task, TipTask)))
        whole = any(isinstance(task, CenterTask) for task in tasks)
        plan = Plan.build(skeleton, frames, active.indices, skeleton.as_configuration(q), whole_body=whole)
        if whole and not plan.fixed_mass + plan.masses.sum() > 0.0:
            raise StructureError(f"skeleton {skeleton.name!r} has no mass, so it has no centre of mass")
        #: Tasks in the kernel's order, level by level, and where each of ours is there.
        order = sorted(range(len(tasks)), key=lambda k: tasks[k].level)
        self._places = [order.index(k) for k in range(len(tasks))]
        packer = layout.Packer(
            plan,
            np.array([_row(tasks[k], frames) for k in order], dtype=np.int64),
            np.array([tasks[k].level for k in order]),
            _joints(active, max_step, respect_limits, wraps),
            _checked_damping(damping, self._levels),
            _curved(active),
            skeleton.num_dofs,
        )
        self._integers, self._numbers = packer.arrays()
        #: Length of the goal of a centre of mass; 0 for a pose.
        self._goal_sizes = [0 if isinstance(task, TipTask) else len(np.asarray(task.goal)) for task in tasks]
        self._bind()
        for k, task in enumerate(tasks):
            self._weights[self._places[k]] = task.weights if isinstance(task, TipTask) else task.weight
            self.set_target(k, task.target if isinstance(task, TipTask) else task.goal)
        self._kernel = compiled_whole_step()

    def _bind(self) -> None:
        """Views of the arrays that the kernel reads and writes."""
        integers = self._integers
        n, rows, tasks, length = (
            int(integers[place]) for place in (layout.COLUMNS, layout.ROWS, layout.TASKS, layout.LENGTH)
        )
        self._q, self._next = self._view(layout.AT_Q, length), self._view(layout.AT_NEXT_Q, length)
        self._targets = self._view(layout.AT_TARGETS, tasks, 12)
        self._weights = self._view(layout.AT_WEIGHTS, tasks, 6)
        self._misses = self._view(layout.AT_MISSES, tasks, 2)
        self._joints = self._view(layout.AT_JOINTS, 5, n)
        self._damping = self._view(layout.AT_DAMPING, int(integers[layout.ALL_LEVELS]), 2)
        self._jacobian, self._error = self._view(layout.AT_JACOBIAN, rows, n), self._view(layout.AT_ERROR, rows)
        self._gradient = self._view(layout.AT_GRADIENT, n)

    def _view(self, place: int, *shape: int) -> Array:
        first = int(self._integers[place])
        return self._numbers[first : first + int(np.prod(shape)), 0].reshape(shape)

    # Targets.

    @property
    def targets(self) -> list[Array]:
        """For each task twelve numbers, a view to be changed in place: rotation row by row, then translation.

        A centre of mass uses the translation alone.
        """
        return [self._targets[place] for place in self._places]

    def set_target(self, task: int, target: ArrayLike | pin.SE3) -> None:
        """Moves the target of a task.

        Args:
            task: Its number.
            target: World pose; for a centre of mass (2,) or (3,).
        """
        if isinstance(task, bool) or not isinstance(task, int | np.integer) or not 0 <= task < len(self._places):
            raise InvalidValueError(f"there are tasks 0 to {len(self._places) - 1}, not {task!r}")
        row = self._targets[self._places[task]]
        size = self._goal_sizes[task]
        if size:
            row[9 : 9 + size] = as_vector(target, size, f"target of task {task}")
        else:
            pose = as_pose(target, f"target of task {task}")
            row[:9], row[9:] = pose.rotation.ravel(), pose.translation

    # Steps.

    def step(self, q: ArrayLike) -> Array:
        """One step of all levels.

        Args:
            q: Configuration (n,) of the whole skeleton.

        Returns:
            The next configuration (n,), a new array.
        """
        self._set(q)
        self._kernel(self._integers, self._numbers)
        return self._next.copy()

    def _set(self, q: ArrayLike) -> None:
        if self._skeleton.version != self.version:
            raise StructureError(f"skeleton {self._skeleton.name!r} was changed; make another HierarchicalStepper")
        self._q[:] = as_vector(q, len(self._q), "q")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuses to be copied: the views would be those of the old arrays."""
        raise TypeError("a HierarchicalStepper cannot be copied or pickled; make another one")

    def measure(self, q: ArrayLike) -> Array:
        """Works out how far the tasks are missed at a configuration (n,), without a step; see `misses`."""
        self._set(q)
        levels = self._integers[layout.LEVELS]
        self._integers[layout.LEVELS] = 0
        try:
            self._kernel(self._integers, self._numbers)
        finally:
            self._integers[layout.LEVELS] = levels
        return self.misses

    def use_levels(self, count: int) -> None:
        """Lets only the first levels move the robot from now on; all tasks are still measured."""
        if not 1 <= count <= self._levels:
            raise InvalidValueError(f"there are levels 1 to {self._levels}, not {count}")
        self._integers[layout.LEVELS] = count

    @property
    def misses(self) -> Array:
        """(t, 2) distance (m) and angle (rad) that each task was off before the last step."""
        return self._misses[self._places]

    @property
    def gradient(self) -> Array:
        """(k,) the last step uphill, before it was cut at the limits; over the columns of ``dofs``."""
        return self._gradient.copy()

    @property
    def rounds(self) -> int:
        """How often the last step was worked out: once, and again after joints were held at their limits."""
        return int(self._integers[layout.ROUNDS])

    @property
    def standing(self) -> NDArray[np.int64]:
        """(k,) `FREE`, `HELD`, `GIVEN_BACK` or `KEPT` for each joint in the last step; see `hierarchical_limits`."""
        first = int(self._integers[layout.AT_STANDING])
        return self._integers[first : first + int(self._integers[layout.COLUMNS])].copy()

    @property
    def linearised(self) -> tuple[Array, Array]:
        """Stacked Jacobian (m, k) and error (m,) at the last step, level by level."""
        return self._jacobian.copy(), self._error.copy()


def _checked_damping(damping: ArrayLike, levels: int) -> Array:
    values = np.asarray(damping, dtype=float)
    if values.shape not in ((2,), (levels, 2)) or not np.isfinite(values).all() or (values < 0.0).any():
        raise InvalidValueError(
            f"damping must be (factor, floor), or {levels} such pairs, finite and not negative; it is {damping!r}"
        )
    return np.broadcast_to(values, (levels, 2))


def _checked_levels(tasks: Sequence[TipTask | CenterTask]) -> int:
    """Number of levels."""
    if not tasks:
        raise InvalidValueError("a hierarchy needs at least one task")
    for task in tasks:
        if isinstance(task, TipTask) and (len(task.rows) != 6 or not any(task.rows)):
            raise InvalidValueError(f"rows must be six truth values, not all False, but they are {task.rows!r}")
        weights = task.weights if isinstance(task, TipTask) else [task.weight]
        if np.shape(weights) not in ((1,), (6,)) or not (
            np.isfinite(weights).all() and (np.asarray(weights) > 0).all()
        ):
            raise InvalidValueError(f"weights must be six positive numbers, not {weights!r}")
        if isinstance(task, CenterTask) and np.shape(task.goal) not in ((2,), (3,)):
            raise InvalidValueError(f"goal must be (x, y) or (x, y, z), not {task.goal!r}")
    used = {task.level for task in tasks}
    if used != set(range(len(used))):
        raise InvalidValueError(f"levels must be 0, 1, 2, ... without a gap, not {sorted(used)}")
    return len(used)


def _row(task: TipTask | CenterTask, frames: list[Frame]) -> list[int]:
    row = [0, 0, 0, 0]
    if isinstance(task, TipTask):
        row[layout.ABOUT], row[layout.TIP] = layout.POSE, frames.index(task.frame)
        row[layout.MASK] = sum(1 << i for i, wanted in enumerate(task.rows) if wanted)
    else:
        row[layout.ABOUT], row[layout.MASK] = layout.CENTER_OF_MASS, (1 << len(np.asarray(task.goal))) - 1
    return row


def _joints(active: ActiveDofs, max_step: float, respect_limits: bool, wraps: bool) -> Array:
    """(5, n) how each joint meets its limits, the limits, the largest step, the root of the weight."""
    n = len(active)
    meets = np.full(n, float(STOPS))
    if wraps:
        meets[[column for column, _, _ in active.wraps]] = WRAPS
    meets[active.is_curved_column] = CURVED
    lower = active.lower if respect_limits else np.full(n, -_FAR_AWAY)
    upper = active.upper if respect_limits else np.full(n, _FAR_AWAY)
    largest = np.full(n, max_step) if active.max_step is None else np.minimum(active.max_step, max_step)
    roots = np.ones(n) if active.root_weights is None else active.root_weights
    limits = np.clip(np.stack([lower, upper, largest]), -_FAR_AWAY, _FAR_AWAY)
    return np.stack([meets, *limits, roots])


def _curved(active: ActiveDofs) -> list[tuple[Joint, int]]:
    found = []
    for column, dof in enumerate(active.dofs):
        if active.is_curved_column[column] and (column == 0 or active.dofs[column - 1].joint is not dof.joint):
            found.append((dof.joint, column))
    return found
