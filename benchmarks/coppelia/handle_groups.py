"""What an iteration of ``ikHandleGroups`` costs, in one long call and in many short ones."""

from __future__ import annotations

import time
from typing import Any

from kinetree.interfaces.bench import Table, Timing, workload
from kinetree.interfaces.coppelia import routines

from ..core.figures import at_most, table_of
from ..options import Options
from .arm import Arm

ROBOTS = ("panda", "iiwa14")
SAMPLES, QUICK = 2_000, 100
ROUNDS = 5
#: Required time of an iteration (us).
REQUIRED = 12.0
ITERATIONS = (1, 10, 40)


def measure(options: Options) -> list[Table]:
    """A row for each robot and number of iterations."""
    count = options.count(SAMPLES, QUICK)
    table = Table(
        "coppelia.handle_groups",
        f"ikHandleGroups, one pose element, damped least squares: {count} targets, each from elsewhere",
        {
            "robot": ("robot", ""),
            "iterations": ("iterations", "d"),
            "call_us": ("us / call", ".2f"),
            "iteration_us": ("us / iteration", ".2f"),
            "spread": ("spread", ".2f"),
        },
    )
    figures = []
    for name in options.robots or ROBOTS:
        for iterations in ITERATIONS:
            row = _row(name, count, options.seed, iterations)
            table.rows.append(row)
            where = f"{name}, {iterations} a call"
            figures.append(at_most("ikHandleGroups, us an iteration", REQUIRED, row["iteration_us"], where))
    return [table, table_of(table.name, figures)]


def _row(name: str, count: int, seed: int, iterations: int) -> dict[str, Any]:
    work = workload(name, count, seed)
    arm = Arm.of(work)
    arm.group.max_iterations = iterations
    # Never within its precision, so that all iterations are taken.
    arm.element.linear_precision = arm.element.angular_precision = 0.0
    starts = work.of_chain(work.seeds)
    routines.ikSwitchEnvironment(routines.session().add(arm.environment))
    handle, groups = routines.ikHandleGroups, [arm.group.handle]
    handle(groups)  # compiles
    rounds = []
    for _ in range(ROUNDS):
        times = []
        for start, target in zip(starts, work.targets, strict=True):
            arm.move(start)
            arm.aim(target)
            begun = time.perf_counter_ns()
            handle(groups)
            times.append(time.perf_counter_ns() - begun)
        rounds.append(times)
    timing = Timing.of(rounds)
    return {
        "robot": name,
        "iterations": iterations,
        "call_us": timing.median,
        "iteration_us": timing.median / iterations,
        "spread": timing.spread,
    }
