"""`InverseKinematics`: a frame, a target, and how to get there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kinematics import DegreeOfFreedom, Frame, Joint, NodeSet, Skeleton
from . import defaults
from .batches.batch import solve_batch
from .batches.batch_solution import BatchSolution
from .constraints.same_robot import constraint_for
from .joint_change import JointChange, as_joint_change
from .module_parts import ModuleParts
from .option_checks import as_positive, as_timeout
from .path_graph.graph_options import path_options
from .paths.path import solve_path
from .paths.path_solution import PathSolution
from .prepared_solver import PreparedSolver
from .problem import Problem
from .request import Constraint
from .solution import Solution
from .solver_pool import SolverPool, as_option
from .tasks.task_space_region import TaskSpaceRegion
from .time_limit import TimeLimit


class InverseKinematics(ModuleParts):
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

    def solve_batch(
        self,
        targets: Any,
        seeds: ArrayLike | Mapping[str, Any] | None = None,
        *,
        threads: int | None = None,
        progress: bool = False,
        attempts: int | None = None,
        iterations: int | None = None,
        tolerance: float | tuple[float, float] | None = None,
        random_seed: int | None = None,
        constraint: Constraint | None = None,
        max_joint_change: JointChange | None = None,
        timeout: float | None = None,
    ) -> BatchSolution:
        """Looks for a configuration for each of many targets; moves nothing.

        A target or a seed that makes no sense ends in `Reason.INVALID_INPUT`, and the others are solved. The result
        is the same for any number of threads. Ctrl-C ends it between two chunks of some hundred targets.

        Args:
            targets: Poses in the world: an array (m, 4, 4) or (m, 7), or a sequence of any forms of a pose; positions
                (m, 3) where the rotation is free. Or a sequence of `IkTarget`s of one class, for one tool direction and
                one reference.
            seeds: Where to start: (m, n), or one configuration for all; the present positions when None.
            threads: How many; as many as there are processors when None. Python code in a method takes one, and so does
                a constraint: the first solution of each target is looked for on all threads, and those that it refuses
                are gone on with on one.
            progress: Show a progress bar.
            attempts: Overrides the problem's, for each target.
            iterations: Overrides the problem's.
            tolerance: Overrides the problem's: one number, or (m, rad).
            random_seed: Overrides the problem's.
            constraint: See `solve`. When it refuses what was found for a target, the search for that target goes on.
            max_joint_change: How far joints may go from the seed of each target; see `solve`.
            timeout: Seconds for the whole call; None for no bound. Targets that it was not enough for end in
                `Reason.TIMEOUT`, solutions that the constraint was not asked about in time among them. A call of the
                constraint is not interrupted.

        Returns:
            Arrays with a row per target. Failures are told apart by `Reason`, and by what the constraint refused;
            `solve` says more.

        Raises:
            ShapeError: Targets or seeds of a wrong shape.
            InvalidValueError: Targets that are no sequence, or an option that makes no sense.
            SolverError: A method failed.
            ConstraintError: The constraint failed; the message names the target.
        """
        limit = TimeLimit(as_timeout("timeout", timeout))
        options = (attempts, iterations, as_option(tolerance), None, random_seed)
        idle = self._pool.idle("batch", *options)
        change = as_joint_change(max_joint_change, self._skeleton)
        problem, asked = self._problem_with(*options), constraint_for(self._skeleton, constraint)
        return solve_batch(self, targets, seeds, problem, threads, progress, idle, asked, change, limit)

    def solve_path(
        self,
        targets: Any,
        seed: ArrayLike | Mapping[str, Any] | None = None,
        *,
        continuity: float = defaults.CONTINUITY,
        attempts: int | None = None,
        iterations: int | None = None,
        tolerance: float | tuple[float, float] | None = None,
        random_seed: int | None = None,
        constraint: Constraint | None = None,
        strategy: str = "follow",
        allow_jumps: bool | None = None,
        check_between: int | None = None,
        time_step: float | Sequence[float] | None = None,
        metric: str | None = None,
        samples: int | None = None,
        timeout: float | None = None,
    ) -> PathSolution:
        """Solves a sequence of targets so that the joints move continuously; moves nothing.

        ``"follow"`` solves each target from the solution before it. Where that fails, leads far away, or is refused by
        the constraint, the way between the two targets is followed in smaller and smaller pieces; where that fails too,
        the path jumps to the nearest other solution, which `PathSolution.jumps` tells.

        ``"graph"`` takes all branches of all targets, whole turns included, and finds the cheapest way through them
        that does not jump and that the constraint accepts. It sees ahead: it begins on the branch that leads to the
        end. Branches come from the closed form of the arm; with a joint too many, at samples of the redundancy, and the
        way is made smooth afterwards; without a closed form, from attempts from random starts. Where there is no way
        it ends at the first target that cannot be reached, with the reason. A target that makes no sense is left out.

        Args:
            targets: See `solve_batch`.
            seed: Where to start: a configuration or a mapping. When None, ``"follow"`` starts at the present positions,
                and ``"graph"`` on whatever branch is best. The distance from a seed counts like motion.
            continuity: Largest change of a coordinate (rad or m) from one target to the next that is taken for
                following.
            attempts: Overrides the problem's, for the first target and after jumps.
            iterations: Overrides the problem's.
            tolerance: Overrides the problem's: one number, or (m, rad).
            random_seed: Overrides the problem's.
            constraint: Refuses configurations; see `solve`. The graph asks about each at most once, and only along ways
                that are the cheapest so far. Angles without limits it gives within half a turn of zero.
            strategy: ``"follow"`` or ``"graph"``. All options below but the last are the graph's.
            allow_jumps: Jump where there is no other way, as few times as possible, and leave out targets that nothing
                reaches; False.
            check_between: At how many configurations between each two neighbours, on the straight way of the joints,
                the constraint is asked too; 0.
            time_step: Time (s) from each target to the next, one number or m - 1: joints then keep their velocity
                limits as well. None does not look at them.
            metric: What is to be small: ``"length"`` of the way in joint space (the default), the sum of the
                ``"squares"`` of its steps, or of the ``"largest"`` changes of a joint. Joints with smaller weights are
                moved less readily.
            samples: Of the redundancy (72), or random starts for each target (24); closed forms of arms without
                redundancy take none.
            timeout: Seconds for the whole call; None for no bound. Targets that it was not enough for end in
                `Reason.TIMEOUT`: what was followed before stays, while the graph has no way until it has all of it. A
                call of the constraint is not interrupted.

        Raises:
            ShapeError: Targets, a seed or times of a wrong shape.
            InvalidValueError: Targets that are no sequence, nan in the seed, an option that makes no sense.
            SolverError: A method or the constraint failed.
        """
        limit = TimeLimit(as_timeout("timeout", timeout))
        continuity = as_positive("continuity", continuity)
        problem = self._problem_with(attempts, iterations, tolerance, None, random_seed)
        asked = constraint_for(self._skeleton, constraint)
        options = path_options(
            strategy,
            allow_jumps=allow_jumps,
            check_between=check_between,
            time_step=time_step,
            metric=metric,
            samples=samples,
        )
        start = self._skeleton.as_configuration(seed, name="seed")
        if options is None:
            return solve_path(self, targets, start, problem, continuity, asked, limit)
        from .path_graph.solve_graph import solve_graph

        begin = None if seed is None else start
        return solve_graph(self, targets, begin, problem, continuity, asked, options, limit)

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

    def _problem_with(self, attempts: Any, iterations: Any, tolerance: Any, timeout: Any, random_seed: Any) -> Problem:
        """The problem with the options of a call."""
        return self.problem.replaced(
            attempts=attempts, iterations=iterations, tolerance=tolerance, timeout=timeout, random_seed=random_seed
        )

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
