"""``kinetree warmup``: compiles the solvers ahead of time."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

from ...kinematics import Skeleton
from ...models import load
from ...solvers import HierarchicalIK, InverseKinematics, Solution
from .arguments import load_robot
from .find import DEFAULT_METHOD, METHODS
from .output import print_text
from .wrong_use import wrong_use


def warmup(
    all_methods: Annotated[bool, typer.Option("--all-methods", help="Every method, not just the default.")] = False,
    closed_forms: Annotated[
        list[str] | None,
        typer.Option("--closed-form", metavar="ROBOT", help="The closed form of this robot too; may be repeated."),
    ] = None,
    coppelia: Annotated[bool, typer.Option("--coppelia", help="The groups of CoppeliaSim's interface too.")] = False,
) -> None:
    """Compile the solvers for this machine now, so that no later call has to wait for it."""
    with wrong_use(False):
        others = [load_robot(each) for each in closed_forms or ()]
    robot = load("planar3")
    target = robot.state(robot.random_positions(1)).transform(robot.tip)
    for name, method in METHODS.items():
        if name != DEFAULT_METHOD and not all_methods:
            continue
        module = InverseKinematics(robot)
        module.gradient_method = method()
        _report(name, partial(module.solve, target, attempts=1))
        _report(f"{name}, batches", partial(module.solve_batch, [target], attempts=1))
        _report(f"{name}, paths", partial(module.solve_path, [target, target], attempts=1))
    _report("hierarchies", partial(_hierarchy, robot))
    _report_steps()
    _report_sampling()
    for other in others:
        _report_closed_form(other)
    if coppelia:
        _report_coppelia()


def _hierarchy(robot: Skeleton) -> Solution:
    body = HierarchicalIK(robot)
    body.add(InverseKinematics(robot))
    return body.solve(attempts=1, iterations=1)


def _report(what: str, run: Callable[[], Any]) -> None:
    begun = time.perf_counter()
    engine = run().engine
    print_text(f"{what}: {engine} engine ready after {time.perf_counter() - begun:.2f} s")


def _report_closed_form(robot: Skeleton) -> None:
    begun = time.perf_counter()
    module = InverseKinematics(robot)
    closed = module.analytical()
    if closed is None:
        print_text(f"closed form of {robot.name}: {module.analytical_report}")
        return
    place = robot.tip.transform()
    closed.get_solutions(place)
    closed.solve_many([place])
    print_text(f"closed form of {robot.name}: {closed.why}; ready after {time.perf_counter() - begun:.2f} s")


def _report_steps() -> None:
    from ...solvers.bounded_kernels.whole_bounded_step import compiled_whole_bounded_step
    from ...solvers.compiled.hierarchical_whole_step import compiled_whole_step

    begun = time.perf_counter()
    compiled_whole_step()
    compiled_whole_bounded_step()
    print_text(f"steps of hierarchies, also inside limits: ready after {time.perf_counter() - begun:.2f} s")


def _report_sampling() -> None:
    from ...kinematics.reachability.entry_points import sample_entry

    begun = time.perf_counter()
    sample_entry()
    print_text(f"reachability maps: ready after {time.perf_counter() - begun:.2f} s")


def _report_coppelia() -> None:
    from ..coppelia.solving.entry_points import handle_entry, search_entry

    begun = time.perf_counter()
    handle_entry()
    search_entry()
    print_text(f"groups of CoppeliaSim: ready after {time.perf_counter() - begun:.2f} s")
