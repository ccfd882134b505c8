"""What one iteration costs in plain Python: microseconds for each gradient method on an arm of seven joints."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import numpy as np

from kinetree import models
from kinetree.interfaces.bench import Table
from kinetree.solvers import (
    GradientMethod,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
)
from kinetree.solvers.limited_step import LimitedStep

from .options import Options

ARM = "panda"
#: Measurements of each method, each a search from other places; the median counts.
REPEATS, QUICK = 15, 3
#: Attempts of a search, and iterations of each at most.
ATTEMPTS = 40
ITERATIONS = 50
METHODS: tuple[type[GradientMethod], ...] = (
    JacobianTranspose,
    JacobianPseudoInverse,
    JacobianDLS,
    LevenbergMarquardt,
)


def measure(options: Options) -> list[Table]:
    """A row for each method and arm; an arm of seven joints when none is chosen."""
    repeats = options.count(REPEATS, QUICK)
    table = Table(
        "object_path",
        f"One iteration of a search in Python, over {repeats} searches of up to {ATTEMPTS} attempts",
        {
            "robot": ("robot", ""),
            "method": ("method", ""),
            "dofs": ("dofs", "d"),
            "median_us": ("median us", ".1f"),
            "least_us": ("least us", ".1f"),
            "most_us": ("most us", ".1f"),
            "iterations": ("steps", "d"),
        },
    )
    for name in options.robots or [ARM]:
        for method in METHODS:
            table.rows.append(_row(name, method(), repeats, options.seed))
    return [table]


def _row(name: str, method: GradientMethod, repeats: int, seed: int) -> dict[str, Any]:
    robot = models.load(name)
    module = InverseKinematics(robot)
    module.gradient_method = method
    module.problem.engine = "object"
    rng = np.random.default_rng(seed)
    costs, total = [], 0
    for _ in range(repeats):
        target = robot.state(robot.random_positions(rng, module.dof_indices)).transform(module.frame)
        start = robot.random_positions(rng, module.dof_indices)
        # No attempt ever meets this tolerance, so all of them are made.
        search = partial(module.solve, target, seed=start, attempts=ATTEMPTS, iterations=ITERATIONS, tolerance=1e-300)
        iterations = _iterations_of(search)
        begun = time.thread_time()  # of the processor, so that other load counts less
        search()
        costs.append((time.thread_time() - begun) / iterations)
        total += iterations
    return {
        "robot": name,
        "method": type(method).__name__,
        "dofs": len(module.dofs),
        "median_us": 1e6 * float(np.median(costs)),
        "least_us": 1e6 * min(costs),
        "most_us": 1e6 * max(costs),
        "iterations": total,
    }


def _iterations_of(search: Callable[[], Any]) -> int:
    """How many steps a search takes in all attempts together, the look for the reason of a failure included.

    A solution reports the iterations of one attempt. The same search takes the same steps when it is repeated,
    so they are counted in a run that is not timed.
    """
    step, count = LimitedStep.move.__code__, 0

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is step

    sys.setprofile(watch)
    try:
        search()
    finally:
        sys.setprofile(None)
    return count
