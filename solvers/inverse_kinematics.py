"""`InverseKinematics`: a frame, a target, and how to get there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kinematics import DegreeOfFreedom, Frame, Joint, NodeSet, Skeleton
from .joint_change import JointChange
from .many_targets import ManyTargets
from .prepared_solver import PreparedSolver
from .request import Constraint
from .solution import Solution
from .solver_pool import SolverPool, as_option
from .tasks.task_space_region import TaskSpaceRegion


class InverseKinematics(ManyTargets):
    """Finds joint values that bring a frame to its target.

    The parts may be replaced one by one: `target`, `offset`, the degrees of freedom, `error_method` (what
    counts as there), `gradient_method` (the step), `problem` (how long to search), objectives. Solving moves
    neither the robot nor the target.

    Args:
        frame: The frame to be moved; for a skeleton its natural tip, for a chain or node set its tip.
        dofs: Names, indices or objects of the degrees of freedom that may be used, joints meaning all theirs.
            By default those of a node set, else those of the chain that ends in the frame.

    Raises:
        StructureError: The frame hangs on no skeleton.
    """

    hierarchy_level: int
    active: bool

    def __init__(
        self,
        frame: Frame | Skeleton | NodeSet,
        *,
        dofs: Iterable[str | int | DegreeOfFreedom | Joint] | None = None,
    ) -> None:
        super().__init__(frame, dofs)
        self._pool = SolverPool(self)
        self.hierarchy_level = 0
        self.active = True

    def solve(
        self,
        target: Any = None,
        *,
        seed: ArrayLike | Mapping[str, Any] | None = None,
        constraint: Constraint | None = None,
        attempts: int | None = None,
        iterations: int | None = None,
        tolerance: float | tuple[float, float] | None = None,
        timeout: float | None = None,
        random_seed: int | np.random.Generator | None = None,
        max_joint_change: JointChange | None = None,
    ) -> Solution:
        """Looks for a configuration that reaches the target; moves nothing.

        Args:
            target: A pose in the world, a frame, or an `ErrorMethod`, for this call only; the module's own
                target when None.
            seed: Where to start: configuration (n,) or a mapping from names; the present positions when None.
                What is not in `dofs` keeps its value.
            constraint: Refuses solutions: ``constraint(q) -> bool``, a `QConstraint`, a `CollisionDetector`, or a list
                of these. It is asked only about configurations that reach the target, and about each of them once.
            attempts: Overrides the problem's.
            iterations: Overrides the problem's.
            tolerance: Overrides the problem's: one number, or (m, rad).
            timeout: Overrides the problem's (s).
            random_seed: Overrides the problem's.
            max_joint_change: How far joints may go from the seed (rad or m): one number, numbers (n,), or a mapping
                from names of joints or dofs, which limits only these; no limit when None. An angle a whole turn away is
                not near, and 0 holds a joint where it is.

        Returns:
            The solution, or the nearest configuration that was found and why it is none. When the constraint refused
            all that reach the target, the nearest to the seed of those.

        Raises:
            InvalidPoseError: A target that is no pose.
            ShapeError: A seed of the wrong length, or as many joint changes.
            InvalidValueError: nan or infinity in the seed, or an option that makes no sense.
            UnknownNameError: A name in ``max_joint_change`` that is not there.
            StructureError: A constraint about another robot.
            SolverError: A method, an objective or the constraint failed.
        """
        options = (attempts, iterations, as_option(tolerance), timeout, random_seed)
        idle = self._pool.idle("one", *options)
        try:
            prepared = idle.pop()
        except IndexError:
            prepared = PreparedSolver(self, self._problem_with(*options))
        try:
            solution: Solution = prepared.solve(target, seed, constraint, max_joint_change)
            if target is None and type(self._error_method) is TaskSpaceRegion and not self.has_target:
                detail = f"no target was given, and {self.name!r} is where it was when the module was made"
                return solution._replace(detail=solution.detail or detail)
            return solution
        finally:
            idle.append(prepared)

    def prepare(
        self,
        *,
        attempts: int | None = None,
        iterations: int | None = None,
        tolerance: float | tuple[float, float] | None = None,
        timeout: float | None = None,
        random_seed: int | np.random.Generator | None = None,
        explain: bool = True,
        max_joint_change: JointChange | None = None,
    ) -> PreparedSolver:
        """A solver with the module's options as they are now, whose calls cost as little as can be.

        It has a copy of the module for its own, so what is changed here afterwards does not change it. A change of the
        robot itself, joint limits included, is an error at its next call: prepare anew then.

        Args:
            attempts: See `solve`, as for the others.
            iterations: Overrides the problem's.
            tolerance: Overrides the problem's.
            timeout: Overrides the problem's (s).
            random_seed: Overrides the problem's.
            explain: Look into failures: what was in the way, and the nearest configuration. It takes up to some
                milliseconds, which a control loop may not have.
            max_joint_change: See `solve`; for calls that say nothing else.
        """
        problem = self._problem_with(attempts, iterations, tolerance, timeout, random_seed)
        return PreparedSolver(self.clone(), problem, explain, max_joint_change)

    def solve_and_apply(self, target: Any = None, *, apply_best: bool = False, **options: Any) -> Solution:
        """Solves, and on success moves the skeleton to the solution.

        Args:
            target: See `solve`.
            apply_best: Move to the nearest configuration when there is no solution.
            options: See `solve`.

        Returns:
            See `solve`.
        """
        solution = self.solve(target, **options)
        if solution.success or apply_best:
            self._skeleton.positions = solution.q
        return solution

    def clone(self, frame: Frame | None = None) -> InverseKinematics:
        """A module with the same options for this or another frame; the target is shared, methods are copied.

        Degrees of freedom that were chosen by name are looked up by name in the other frame's skeleton.

        Args:
            frame: The frame of the copy; the same when None.
        """
        twin = InverseKinematics(self._frame if frame is None else frame)
        self._copy_parts_to(twin)
        twin.hierarchy_level = self.hierarchy_level
        twin.active = self.active
        return twin

    def __copy__(self) -> InverseKinematics:
        return self.clone()

    def __repr__(self) -> str:
        count = len(self.dofs)
        return f"<InverseKinematics of {self.name!r} in {self._skeleton.name!r}, {count} degrees of freedom>"
