"""How far maps can be trusted: what they cover of what inverse kinematics reaches, and of what it does not."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kinetree import models
from kinetree.interfaces.bench import Table
from kinetree.kinematics import Chain, NodeSet, ReachabilityMap
from kinetree.kinematics.reachability.pose_arrays import poses_from
from kinetree.solvers import InverseKinematics, refine_boundary

from ..core.figures import at_least, at_most, table_of
from ..options import Options

ROBOT = "panda"
#: Poses of each kind, and samples of the maps.
POSES, QUICK = 4000, 300
SAMPLES, QUICK_SAMPLES = (1_000_000, 10_000_000, 100_000_000), (100_000, 1_000_000)
#: Restarts of the judge.
ATTEMPTS = 400
STEPS: dict[str, Any] = {"step_translation": 0.05, "step_rotation": math.radians(36.0), "progress": False}
REQUIRED_COVERED, REQUIRED_WRONG = 97.0, 6.0


def measure(options: Options) -> list[Table]:
    """A row for each map and each way to ask it."""
    count = options.count(POSES, QUICK)
    chain = models.load(ROBOT).tip.chain()
    uniform, reached = _poses(chain, count, options.seed)
    judge = InverseKinematics(chain.tip)
    begun = time.perf_counter()
    reachable = judge.solve_batch(_in_world(chain, uniform), attempts=ATTEMPTS).success
    again = judge.solve_batch(_in_world(chain, reached), attempts=ATTEMPTS).success
    table = Table(
        "reachability.accuracy",
        f"{ROBOT}, cells of 5 cm and 36 degrees, {count} poses of each kind; the judge, inverse kinematics with "
        f"{ATTEMPTS} restarts, reaches {reachable.mean():.1%} of those even in the bounds and {again.mean():.1%} of "
        f"those from forward kinematics ({time.perf_counter() - begun:.0f} s)",
        {
            "map": ("map", ""),
            "samples": ("samples", ",d"),
            "least": ("least count", "d"),
            "seconds": ("s", ".2f"),
            "cells": ("cells covered %", ".2f"),
            "reachable": ("reachable covered %", ".2f"),
            "unreachable": ("unreachable covered %", ".2f"),
            "reached": ("from FK covered %", ".2f"),
        },
    )
    for name, each, least, seconds in _maps(chain, QUICK_SAMPLES if options.quick else SAMPLES):
        # What is the map's own is left out: that is how users ask.
        asked = {} if least == each.least else {"least": least}
        covered = each.covers(uniform, **asked)
        table.rows.append(
            {
                "map": name,
                "samples": each.record.samples,
                "least": least,
                "seconds": seconds,
                "cells": 100.0 * float((each.values >= least).mean()),
                "reachable": _percent(covered[reachable]),
                "unreachable": _percent(covered[~reachable]),
                "reached": _percent(each.covers(reached, **asked)),
            }
        )
    figures = []
    for row in table.rows:
        if row["map"] in (_NAMES["reduced"], _NAMES["refined"]):
            where = f"{row['map']}, {row['samples']:,} samples"
            figures.append(at_least("reachable poses covered, %", REQUIRED_COVERED, row["reachable"], where))
            figures.append(at_most("unreachable poses covered, %", REQUIRED_WRONG, row["unreachable"], where))
    return [table, table_of(table.name, figures)]


_NAMES = {
    "plain": "plain, 6 coordinates",
    "reduced": "reduced, 4 coordinates",
    "all": "reduced, every cell that was hit",
    "refined": "reduced, boundary refined",
}


def _maps(chain: NodeSet, samples: tuple[int, ...]) -> Iterator[tuple[str, ReachabilityMap, int, float]]:
    for count in samples:
        made, seconds = _timed(chain, count, symmetric=False)
        yield _NAMES["plain"], made, 1, seconds
    for count in samples:
        made, seconds = _timed(chain, count, symmetric=True)
        yield _NAMES["reduced"], made, made.least, seconds
        yield _NAMES["all"], made, 1, seconds
        if count == samples[0]:
            begun = time.perf_counter()
            refined = refine_boundary(made)
            yield _NAMES["refined"], refined, 1, seconds + time.perf_counter() - begun


def _timed(chain: NodeSet, count: int, *, symmetric: bool) -> tuple[ReachabilityMap, float]:
    begun = time.perf_counter()
    made = ReachabilityMap.create(chain, samples=count, symmetric=symmetric, **STEPS)
    return made, time.perf_counter() - begun


def _poses(chain: Chain, count: int, seed: int) -> tuple[Any, Any]:
    """Poses (m, 4, 4) even in the bounds of the plain map, and others from forward kinematics."""
    rng = np.random.default_rng(seed + 1)
    cells = ReachabilityMap.create(chain, samples=0, **STEPS).grid.cells
    values = rng.uniform(cells.lower, cells.upper, (count, 6))
    robot, reached = chain.skeleton, np.empty((count, 4, 4))
    for k in range(count):
        state = robot.state(robot.random_positions(rng, chain.dof_indices))
        reached[k] = state.transform(chain.base).actInv(state.transform(chain.tip)).homogeneous
    return poses_from(values[:, :3], values[:, 3:]), reached


def _in_world(chain: NodeSet, poses: Any) -> Any:
    return chain.base.transform().homogeneous @ poses


def _percent(hits: Any) -> float:
    return 100.0 * float(np.mean(hits)) if len(hits) else math.nan
