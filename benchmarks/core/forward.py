"""Forward kinematics: lanes of configurations against Pinocchio through its binding."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin
from numba import njit

from kinetree.interfaces.bench import Table, Workload, workload
from kinetree.kinematics.core.forward import forward, tip_frame
from kinetree.kinematics.core.lane_types import make_view
from kinetree.kinematics.core.lanes import JIT, native_width
from kinetree.kinematics.core.plan import Plan

from ..options import Options
from .figures import Figure, at_least, table_of

ROBOTS = ("ur5", "panda", "iiwa14", "kr6_r900", "gen3")
SAMPLES, QUICK = 20_000, 1_000
ROUNDS = 10
REQUIRED = 12.0


def measure(options: Options) -> list[Table]:
    """A row for each robot."""
    width = native_width()
    count = -(-options.count(SAMPLES, QUICK) // width) * width
    table = Table(
        "core.forward",
        f"Pose of the tip at {count} configurations, {width} lanes",
        {
            "robot": ("robot", ""),
            "lanes_ns": ("lanes ns", ".1f"),
            "pinocchio_ns": ("Pinocchio ns", ".1f"),
            "times": ("times", ".1f"),
            "difference": ("difference", ".1e"),
        },
    )
    kernel = _make_kernel(width)
    figures: list[Figure] = []
    for name in options.robots or ROBOTS:
        row = _row(workload(name, count, options.seed), kernel, width)
        table.rows.append(row)
        figures.append(at_least("forward kinematics, Pinocchio / lanes", REQUIRED, row["times"], name))
    return [table, table_of(table.name, figures)]


def _make_kernel(width: int) -> Any:
    view = make_view(width)

    @njit(**JIT)
    def poses(steps, constants, tip_row, tip_poses, x, frames, result):  # type: ignore[no-untyped-def]
        for block in range(x.shape[0]):
            forward(steps, constants, view(x[block]), view(frames))
            tip_frame(view(frames), tip_row, tip_poses, 0, view(result[block]))

    return poses


def _row(work: Workload, kernel: Any, width: int) -> dict[str, Any]:
    q, plan = work.witnesses, Plan.build(work.robot, [work.chain.tip], work.chain.dof_indices)
    x = np.ascontiguousarray(work.of_chain(q).reshape(-1, width, plan.num_dofs).transpose(0, 2, 1))
    frames, result = np.zeros((len(plan.steps) + 1, 12, width)), np.zeros((len(x), 12, width))
    arguments = (plan.steps, plan.constants, int(plan.tip_frames[0]), plan.tip_poses, x, frames, result)
    kernel(*arguments)
    ours, theirs = [], []
    pinocchio = _by_pinocchio(work)
    for _ in range(ROUNDS):
        ours.append(_time(lambda: kernel(*arguments)))
        theirs.append(_time(pinocchio))
    found = result.transpose(0, 2, 1).reshape(-1, 12)
    expected = np.concatenate([work.targets[:, :3, :3].reshape(-1, 9), work.targets[:, :3, 3]], axis=1)
    lanes, binding = float(np.median(ours)) / len(q), float(np.median(theirs)) / len(q)
    return {
        "robot": work.name,
        "lanes_ns": lanes,
        "pinocchio_ns": binding,
        "times": binding / lanes,
        "difference": float(np.abs(found - expected).max()),
    }


def _by_pinocchio(work: Workload) -> Callable[[], None]:
    """A loop over the same configurations, the tip's placement alone besides those of the joints."""
    model, data = work.robot.model, work.robot.model.createData()
    link = work.chain.tip.link
    assert link is not None
    frame = model.getFrameId(link.name)
    configurations = [work.robot.to_pinocchio(q) for q in work.witnesses]

    def run() -> None:
        kinematics, update = pin.forwardKinematics, pin.updateFramePlacement
        for q in configurations:
            kinematics(model, data, q)
            update(model, data, frame)

    return run


def _time(run: Callable[[], Any]) -> int:
    begun = time.perf_counter_ns()
    run()
    return time.perf_counter_ns() - begun
