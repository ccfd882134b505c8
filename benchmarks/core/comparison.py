"""Tables of libraries side by side, and how many times longer others take than kinetree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinetree.interfaces.bench import Table

from ..contest import Outcome
from ..options import Options
from ..peers.problem import Problem
from .figures import Figure, at_least

COLUMNS = {
    "robot": ("robot", ""),
    "library": ("library", ""),
    "version": ("version", ""),
    "targets": ("targets", "d"),
    "solved": ("solved %", ".2f"),
    "wrong": ("wrong", "d"),
    "outside": ("outside", "d"),
    "median_us": ("median us", ".2f"),
    "mean_us": ("mean us", ".2f"),
    "p99_us": ("p99 us", ".1f"),
    "spread": ("spread %", ".0f"),
    "median_ratio": ("median x", ".2f"),
    "mean_ratio": ("mean x", ".2f"),
    "note": ("", ""),
}
#: Seconds of one of the rounds for each library, in the order usual, quick: slow ones solve fewer targets.
TURN, QUICK_TURN = 1.5, 0.5
#: Points of the curve of success against time.
CURVE = 32


def table(name: str, title: str) -> Table:
    """An empty table of libraries."""
    return Table(name, title, dict(COLUMNS))


def rows(robot: str, problem: Problem, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row for each library; the first one is what the others are compared with.

    ``wrong`` counts answers that miss the target, ``outside`` those beyond a limit; neither counts as solved.
    ``curve`` has microseconds and the part of all targets (%) that are solved by calls no longer than that.
    """
    ours = outcomes[0]
    found = []
    for outcome in outcomes:
        row: dict[str, Any] = {"robot": robot, "library": outcome.name, "version": outcome.version}
        if outcome.words:
            found.append({**row, "note": outcome.words})
            continue
        assert outcome.verification is not None
        timing, check, solved = outcome.timing, outcome.verification, outcome.solved(problem)
        row |= {
            "targets": len(solved),
            "solved": 100.0 * float(solved.mean()),
            "wrong": int((check.answered & check.inside & ~solved).sum()),
            "outside": int((check.answered & ~check.inside).sum()),
            "median_us": timing.median,
            "mean_us": timing.mean,
            "p99_us": timing.p99,
            "spread": 100.0 * timing.spread,
            "note": outcome.error,
            "curve": _curve(outcome, solved),
        }
        if not ours.words:
            row |= {
                "median_ratio": timing.median / ours.timing.median,
                "mean_ratio": timing.mean / ours.timing.mean,
            }
        found.append(row)
    return found


def turn(options: Options) -> float:
    """Seconds that a library has in each round."""
    return QUICK_TURN if options.quick else TURN


def _curve(outcome: Outcome, solved: NDArray[np.bool_]) -> list[list[float]]:
    times = np.sort(np.concatenate(outcome.rounds)[solved]) * 1e-3
    places = np.unique(np.linspace(0, len(times) - 1, min(CURVE, len(times))).astype(int))
    return [[float(times[k]), 100.0 * (int(k) + 1) / len(solved)] for k in places]


@dataclass(frozen=True)
class Ratio:
    """How many times longer a peer has to take than kinetree.

    Attributes:
        peer: Its name.
        statistic: ``"median"`` or ``"mean"``.
        bound: So many times at least.
    """

    peer: str
    statistic: str
    bound: float


def ratio_figures(robot: str, ours: Outcome, others: Sequence[Outcome], ratios: Sequence[Ratio]) -> list[Figure]:
    """The required ratios of one robot, of peers that took part."""
    named = {other.name: other for other in others}
    figures = []
    for ratio in ratios:
        if ratio.peer not in named:
            continue
        other = named[ratio.peer]
        measured = None
        if not (other.words or ours.words):
            measured = getattr(other.timing, ratio.statistic) / getattr(ours.timing, ratio.statistic)
        what = f"{ratio.statistic} of {ratio.peer} / {ours.name}"
        figures.append(at_least(what, ratio.bound, measured, robot, ours.words or other.words))
    return figures


def tail_figure(robot: str, ours: Outcome, others: Sequence[Outcome], bound: float) -> list[Figure]:
    """The ratio of the best p99 of all peers to ours; none without a peer."""
    tails = {other.name: other.timing.p99 for other in others if not other.words}
    if not tails:
        return []
    best = min(tails, key=lambda name: tails[name])
    measured = None if ours.words else tails[best] / ours.timing.p99
    return [at_least(f"p99 of the best peer ({best}) / {ours.name}", bound, measured, robot, ours.words)]
