"""`IKMetaSolver`: restarts around any solver, until there are collision-free solutions inside the limits."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..kinematics import Frame, InvalidValueError, NodeSet, PoseLike, Skeleton, as_pose
from ..kinematics.core.whole_turns import TURN
from ..kinematics.transforms import Array
from . import defaults
from .active_dofs import ActiveDofs
from .constraint_check import is_accepted
from .engine import solve_request
from .errors import SolverError
from .inverse_kinematics import InverseKinematics
from .iterative_ik import IterativeIK
from .jacobian_ik_solver import JacobianIKSolver
from .many_starts import solve_from_all
from .problem import Problem
from .request import Constraint, Request, make_request
from .solution import Solution
from .solutions import Solutions, SolutionsReport

#: Attempts between two looks at the clock, or at whether one will do.
_ROUND = 8


class IKMetaSolver(IterativeIK):
    """Calls a solver from the given state, then from random configurations, and keeps what passes the tests.

    The algorithm and the defaults are RobWork's: each configuration that the inner solver gives is tested for
    the joint limits (after whole turns were taken off its angles), then by the collision detector or the
    constraint, then against those already found.

    Args:
        solver: An `InvKinSolver`, an `InverseKinematics` module, or any object with a method
            ``solve(base_T_end, q)`` that gives a configuration, a `Solution` or a sequence of configurations.
        device: The chain that is solved for, or its tip; the solver's own when None.
        collision_detector: Refuses configurations in collision: an object with a method ``in_collision(q)``.
        constraint: ``constraint(q) -> bool`` refuses configurations.

    Attributes:
        max_attempts: Attempts of a solve, at most.
        stop_at_first: Stop at the first configuration that passes.
        proximity_limit: Configurations whose largest joint difference (rad or m, whole turns not counted) is
            at most this are the same; negative keeps duplicates.
        check_joint_limits: Leave out configurations beyond the limits.
        timeout: Seconds for a solve; None for no bound.
        random_seed: Seed of the random configurations; the same for every call.
    """

    def __init__(
        self,
        solver: Any,
        device: NodeSet | Frame | Skeleton | None = None,
        *,
        collision_detector: Any = None,
        constraint: Constraint | None = None,
    ) -> None:
        if not callable(getattr(solver, "solve", None)):
            raise InvalidValueError(f"IKMetaSolver needs a solver with a method solve, not {solver!r}")
        if collision_detector is not None and not callable(getattr(collision_detector, "in_collision", None)):
            raise InvalidValueError(
                f"collision_detector needs a method in_collision(q); {collision_detector!r} has none"
            )
        if constraint is not None and not callable(constraint):
            raise InvalidValueError(f"constraint must be a function from q to bool, not {constraint!r}")
        self._solver = solver
        self._chain = _device(solver, device)
        self.collision_detector = collision_detector
        self.constraint = constraint
        self.max_attempts = defaults.META_ATTEMPTS
        self.stop_at_first = False
        self.proximity_limit = defaults.PROXIMITY_LIMIT
        self.timeout: float | None = None
        self.random_seed: int | np.random.Generator = defaults.RANDOM_SEED

    @property
    def solver(self) -> Any:
        """The solver inside."""
        return self._solver

    @property
    def max_error(self) -> float:
        """What the inner solver counts as there, when that is an `IterativeIK`."""
        return self._solver.max_error if isinstance(self._solver, IterativeIK) else self._max_error

    @max_error.setter
    def max_error(self, value: float) -> None:
        self._inner("max_error").max_error = value

    @property
    def max_iterations(self) -> int:
        """Iterations of the inner solver, when that is an `IterativeIK`."""
        return self._solver.max_iterations if isinstance(self._solver, IterativeIK) else self._max_iterations

    @max_iterations.setter
    def max_iterations(self, value: int) -> None:
        self._inner("max_iterations").max_iterations = value

    def _inner(self, name: str) -> IterativeIK:
        if not isinstance(self._solver, IterativeIK):
            raise InvalidValueError(f"set what stands for {name} at the inner {type(self._solver).__name__} itself")
        return self._solver

    @property
    def chain(self) -> NodeSet:
        """The chain that is solved for."""
        return self._chain

    @property
    def max_attempts(self) -> int:
        """Attempts of a solve, at most."""
        return self._max_attempts

    @max_attempts.setter
    def max_attempts(self, value: int) -> None:
        self._max_attempts = _attempts(value)

    def solve(
        self,
        base_T_end: PoseLike,
        state: ArrayLike | Mapping[str, Any] | None = None,
        max_attempts: int | None = None,
        stop_at_first: bool | None = None,
        *,
        timeout: float | None = None,
    ) -> Solutions:
        """Looks for configurations.

        Args:
            base_T_end: Pose of the tip relative to the base of the chain; not in the world.
            state: Configuration (n,) or mapping of the first attempt; the present positions when None. Joints
                outside the chain keep its values.
            max_attempts: Overrides the attribute; 0 gives an empty result.
            stop_at_first: Overrides the attribute.
            timeout: Overrides the attribute (s).

        Raises:
            SolverError: The inner solver raised or gave no configuration; the constraint failed.
        """
        attempts = self.max_attempts if max_attempts is None else _attempts(max_attempts)
        stop = self.stop_at_first if stop_at_first is None else bool(stop_at_first)
        search = _MetaSearch(self, as_pose(base_T_end, "base_T_end"), self.timeout if timeout is None else timeout)
        return search.run(self._chain.skeleton.as_configuration(state, name="state"), attempts, stop)


class _MetaSearch:
    """One solve, on its way."""

    def __init__(self, meta: IKMetaSolver, target: Any, timeout: float | None) -> None:
        # The same checks as for every other search.
        timeout = Problem(timeout=timeout, random_seed=meta.random_seed).timeout
        if not isinstance(meta.proximity_limit, float | int) or math.isnan(meta.proximity_limit):
            raise InvalidValueError(f"proximity_limit must be a number, not {meta.proximity_limit!r}")
        self.meta = meta
        self.target = target
        self.begun = time.perf_counter()
        self.deadline = math.inf if timeout is None else self.begun + timeout
        self.active = ActiveDofs(meta.chain.skeleton, meta.chain.dof_indices)
        self.found: list[Array] = []
        reasons = ("not solved", "limits", "collision", "constraint", "duplicate")
        self.refused = dict.fromkeys(reasons, 0)

    def run(self, state: Array, attempts: int, stop: bool) -> Solutions:
        seed = self.meta.random_seed
        rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
        made, late = 0, False
        while made < attempts and not late:
            count = min(attempts - made, _ROUND if stop or self.deadline < math.inf else attempts)
            starts = [state if made + k == 0 else self.active.random(rng, state) for k in range(count)]
            for candidates in self._rounds(starts):
                made += 1
                for q in candidates:
                    if self._is_kept(q, state) and stop:
                        return self._result(made, False)
                late = time.perf_counter() >= self.deadline
                if late:
                    break
        return self._result(made, late and made < attempts)

    def _rounds(self, starts: list[Array]) -> Iterator[list[Array]]:
        """What the inner solver gives from each start: from all at once where that can be compiled."""
        together = self._together(starts)
        for k, start in enumerate(starts):
            if together is None:
                yield self._candidates(start)
                continue
            if not len(together[k]):
                self.refused["not solved"] += 1
            yield list(together[k])

    def _together(self, starts: list[Array]) -> list[Array] | None:
        solver = self.meta.solver
        if type(solver) is InverseKinematics:
            request = self._request(solver, starts[0])
        elif type(solver) is JacobianIKSolver and (solver.clamp_to_bounds or not solver.check_joint_limits):
            request = solver.request_for(self.target, starts[0])
        else:
            return None
        return solve_from_all(request, np.array(starts))

    def _result(self, made: int, timed_out: bool) -> Solutions:
        elapsed = time.perf_counter() - self.begun
        refused = MappingProxyType(dict(self.refused))
        return Solutions(self.found, SolutionsReport(made, len(self.found), refused, elapsed, timed_out))

    def _candidates(self, start: Array) -> list[Array]:
        """What the inner solver gives from a start (n,)."""
        solver, skeleton = self.meta.solver, self.meta.chain.skeleton
        name = type(solver).__name__
        try:
            answer: Any
            if isinstance(solver, InverseKinematics):
                answer = self._from_module(solver, start)
            else:
                answer = solver.solve(self.target, start.copy())
        except SolverError:
            raise
        except Exception as problem:
            raise SolverError(f"{name}.solve raised {type(problem).__name__}: {problem}") from problem
        if answer is None or (isinstance(answer, Solution) and not answer.success):
            answer = []
        elif isinstance(answer, Solution):
            answer = [answer.q]
        elif isinstance(answer, np.ndarray) and answer.ndim == 1 and answer.dtype != object:
            answer = [answer] if answer.size else []
        if not isinstance(answer, Iterable):
            raise SolverError(f"{name}.solve gave {answer!r}, which is no sequence of configurations")
        candidates = [_configuration(each, skeleton.num_dofs, name) for each in answer]
        if not candidates:
            self.refused["not solved"] += 1
        return candidates

    def _from_module(self, module: InverseKinematics, start: Array) -> Solution:
        return solve_request(self._request(module, start))

    def _request(self, module: InverseKinematics, start: Array) -> Request:
        problem = module.problem.replaced(attempts=1)
        if self.deadline < math.inf:
            problem.timeout = max(0.0, self.deadline - time.perf_counter())
        base = module.pose_at(self.meta.chain.base, start)
        return make_request(module, base * self.target, problem, start, explains=False)

    def _is_kept(self, q: Array, state: Array) -> bool:
        """Tests a candidate (n,), its angles moved to where they are nearest the state; keeps it if good."""
        meta, active = self.meta, self.active
        q[active.indices] = active.nearest(q[active.indices], state[active.indices], meta.check_joint_limits)
        x = q[active.indices]
        reason = ""
        if meta.check_joint_limits and not ((x >= active.lower) & (x <= active.upper)).all():
            reason = "limits"
        elif meta.collision_detector is not None and is_accepted(meta.collision_detector.in_collision, q):
            reason = "collision"
        elif not is_accepted(meta.constraint, q):
            reason = "constraint"
        elif meta.proximity_limit >= 0.0 and any(self._is_same(q, other) for other in self.found):
            reason = "duplicate"
        if reason:
            self.refused[reason] += 1
            return False
        self.found.append(q)
        return True

    def _is_same(self, q: Array, other: Array) -> bool:
        difference = q - other
        for column, _, _ in self.active.wraps:
            index = self.active.indices[column]
            difference[index] -= TURN * round(difference[index] / TURN)
        return bool((np.abs(difference) <= self.meta.proximity_limit).all())


def _device(solver: Any, device: NodeSet | Frame | Skeleton | None) -> NodeSet:
    if device is None:
        if isinstance(solver, InverseKinematics):
            chain = solver.frame.chain()
            return NodeSet(chain.name, {dof.joint for dof in solver.dofs}, chain.base, solver.frame)
        device = getattr(solver, "chain", None)
    if isinstance(device, Skeleton):
        device = device.tip
    if isinstance(device, Frame):
        device = device.chain()
    if not isinstance(device, NodeSet):
        raise InvalidValueError(
            f"IKMetaSolver needs the device that {type(solver).__name__} solves for: a chain, or the frame of its tip"
        )
    return device


def _attempts(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise InvalidValueError(f"max_attempts must be a whole number of at least 0, not {value!r}")
    return int(value)


def _configuration(value: Any, size: int, name: str) -> Array:
    try:
        q = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise SolverError(f"{name}.solve gave {value!r}, which is no configuration") from None
    if q.shape != (size,):
        raise SolverError(f"{name}.solve gave a configuration of shape {q.shape}; needed is ({size},)")
    if not np.isfinite(q).all():
        raise SolverError(f"{name}.solve gave a configuration that is not finite: {q}")
    return q
