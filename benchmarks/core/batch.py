"""Many targets at once: SIMD lanes against numbers, two threads against one, other libraries in their ways."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kinetree.interfaces.bench import Table, workload

from ..contest import Outcome, compete
from ..options import Options
from ..peers.catalog import BATCH, BATCH_PEERS, PEERS, Peer, chosen
from ..peers.problem import Problem
from . import comparison
from .figures import Figure, at_least, table_of

ROBOTS = ("ur5", "panda", "iiwa14", "kr6_r900", "gen3")
SAMPLES, QUICK = 20_000, 1_000
#: Few, so that each is a large batch.
ROUNDS = 5
#: Throughput against that of the scalar twin, and of two threads against one.
LANES, THREADS = 3.5, 1.8
SCALAR = {"KINETREE_LANES": "1"}
#: Others get a part of the targets; those that take a single target are called in a loop, when they are quick.
PART = 20
LOOPS = ("dynibo", "cartan-bindings", "roboticstoolbox-python")


def measure(options: Options) -> list[Table]:
    """A row for each robot and way to run."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "core.batch",
        f"solve_batch: {count} random targets each, random seeds; a {PART}th of them for other libraries",
        {
            "robot": ("robot", ""),
            "library": ("library", ""),
            "way": ("way", ""),
            "solved": ("solved %", ".3f"),
            "target_us": ("us / target", ".3f"),
            "rate": ("targets / s", ".0f"),
            "times": ("times scalar", ".2f"),
            "spread": ("spread %", ".0f"),
            "note": ("", ""),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = workload(name, count, options.seed)
        problem, outcomes = compete(_ways(), work, work.seeds, together=True, rounds=ROUNDS)
        times = [_each(outcome) for outcome in outcomes]
        for outcome, each in zip(outcomes, times, strict=True):
            row = _row(name, "kinetree", outcome, problem)
            if each is not None:
                row["times"] = None if times[0] is None else times[0] / each
            table.rows.append(row)
        table.rows += _others(name, max(ROUNDS, count // PART), options)
        figures.append(at_least("throughput, lanes / scalar", LANES, _ratio(times[0], times[1]), name))
        figures.append(at_least("throughput, two threads / one", THREADS, _ratio(times[1], times[2]), name))
    return [table, table_of(table.name, figures)]


def _ways() -> list[Peer]:
    one = replace(BATCH, name="lanes, 1 thread", options={"threads": 1})
    return [
        replace(one, name="scalar, 1 thread", variables=SCALAR),
        one,
        replace(one, name="lanes, 2 threads", options={"threads": 2}),
    ]


def _others(robot: str, count: int, options: Options) -> list[dict[str, Any]]:
    work = workload(robot, count, options.seed)
    rows = []
    together = chosen(BATCH_PEERS, options, robot)
    if together:
        problem, outcomes = compete(together, work, work.seeds, together=True, rounds=1)
        rows += [_row(robot, each.name, each, problem, "one call") for each in outcomes]
    loops = [peer for peer in chosen(PEERS, options, robot) if peer.name in LOOPS]
    if loops:
        turn = comparison.turn(options)
        problem, outcomes = compete(loops, work, work.seeds, rounds=ROUNDS, seconds=turn)
        rows += [_row(robot, each.name, each, problem, "a loop over calls") for each in outcomes]
    return rows


def _row(robot: str, library: str, outcome: Outcome, problem: Problem, way: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {"robot": robot, "library": library, "way": way or outcome.name, "note": outcome.words}
    each = _each(outcome)
    if each is None:
        return row
    return row | {
        "solved": 100.0 * float(outcome.solved(problem).mean()),
        "target_us": each,
        "rate": 1e6 / each,
        "spread": 100.0 * outcome.timing.spread,
    }


def _each(outcome: Outcome) -> float | None:
    """Microseconds for a target: the median of the rounds, each of which is one call; of single calls the mean."""
    if outcome.words:
        return None
    if len(outcome.rounds[0]) > 1:
        return outcome.timing.mean
    return outcome.timing.median / (len(outcome.q) / len(outcome.rounds))


def _ratio(slow: float | None, fast: float | None) -> float | None:
    return None if slow is None or fast is None else slow / fast
