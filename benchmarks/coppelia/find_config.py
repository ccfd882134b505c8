"""Searches for configurations: how many are looked at in a second, how many targets are reached."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kinetree.interfaces.bench import Table, Workload, workload

from ..core.figures import Figure, at_least, table_of
from ..options import Options
from .arm import Arm

ROBOTS = ("panda",)
SAMPLES, QUICK = 500, 50
#: Budget of a search (s), and that of the search that is never satisfied.
BUDGET, LONG_BUDGET = 0.05, 1.0
THRESHOLD = 0.3
REQUIRED_RATE, REQUIRED_SUCCESS = 500_000.0, 99.0


def measure(options: Options) -> list[Table]:
    """A row for each robot."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "coppelia.find_config",
        f"find_config, threshold {THRESHOLD}, {1e3 * BUDGET:.0f} ms: {count} reachable targets, checked by Pinocchio",
        {
            "robot": ("robot", ""),
            "targets": ("targets", "d"),
            "solved": ("solved %", ".1f"),
            "median_ms": ("median ms", ".2f"),
            "p99_ms": ("p99 ms", ".2f"),
            "max_ms": ("max ms", ".2f"),
            "rate": ("configurations / s", ",.0f"),
            "threshold_rate": ("by threshold / s", ",.0f"),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        row = _row(workload(name, count, options.seed))
        table.rows.append(row)
        if name in ROBOTS:
            figures.append(at_least("targets reached within the budget, %", REQUIRED_SUCCESS, row["solved"], name))
            figures.append(at_least("configurations looked at in a second", REQUIRED_RATE, row["rate"], name))
            figures.append(
                at_least("the same by the threshold alone", REQUIRED_RATE, row["threshold_rate"], name),
            )
    return [table, table_of(table.name, figures)]


def _row(work: Workload) -> dict[str, Any]:
    arm = Arm.of(work)
    starts, seconds = work.of_chain(work.seeds), []
    answers = np.full_like(work.seeds, np.nan)
    arm.group.find_config(arm.joints, threshold=THRESHOLD, max_time=BUDGET)  # compiles
    for k, (start, target) in enumerate(zip(starts, work.targets, strict=True)):
        arm.move(start)
        arm.aim(target)
        begun = time.perf_counter()
        found = arm.group.find_config(arm.joints, threshold=THRESHOLD, max_time=BUDGET, seed=k)
        seconds.append(time.perf_counter() - begun)
        if found:
            answers[k] = work.seeds[k]
            answers[k, work.chain.dof_indices] = found.best
    solved = work.verify(answers).solved(arm.element.linear_precision, arm.element.angular_precision)
    return {
        "robot": work.name,
        "targets": len(work),
        "solved": 100.0 * float(solved.mean()),
        "median_ms": 1e3 * float(np.median(seconds)),
        "p99_ms": 1e3 * float(np.quantile(seconds, 0.99)),
        "max_ms": 1e3 * float(np.max(seconds)),
        "rate": _rate(arm, restarts=True),
        "threshold_rate": _rate(arm, restarts=False),
    }


def _rate(arm: Arm, *, restarts: bool) -> float:
    """Configurations looked at in a second of a search whose results are all refused."""
    found = arm.group.find_config(
        arm.joints, threshold=THRESHOLD, max_time=LONG_BUDGET, callback=lambda q: False, restarts=restarts
    )
    return found.report.tried / found.report.elapsed
