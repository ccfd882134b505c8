"""Libraries side by side: the same targets for all, in turn, so that a slow spell of the machine meets each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from kinetree.interfaces.bench import Timing, Verification, Workload

from .peers.catalog import Peer
from .peers.errors import PeerError
from .peers.problem import Problem, problem_of
from .peers.session import ENDLESS, Answers, Session

Array = NDArray[np.float64]
ROUNDS = 10
#: No library is blamed for an angle that rounding took beyond a limit (rad, m).
SLACK = 1e-12


@dataclass
class Outcome:
    """What a library did.

    Attributes:
        name: Of the library.
        version: Of it; empty when it never said.
        words: Why there are no figures; empty when there are.
        q: Its answers (m, n), configurations of the whole robot, nan where it gave none; of all solutions (k, n),
            target by target.
        rounds: Nanoseconds of the calls of each round.
        error: The first error that a call raised; such a call counts as one without an answer.
        verification: Of the answers.
        counts: How many solutions it gave for each target (m,), when all were asked for; else empty.
        asked: Places (m,) of the targets that it was asked for: all, or those that its time was enough for.
    """

    name: str
    version: str = ""
    words: str = ""
    q: Array = field(default_factory=lambda: np.empty((0, 0)))
    rounds: list[NDArray[np.int64]] = field(default_factory=list)
    error: str = ""
    verification: Verification | None = None
    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    asked: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def timing(self) -> Timing:
        """Of single calls."""
        return Timing.of(self.rounds)

    def solved(self, problem: Problem) -> NDArray[np.bool_]:
        """Which targets (m,), or solutions (k,), are solved, as Pinocchio sees it."""
        assert self.verification is not None
        return self.verification.solved(problem.position_tolerance, problem.orientation_tolerance)


def compete(
    contestants: Sequence[Peer],
    work: Workload,
    seeds: Array,
    *,
    together: bool = False,
    all_solutions: bool = False,
    rounds: int = ROUNDS,
    seconds: float = ENDLESS,
    say: Callable[[str], None] | None = None,
) -> tuple[Problem, list[Outcome]]:
    """Lets libraries solve a workload.

    Args:
        contestants: Who takes part; each has its process for as long as this lasts.
        work: Robot and targets.
        seeds: Configurations (m, n) of the whole robot to start from.
        together: Each round in one call, timed as a whole.
        all_solutions: Every solution of each target is asked for, and verified.
        rounds: In how many parts; in each everyone has their turn.
        seconds: For one turn; a library that is slow solves the first targets of each part only.
        say: Told what is going on.

    Returns:
        The problem, and an outcome for each, in order.
    """
    say = say or _say
    targets, starts = work.in_base(), work.of_chain(seeds)
    parts = np.array_split(np.arange(len(work)), min(rounds, len(work)))
    outcomes = [Outcome(each.name) for each in contestants]
    with problem_of(work) as problem, ExitStack() as stack:
        sessions = []
        for peer, outcome in zip(contestants, outcomes, strict=True):
            say(f"{work.name}: starting {peer.name}")
            sessions.append(_start(peer, problem, outcome, stack))
        for number, part in enumerate(parts, 1):
            say(f"{work.name}: round {number} of {len(parts)}")
            for session, outcome in zip(sessions, outcomes, strict=True):
                _take_turn(session, outcome, part, targets[part], starts[part], together, all_solutions, seconds)
    for outcome in outcomes:
        if not outcome.words:
            _verify(outcome, work, all_solutions)
    return problem, outcomes


def _start(peer: Peer, problem: Problem, outcome: Outcome, stack: ExitStack) -> Session | None:
    try:
        session = stack.enter_context(peer.start())
        session.open(problem.with_options(peer.options), peer.patience)
    except PeerError as error:
        outcome.words = str(error)
        return None
    outcome.version = session.version
    return session


def _take_turn(
    session: Session | None,
    outcome: Outcome,
    part: NDArray[np.int64],
    targets: Array,
    starts: Array,
    together: bool,
    all_solutions: bool,
    seconds: float,
) -> None:
    if session is None or outcome.words:
        return
    try:
        answers = session.measure(targets, starts, together=together, all_solutions=all_solutions, seconds=seconds)
        asked = part if together else part[: max(1, len(answers.nanoseconds))]
        _check(answers, (len(asked), starts.shape[1]))
    except PeerError as error:
        outcome.words = str(error)
        return
    if answers.counts is not None:
        outcome.counts = np.concatenate([outcome.counts, answers.counts])
    outcome.q = answers.q if not outcome.rounds else np.concatenate([outcome.q, answers.q])
    outcome.rounds.append(answers.nanoseconds)
    outcome.asked = np.concatenate([outcome.asked, asked])
    outcome.error = outcome.error or answers.error


def _check(answers: Answers, shape: tuple[int, int]) -> None:
    if answers.counts is not None:
        if answers.counts.shape != shape[:1]:
            raise PeerError(f"failed: it counted the solutions of {len(answers.counts)} targets of {shape[0]}")
        shape = int(answers.counts.sum()), shape[1]
    if answers.q.shape != shape:
        raise PeerError(f"failed: it gave configurations of shape {answers.q.shape} instead of {shape}")


def _verify(outcome: Outcome, work: Workload, all_solutions: bool) -> None:
    targets = work.targets[outcome.asked]
    if all_solutions:  # as many targets as there are solutions
        targets = np.repeat(targets, outcome.counts, axis=0)
    work = replace(work, targets=targets)
    found = np.isfinite(outcome.q).all(axis=1)
    whole = work.whole(np.where(found[:, None], outcome.q, 0.0))
    whole[~found] = np.nan
    outcome.q, outcome.verification = whole, work.verify(whole, SLACK)


def _say(message: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{message}")
        sys.stderr.flush()
