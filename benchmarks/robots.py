"""How reliably and how fast each built-in robot is solved by the meta solver around the default module.

With its defaults the meta solver makes all its attempts and gives all solutions; the second group of columns is
the same with ``stop_at_first``.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kinetree import models
from kinetree.interfaces.bench import Query, Table, Workload, workload
from kinetree.solvers import IKMetaSolver, InverseKinematics, Solutions, TaskSpaceRegion

from .options import Options

#: Targets of each robot.
SAMPLES, QUICK = 500, 20
#: What counts as reached, checked by Pinocchio (m, rad).
TOLERANCE = 1e-6


def measure(options: Options) -> list[Table]:
    """A row for each robot; all built-in ones when none is chosen."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "robots",
        f"IKMetaSolver with defaults: {count} reachable targets each, seeds elsewhere",
        {
            "robot": ("robot", ""),
            "target": ("target", ""),
            "dofs": ("dofs", "d"),
            "success": ("solved %", ".1f"),
            "attempts": ("attempts", ".1f"),
            "solutions": ("solutions", ".1f"),
            "median_ms": ("median ms", ".2f"),
            "p99_ms": ("p99 ms", ".2f"),
            "first_attempts": ("attempts to first", ".1f"),
            "first_median_ms": ("median ms", ".2f"),
            "first_p99_ms": ("p99 ms", ".2f"),
            "position_error": ("worst m", ".1e"),
            "orientation_error": ("worst rad", ".1e"),
        },
    )
    for name in options.robots or [info.name for info in models.robots()]:
        table.rows.append(_row(name, workload(name, count, options.seed)))
    return [table]


def _row(name: str, work: Workload) -> dict[str, Any]:
    module = InverseKinematics(work.robot)
    if not work.is_full_pose:
        module.error_method = TaskSpaceRegion.position_only()
    meta = IKMetaSolver(module)
    _solve(meta, work, work.queries[0])  # compiles, where something is compiled
    solved, worst = 0, np.zeros(2)
    answers = [_solve(meta, work, query) for query in work]
    for query, (_, solutions) in zip(work, answers, strict=True):
        # Every answer counts, not only the first: one that misses makes the whole target unsolved.
        errors = np.array([work.errors(q, query.target) for q in solutions]).reshape(-1, 2)
        worst = np.maximum(worst, errors.max(axis=0, initial=0.0))
        right = bool((errors <= TOLERANCE).all()) and all(work.is_inside_limits(q) for q in solutions)
        solved += right and len(solutions) > 0
    meta.stop_at_first = True
    first = [_solve(meta, work, query) for query in work]
    return {
        "robot": name,
        "target": "pose" if work.is_full_pose else "position",
        "dofs": len(work.chain.dofs),
        "targets": len(work.queries),
        "success": 100.0 * solved / len(work.queries),
        "attempts": float(np.mean([each.report.attempts for _, each in answers])),
        "solutions": float(np.mean([len(each) for _, each in answers])),
        **_times("", [seconds for seconds, _ in answers]),
        "first_attempts": float(np.mean([each.report.attempts for _, each in first])),
        **_times("first_", [seconds for seconds, _ in first]),
        "position_error": float(worst[0]),
        "orientation_error": float(worst[1]),
    }


def _solve(meta: IKMetaSolver, work: Workload, query: Query) -> tuple[float, Solutions]:
    """The time (s) of a solve, and what it gave."""
    base = work.robot.state(query.seed).transform(work.chain.base)
    base_T_end = base.actInv(query.target)
    begun = time.perf_counter()
    solutions = meta.solve(base_T_end, query.seed)
    return time.perf_counter() - begun, solutions


def _times(prefix: str, seconds: list[float]) -> dict[str, float]:
    return {
        f"{prefix}median_ms": 1e3 * float(np.median(seconds)),
        f"{prefix}p99_ms": 1e3 * float(np.quantile(seconds, 0.99)),
    }
