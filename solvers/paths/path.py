"""Following a path without leaving the branch that it began on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...kinematics.core.working_clock import working_time
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from ..batches.batch_input import batch_input
from ..batches.batch_solution import empty_batch
from ..constraints.constraint_check import is_accepted
from ..constraints.counted_constraint import CountedConstraint
from ..engine import engine_for
from ..goals import any_target, as_target, between, method_for
from ..many_starts import solve_from_all
from ..problem import Problem
from ..reason import Reason
from ..request import Request, make_request
from ..solution import Solution
from ..tasks.error_method import ErrorMethod
from ..time_limit import TimeLimit
from .path_follower import PathFollower, make_follower
from .path_solution import PathSolution

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics

#: Into how many pieces the way from one target to the next is cut, at most, where it cannot be taken in one.
_MOST_PIECES = 64
#: Targets that are followed before the constraint is asked about them.
_CHECKED_AT_ONCE = 64
#: Attempts among which the configuration nearest to the last one is chosen where the path has to jump.
_JUMP_STARTS = 24
#: Failures that say nothing about how near to the target the path comes, or leave no time to look.
_NO_NEARER = (Reason.COLLISION, Reason.CONSTRAINT, Reason.TIMEOUT)


def solve_path(
    module: InverseKinematics,
    targets: Any,
    seed: ArrayLike | Mapping[str, Any] | None,
    problem: Problem,
    continuity: float,
    constraint: QConstraint | None = None,
    limit: TimeLimit | None = None,
) -> PathSolution:
    """See `InverseKinematics.solve_path`, strategy ``"follow"``."""
    limit = limit or TimeLimit()
    method = method_for(module.error_method, targets)
    given = batch_input(module.skeleton, method, targets, seed)
    request = make_request(module, any_target(method), problem, given.seeds[0], explains=False, warns=False)
    arrays = empty_batch(len(given.goals), module.skeleton.num_dofs, engine_for(request).name)
    for row, text in given.wrong.items():
        arrays["detail"][row] = text
    rows = np.array([row for row in range(len(given.goals)) if row not in given.wrong], dtype=np.intp)
    search = _PathSearch(
        module,
        request.error_method,
        problem,
        given.goals[rows],
        given.seeds[0],
        make_follower(request),
        continuity,
        constraint,
        limit,
    )
    begun = working_time()
    limit.begin()
    search.run()
    for name, values in search.arrays.items():
        arrays[name][rows] = values
    jumps = tuple(int(rows[row]) for row in search.jumps)
    arrays["elapsed"] = working_time() - begun
    return PathSolution(**arrays, jumps=jumps, constraint_calls=search.constraint_calls)


class _PathSearch:
    """One path, on its way.

    Attributes:
        arrays: Of a `BatchSolution`, as far as they are found.
        jumps: Rows that another branch begins at.
    """

    def __init__(
        self,
        module: InverseKinematics,
        method: ErrorMethod,
        problem: Problem,
        goals: Array,
        seed: Array,
        follower: PathFollower,
        continuity: float,
        constraint: QConstraint | None,
        limit: TimeLimit,
    ) -> None:
        self._module = module
        self._method = method
        self._problem = problem
        self._goals = goals
        self._seed = seed
        self._follower = follower
        self._continuity = continuity
        self._constraint = None if constraint is None else CountedConstraint(constraint)
        self._limit = limit
        self.arrays = empty_batch(len(goals), module.skeleton.num_dofs, "")
        for name in ("elapsed", "engine"):
            del self.arrays[name]
        self.jumps: list[int] = []
        #: Where the path is, and how to get there: the last configuration that reached its target.
        self._last: int | None = None

    @property
    def constraint_calls(self) -> int:
        """How often the constraint was asked."""
        return 0 if self._constraint is None else self._constraint.calls

    def run(self) -> None:
        """Follows the path to its end, or until the time is over."""
        row, count = 0, len(self._goals)
        while row < count:
            if self._last is not None and self._last == row - 1:
                row = self._follow(row)
                self._last = row - 1
            if self._limit.is_over:
                self._leave_out(row)
                break
            if row < count:
                self._take(row)
                row += 1

    def _leave_out(self, row: int) -> None:
        """Rows from one on that the time was not enough for."""
        fresh = empty_batch(len(self._goals) - row, self._module.skeleton.num_dofs, "")
        for name, values in self.arrays.items():
            values[row:] = fresh[name]
        self.arrays["reason"][row:], self.arrays["detail"][row:] = Reason.TIMEOUT, self._limit.detail

    def _follow(self, row: int) -> int:
        """Follows the path from a row on; the first one that was not reached, or that the constraint refuses."""
        if self._constraint is None and self._limit.seconds is None:
            return self._follower.follow(self._goals, self.arrays, row, self._continuity)
        count = len(self._goals)
        while row < count:
            if self._limit.is_over:
                break
            last = min(row + _CHECKED_AT_ONCE, count)
            reached = self._follower.follow(self._goals[:last], self.arrays, row, self._continuity)
            for each in range(row, reached):
                if self._limit.is_over or not is_accepted(self._constraint, self.arrays["q"][each]):
                    return each
            row = reached
            if reached < last:
                break
        return row

    def _take(self, row: int) -> None:
        """One target that is not next to a configuration that is known."""
        if self._last is not None:
            q = self._in_pieces(row)
            if q is not None:
                found = self._solve(row, q, attempts=1)
                if found.success and self._is_next(found.q, q):
                    self._keep(row, found)
                    return
        found = self._nearest(row)
        if found.success and self._last is not None:
            self.jumps.append(row)
        elif self._last is not None and found.reason not in _NO_NEARER:
            # As near as it gets from where the robot is: not somewhere else.
            near = self._solve(row, self.arrays["q"][row - 1], attempts=1)
            found = near._replace(attempts=found.attempts)
        self._keep(row, found)

    def _in_pieces(self, row: int) -> Array | None:
        """A configuration next to that of a target, got to by smaller and smaller pieces of the way; None if not."""
        assert self._last is not None
        start, end = self._goals[self._last], self._goals[row]
        pieces = 4
        while pieces <= _MOST_PIECES:
            way = np.array([between(self._method, start, end, k / pieces) for k in range(pieces + 1)])
            piece = empty_batch(pieces + 1, self._module.skeleton.num_dofs, "")
            piece["q"][0] = self.arrays["q"][self._last]
            if self._follower.follow(way, piece, 1, self._continuity) == pieces + 1:
                q: Array = piece["q"][-1]
                return q
            pieces *= 2
        return None

    def _nearest(self, row: int) -> Solution:
        """A solution for a target: from the seed for the first one, else the nearest to the last configuration."""
        if self._last is None:
            return self._solve(row, self._seed)
        near = self.arrays["q"][self._last]
        active, rng = self._module.active_dofs(), np.random.default_rng(self._problem.random_seed)
        starts = np.array([near, *(active.random(rng, near) for _ in range(_JUMP_STARTS))])
        others = solve_from_all(self._request(row, near, attempts=1, asks=False), starts)
        if others is None:
            tries = (self._solve(row, start, attempts=1, asks=False) for start in starts)
            others = [found.q[None] for found in tries if found]
        nearby = [self._turned(q, near) for each in others for q in each]
        nearby.sort(key=lambda q: _distance(q, near))
        best = next((q for q in nearby if self._limit.is_over or is_accepted(self._constraint, q)), None)
        if best is None and nearby:
            # All of them were refused: a few more, not as many as for a target that is hard to reach.
            return self._solve(row, near, attempts=min(_JUMP_STARTS, self._problem.attempts))
        return self._solve(row, near if best is None else best)

    def _turned(self, q: Array, near: Array) -> Array:
        """A configuration with whole turns added, so that its angles are nearest to another's."""
        active, result = self._module.active_dofs(), q.copy()
        result[active.indices] = active.nearest(q[active.indices], near[active.indices], self._problem.respect_limits)
        return result

    def _is_next(self, q: Array, near: Array) -> bool:
        return bool(np.abs(q - near).max(initial=0.0) <= self._continuity)

    def _solve(self, row: int, seed: Array, attempts: int | None = None, asks: bool = True) -> Solution:
        request = self._request(row, seed, attempts, asks)
        return engine_for(request).solve(request)

    def _request(self, row: int, seed: Array, attempts: int | None = None, asks: bool = True) -> Request:
        problem = self._limit.within(self._problem.replaced(attempts=attempts))
        target = as_target(self._method, self._goals[row])
        constraint = self._constraint if asks else None
        return make_request(self._module, target, problem, seed, constraint, explains=False, warns=False)

    def _keep(self, row: int, found: Solution) -> None:
        for name, values in self.arrays.items():
            values[row] = getattr(found, name)
        if found.success:
            self._last = row


def _distance(q: Array, near: Array) -> float:
    return float(np.abs(q - near).max(initial=0.0))
