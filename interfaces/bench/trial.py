"""`Trial`: a variant while it is measured."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import numpy as np
import pinocchio as pin

from .call import Answer, Array, Call
from .checked_answer import checked_answer
from .effort import Effort
from .error_text import error_text
from .errors import AnswerError
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
        #: Targets for which it raised, or gave what is no answer, and what was said first.
        self._raised = self._unusable = 0
        self._first_raised = self._first_unusable = ""
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
        """Makes the variant and compiles what it needs; one that does not fit the robot, or only raises, is over."""
        try:
            call = self.variant.bind(self._work, self._effort)
        except (Exception, SystemExit) as error:  # whatever code of others raises
            self._note = error_text(error)
            return
        errors: list[str] = []
        begun = time.perf_counter()
        for query, seed in zip(self._work.first(WARM_UP), self._seeds, strict=False):
            errors.append(_warm_up(call, query, seed))
            if time.perf_counter() - begun > WARM_UP_TIME:
                break
        if errors and all(errors):
            self._note = errors[0]
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
        seconds, answer, needed = None, Answer(None), np.inf
        begun = time.perf_counter()
        try:
            asked = _asked(call, query, seed)
            begun = time.perf_counter()
            result = call.solve(asked)
            seconds = time.perf_counter() - begun
            found = checked_answer(call, result, len(seed))
            needed = self._fewest(call, query, seed, found)
            answer = found
        except AnswerError as error:
            self._unusable += 1
            self._first_unusable = self._first_unusable or str(error)
        except (Exception, SystemExit) as error:  # has not solved it; the next target may be another matter
            self._raised += 1
            self._first_raised = self._first_raised or error_text(error)
        if seconds is None:
            seconds = time.perf_counter() - begun
        self._seconds.append(seconds)
        self._answers.append(answer)
        self._needed.append(needed)

    @staticmethod
    def _fewest(call: Call, query: Query, seed: Array, answer: Answer) -> float:
        """How many attempts are enough, for a target that is solved."""
        if answer.q is None:
            return np.inf
        if answer.attempts is None:
            return np.nan
        for attempts in ATTEMPTS:
            if attempts >= answer.attempts:
                break
            enough = call.solves_within(_asked(call, query, seed), attempts)
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
        if self._raised:
            parts.append(f"raised for {self._raised} of {self.done} targets, first {self._first_raised}")
        if self._unusable:
            parts.append(f"no usable answer for {self._unusable} of {self.done} targets, first: {self._first_unusable}")
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


def _asked(call: Call, query: Query, seed: Array) -> Any:
    """What a solve takes, made anew each time: a solver may write to what it is given."""
    return call.query(pin.SE3(query.target), seed.copy())


def _warm_up(call: Call, query: Query, seed: Array) -> str:
    """Solves once; what it raised, empty as a rule. What is no answer is told later, when it counts."""
    try:
        result = call.solve(_asked(call, query, seed))
        with contextlib.suppress(AnswerError):
            checked_answer(call, result, len(seed))
        call.solves_within(_asked(call, query, seed), 1)
    except (Exception, SystemExit) as error:  # whatever code of others raises
        return error_text(error)
    return ""


def _numbers(values: list[int | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
