"""`IKMetaSolver`: restarts around any solver, until there are collision-free solutions inside the limits."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics import (
    Frame,
    InvalidValueError,
    NodeSet,
    PoseLike,
    QConstraint,
    Skeleton,
    State,
    as_constraint,
)
from .. import defaults
from ..active_dofs import ActiveDofs
from ..constraints.same_robot import check_robot, constraint_for
from ..far_targets import goal_pose
from ..gradient_method import GradientMethod
from ..inv_kin_solvers.device import as_device, device_of
from ..inv_kin_solvers.iterative_ik import IterativeIK
from ..inv_kin_solvers.module_solver import ModuleSolver, as_inv_kin_solver
from ..inv_kin_solvers.solutions import Solutions
from ..inverse_kinematics import InverseKinematics
from ..joint_change import JointChange, as_joint_change
from ..many_starts import StartsPool
from ..option_checks import as_choice, as_flag, as_max_error, as_number, as_random_seed, as_timeout, at_least
from ..own_class import is_own_class
from ..request import Constraint
from .ambiguity_resolver import AmbiguityResolver
from .candidate_check import Wanted, detector_constraint
from .meta_search import MetaSearch
from .pose_check import stated_error


class IKMetaSolver(IterativeIK):
    """Calls a solver from the given state, then from random configurations, and keeps what passes the tests.

    The algorithm and the defaults are RobWork's: each configuration that the inner solver gives is tested for
    the joint limits (after whole turns were taken off its angles), then by the collision detector and the
    constraint, then against those already found. Limits, obstacles and options count as they are at each call.

    An inner solver that raises in an attempt is told of in the report, and the next attempt follows; only when all
    attempts end like that it is an error. Neither the robot nor the state is changed, whatever the solver inside or
    a constraint does to the robot.

    Args:
        solver: An `InvKinSolver`, an `InverseKinematics` module, a gradient method such as a closed form, or any object
            with a method ``solve(base_T_end, q)`` that gives a configuration, a `Solution` or a sequence of
            configurations. One that takes ``timeout`` too is told how many seconds are left. No `AmbiguityResolver`:
            that goes around.
        device: The chain that is solved for, or its tip, or the tip's name; the solver's own when None.
        collision_detector: Refuses configurations in collision: a `CollisionDetector`, or an object with a method
            ``in_collision(q)``.
        constraint: ``constraint(q) -> bool`` refuses configurations; also a `QConstraint`, by whose parts refusals are
            counted, or a `CollisionDetector`.

    Attributes:
        max_attempts: Attempts of a solve, at most.
        stop_at_first: Stop at the first configuration that passes.
        proximity_limit: Configurations whose largest joint difference (rad or m, whole turns not counted) is
            at most this are the same, so with 0 only exact copies are; negative keeps duplicates.
        check_joint_limits: Leave out configurations beyond the limits. A limit itself is inside.
        check_pose: Measure what a solver of others gives by forward kinematics, and leave out what is further off than
            `max_error`. To be switched off for a solver that is not meant to reach the whole pose.
        max_joint_change: Look for configurations only in which no joint is further (rad or m) from the state; None for
            any distance. One number, numbers (n,), or a mapping from names, which leaves the others free.
        order: ``"found"``, or ``"nearest"`` for the one first whose joints have to move least from the state: the root
            of the sum of squares, each times the ``weight`` of its degree of freedom.
        timeout: Seconds for a solve; None for no bound. At least one attempt is made. A call of the inner solver or of
            a constraint is not interrupted.
        random_seed: Seed of the random configurations, the same for every call; or a generator, which goes on.
        collision_detector: See the argument.
        constraint: See the argument.

    Raises:
        StructureError: A device, a detector or a constraint of another robot; also when it is assigned.
        InvalidValueError: Something that cannot solve, or an `AmbiguityResolver`.
    """

    _max_error = defaults.META_MAX_ERROR

    max_attempts: int
    stop_at_first: bool
    proximity_limit: float
    check_pose: bool
    max_joint_change: JointChange | None
    order: str
    timeout: float | None
    random_seed: int | np.random.Generator
    collision_detector: Any
    constraint: QConstraint | Constraint | None

    def __init__(
        self,
        solver: Any,
        device: NodeSet | Frame | Skeleton | str | None = None,
        *,
        collision_detector: Any = None,
        constraint: QConstraint | Constraint | None = None,
    ) -> None:
        if isinstance(solver, type) or not (
            isinstance(solver, InverseKinematics | GradientMethod) or callable(getattr(solver, "solve", None))
        ):
            raise InvalidValueError(f"IKMetaSolver needs a solver with a method solve, not {solver!r}")
        if isinstance(solver, AmbiguityResolver):
            raise InvalidValueError(
                "IKMetaSolver takes whole turns off what it is given, so what an AmbiguityResolver in it adds are "
                "duplicates; put it around: AmbiguityResolver(IKMetaSolver(...))"
            )
        self._solver = solver
        self._device = device = as_device(device, solver)
        self._inner = solver
        if isinstance(solver, InverseKinematics | GradientMethod):
            self._inner = as_inv_kin_solver(solver, device)
            self._inner.check_joint_limits = False  # that is done here, and counted
        device_of(self._inner, device)  # raises here rather than in the first solve
        self._pool = StartsPool()
        self._known_dofs: tuple[NodeSet, ActiveDofs] | None = None
        self.collision_detector = collision_detector
        self.constraint = constraint
        self.max_attempts = defaults.META_ATTEMPTS
        self.stop_at_first = False
        self.proximity_limit = defaults.PROXIMITY_LIMIT
        self.check_joint_limits = True
        self.check_pose = True
        self.max_joint_change = None
        self.order = "found"
        self.timeout = None
        self.random_seed = defaults.RANDOM_SEED

    def __setattr__(self, name: str, value: Any) -> None:
        check = _CHECKS.get(name)
        if name == "max_joint_change":
            as_joint_change(value, self.chain.skeleton)
            value = copy.deepcopy(value)  # who gave an array may change it
        value = value if check is None else check(name, value)
        if name in ("collision_detector", "constraint"):
            make = as_constraint if name == "constraint" else detector_constraint
            check_robot(make(value), self.chain.skeleton)
        super().__setattr__(name, value)

    @property
    def solver(self) -> Any:
        """The solver inside."""
        return self._solver

    @property
    def max_error(self) -> float:
        """By how much (m and rad) a configuration may miss the pose: what the inner solver states.

        That is the tolerance of a module, and the ``max_error`` of every other solver that has one; assigning sets it
        there. One that states nothing is measured by this solver's own, 1e-3: lenient, to tell solutions from nonsense.
        """
        if isinstance(self._inner, ModuleSolver):
            return max(self._inner.module.problem.tolerance)
        stated = stated_error(self._solver)
        return self._max_error if stated is None else stated

    @max_error.setter
    def max_error(self, value: float) -> None:
        if isinstance(self._inner, ModuleSolver) or stated_error(self._solver) is not None:
            self._stating("max_error").max_error = as_max_error("max_error", value)
        else:
            self._max_error = as_max_error("max_error", value)

    @property
    def max_iterations(self) -> int:
        """Iterations of the inner solver, when that is an `IterativeIK`."""
        return self._solver.max_iterations if isinstance(self._solver, IterativeIK) else self._max_iterations

    @max_iterations.setter
    def max_iterations(self, value: int) -> None:
        self._stating("max_iterations").max_iterations = value

    def _stating(self, name: str) -> Any:
        if not isinstance(self._solver, IterativeIK) and not (name == "max_error" and hasattr(self._solver, name)):
            raise InvalidValueError(f"set what stands for {name} at the inner {type(self._solver).__name__} itself")
        return self._solver

    @property
    def chain(self) -> NodeSet:
        """The chain that is solved for, as it is now."""
        return device_of(self._inner, None if isinstance(self._inner, ModuleSolver) else self._device)

    @property
    def tcp(self) -> Frame:
        """The frame that is put at the pose: the inner solver's."""
        tcp = getattr(self._inner, "tcp", None)
        return tcp if isinstance(tcp, Frame) else self.chain.tip

    def solve(
        self,
        base_T_end: PoseLike,
        state: ArrayLike | Mapping[str, Any] | State | None = None,
        max_attempts: int | None = None,
        stop_at_first: bool | None = None,
        *,
        timeout: float | None = None,
    ) -> Solutions:
        """Looks for configurations.

        Args:
            base_T_end: Pose of the tip relative to the base of the chain; not in the world.
            state: Configuration (n,), mapping or `State` of the first attempt; the present positions when None. Joints
                outside the chain keep its values.
            max_attempts: Overrides the attribute; 0 gives an empty result.
            stop_at_first: Overrides the attribute.
            timeout: Overrides the attribute (s).

        Returns:
            What passed the tests, in the order in which it was found, with a report about the rest.

        Raises:
            SolverError: The inner solver raised in every attempt, or gave no configuration.
            ConstraintError: The constraint or the collision detector failed.
        """
        attempts = self.max_attempts if max_attempts is None else _CHECKS["max_attempts"]("max_attempts", max_attempts)
        stop = self.stop_at_first if stop_at_first is None else as_flag("stop_at_first", stop_at_first)
        bound = self.timeout if timeout is None else as_timeout("timeout", timeout)
        target = goal_pose(base_T_end, "base_T_end")
        # A plain module's chain is not made anew for each target.
        is_plain = type(self._inner) is ModuleSolver
        chain = self._inner._known_chain().chain if is_plain else self.chain
        start = chain.skeleton.as_configuration(state, name="state")
        search = MetaSearch(self, self._for_attempts(), chain, self._active_dofs(chain), start, bound)
        return search.run(target, attempts, stop)

    def _for_attempts(self) -> Any:
        """The solver inside; when limits are tested here, without its own test of them, which counts no joints."""
        inner = self._inner
        is_known = isinstance(inner, IterativeIK | ModuleSolver) and is_own_class(type(inner))
        keeps_them = isinstance(inner, IKMetaSolver) or getattr(inner, "clamp_to_bounds", False)
        return inner.without_limit_check() if self.check_joint_limits and is_known and not keeps_them else inner

    def _wanted(self, skeleton: Skeleton) -> Wanted:
        return Wanted(
            self.check_joint_limits,
            as_joint_change(self.max_joint_change, skeleton),
            detector_constraint(self.collision_detector),
            constraint_for(skeleton, self.constraint),
            self.proximity_limit,
        )

    def _active_dofs(self, chain: NodeSet) -> ActiveDofs:
        """The joints of the chain as flat arrays, kept while they are the same."""
        seen, known = self._known_dofs or (None, None)
        if known is None or known.skeleton is not chain.skeleton or known.version != chain.skeleton.version:
            known = ActiveDofs(chain.skeleton, chain.dof_indices)
        elif seen is not chain:
            # A chain's joints are the same for as long as the version is; another chain may have others.
            indices = chain.dof_indices
            known = known if np.array_equal(known.indices, indices) else ActiveDofs(chain.skeleton, indices)
        else:
            return known
        self._known_dofs = chain, known
        return known

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, up to {self.max_attempts} attempts of {type(self._solver).__name__}>"


def _as_order(name: str, value: Any) -> str:
    return as_choice(name, value, ("found", "nearest"))


def _kept_if(check: Callable[[Any], Any]) -> Callable[[str, Any], Any]:
    """For an option that is kept as it was given, once the check lets it pass."""

    def checked(name: str, value: Any) -> Any:
        check(value)
        return value

    return checked


_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "max_attempts": at_least(0),
    "stop_at_first": as_flag,
    "proximity_limit": as_number,
    "check_joint_limits": as_flag,
    "check_pose": as_flag,
    "order": _as_order,
    "timeout": as_timeout,
    "random_seed": as_random_seed,
    "collision_detector": _kept_if(detector_constraint),
    "constraint": _kept_if(as_constraint),
}
