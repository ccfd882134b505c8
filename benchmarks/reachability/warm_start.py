"""What it gives to begin searches at sampled configurations near the target."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pinocchio as pin

from kinetree.interfaces.bench import Table
from kinetree.kinematics import NodeSet, PoseIndex
from kinetree.solvers import IKMetaSolver, InverseKinematics, InvKinSolver, WarmStart

from ..meta.cell import make_cell
from ..meta.free_targets import free_targets
from ..meta.plain_check import PlainCheck
from ..options import Options

ROBOT = "panda"
TARGETS, QUICK = 300, 10
#: Sizes of the indices, and with how many of their nearest samples a search begins.
STARTS = ((0, 0), (2_000, 1), (20_000, 1), (20_000, 4))


class PlainDescent:
    """Damped least squares in plain Python, as somebody's own solver may be: an attempt takes milliseconds."""

    def __init__(self, chain: NodeSet) -> None:
        self._chain = chain

    def solve(self, base_T_end: pin.SE3, q: Any) -> list[Any]:
        chain, robot = self._chain, self._chain.skeleton
        columns, q = chain.dof_indices, np.array(q)
        for _ in range(40):
            state = robot.state(q)
            base, tip = state.transform(chain.base), state.transform(chain.tip)
            error = pin.log6(tip.actInv(base * base_T_end)).vector
            if np.abs(error).max() < 1e-6:
                return [q]
            turn = tip.rotation.T
            jacobian = state.jacobian(chain.tip)[:, columns]
            local = np.vstack([turn @ jacobian[:3], turn @ jacobian[3:]])
            damping = 1e-2 * float(error @ error) + 1e-9
            q[columns] += local.T @ np.linalg.solve(local @ local.T + damping * np.eye(6), error)
        return []


def measure(options: Options) -> list[Table]:
    """A row for each solver and each way to begin."""
    count = options.count(TARGETS, QUICK)
    cell = make_cell(ROBOT)
    chain = cell.robot.tip.chain()
    targets = free_targets(cell, PlainCheck(cell), count, options.seed)
    indices = {size: PoseIndex(chain, size) for size, _ in STARTS if size}
    table = Table(
        "reachability.warm_start",
        f"{count} targets in a cell, {ROBOT} in it, free of collisions; the first attempts from the nearest samples",
        {"solver": ("solver", ""), "start": ("start", ""), "solved": ("solved %", ".1f"), "first": ("at once %", ".1f"),
         "median_us": ("median us", ",.0f"), "mean_us": ("mean us", ",.0f"), "p99_us": ("p99 us", ",.0f")},
    )  # fmt: skip
    solvers = {"compiled": InverseKinematics(cell.robot.tip), "plain Python": PlainDescent(chain)}
    for name, inner in solvers.items():
        for size, seeds in STARTS:
            meta = IKMetaSolver(inner, chain if name != "compiled" else None, collision_detector=cell.detector)
            meta.stop_at_first, meta.max_attempts = True, 100
            solver: InvKinSolver = meta if seeds == 0 else WarmStart(meta, indices[size], seeds)
            start = "as given" if seeds == 0 else f"nearest {seeds} of {size}"
            table.rows.append({"solver": name, "start": start, **_row(solver, targets.work, meta, indices.get(size))})
    return [table]


def _row(solver: InvKinSolver, work: Any, meta: IKMetaSolver, index: PoseIndex | None) -> dict[str, Any]:
    targets = np.linalg.inv(work.chain.base.transform().homogeneous) @ work.targets
    solver.solve(targets[0], work.seeds[0])  # compiles
    times, solved, first = [], 0, 0
    for target, seed in zip(targets, work.seeds, strict=True):
        begun = time.perf_counter()
        found = solver.solve(target, seed)
        times.append(1e6 * (time.perf_counter() - begun))
        solved += len(found) > 0
        start = seed if index is None else index.nearest(target, 1, seed)[0]
        first += len(meta.solve(target, start, max_attempts=1)) > 0
    return {
        "solved": 100.0 * solved / len(times),
        "first": 100.0 * first / len(times),
        "median_us": float(np.median(times)),
        "mean_us": float(np.mean(times)),
        "p99_us": float(np.quantile(times, 0.99)),
    }
