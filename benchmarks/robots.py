"""How reliably and how fast each built-in robot is solved by the meta solver with its defaults."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from kinetree import models
from kinetree.solvers import IKMetaSolver, InverseKinematics, TaskSpaceRegion

from .table import Table
from .workload import Workload, workload

#: Targets of each robot.
SAMPLES = 500
#: What counts as reached, checked by Pinocchio (m, rad).
TOLERANCE = 1e-6


def measure(samples: int | None = None, robots: Sequence[str] | None = None, seed: int = 0) -> Table:
    """A row for each robot.

    Args:
        samples: Targets of each robot.
        robots: Names of built-in robots; all when None.
        seed: Of the targets.
    """
    table = Table(
        "robots",
        f"IKMetaSolver with defaults: {samples or SAMPLES} reachable targets each, seeds elsewhere",
        {
            "robot": ("robot", ""),
            "target": ("target", ""),
            "dofs": ("dofs", "d"),
            "success": ("solved %", ".1f"),
            "attempts": ("attempts", ".1f"),
            "solutions": ("solutions", ".1f"),
            "median_ms": ("median ms", ".2f"),
            "p99_ms": ("p99 ms", ".2f"),
            "position_error": ("worst m", ".1e"),
            "orientation_error": ("worst rad", ".1e"),
        },
    )
    for name in robots or [info.name for info in models.robots()]:
        table.rows.append(_row(name, workload(name, samples or SAMPLES, seed)))
    return table


def _row(name: str, work: Workload) -> dict[str, Any]:
    module = InverseKinematics(work.robot)
    if not work.is_full_pose:
        module.error_method = TaskSpaceRegion.position_only()
    meta = IKMetaSolver(module)
    solved, times, attempts, counts, worst = 0, [], [], [], (0.0, 0.0)
    for query in work:
        base = work.robot.state(query.seed).transform(work.chain.base)
        base_T_end = base.actInv(query.target)
        begun = time.perf_counter()
        solutions = meta.solve(base_T_end, query.seed)
        times.append(time.perf_counter() - begun)
        attempts.append(solutions.report.attempts)
        counts.append(len(solutions))
        # Every answer counts, not only the first: one that misses makes the whole target unsolved.
        errors = [work.errors(q, query.target) for q in solutions]
        worst = (max([worst[0], *(each[0] for each in errors)]), max([worst[1], *(each[1] for each in errors)]))
        reached = all(max(each) <= TOLERANCE for each in errors)
        solved += bool(errors) and reached and all(work.is_inside_limits(q) for q in solutions)
    return {
        "robot": name,
        "target": "pose" if work.is_full_pose else "position",
        "dofs": len(work.chain.dofs),
        "targets": len(work.queries),
        "success": 100.0 * solved / len(work.queries),
        "attempts": float(np.mean(attempts)),
        "solutions": float(np.mean(counts)),
        "median_ms": 1e3 * float(np.median(times)),
        "p99_ms": 1e3 * float(np.quantile(times, 0.99)),
        "position_error": worst[0],
        "orientation_error": worst[1],
    }
