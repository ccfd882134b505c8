"""`MetaSearch`: one solve of an `IKMetaSolver`, on its way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin

from ...kinematics import NodeSet
from ...kinematics.core.working_clock import working_time
from ...kinematics.transforms import Array
from .. import defaults
from ..active_dofs import ActiveDofs
from ..failure_report import beyond_limits, out_of_reach
from ..few_joints import too_few_joints
from ..inv_kin_solvers.solutions import Solutions
from ..joint_change import NearbyDofs
from .candidate_check import CandidateCheck, is_among
from .meta_attempts import MetaAttempts
from .meta_refusals import MetaRefusals

if TYPE_CHECKING:
    from .ik_meta_solver import IKMetaSolver

#: Attempts between two looks at the clock, or at whether one solution will do: the lanes of a register at first, and
#: twice as many each time, because what a round costs besides its attempts is as much as ten of them cost.
_FIRST_ROUND, _MOST_IN_ROUND = 8, 64
#: The same when there is nothing to look at.
_WHOLE_ROUND = 256


class MetaSearch:
    """Attempts in rounds; each candidate is tested as soon as its turn comes.

    Args:
        meta: Whose options count, as they are now.
        solver: What makes the attempts.
        chain: The device.
        active: Its joints.
        state: Where the first attempt starts (n,).
        timeout: Seconds; None for no bound.
    """

    def __init__(
        self, meta: IKMetaSolver, solver: Any, chain: NodeSet, active: ActiveDofs, state: Array, timeout: float | None
    ) -> None:
        self._begun = working_time()
        self._deadline = math.inf if timeout is None else self._begun + timeout
        self._meta, self._solver, self._chain = meta, solver, chain
        self._active, self._state = active, state
        seed = meta.random_seed
        self._rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
        self._refusals = MetaRefusals()
        wanted = meta._wanted(chain.skeleton)
        self._check = CandidateCheck(active, state, wanted, self._refusals)
        self._change = change = wanted.max_joint_change
        #: Where starts are drawn from.
        self._nearby = None if change is None else NearbyDofs(active, state, change, meta.check_joint_limits)
        self._made = 0
        self._exhausted = False

    def run(self, target: pin.SE3, attempts: int, stop_at_first: bool) -> Solutions:
        """Looks for configurations.

        Args:
            target: Pose of the tip relative to the base.
            attempts: At most.
            stop_at_first: Whether one will do.

        Raises:
            SolverError: The solver inside raised in every attempt, or gave no configuration.
            ConstraintError: A constraint or the detector raised, or gave no answer.
        """
        meta, active, refusals = self._meta, self._active, self._refusals
        if self._nearby is not None and self._nearby.is_empty:
            words = f"no configuration is near enough and inside the limits: {self._nearby.beyond_reach()}"
            return Solutions((), refusals.report(0, 0, self._elapsed(), remaining=attempts, detail=words))
        max_error = meta.max_error if meta.check_pose else None
        source = MetaAttempts(
            self._solver, self._chain, active, target, self._deadline, max_error, refusals, meta._pool
        )
        source.change = self._change
        try:
            timed_out = self._go_on(source, attempts, stop_at_first)
        finally:
            source.close()
        found = self._check.found
        if refusals.first_error is not None and refusals["error"] == self._made:
            raise refusals.first_error
        if meta.order == "nearest":
            found = sorted(found, key=self._distance)
        detail = "" if found or not self._made else self._why(source)
        remaining = attempts - self._made
        report = refusals.report(
            self._made,
            len(found),
            self._elapsed(),
            timed_out=timed_out,
            remaining=remaining,
            detail=detail,
            exhausted=self._exhausted,
        )
        return Solutions(found, report)

    def _go_on(self, source: MetaAttempts, attempts: int, stop_at_first: bool) -> bool:
        """True when the time was over before everything was done."""
        is_watched = stop_at_first or self._deadline < math.inf
        size = _FIRST_ROUND if is_watched else _WHOLE_ROUND
        while self._made < attempts:
            count = min(attempts - self._made, size)
            for candidates in source.from_starts(self._starts(count)):
                self._made += 1
                if self._made <= 2 and self._is_exhausted(source, candidates):
                    return False
                left = len(candidates)
                for q in candidates:
                    if self._check.keeps(q) and stop_at_first:
                        return False
                    left -= 1
                    if left and self._is_late():
                        return True
                if self._is_late():
                    return self._made < attempts
            if is_watched:
                size = min(2 * size, _MOST_IN_ROUND)
        return False

    def _is_exhausted(self, source: MetaAttempts, candidates: list[Array]) -> bool:
        """True when the second attempt gave what the first one did, and any other would."""
        if self._made == 1:
            self._first = candidates
            return False
        if self._meta.proximity_limit < 0.0 or not source.gives_all or len(candidates) != len(self._first):
            return False
        turning = self._active.turning
        first = np.array(self._first)
        self._exhausted = all(is_among(q, first, turning, defaults.PROXIMITY_LIMIT) for q in candidates)
        return self._exhausted

    def _starts(self, count: int) -> Array:
        """The next starts (count, n): the state, then random configurations inside the limits."""
        starts = np.empty((count, len(self._state)))
        starts[:] = self._state
        first = 1 if self._made == 0 else 0
        (self._nearby or self._active).randomise(self._rng, starts[first:])
        return starts

    def _elapsed(self) -> float:
        return working_time() - self._begun

    def _is_late(self) -> bool:
        return self._deadline < math.inf and working_time() >= self._deadline

    def _distance(self, q: Array) -> float:
        """Root of the weighted squares of what each joint has to move."""
        steps = self._chain.skeleton.difference(self._state, q)[self._active.indices]
        weights = self._active.root_weights
        return float(np.linalg.norm(steps if weights is None else weights * steps))

    def _why(self, source: MetaAttempts) -> str:
        """What was missing, where that is more than the counts say."""
        refusals = self._refusals
        if refusals["limits"] and refusals.least_beyond is not None:
            others = ("joint change", "collision", "constraint")
            if any(refusals[each] for each in others):
                return ""
            return f"nearest to the limits: {beyond_limits(self._active, refusals.least_beyond[1])}"
        if refusals.reached or self._is_late():
            return ""
        if refusals["wrong pose"]:
            return f"a pose is met within {self._meta.max_error:g} m and rad (max_error; check_pose=False for any)"
        request = source.request_at(self._state)
        if request is None:
            return ""
        return out_of_reach(request) or too_few_joints(request.active, request.error_method, self._state)
