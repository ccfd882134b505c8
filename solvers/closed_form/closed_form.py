"""`ClosedForm`: the closed form that kinetree finds from the geometry of an arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from ...kinematics import InvalidValueError, KinetreeError, ShapeError, StructureError
from ...kinematics.transforms import Array
from ..analytical.branch_ranking import ranked
from ..analytical.validity import Validity
from ..batches.chunks import as_threads, run_all
from ..compiled.layout import CHECKED, UNCHECKED
from ..far_targets import goal_pose
from ..targets.ik_target import IkTarget
from ..tasks.error_method import ErrorMethod
from .known_arm import KnownArm
from .lookup import Lookup, kind_of, reference_of
from .many_goals import ManyGoals, as_goals, as_seeds

#: Configurations (b, d), flags (b,), and (b, 3) errors in m and rad, and whether a solution is singular.
Measured: TypeAlias = tuple[Array, NDArray[np.int64], Array]


class ClosedForm(KnownArm):
    """All solutions of an arm, from its geometry, compiled.

    `InverseKinematics.analytical` makes it. What kind of arm it is is looked up when it is bound to a module, and anew
    when the robot or the module was changed. Candidates are polished on the arm as it is, so that an arm that misses
    its kind by a fraction of a millimetre is solved exactly too.

    With an `IkTarget` as the module's error method it solves for goals of that kind: targets of the same class may
    then be given in the place of poses.

    Example:
        ::

            closed = InverseKinematics(models.load("ur5")).analytical()
            q, validity = closed.solve_all(target)
    """

    def solve_all(
        self, pose: Any, seed: ArrayLike | Mapping[str, Any] | None = None
    ) -> tuple[Array, NDArray[np.int64]]:
        """All solutions for a pose as arrays; see `Analytical.solve_all`.

        A (4, 4) array of float64 with a seed (n,) likewise is quickest: nothing is copied or converted.
        """
        # A chain of cheap questions: a look-up, however small, would take longer than the solution itself.
        module = self.ik
        if (
            type(pose) is np.ndarray
            and type(seed) is np.ndarray
            and module is not None
            and module._error_method is self._seen
            and self._stamp == self._revision + module._revision + module._skeleton._version + self._seen._revision
        ):
            own = self._own
            assert own is not None
            binding = own.idle.pop() if own.idle else own.borrow(module, self._tolerance, seed)
            try:
                count = binding.kernel(binding.address, binding.table_address, CHECKED, pose, seed)
                if count == binding.most:
                    return binding.q.copy(), binding.validity.copy()
                if count >= 0:
                    return binding.q[:count].copy(), binding.validity[:count].copy()
            except TypeError:
                pass  # another kind of array
            finally:
                own.idle.append(binding)
        start = self.module.skeleton.as_configuration(seed, name="seed")
        q, validity, _ = self._solved_and_measured(pose, start)
        return q, validity

    def solve_many(
        self, poses: Array | Sequence[Any], seeds: ArrayLike | None = None, *, threads: int | None = None
    ) -> tuple[Array, NDArray[np.int64], NDArray[np.int64]]:
        """All solutions for each of many poses.

        Args:
            poses: (m, 4, 4) relative to `base`, or a sequence of anything that `solve_all` takes. What makes no pose
                gets no solutions.
            seeds: (m, n) configurations that solutions should be near, or one for all, (n,) or a mapping; the present
                positions when None. What stands still does so where the first seed has it.
            threads: How many; as many as there are processors when None.

        Returns:
            (m, most, d) configurations, (m, most) `Validity` flags, and (m,) how many of them are solutions of each
            pose; -1 for a pose or a seed that makes no sense. Entries behind that number mean nothing. The order is
            that of the distance from the seed, whatever `quality_comparison` says.

        Raises:
            ShapeError: Poses or seeds of a wrong shape.
        """
        module = self.module
        if not isinstance(poses, np.ndarray | Sequence):
            raise ShapeError(f"poses must be an array (m, 4, 4) or a sequence of poses, not {type(poses).__name__}")
        starts = as_seeds(seeds, module.skeleton, len(poses))
        start = starts[0] if len(starts) else module.skeleton.positions
        own = self._quick_lookup() or self._own_lookup(start)
        is_plain = isinstance(poses, np.ndarray) and poses.dtype == np.float64 and self._stamp != -1
        goals = as_goals(poses) if is_plain else as_goals([self._goal_or_nan(each, start) for each in poses])
        work = ManyGoals(goals, starts, 1 if own.found.family is None else own.found.family.most, len(own.order))

        def run(rows: tuple[int, int]) -> int:
            binding = own.borrow(module, self._tolerance, start)
            try:
                binding.solve_many(work.arrays, *rows)
            finally:
                own.idle.append(binding)
            return rows[1] - rows[0]

        for _ in run_all(run, work.chunks, as_threads(threads)):
            pass
        for row in work.refused if is_plain else ():
            # The kernel takes exact rotations; one that only needs rounding off is solved all the same.
            work.goals[row] = self._goal_or_nan(goals[row], start)
            run((row, row + 1))
        return work.answer()

    def _goal_or_nan(self, pose: Any, start: Array) -> Array:
        try:
            return self._goal_of(pose, start)
        except KinetreeError:
            return np.full((4, 4), np.nan)

    def compute_solutions(self, pose: pin.SE3) -> Iterable[Any]:
        """The solutions (d,) for a pose relative to `base`, with what is wrong with them."""
        q, validity, _ = self._solved_and_measured(pose, self.seed_positions())
        return [(row, Validity(int(flags))) for row, flags in zip(q, validity, strict=True)]

    def solve_for(self, method: ErrorMethod, q: Array) -> tuple[Array, NDArray[np.int64], Array]:
        """All solutions of a task that is aimed; see `Analytical.solve_for`."""
        lookup = self._lookup(method, q)
        if lookup.form is None:
            raise InvalidValueError(
                f"no closed form for {type(method).__name__}: {lookup.found.why}; use a numeric method"
            )
        from ..compiled.form import form_of

        found: Measured = self._run(lookup, form_of(method).goal, q)
        return found

    def obstacle_to_solving(self, method: ErrorMethod) -> str:
        """See `Analytical`."""
        if kind_of(method)[0] == "":
            return super().obstacle_to_solving(method)
        lookup = self._lookup(method, self.module.skeleton.positions)
        return "" if lookup.form is not None else lookup.found.why

    def _solved_and_measured(self, pose: Any, start: Array) -> tuple[Array, NDArray[np.int64], Array]:
        own, found = self._quick_lookup(), None
        if own is not None:
            if type(pose) is np.ndarray and pose.shape == (4, 4) and pose.dtype == np.float64:
                found = self._run(own, pose, start, CHECKED)
            if found is None:
                found = self._run(own, goal_pose(pose, "pose").homogeneous, start)
        else:
            found = self._run(self._own_lookup(start), self._goal_of(pose, start), start)
        answer: Measured = found
        return answer

    def _goal_of(self, pose: Any, start: Array) -> Array:
        """The goal (4, 4) as kernels take it."""
        method = self.module.error_method
        if isinstance(method, IkTarget) and isinstance(pose, IkTarget):
            return method.goal_of(pose, "pose")
        in_world = self.module.skeleton.state(start).transform(self.base) * goal_pose(pose, "pose")
        if isinstance(method, IkTarget):
            return method.goal_of(reference_of(method).transform().actInv(in_world), "pose")
        homogeneous: Array = in_world.homogeneous
        return homogeneous

    def _run(self, lookup: Lookup, goal: Array, start: Array, mode: int = UNCHECKED) -> Any:
        """Configurations, flags and errors as `Analytical.solve_for`; None for a goal that the kernel refuses."""
        goal = np.ascontiguousarray(goal)
        if not goal.flags.writeable:
            goal = goal.copy()  # another kind of array for Numba
        binding = lookup.borrow(self.module, self._tolerance, start)
        try:
            count = binding.kernel(binding.address, binding.table_address, mode, goal, start)
            if count < 0:
                return None
            q, validity = binding.q[:count].copy(), binding.validity[:count].copy()
            errors = binding.errors[:count].copy()
        finally:
            lookup.idle.append(binding)
        if self._quality is None:
            return q, validity, errors
        order = ranked(q, validity, start[lookup.order.indices], self._quality, self.ik)
        return q[order], validity[order], errors[order]

    def redundancy_intervals(self, pose: Any, seed: ArrayLike | Mapping[str, Any] | None = None) -> Array:
        """Where the redundancy of an arm of seven joints leaves all joints inside their limits.

        Args:
            pose: See `solve_all`.
            seed: Configuration (n,) or mapping of what stands still; the present positions when None.

        Returns:
            Rows (branch, low, high), in rad, see `Redundancy.intervals`. ``redundancy.name`` says what it is: the last
            or first joint, or the swivel angle of the elbow.

        Raises:
            StructureError: The arm has no redundancy, or none that is known.
        """
        found = self.redundancy
        if found is None:
            raise StructureError(f"{self.module.name!r} has no redundancy that is known in closed form: {self.why}")
        start = self.module.skeleton.as_configuration(seed, name="seed")
        return found.intervals(self._goal_of(pose, start))

    def __repr__(self) -> str:
        if self.ik is None:
            return "<ClosedForm, not bound to a module>"
        try:
            return f"<ClosedForm of {self.module.name!r}, {self.why}>"
        except KinetreeError as error:
            return f"<ClosedForm: {error}>"
