"""Many targets at once: SIMD lanes against numbers, two threads against one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..contest import Outcome, compete
from ..options import Options
from ..peers.catalog import BATCH
from ..table import Table
from ..workload import workload
from .figures import Figure, at_least, table_of

ROBOTS = ("ur5", "panda", "iiwa14", "kr6_r900", "gen3")
SAMPLES, QUICK = 20_000, 1_000
#: Few, so that each is a large batch.
ROUNDS = 5
#: Throughput against that of the scalar twin, and of two threads against one.
LANES, THREADS = 3.5, 1.8
SCALAR = {"KINETREE_LANES": "1"}


def measure(options: Options) -> list[Table]:
    """A row for each robot and way to run."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "core.batch",
        f"solve_batch: {count} random targets each, random seeds",
        {
            "robot": ("robot", ""),
            "way": ("way", ""),
            "solved": ("solved %", ".3f"),
            "target_us": ("us / target", ".3f"),
            "rate": ("targets / s", ".0f"),
            "times": ("times scalar", ".2f"),
            "spread": ("spread %", ".0f"),
            "note": ("", ""),
        },
    )
    one = replace(BATCH, name="lanes, 1 thread", options={"threads": 1})
    ways = [
        replace(one, name="scalar, 1 thread", variables=SCALAR),
        one,
        replace(one, name="lanes, 2 threads", options={"threads": 2}),
    ]
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        work = workload(name, count, options.seed)
        problem, outcomes = compete(ways, work, work.seeds, together=True, rounds=ROUNDS)
        times = [_each(outcome) for outcome in outcomes]
        for outcome, each in zip(outcomes, times, strict=True):
            row: dict[str, Any] = {"robot": name, "way": outcome.name, "note": outcome.words}
            if each is not None:
                row |= {
                    "solved": 100.0 * float(outcome.solved(problem).mean()),
                    "target_us": each,
                    "rate": 1e6 / each,
                    "times": None if times[0] is None else times[0] / each,
                    "spread": 100.0 * outcome.timing.spread,
                }
            table.rows.append(row)
        figures.append(at_least("throughput, lanes / scalar", LANES, _ratio(times[0], times[1]), name))
        figures.append(at_least("throughput, two threads / one", THREADS, _ratio(times[1], times[2]), name))
    return [table, table_of(table.name, figures)]


def _each(outcome: Outcome) -> float | None:
    """Microseconds for a target: the median of the rounds, each of which is one call."""
    if outcome.words:
        return None
    return outcome.timing.median / (len(outcome.q) / len(outcome.rounds))


def _ratio(slow: float | None, fast: float | None) -> float | None:
    return None if slow is None or fast is None else slow / fast
