"""`Trial`: a variant while it is measured."""

from __future__ import annotations

import time

import numpy as np

from ...kinematics import KinetreeError
from .call import Answer, Array, Call
from .effort import Effort
from .measurement import Measurement
from .query import Query
from .reachable_targets import Workload
from .variant import Variant

#: Numbers of attempts with which success is looked at.
ATTEMPTS = (1, 2, 5, 10, 20, 50, 100)
#: Targets that are solved beforehand, at most, so that no compilation is timed; failures compile more than successes.
WARM_UP = 10
#: Seconds after which no further one is.
WARM_UP_TIME = 1.0
#: Rounding takes no answer beyond the tolerance (m, rad) or a limit (rad, m).
SLACK = 1e-12


class Trial:
    """A variant while it is measured: what it did so far.

    Args:
        variant: What is measured.
        work: The targets.
        seeds: Where to start (m, n).
        effort: How hard each target is tried.
    """

    def __init__(self, variant: Variant, work: Workload, seeds: Array, effort: Effort) -> None:
        self.variant = variant
        #: Seconds spent, apart from getting ready.
        self.used = 0.0
        self._work, self._seeds, self._effort = work, seeds, effort
        self._call: Call | None = None
        self._note = ""
        self._errors = 0
        self._seconds: list[float] = []
        self._answers: list[Answer] = []
        self._needed: list[float] = []

    @property
    def done(self) -> int:
        """Targets tried."""
        return len(self._seconds)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return self._call is None or self.done == len(self._work)

    def get_ready(self) -> None:
        """Makes the variant for the robot and compiles what it needs; a variant that does not fit is over."""
        try:
            call = self.variant.bind(self._work, self._effort)
            begun = time.perf_counter()
            for query, seed in zip(self._work.first(WARM_UP), self._seeds, strict=False):
                asked = call.query(query.target, seed)
                call.answer(call.solve(asked))
                call.solves_within(asked, 1)
                if time.perf_counter() - begun > WARM_UP_TIME:
                    break
        except KinetreeError as error:
            self._note = str(error)
        except Exception as error:  # whatever code of others raises
            self._note = f"{type(error).__name__}: {error}"
        else:
            self._call = call

    def run(self, count: int, allowed: float) -> None:
        """Solves up to so many further targets, until `used` is more than what is allowed (s)."""
        for query in self._work.queries[self.done : self.done + count]:
            if self.used >= allowed:
                return
            begun = time.perf_counter()
            self._solve(query, self._seeds[self.done])
            self.used += time.perf_counter() - begun

    def _solve(self, query: Query, seed: Array) -> None:
        call = self._call
        assert call is not None
        asked = call.query(query.target, seed)
        begun = time.perf_counter()
        try:
            result = call.solve(asked)
            seconds = time.perf_counter() - begun
            answer = call.answer(result)
            needed = self._fewest(call, asked, answer)
        except Exception as error:  # a solver that raises has not solved; the next target may be another matter
            seconds = time.perf_counter() - begun
            answer, needed = Answer(None), np.inf
            self._errors += 1
            self._note = self._note or f"{type(error).__name__}: {error}"
        self._seconds.append(seconds)
        self._answers.append(answer)
        self._needed.append(needed)

    @staticmethod
    def _fewest(call: Call, asked: object, answer: Answer) -> float:
        """How many attempts are enough, for a target that is solved."""
        if answer.q is None:
            return np.inf
        if answer.attempts is None:
            return np.nan
        for attempts in ATTEMPTS:
            if attempts >= answer.attempts:
                break
            enough = call.solves_within(asked, attempts)
            if enough is None:
                break
            if enough:
                return attempts
        return answer.attempts

    def measurement(self) -> Measurement:
        """What came of it."""
        work, done = self._work, self.done
        q = np.full((done, len(work.robot.positions)), np.nan)
        for k, answer in enumerate(self._answers):
            if answer.q is not None:
                q[k] = answer.q
        check = work.first(done).verify(q, SLACK)
        bound = self._effort.tolerance + SLACK
        answered, solved = check.answered, check.solved(bound, bound)
        near = (check.position_error <= bound) & (check.orientation_error <= bound)
        worst = [
            float(errors[answered].max()) if answered.any() else float("nan")
            for errors in (check.position_error, check.orientation_error)
        ]
        return Measurement(
            self.variant.name,
            self.variant.description,
            np.array(self._seconds),
            solved,
            answered,
            _numbers([each.iterations for each in self._answers]),
            _numbers([each.attempts for each in self._answers]),
            np.array(self._needed),
            worst[0],
            worst[1],
            self._words(bool(solved.any())),
            missed=int((answered & ~near).sum()),
            outside=int((answered & ~check.inside).sum()),
            beyond=self._beyond(q[answered]),
        )

    def _words(self, has_solved: bool) -> str:
        """What is to be known about the figures."""
        parts = [self._note] if self._note else []
        if self._errors:
            parts = [f"raised for {self._errors} of {self.done} targets, first {self._note}"]
        if self._call is not None and self._call.remark:
            parts.append(self._call.remark)
        reason = next((each.reason for each in self._answers if each.q is None and each.reason), "")
        if reason and not has_solved:
            parts.append(f"solved nothing; the first that failed: {reason}")
        return "; ".join(parts)

    def _beyond(self, q: Array) -> tuple[tuple[str, int], ...]:
        """How many answers (k, n) are beyond the limits of which joint, most first."""
        robot = self._work.robot
        counts = ((q < robot.lower_limits - SLACK) | (q > robot.upper_limits + SLACK)).sum(axis=0)
        order = np.argsort(-counts, kind="stable")
        return tuple((robot.dofs[k].name, int(counts[k])) for k in order if counts[k])


def _numbers(values: list[int | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
