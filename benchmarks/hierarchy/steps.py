"""``python -m benchmarks hierarchy``: one step of a hierarchy, from configuration to configuration."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kinetree.interfaces.bench import Table, Timing

from ..core.figures import Figure, at_most, table_of
from ..options import Options
from .cases import Array, Case, make_cases
from .peer_steps import peer_rows

SAMPLES, QUICK = 5_000, 300
ROUNDS = 10
#: Calls of the slow ways, which are measured to be told apart from the fast one.
FEW = 500
#: Steps of other libraries.
MOST = 1_000
#: Of which the time and what leaks upwards are bounded.
REQUIRED = ("prepare().step, no limits", "prepare().step, limits kept, near", "prepare().step, limits met")
#: Calls before those that are measured: a garbage collection leaves the caches of the processor cold.
WARM = 20
#: Time of a step (s) for the velocity limits.
TIME_STEP = 0.01


def measure(options: Options) -> list[Table]:
    """A row for each case and way of calling."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "hierarchy.steps",
        f"One call for one step: up to {count} steps each",
        {
            "case": ("case", ""),
            "library": ("library", ""),
            "call": ("call", ""),
            "engine": ("engine", ""),
            "rows": ("rows", "d"),
            "median_us": ("median us", ".2f"),
            "mean_us": ("mean us", ".2f"),
            "p99_us": ("p99 us", ".1f"),
            "spread": ("spread %", ".0f"),
            "leak": ("leak upwards", ".0e"),
            "note": ("", ""),
        },
    )
    figures: list[Figure] = []
    for case in make_cases(count, options.seed):
        for row in _rows(case):
            table.rows.append(row)
            if row["call"] in REQUIRED:
                where = f"{case.name}, {row['call'].partition(', ')[2]}"
                figures.append(at_most("step of a hierarchy, us", case.bound, row["median_us"], where))
                figures.append(at_most("motion of higher levels by lower ones", 1e-8, row["leak"], where))
        if options.peers:
            table.rows.extend(peer_rows(case, min(count, MOST), options))
    return [table, table_of(table.name, figures)]


def _rows(case: Case) -> list[dict[str, Any]]:
    free = case.hierarchy()
    free.problem.respect_limits, free.problem.max_step = False, np.inf
    limited = case.hierarchy(TIME_STEP)
    few = case.starts[:FEW]
    near = 0.99 * (case.rest - few) + few  # a hundredth of the way: what is left when a target is followed
    calls: list[tuple[str, Any, str, Callable[[Any], Any], Array]] = []
    prepared, kept = free.prepare(), limited.prepare()
    calls.append(("prepare().step, no limits", free, prepared.engine, prepared.step, case.starts))
    calls.append(("prepare().step, limits kept, near", limited, kept.engine, kept.step, near))
    calls.append(("prepare().step, limits met", limited, kept.engine, kept.step, few))
    calls.append(("step", free, "object", free.step, few))
    rows = []
    for call, hierarchy, engine, step, starts in calls:
        parts = np.array_split(starts, min(ROUNDS, len(starts)))
        timing = Timing.of([_times(step, part) for part in parts])
        rows.append(
            {
                "case": case.name,
                "library": "kinetree",
                "call": call,
                "engine": engine,
                "rows": sum({"all": 6}.get(goal.selection, 3) for goal in case.goals) + 2 * (case.balance is not None),
                "median_us": timing.median,
                "mean_us": timing.mean,
                "p99_us": timing.p99,
                "spread": 100.0 * timing.spread,
                "leak": _leak(case, hierarchy, engine != "object", starts[:100]),
            }
        )
    return rows


def _leak(case: Case, hierarchy: Any, compiled: bool, starts: Array) -> float:
    """How far the lower levels move the first one, linearised (m and rad), at most."""
    first = case.hierarchy(hierarchy.time_step)
    first.problem = hierarchy.problem
    for task, level in first.tasks:
        if level > 0:
            first.remove(task)
    whole, alone = (each.prepare().step if compiled else each.step for each in (hierarchy, first))
    worst = 0.0
    for q in starts:
        state = case.robot.state(q)
        jacobian = np.vstack([task.error_method.aimed_at().measure(state)[1] for task, _ in first.tasks])
        difference = (whole(q) - alone(q))[[dof.index for dof in case.robot.dofs]]
        worst = max(worst, float(np.abs(jacobian @ difference).max()))
    return worst


def _times(step: Callable[[Any], Any], configurations: Array) -> list[int]:
    taken, clock = [], time.perf_counter_ns
    gc.collect()
    gc.disable()
    try:
        for q in configurations[:WARM]:
            step(q)
        for q in configurations:
            begun = clock()
            step(q)
            taken.append(clock() - begun)
    finally:
        gc.enable()
    return taken
