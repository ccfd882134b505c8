"""`MetaAttempts`: attempts of a solver from many starts, together where that is possible, else one by one."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Iterator
from numbers import Real
from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import NodeSet
from ...kinematics.core.working_clock import working_time
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..analytical.analytical import Analytical
from ..engine import solve_request
from ..errors import SolverError
from ..inv_kin_solvers.inv_kin_solver import InvKinSolver
from ..inv_kin_solvers.module_solver import ModuleSolver
from ..inv_kin_solvers.solutions import Solutions
from ..joint_change import confined
from ..many_starts import ManyStarts, StartsPool
from ..request import Request
from ..solution import Solution
from .candidate_check import in_place
from .meta_refusals import MetaRefusals
from .pose_check import PoseCheck


class MetaAttempts:
    """The attempts of one solve.

    Args:
        solver: An `InvKinSolver`, or any object with a method ``solve(base_T_end, q)``.
        chain: The device.
        active: Its joints.
        target: Pose of the tip relative to the base.
        deadline: When to be done, by `working_time`; inf for never.
        max_error: By how much (m and rad) what the solver gives may miss the pose; None when that is not measured.
        refusals: Where attempts without a candidate are counted.
        pool: What is kept from solve to solve.

    Attributes:
        change: (n,) how far joints may go from the first start; None for any distance. Only attempts that are
            requests keep to it themselves.
    """

    def __init__(
        self,
        solver: Any,
        chain: NodeSet,
        active: ActiveDofs,
        target: pin.SE3,
        deadline: float,
        max_error: float | None,
        refusals: MetaRefusals,
        pool: StartsPool,
    ) -> None:
        self._solver = solver
        self._name = type(solver).__name__
        self._skeleton = chain.skeleton
        self._active = active
        self._target = target
        self._deadline = deadline
        self._refusals = refusals
        self._pool = pool
        self.change: Array | None = None
        self._lanes: ManyStarts | None = None
        self._first: Array | None = None
        self._speaks = _speaks_for_solve(solver)
        self._chain, self._max_error = chain, max_error
        # Made when they are needed, because attempts that are requests need neither.
        self._pose_check: PoseCheck | None = None
        self._takes_timeout: bool | None = None

    def close(self) -> None:
        """Gives back what was borrowed; to be called at the end, whatever happened."""
        if self._lanes is not None and self.change is None:
            # Limits narrowed for one state are of no use for another one.
            self._pool.give_back(self._lanes)
        self._lanes = None

    def from_starts(self, starts: Array) -> Iterator[list[Array]]:
        """What the solver gives from each of some starts (k, n): candidates (n,), none when it found nothing."""
        if self._first is None:
            self._first = starts[0].copy()
            request = self.request_at(starts[0])
            # One that has no request for this start has none for the others.
            self._speaks = request is not None
            self._lanes = None if request is None else self._borrow(request)
        ends = None if self._lanes is None else self._lanes.solve(starts)
        for k, start in enumerate(starts):
            if ends is None:
                yield self._one(start)
            elif ends.solved[k]:
                yield [ends.q[k]]
            else:
                self._count_missed(ends.position_error[k], ends.orientation_error[k])
                yield []

    def request_at(self, start: Array) -> Request | None:
        """The attempt from a start (n,) as a request; None when it is none."""
        if not self._speaks:
            return None
        solver = self._solver
        if type(solver) is ModuleSolver:
            checked: Request | None = solver._checked_request_for(self._target, start)
            return checked
        request: Request | None = solver.request_for(self._target, start)
        return request

    @property
    def gives_all(self) -> bool:
        """Whether the solver, a closed form with no freedom left, gives the same from any start, as a rule.

        Not where the arm is singular: there what it gives depends on the start.
        """
        if type(self._solver) is not ModuleSolver:
            return False
        module, method = self._solver.module, self._solver.module.gradient_method
        if self._speaks or not isinstance(method, Analytical):
            return False
        solved = method.solved_dofs().indices
        return len(solved) <= module.error_method.rows and set(solved.tolist()) == set(self._active.indices.tolist())

    def _borrow(self, request: Request) -> ManyStarts | None:
        if request.problem.attempts != 1:
            return None
        if not set(self._active.indices.tolist()) <= set(request.active.indices.tolist()):
            return None  # starts differ in what the solver does not move
        problem = request.problem
        if problem.seeds or isinstance(problem.random_seed, np.random.Generator):
            # Neither plays a part in a single attempt, and the compiled engine wants neither.
            request.problem = problem.replaced(random_seed=defaults.RANDOM_SEED, seeds=[])
        return self._pool.borrow(self._confined(request))

    def _confined(self, request: Request) -> Request:
        return confined(request, self.change, self._first)

    def _one(self, start: Array) -> list[Array]:
        """The attempt from one start (n,). One that raises is counted, and does not end the search."""
        try:
            request = self.request_at(start)
            if request is not None:
                narrowed = self._in_time(self._confined(request))
                answer: Any = in_place(self._skeleton, lambda: solve_request(narrowed))
            else:
                answer = in_place(self._skeleton, lambda: self._asked(start.copy()))
        except SolverError as error:
            self._refusals.error(error)
            return []
        except Exception as error:
            told = SolverError(f"{self._name}.solve raised {type(error).__name__}: {error}")
            told.__cause__ = error
            self._refusals.error(told)
            return []
        candidates = self._candidates(answer)
        return candidates if request is not None else [q for q in candidates if self._is_there(q)]

    def _asked(self, start: Array) -> Any:
        if self._takes_timeout is None:
            self._takes_timeout = self._deadline < math.inf and _takes_timeout(self._solver)
        options = {"timeout": self._time_left()} if self._takes_timeout else {}
        answer = self._solver.solve(self._target.copy(), start, **options)
        # A generator does its work, and may fail, only when it is asked.
        return list(answer) if isinstance(answer, Iterator) else answer

    def _in_time(self, request: Request) -> Request:
        if self._deadline < math.inf:
            own = request.problem.timeout
            left = self._time_left()
            request.problem = request.problem.replaced(timeout=left if own is None else min(own, left))
        return request

    def _time_left(self) -> float:
        return max(0.0, self._deadline - working_time())

    def _candidates(self, answer: Any) -> list[Array]:
        """The configurations (n,) in whatever a solver gives.

        Raises:
            SolverError: There is something in it that is no configuration.
        """
        if answer is None:
            answer = ()
        elif isinstance(answer, Solution):
            if not answer.success:
                self._count_missed(answer.position_error, answer.orientation_error)
                return []
            answer = [answer.q]
        elif isinstance(answer, np.ndarray) and answer.ndim == 1 and answer.dtype != object:
            answer = [answer] if answer.size else ()
        elif isinstance(answer, list | tuple) and answer and all(isinstance(each, Real) for each in answer):
            answer = [answer]  # plain numbers are one configuration
        if not isinstance(answer, Iterable):
            raise SolverError(f"{self._name}.solve gave {answer!r}, which is no sequence of configurations")
        candidates = [_configuration(each, self._skeleton.num_dofs, self._name) for each in answer]
        if not candidates:
            own = answer.report if isinstance(answer, Solutions) else None
            if own is not None and own.nearest is not None:
                self._refusals.missed(*own.nearest)
            # What the solver inside has left out for its own test of limits is told as that.
            self._refusals.count("limits" if own is not None and own.refused.get("limits", 0) else "not solved")
        return candidates

    def _count_missed(self, position_error: float, orientation_error: float) -> None:
        self._refusals.count("not solved")
        self._refusals.missed(position_error, orientation_error)

    def _is_there(self, q: Array) -> bool:
        if self._max_error is None:
            return True
        if self._pose_check is None:
            self._pose_check = PoseCheck(self._solver, self._chain, self._active, self._target, self._max_error)
        miss = self._pose_check.miss(q)
        if miss is None:
            return True
        self._refusals.count("wrong pose")
        self._refusals.missed(*miss)
        return False


def _speaks_for_solve(solver: Any) -> bool:
    """Whether ``request_for`` is about the ``solve`` that the solver has: a subclass may have replaced only that."""
    if not isinstance(solver, InvKinSolver):
        return False
    for each in type(solver).__mro__:
        if "request_for" in vars(each):
            return each is not InvKinSolver
        if "solve" in vars(each) or "attempt" in vars(each):
            return False
    return False


def _takes_timeout(solver: Any) -> bool:
    try:
        return "timeout" in inspect.signature(solver.solve).parameters
    except (TypeError, ValueError):  # built in, without a signature
        return False


def _configuration(value: Any, size: int, name: str) -> Array:
    try:
        given = np.asarray(value)
        if isinstance(value, np.ma.MaskedArray) or given.dtype.kind not in "fiuO":
            raise TypeError  # it would be cast to something else
        q = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise SolverError(f"{name}.solve gave {value!r}, which is no configuration") from None
    if q.shape != (size,):
        raise SolverError(f"{name}.solve gave a configuration of shape {q.shape}; needed is ({size},)")
    if not np.isfinite(q).all():
        raise SolverError(f"{name}.solve gave a configuration that is not finite: {q}")
    return q
