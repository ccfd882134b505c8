"""`ManyTargets`: the part of a module that solves for many targets: independent ones, and those along a path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

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
from .request import Constraint
from .solver_pool import SolverPool, as_option
from .time_limit import TimeLimit


class ManyTargets(ModuleParts):
    """Batches and paths of targets; `InverseKinematics` has them."""

    _pool: SolverPool

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
        return solve_batch(self._as_module(), targets, seeds, problem, threads, progress, idle, asked, change, limit)

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
            return solve_path(self._as_module(), targets, start, problem, continuity, asked, limit)
        from .path_graph.solve_graph import solve_graph

        begin = None if seed is None else start
        return solve_graph(self._as_module(), targets, begin, problem, continuity, asked, options, limit)
