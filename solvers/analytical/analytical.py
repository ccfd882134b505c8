"""`Analytical`: closed forms as gradient methods; the class to subclass for one of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any, ClassVar, Self

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from ...kinematics import InvalidValueError
from ...kinematics.transforms import Array
from ..errors import GradientMethodError
from ..far_targets import goal_pose
from ..pace import FAST, SLOW, Pace
from ..targets.ik_target import IkTarget
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion
from .analytical_options import AnalyticalOptions
from .branch_check import checked_branches
from .branch_ranking import ranked
from .extra_dof_gradient import extra_dof_gradient
from .extra_dof_utilization import ExtraDofUtilization
from .validity import AnalyticalSolution, Validity

#: Singular values below this part of the largest are zero, where directions are looked for that move nothing.
_FREE = 1e-7


class Analytical(AnalyticalOptions):
    """All solutions for a pose at once, without iterations.

    Subclass it, name the degrees of freedom that are solved for, and yield configurations::

        class TwoLink(Analytical):
            dofs = ("shoulder", "elbow")

            def compute_solutions(self, pose):
                x, y, _ = pose.translation
                cosine = (x * x + y * y - A * A - B * B) / (2 * A * B)
                for elbow in (math.acos(cosine), -math.acos(cosine)) if abs(cosine) <= 1 else ():
                    inner, outer = A + B * math.cos(elbow), B * math.sin(elbow)
                    yield math.atan2(y, x) - math.atan2(outer, inner), elbow

        ik.gradient_method = TwoLink()

    The base class does the rest: angles are moved by whole turns to where they are inside the limits and nearest to
    the seed, each solution is checked by forward kinematics, tagged, and ranked. As a gradient method of a module its
    step leads to the best valid solution at once, and nowhere when there is none.

    Poses are of the module's frame (its tool point, with an offset) relative to the `base` of the solved joints. What
    counts as reached is the module's error method: with a position-only region the rotation is free, and with a
    `TranslationXY2D` the height as well.
    """

    takes_whole_steps: ClassVar[bool] = True

    # What a subclass writes.

    def compute_solutions(self, pose: pin.SE3) -> Iterable[Any]:
        """Configurations that put the frame at a pose; to be written by the subclass.

        Args:
            pose: The frame's, relative to `base`.

        Returns:
            Any number of configurations over the solved dofs (d,), which are checked; or of pairs
            ``(configuration, Validity)``, whose reach is taken as it is said to be. Limits are tested either way.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_solutions")

    @property
    def pace(self) -> Pace:  # type: ignore[override]  # of a class elsewhere, here it depends on an option
        """Nothing to wait for, unless joints that are not solved for move along a transpose."""
        return FAST if self._utilization is ExtraDofUtilization.UNUSED else SLOW

    # Solving.

    def solve_all(
        self, pose: Any, seed: ArrayLike | Mapping[str, Any] | None = None
    ) -> tuple[Array, NDArray[np.int64]]:
        """All solutions for a pose as arrays, from the best to the worst.

        Args:
            pose: Of the module's frame relative to `base`, in any form.
            seed: Configuration (n,) or mapping that solutions should be near; the present positions when None.

        Returns:
            (b, d) configurations over the solved dofs, and (b,) their `Validity` flags: valid ones first, then those
            that do not reach, then those beyond limits, each in order of quality. The arrays are new.

        Raises:
            GradientMethodError: `compute_solutions` raised, or gave something that is no configuration.
        """
        start = self.module.skeleton.as_configuration(seed, name="seed")
        q, validity, _ = self._solved_and_measured(pose, start)
        return q, validity

    def get_solutions(
        self, pose: Any = None, seed: ArrayLike | Mapping[str, Any] | None = None
    ) -> list[AnalyticalSolution]:
        """All solutions for a pose as objects, from the best to the worst; see `solve_all`.

        Args:
            pose: Relative to `base`; the module's own target when None.
            seed: See `solve_all`.
        """
        start = self.module.skeleton.as_configuration(seed, name="seed")
        if pose is None:
            q, validity, errors = self.solve_for(self.module.error_method.aimed_at(), start)
        else:
            q, validity, errors = self._solved_and_measured(pose, start)
        indices = self.solved_dofs().indices
        full = np.empty((len(q), len(start)))
        full[:] = start
        full[:, indices] = q
        full.flags.writeable = False  # and so are its rows
        return [
            _new(
                AnalyticalSolution,
                (
                    row,
                    _VALIDITIES[flags],
                    away,
                    turned,
                    singular > 0.0,
                    self._free_directions(row) if singular else _NONE,
                ),
            )
            for row, flags, (away, turned, singular) in zip(full, validity.tolist(), errors.tolist(), strict=True)
        ]

    def solve_for(self, method: ErrorMethod, q: Array) -> tuple[Array, NDArray[np.int64], Array]:
        """All solutions of a task that is aimed; this is what the solvers call.

        Args:
            method: The task; see `TaskSpaceRegion.compute_desired_transform` for the pose that it asks for.
            q: Configuration (n,) that solutions should be near; what is not solved for stays there.

        Returns:
            Configurations (b, d) and flags (b,) as `solve_all`, and (b, 3) the errors in m and rad, and whether the
            solution is singular.

        Raises:
            InvalidValueError: A task that asks for no pose.
        """
        return self._solved_and_measured(self._pose_for(method, q), q)

    def _pose_for(self, method: ErrorMethod, q: Array) -> pin.SE3:
        """The pose, relative to `base`, that a task asks for when the skeleton is at q (n,).

        What it leaves open is as it is at q.
        """
        module = self.module
        state = module.skeleton.state(q)
        if isinstance(method, TaskSpaceRegion):
            desired = method.compute_desired_transform(state)
            if module.offset is not None:
                desired = desired * pin.SE3(np.eye(3), module.offset)
        elif isinstance(method, IkTarget) and method.num_coordinates:
            reference = method.relative.reference.at(state)
            desired = reference.actInv(state.transform(module.frame))
            desired.translation[: method.num_coordinates] = method.goal[: method.num_coordinates, 3]
            desired = reference * desired
        else:
            raise InvalidValueError(
                f"{type(self).__name__} solves for poses and points, and {type(method).__name__} asks for neither; "
                "give a pose, or use a numeric method"
            )
        relative: pin.SE3 = state.transform(self.base).actInv(desired)
        return relative

    def _solved_and_measured(self, pose: Any, start: Array) -> tuple[Array, NDArray[np.int64], Array]:
        """Configurations (b, d), flags (b,), and (b, 3) the errors in m and rad and whether each is singular.

        Near ``start`` (n,), which is checked.
        """
        relative = goal_pose(pose, "pose")
        solved = self.solved_dofs()
        state = self.module.skeleton.state(start)
        task = self._as_target(state.transform(self.base) * relative)
        given = self._computed(relative, start)
        q, validity, errors = checked_branches(type(self).__name__, given, solved, state, task, self._tolerance)
        order = ranked(q, validity, start[solved.indices], self._quality, self.ik)
        return q[order], validity[order], errors[order]

    def _as_target(self, pose: pin.SE3) -> ErrorMethod:
        """What measures how far a configuration is from a world pose: the module's error method where it can."""
        method = self.module.error_method
        if isinstance(method, IkTarget) and method.relative.stands_still:
            return method.aimed_at(method.relative.reference.pose.actInv(pose))
        own = method if isinstance(method, TaskSpaceRegion) else None
        if own is None:
            own = TaskSpaceRegion()
            own._module = self.module
        return own.aimed_at(pose)

    def _computed(self, pose: pin.SE3, start: Array) -> list[Any]:
        # Each call has its own seed, in threads and in calls from within as well.
        token = _seeds.set((*_seeds.get(), (self, start)))
        try:
            return list(self.compute_solutions(pose))
        except Exception as problem:
            raise GradientMethodError(
                f"{type(self).__name__}.compute_solutions raised {type(problem).__name__}: {problem}"
            ) from problem
        finally:
            _seeds.reset(token)

    def seed_positions(self) -> Array:
        """(n,) for `compute_solutions`: the configuration that solutions should be near, a copy."""
        for method, start in reversed(_seeds.get()):
            if method is self:
                return start.copy()
        return self.module.skeleton.positions.copy()

    def obstacle_to_solving(self, method: ErrorMethod) -> str:
        """What keeps an aimed task from being solved at once, without iterations; empty when nothing does."""
        if is_exact_pose(method) or (isinstance(method, IkTarget) and method.num_coordinates):
            return ""
        return f"{type(self).__name__} solves for poses and positions that stand still"

    def _free_directions(self, q: Array) -> Array:
        """(k, d) directions of the solved dofs that do not move the frame at q (n,)."""
        module, solved = self.module, self.solved_dofs()
        state = module.skeleton.state(q, solved.indices)
        _, jacobian, _, _ = module.error_method.aimed_at().measure(state)
        _, values, rows = np.linalg.svd(jacobian)
        values = np.concatenate([values, np.zeros(len(rows) - len(values))])
        directions: Array = rows[values <= _FREE * max(1.0, float(values[0]))]
        return directions

    # As a gradient method.

    def compute_gradient(self, error: Array) -> Array:
        """The step to the best valid solution, uphill (n,); see `ExtraDofUtilization` for the module's other dofs.

        Zero when there is no error; without a valid solution the solved dofs do not move.
        """
        assert self.state is not None
        module, state = self.module, self.state
        active = module.active_dofs()
        gradient = np.zeros(len(active))
        if not error.any():
            return gradient
        solved, columns = self.solved_dofs(), self.dof_map
        task = self.error_method or module.error_method.aimed_at()
        start = np.array(state.q)
        q = start.copy()
        if self._utilization.is_before:
            before = extra_dof_gradient(self, task, state, self.extra_dofs)
            gradient += before
            q[active.indices] = active.inside(q[active.indices] - before)
        rows, flags, _ = self.solve_for(task, q)
        if not len(rows) or flags[0] != Validity.VALID:
            return gradient
        gradient[columns] = start[solved.indices] - rows[0]
        if self._utilization.is_after:
            q[solved.indices] = rows[0]
            moved = module.skeleton.state(q, active.indices)
            gradient += extra_dof_gradient(self, task, moved, self.extra_dofs)
        return gradient

    def clone(self) -> Self:
        """A copy that belongs to no module."""
        twin = super().clone()
        twin._solved = None
        return twin


#: The methods that are computing solutions, in this thread or task, with the seeds of their calls.
_seeds: ContextVar[tuple[tuple[Analytical, Array], ...]] = ContextVar("kinetree_seeds", default=())
_NONE = np.zeros((0, 0))
_NONE.flags.writeable = False
#: As `AnalyticalSolution(...)` does it, without its detour through a function of six arguments.
_new = tuple.__new__
_VALIDITIES = tuple(Validity(flags) for flags in range(4))


def is_exact_pose(method: ErrorMethod) -> bool:
    """True for a task that asks for one pose, or for a position in any rotation, of something that stands still."""
    if not isinstance(method, TaskSpaceRegion):
        return False
    aim = method.aimed
    bounds = aim.bounds
    is_exact = bounds.has_exact_position and (bounds.has_exact_rotation or bounds.ignores_rotation)
    return bool(aim.relative.stands_still and is_exact)
