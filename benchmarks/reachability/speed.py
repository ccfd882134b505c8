"""How long it takes to sample a map, beside plain loops, and to ask it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kinetree import models
from kinetree.interfaces.bench import Table
from kinetree.kinematics import ReachabilityMap

from ..core.figures import at_least, at_most, table_of
from ..options import Options
from .scalar_loop import compiled_loop, python_loop

ROBOT = "panda"
SAMPLES, QUICK = 10_000_000, 200_000
#: Of the loop in Python, which is a thousand times slower.
OF_PYTHON = 1000
STEPS: dict[str, Any] = {"step_translation": 0.05, "step_rotation": math.radians(36.0), "progress": False}
POSES = 200_000
REQUIRED_SECONDS, REQUIRED_QUERY = 4.0, 2.0


def measure(options: Options) -> list[Table]:
    """Sampling, then questions."""
    count = options.count(SAMPLES, QUICK)
    chain = models.load(ROBOT).tip.chain()
    ReachabilityMap.create(chain, samples=1000, **STEPS)  # compiles
    plain, seconds = _timed(lambda: ReachabilityMap.create(chain, samples=count, **STEPS))
    table = Table(
        "reachability.speed",
        f"{count} samples of {ROBOT} into {plain.grid.cells.size} cells of 5 cm and 36 degrees",
        {"what": ("what", ""), "samples": ("samples", ",d"), "seconds": ("s", ".2f"), "each": ("ns a sample", ",.0f"),
         "covered": ("cells covered %", ".2f")},
    )  # fmt: skip
    _add(table, "plain map", count, seconds, plain.share_covered)
    reduced, taken = _timed(lambda: ReachabilityMap.create(chain, samples=count, symmetric=True, **STEPS))
    _add(table, "reduced map", count, taken, reduced.share_covered)
    good, taken = _timed(lambda: ReachabilityMap.create(chain, samples=count, quality="manipulability", **STEPS))
    _add(table, "plain map of manipulability", count, taken, good.share_covered)
    loop = compiled_loop(chain, plain.grid)
    loop(1000, options.seed)  # compiles
    values, taken = _timed(lambda: loop(count, options.seed))
    _add(table, "scalar loop, compiled, one thread", count, taken, np.count_nonzero(values) / values.size)
    few = max(1, count // OF_PYTHON)
    values, slow = _timed(lambda: python_loop(chain, plain.grid, few, options.seed))
    _add(table, "loop in Python with Pinocchio", few, slow, np.count_nonzero(values) / values.size)
    asked, query = _questions({"plain map": plain, "reduced map": reduced, "manipulability": good}, options.seed)
    figures = [
        at_most(f"{count} samples into a map, s", REQUIRED_SECONDS * count / SAMPLES, seconds, ROBOT),
        at_most("a pose asked for in a batch, us", REQUIRED_QUERY, query, ROBOT),
        at_least("times faster than the compiled scalar loop", 1.0, taken / seconds, ROBOT),
    ]
    return [table, asked, table_of(table.name, figures)]


def _questions(maps: dict[str, ReachabilityMap], seed: int) -> tuple[Table, float]:
    table = Table(
        "reachability.questions",
        f"{POSES} poses asked for at once",
        {"map": ("map", ""), "covers": ("covers, us a pose", ".3f"), "sample": ("covered pose drawn, us", ".3f")},
    )
    slowest = 0.0
    for name, each in maps.items():
        poses, drawing = _timed(lambda each=each: each.sample_covered_poses(POSES, seed))  # type: ignore[misc]
        _, asking = _timed(lambda each=each, poses=poses: each.covers(poses))  # type: ignore[misc]
        slowest = max(slowest, 1e6 * asking / POSES)
        table.rows.append({"map": name, "covers": 1e6 * asking / POSES, "sample": 1e6 * drawing / POSES})
    return table, slowest


def _add(table: Table, what: str, count: int, seconds: float, covered: float) -> None:
    row = {
        "what": what,
        "samples": count,
        "seconds": seconds,
        "each": 1e9 * seconds / count,
        "covered": 100.0 * covered,
    }
    table.rows.append(row)


def _timed(run: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.perf_counter()
    result = run()
    return result, time.perf_counter() - begun
