"""``kinetree warmup``: compiles the solvers ahead of time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated

import typer

from ...kinematics import Skeleton
from ...models import load
from ...solvers import HierarchicalIK, InverseKinematics
from .find import DEFAULT_METHOD, METHODS
from .output import print_text


def warmup(
    all_methods: Annotated[bool, typer.Option("--all-methods", help="Every method, not the default one alone.")] = False,
) -> None:
    """Compile the solvers for this machine now, so that no later call has to wait for it."""
    robot = load("planar3")
    target = robot.state(robot.random_positions(1)).transform(robot.tip)
    for name, method in METHODS.items():
        if name != DEFAULT_METHOD and not all_methods:
            continue
        module = InverseKinematics(robot)
        module.gradient_method = method()
        _report(name, lambda module=module: module.solve(target, attempts=1).engine)
        _report(f"{name}, batches", lambda module=module: module.solve_batch([target], attempts=1).engine)
        _report(f"{name}, paths", lambda module=module: module.solve_path([target, target], attempts=1).engine)
    _report("hierarchies", lambda: _hierarchy(robot))


def _hierarchy(robot: Skeleton) -> str:
    body = HierarchicalIK(robot)
    body.add(InverseKinematics(robot))
    return body.solve(attempts=1, iterations=1).engine


def _report(what: str, run: Callable[[], str]) -> None:
    begun = time.perf_counter()
    engine = run()
    print_text(f"{what}: {engine} engine ready after {time.perf_counter() - begun:.2f} s")
