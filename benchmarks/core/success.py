"""How many random targets are solved from random seeds with default settings, and how exactly."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kinetree.interfaces.bench import Table, Workload, workload
from kinetree.solvers import InverseKinematics

from ..options import Options
from ..peers.problem import ORIENTATION_TOLERANCE, POSITION_TOLERANCE
from .figures import Figure, at_least, table_of

ROBOTS = ("ur5", "panda", "iiwa14", "kr6_r900", "gen3")
SAMPLES, QUICK = 20_000, 500
#: Solved targets that are required (%).
REQUIRED = 99.99
#: Targets that are solved before, so that no compilation is timed.
WARM_UP = 64


def measure(options: Options) -> list[Table]:
    """A row for each robot."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "core.success",
        f"solve_batch with defaults: {count} random reachable targets each, random seeds, checked by Pinocchio",
        {
            "robot": ("robot", ""),
            "targets": ("targets", "d"),
            "solved": ("solved %", ".3f"),
            "claimed": ("claimed %", ".3f"),
            "outside": ("outside", "d"),
            "position_median": ("median m", ".1e"),
            "position_max": ("max m", ".1e"),
            "orientation_median": ("median rad", ".1e"),
            "orientation_max": ("max rad", ".1e"),
            "attempts_mean": ("attempts", ".2f"),
            "attempts_max": ("most", "d"),
            "us": ("us / target", ".2f"),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        row = _row(workload(name, count, options.seed))
        table.rows.append(row)
        figures.append(at_least("solved with defaults, verified, inside limits, %", REQUIRED, row["solved"], name))
    return [table, table_of(table.name, figures)]


def _row(work: Workload) -> dict[str, Any]:
    ik = InverseKinematics(work.robot)
    ik.solve_batch(work.targets[:WARM_UP], seeds=work.seeds[:WARM_UP])
    begun = time.perf_counter()
    batch = ik.solve_batch(work.targets, seeds=work.seeds)
    elapsed = time.perf_counter() - begun
    claimed = np.asarray(batch.success)
    check = work.verify(np.where(claimed[:, None], batch.q, np.nan))
    solved = check.solved(POSITION_TOLERANCE, ORIENTATION_TOLERANCE)
    return {
        "robot": work.name,
        "targets": len(work),
        "solved": 100.0 * float(solved.mean()),
        "claimed": 100.0 * float(claimed.mean()),
        "outside": int((claimed & ~check.inside).sum()),
        **_distribution("position", check.position_error[claimed]),
        **_distribution("orientation", check.orientation_error[claimed]),
        "attempts_mean": float(np.mean(batch.attempts)),
        "attempts_max": int(np.max(batch.attempts)),
        "us": 1e6 * elapsed / len(work),
    }


def _distribution(what: str, errors: np.ndarray) -> dict[str, float | None]:
    if not len(errors):
        return {f"{what}_median": None, f"{what}_max": None}
    return {f"{what}_median": float(np.median(errors)), f"{what}_max": float(errors.max())}
