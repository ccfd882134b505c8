"""Collision-free solutions in a cell with a table, a shelf and a grasped tool: the first one, and all."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import numpy as np

from kinetree.interfaces.bench import Table
from kinetree.solvers import IKMetaSolver, InverseKinematics, JacobianIKSolver, Solutions

from ..core.figures import Figure, at_least, at_most, table_of
from ..options import Options
from ..peers.problem import ORIENTATION_TOLERANCE, POSITION_TOLERANCE
from .cell import Cell, make_cell
from .free_targets import FreeTargets, free_targets
from .plain_check import PlainCheck

ROBOTS = ("panda", "ur5")
SAMPLES, QUICK = 2_000, 20
#: Attempts at most when one solution will do; when all are wanted, it is the meta solver's own number.
MOST_ATTEMPTS = 500
#: What is required: solved targets (%), median time (ms).
REQUIRED, MEDIAN_MS = 99.5, 3.0
#: Solves before any is timed.
WARM_UP = 5


def measure(options: Options) -> list[Table]:
    """Two rows for each robot and each inner solver: stop at the first solution, and all attempts."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "meta.in_a_cell",
        f"IKMetaSolver with a CollisionDetector: {count} targets each that a free configuration reaches, random seeds",
        {
            "robot": ("robot", ""),
            "inner": ("inner solver", ""),
            "mode": ("mode", ""),
            "free": ("free q %", ".1f"),
            "solved": ("solved %", ".2f"),
            "wrong": ("wrong", "d"),
            "solutions": ("solutions", ".1f"),
            "attempts": ("attempts", ".1f"),
            "collision": ("refused: collision", ".2f"),
            "median_ms": ("median ms", ".3f"),
            "mean_ms": ("mean ms", ".3f"),
            "p99_ms": ("p99 ms", ".2f"),
            "in_the_way": ("most in the way", ""),
        },
    )
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        cell = make_cell(name)
        check = PlainCheck(cell)
        targets = free_targets(cell, check, count, options.seed)
        for label, meta in _solvers(cell).items():
            for mode in ("first", "all"):
                row = _row(cell, check, targets, label, meta, mode)
                table.rows.append(row)
                if mode == "first":
                    figures.append(at_least(f"solved, {label}, %", REQUIRED, row["solved"], name))
                figures.append(at_most(f"median, {label}, {mode}, ms", MEDIAN_MS, row["median_ms"], name))
                figures.append(at_most(f"wrong answers, {label}, {mode}", 0, row["wrong"], name))
    return [table, table_of(table.name, figures)]


def _solvers(cell: Cell) -> dict[str, IKMetaSolver]:
    inner: dict[str, Any] = {"JacobianIKSolver": JacobianIKSolver(cell.robot)}
    module = InverseKinematics(cell.robot)
    closed = module.analytical()
    if closed is not None:
        module.gradient_method = closed
        inner["ClosedForm"] = module
    return {label: IKMetaSolver(each, collision_detector=cell.detector) for label, each in inner.items()}


def _row(
    cell: Cell, check: PlainCheck, targets: FreeTargets, label: str, meta: IKMetaSolver, mode: str
) -> dict[str, Any]:
    work = targets.work
    first = mode == "first"
    attempts = MOST_ATTEMPTS if first else meta.max_attempts
    in_base = work.in_base()
    for k in range(min(WARM_UP, len(work))):
        meta.solve(in_base[k], work.seeds[k], attempts, first)
    times = np.empty(len(work))
    answers: list[Solutions] = []
    for k in range(len(work)):
        begun = time.perf_counter()
        answers.append(meta.solve(in_base[k], work.seeds[k], attempts, first))
        times[k] = 1e3 * (time.perf_counter() - begun)
    wrong = sum(not _is_right(work, check, k, q) for k, found in enumerate(answers) for q in found)
    refused: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for found in answers:
        refused.update(found.report.refused)
        pairs.update(found.report.collisions)
    return {
        "robot": cell.name,
        "inner": label,
        "mode": mode,
        "free": 100.0 * targets.free_share,
        "solved": 100.0 * float(np.mean([len(found) > 0 for found in answers])),
        "wrong": wrong,
        "solutions": float(np.mean([len(found) for found in answers])),
        "attempts": float(np.mean([found.report.attempts for found in answers])),
        "collision": refused["collision"] / len(work),
        "median_ms": float(np.median(times)),
        "mean_ms": float(times.mean()),
        "p99_ms": float(np.quantile(times, 0.99)),
        "in_the_way": " and ".join(pairs.most_common(1)[0][0]) if pairs else "",
    }


def _is_right(work: Any, check: PlainCheck, k: int, q: np.ndarray) -> bool:
    away, angle = work.errors(q, work.queries[k].target)
    return (
        away <= POSITION_TOLERANCE
        and angle <= ORIENTATION_TOLERANCE
        and work.is_inside_limits(q)
        and check.touching(q) is None
    )
