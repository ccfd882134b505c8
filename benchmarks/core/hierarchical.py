"""Steps of hierarchies: two levels on an arm, four tips on a humanoid."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinetree import models
from kinetree.interfaces.bench import Table, Timing
from kinetree.kinematics import Skeleton
from kinetree.solvers.compiled.hierarchical_stepper import HierarchicalStepper, TipTask

from ..options import Options
from .figures import Figure, at_most, table_of

SAMPLES, QUICK = 5_000, 500
ROUNDS = 10
#: Microseconds.
ARM_STEP, HUMANOID_STEP = 10.0, 25.0
#: How far a humanoid's joints are from rest (standard deviation, rad or m): it falls apart further away.
AWAY = 0.2
POSITION = (True, True, True, False, False, False)
ROTATION = (False, False, False, True, True, True)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A hierarchy and configurations (m, n) to step from."""

    name: str
    robot: Skeleton
    tasks: list[TipTask]
    dofs: range
    starts: Array
    bound: float


def measure(options: Options) -> list[Table]:
    """A row for each case."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "core.hierarchical",
        f"One call for one step, from configuration to configuration: {count} steps each",
        {
            "case": ("case", ""),
            "dofs": ("dofs", "d"),
            "rows": ("rows", "d"),
            "median_us": ("median us", ".2f"),
            "mean_us": ("mean us", ".2f"),
            "p99_us": ("p99 us", ".1f"),
            "spread": ("spread %", ".0f"),
        },
    )
    figures: list[Figure] = []
    for case in (*_arms(count, options.seed), _humanoid(count, options.seed)):
        row = _row(case)
        table.rows.append(row)
        figures.append(at_most("step of a hierarchy, us", case.bound, row["median_us"], case.name))
    return [table, table_of(table.name, figures)]


def _arms(count: int, seed: int) -> list[Case]:
    """Panda: position before orientation, and pose before elbow, from anywhere to anywhere."""
    arm = models.load("panda")
    rng = np.random.default_rng(seed)
    state, elbow = arm.state(arm.random_positions(rng)), arm.frame("panda_link4")
    tip = state.transform(arm.tip).copy()
    starts = np.array([arm.random_positions(rng) for _ in range(count)])
    dofs = range(7)  # without the fingers
    split = [TipTask(arm.tip, tip, 0, POSITION), TipTask(arm.tip, tip, 1, ROTATION)]
    posture = [TipTask(arm.tip, tip), TipTask(elbow, state.transform(elbow).copy(), 1, POSITION)]
    return [
        Case("panda, position before orientation", arm, split, dofs, starts, ARM_STEP),
        Case("panda, pose before elbow", arm, posture, dofs, starts, ARM_STEP),
    ]


def _humanoid(count: int, seed: int) -> Case:
    """Both feet before both hands, six rows each, with the floating base."""
    robot = models.load("humanoid")
    rng = np.random.default_rng(seed)
    rest, n = robot.clamp(robot.rest_positions), robot.num_dofs
    drawn = [robot.clamp(robot.integrate(rest, AWAY * rng.normal(size=n))) for _ in range(count + 1)]
    state = robot.state(drawn[0])
    frames = [robot.frame(name) for name in ("left_foot", "right_foot", "left_hand", "right_hand")]
    tasks = [TipTask(frame, state.transform(frame).copy(), k // 2) for k, frame in enumerate(frames)]
    return Case("humanoid, feet before hands", robot, tasks, range(n), np.array(drawn[1:]), HUMANOID_STEP)


def _row(case: Case) -> dict[str, Any]:
    step = HierarchicalStepper(case.robot, case.tasks, dofs=case.dofs).step
    for q in case.starts[:10]:
        step(q)
    timing = Timing.of([_times(step, part) for part in np.array_split(case.starts, min(ROUNDS, len(case.starts)))])
    return {
        "case": case.name,
        "dofs": len(case.dofs),
        "rows": sum(sum(task.rows) for task in case.tasks),
        "median_us": timing.median,
        "mean_us": timing.mean,
        "p99_us": timing.p99,
        "spread": 100.0 * timing.spread,
    }


def _times(step: Callable[[Any], Any], configurations: Array) -> list[int]:
    taken, clock = [], time.perf_counter_ns
    gc.collect()
    gc.disable()
    try:
        for q in configurations:
            begun = clock()
            step(q)
            taken.append(clock() - begun)
    finally:
        gc.enable()
    return taken
