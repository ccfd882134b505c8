"""``kinetree warmup``: compiles the solvers ahead of time."""

from __future__ import annotations

import time

from ...models import load
from ...solvers import InverseKinematics
from .find import METHODS
from .output import print_text


def warmup() -> None:
    """Compile the solvers for this machine now, so that no later call has to wait for it."""
    robot = load("planar3")
    target = robot.state(robot.random_positions(1)).transform(robot.tip)
    for name, method in METHODS.items():
        begun = time.perf_counter()
        module = InverseKinematics(robot)
        module.gradient_method = method()
        engine = module.solve(target, attempts=1).engine
        print_text(f"{name}: {engine} engine ready after {time.perf_counter() - begun:.2f} s")
