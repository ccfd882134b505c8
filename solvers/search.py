"""`Search`: the bookkeeping of one solve, and what is said at its end; the same for every engine."""

from __future__ import annotations

import math

import numpy as np

from ..kinematics.core.working_clock import working_time
from ..kinematics.q_constraint import QConstraint
from . import defaults
from .constraints.constraint_check import refusal
from .constraints.held_by_target import HeldByTarget
from .constraints.refused_solutions import RefusedSolutions
from .descent import AnyDescent, Ended, Outcome
from .failure_report import for_nearest, out_of_reach, why_not
from .joint_change import NearbyDofs
from .reason import Reason
from .request import Request
from .solution import Solution


class Search:
    """One solve, on its way.

    Args:
        request: What is to be solved.
        engine: What solves it.

    Attributes:
        deadline: When to stop, by `working_time`; None for never.
        attempts: Begun so far.
        nearest: The best attempt that did not get there.
        refused: Of those that got there and were refused by the constraint, the one nearest to the seed.
        refusals: All that were refused; None as long as there are none.
    """

    def __init__(self, request: Request, engine: str) -> None:
        self.request = request
        self.engine = engine
        self.begun = working_time()
        timeout = request.problem.timeout
        self.deadline = None if timeout is None else self.begun + timeout
        self.attempts = 0
        self.nearest: Outcome | None = None
        self.refused: Outcome | None = None
        self.refusals: RefusedSolutions | None = None
        self._least = math.inf

    def begin_after(self, begun: float, attempts: int, nearest: Outcome | None = None) -> None:
        """Counts attempts that were made in vain before, since ``begun``."""
        self.begun, self.attempts, self.nearest = begun, attempts, nearest
        if self.deadline is not None:
            self.deadline = begun + self.request.problem.timeout  # type: ignore[operator]

    def accepts(self, found: Outcome, counts: bool = True) -> bool:
        """Whether the constraint accepts what reaches the target; what it refused once it is not asked about again.

        Args:
            found: What reaches the target.
            counts: Whether what was refused before is counted again.

        Raises:
            ConstraintError: See `refusal`.
        """
        constraint = self.request.constraint
        if constraint is None:
            return True
        if self.refusals is not None and self.refusals.knows(found.q, counts):
            return False
        refusing = refusal(constraint, found.q, self.request.active.skeleton)
        if refusing is not None:
            self.refuse(found, refusing)
        return refusing is None

    def refuse(self, found: Outcome, refusing: QConstraint) -> None:
        """Notes that something refused what reaches the target."""
        request = self.request
        if self.refusals is None:
            held = HeldByTarget(request.active, request.module.frame, request.error_method)
            self.refusals = RefusedSolutions(request.active, held)
        self.refusals.add(found.q, refusing)
        away = float(np.abs(found.q - request.seed).max(initial=0.0))
        if away < self._least:
            self.refused, self._least = found, away

    def is_late(self) -> bool:
        """True when the time is up."""
        return self.deadline is not None and working_time() >= self.deadline

    def failure(self, descent: AnyDescent, hopeless: str) -> Solution:
        """What to say when nothing was found: the nearest configuration, the reason, what was in the way.

        Args:
            descent: To try with what might be the reason.
            hopeless: Says so when the target is out of reach for certain; else empty.
        """
        nearest = self.nearest
        if self.refused is not None:
            return self.refusal()
        assert nearest is not None
        if self.is_late():
            timeout = self.request.problem.timeout
            return self.solution(nearest, False, Reason.TIMEOUT, f"not found within {timeout:g} s; {_off(nearest)}")
        if not self.request.explains:
            reason = Reason.ITERATIONS if nearest.ended is Ended.OUT_OF_ITERATIONS else Reason.UNREACHABLE
            return self.solution(nearest, False, reason, _off(nearest))
        hopeless = hopeless or (out_of_reach(self.request) if self.attempts == 1 else "")
        reason, detail = (Reason.UNREACHABLE, hopeless) if hopeless else why_not(descent, nearest, self.attempts)
        if reason is not Reason.ITERATIONS:
            patient = descent.run(nearest.q, defaults.NEAREST_ITERATIONS, gives_up=False, steers=False)
            if patient.ended is Ended.CONVERGED:
                # More patience than an attempt has was all that was missing.
                return self.solution(patient, True, Reason.CONVERGED) if self.accepts(patient) else self.refusal()
            calm = descent.with_method(for_nearest(self.request.gradient_method))
            closer = calm.run(nearest.q, defaults.NEAREST_ITERATIONS, gives_up=False, steers=False)
            if closer.ended is Ended.CONVERGED:
                # Not a solution of the method that was asked for, which would count as its success.
                reason, closer = Reason.ITERATIONS, patient
                detail = f"{detail}, but the target can be reached: another gradient method gets there"
            for each in (patient, closer):
                if each.ended is not Ended.CONVERGED and each.square < nearest.square:
                    nearest = each._replace(iterations=nearest.iterations)
        return self.solution(nearest, False, reason, f"{detail}; {_off(nearest)}")

    def without_room(self) -> Solution | None:
        """What to say when no configuration inside the limits is as near to the seed as it has to be; else None."""
        request = self.request
        active = request.active
        if not isinstance(active, NearbyDofs) or not active.is_empty:
            return None
        state = active.borrow_state(request.seed)
        try:
            away, turned = request.error_method.residual(state)
        finally:
            active.return_state(state)
        text = f"nothing inside the joint limits is near enough to the seed: {active.beyond_reach()}"
        return self.solution(Outcome(request.seed.copy(), Ended.STALLED, away, turned, 0), False, Reason.LIMITS, text)

    def refusal(self, what: str = "attempt{}") -> Solution:
        """What to say when the constraint refused all that reached the target; the nearest to the seed is given.

        Args:
            what: Reached the target, with the place of a plural's s.
        """
        refused, refusals = self.refused, self.refusals
        assert refused is not None
        assert refusals is not None
        count = len(refusals)
        reached = f"{count} {what.format('' if count == 1 else 's')} reached the target; refused: "
        if self.is_late():
            # What collides is not looked at once more: the time is over.
            text = f"not found within {self.request.problem.timeout:g} s; {reached}{refusals.text(looks=0)}"
            return self.solution(refused, False, Reason.TIMEOUT, text)
        looks = refusals.LOOKED_AT if self.request.explains else 1
        start = refusals.at_the_start(self.request.seed) if self.request.explains else ""
        text = reached + refusals.text(looks) + (f"; {start}" if start else "")
        return self.solution(refused, False, refusals.reason, text)

    def solution(self, outcome: Outcome, success: bool, reason: Reason, detail: str = "") -> Solution:
        """The result; its configuration cannot be written to."""
        q = outcome.q
        q.flags.writeable = False
        return Solution(
            q,
            success,
            reason,
            outcome.position_error,
            outcome.orientation_error,
            outcome.iterations,
            self.attempts,
            working_time() - self.begun,
            self.engine,
            detail,
        )


def _off(nearest: Outcome) -> str:
    return f"the nearest pose found is {nearest.position_error:.3g} m and {nearest.orientation_error:.3g} rad off"
