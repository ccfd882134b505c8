"""Tables of closed forms side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kinetree.interfaces.bench import Table, Workload

from ..contest import Outcome
from ..core.figures import Figure, at_least, at_most
from .branches import Branches, judge

COLUMNS = {
    "robot": ("robot", ""),
    "library": ("library", ""),
    "version": ("version", ""),
    "solutions": ("solutions", ".2f"),
    "found": ("has q %", ".2f"),
    "singular": ("singular", "d"),
    "wrong": ("wrong", "d"),
    "position_error": ("worst m", ".1e"),
    "orientation_error": ("worst rad", ".1e"),
    "median_us": ("median us", ".2f"),
    "mean_us": ("mean us", ".2f"),
    "p99_us": ("p99 us", ".1f"),
    "spread": ("spread %", ".0f"),
    "median_ratio": ("median x", ".2f"),
    "note": ("", ""),
}
#: A peer is raced against when it has the configuration that a target was made from this often (%): one that loses
#: solutions saves their time.
COMPLETE = 99.0


def table(name: str, title: str) -> Table:
    """An empty table of closed forms."""
    return Table(name, title, dict(COLUMNS))


def rows(work: Workload, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row for each library; the first one is what the others are compared with.

    ``has q`` says how often the configuration that a target was made from is among the solutions, or differs from one
    in a singular direction (such targets are counted); ``wrong`` counts solutions that miss.
    """
    ours = outcomes[0]
    made = []
    for outcome in outcomes:
        row: dict[str, Any] = {"robot": work.name, "library": outcome.name, "version": outcome.version}
        if outcome.words:
            made.append({**row, "note": outcome.words})
            continue
        timing = outcome.timing
        row |= {**_of(_judged(work, outcome)), "targets": len(work), "note": outcome.error}
        row |= {"median_us": timing.median, "mean_us": timing.mean, "p99_us": timing.p99}
        row["spread"] = 100.0 * timing.spread
        if not ours.words:
            row["median_ratio"] = timing.median / ours.timing.median
        made.append(row)
    return made


def _judged(work: Workload, outcome: Outcome) -> Branches:
    assert outcome.verification is not None
    return judge(work, outcome.q, outcome.counts, outcome.verification)


def _of(branches: Branches) -> dict[str, Any]:
    return {
        "solutions": branches.per_target,
        "found": 100.0 * float((~branches.missing).mean()),
        "singular": int(branches.singular.sum()),
        "wrong": branches.wrong,
        "outside": branches.outside,
        "position_error": branches.position_error,
        "orientation_error": branches.orientation_error,
    }


def against_fastest(robot: str, rows: Sequence[dict[str, Any]], bound: float) -> list[Figure]:
    """How many times longer the fastest peer that is complete takes than we do, who have the first row.

    Args:
        robot: Its name.
        rows: Ours first, then those of peers.
        bound: So many times at least.
    """
    ours, *others = rows
    times = {row["library"]: row["median_us"] for row in others if row.get("found", 0.0) >= COMPLETE}
    if not times:
        return []
    fastest = min(times, key=lambda name: times[name])
    measured = None if "median_us" not in ours else times[fastest] / ours["median_us"]
    return [
        at_least(f"median of the fastest peer ({fastest}) / {ours['library']}", bound, measured, robot, ours["note"])
    ]


def median_at_most(robot: str, row: dict[str, Any], bound: float) -> Figure:
    """An upper bound of a median (us)."""
    return at_most(f"median of {row['library']}, us", bound, row.get("median_us"), robot, row["note"])
