"""Paths by the graph of branches: from targets to a `PathSolution`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...kinematics.core.working_clock import working_time
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from ..batches.batch_input import batch_input
from ..batches.batch_solution import empty_batch
from ..constraints.held_by_target import HeldByTarget
from ..goals import as_target, method_for
from ..paths.path_solution import PathSolution
from ..problem import Problem
from ..reason import Reason
from ..request import make_request
from ..time_limit import TimeIsOverError, TimeLimit
from .attempts import Attempts
from .branch_source import PathTask, branch_source_for
from .break_report import Break, why_unreached
from .graph_options import GraphOptions
from .graph_search import GraphSearch
from .node_check import NodeCheck
from .turn_windows import TurnWindows

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics


def solve_graph(
    module: InverseKinematics,
    targets: Any,
    seed: Array | None,
    problem: Problem,
    continuity: float,
    constraint: QConstraint | None,
    options: GraphOptions,
    limit: TimeLimit | None = None,
) -> PathSolution:
    """See `InverseKinematics.solve_path`, strategy ``"graph"``."""
    limit = limit or TimeLimit()
    begun = working_time()
    start = module.skeleton.positions.copy() if seed is None else seed
    method = method_for(module.error_method, targets)
    given = batch_input(module.skeleton, method, targets, start)
    active, count = module.active_dofs(), len(given.goals)
    bound = options.bounds(count, continuity, active)
    arrays = empty_batch(count, len(start), "")
    for row, text in given.wrong.items():
        arrays["detail"][row] = text
    numbers = np.array([row for row in range(count) if row not in given.wrong], dtype=np.intp)
    # Where a waypoint makes no sense, the step from the one before it to the one after it may be as large as two.
    total = np.concatenate([np.zeros((1, len(active))), np.cumsum(bound, axis=0)])[np.append(0, numbers + 1)]
    steps = np.diff(total, axis=0)
    goals, samples = given.goals[numbers], options.samples
    task = PathTask(module, method, goals, numbers, start, seed is not None, problem, steps, samples)
    source = branch_source_for(task)
    check = NodeCheck(constraint, start, active, _held(task, constraint), limit)
    branches = source.branches() if len(numbers) else []
    values = np.concatenate([start[None, active.indices], *branches])
    windows = TurnWindows(active, problem.respect_limits, start[active.indices], values)
    search = GraphSearch(task, source, options, check, windows, None if seed is None else start[active.indices])
    try:
        if len(numbers):
            search.run(branches)
    except TimeIsOverError:
        # Only a way that was found to its end is one.
        arrays["reason"][numbers], arrays["detail"][numbers] = Reason.TIMEOUT, limit.detail
        arrays["engine"], arrays["elapsed"] = source.name, working_time() - begun
        return PathSolution(**arrays, jumps=(), strategy="graph", constraint_calls=check.calls)
    found = [layer.row for layer in search.layers[: len(search.way)]]
    _write_way(task, found, search.configurations(), arrays)
    broken = [] if search.broken_at is None else [search.broken_at]
    for row in [*search.left_out, *broken]:
        _write_break(task, row, why_unreached(search, row, check, active), arrays)
    for row in range(broken[0] + 1, len(numbers)) if broken else ():
        arrays["reason"][numbers[row]] = Reason.CANCELLED
        arrays["detail"][numbers[row]] = f"not looked at: the path ends before waypoint {numbers[broken[0]]}"
    arrays["engine"], arrays["elapsed"] = source.name, working_time() - begun
    return PathSolution(
        **arrays,
        jumps=tuple(int(numbers[found[k]]) for k in search.jumps()),
        strategy="graph",
        cost=search.cost(),
        constraint_calls=check.calls,
    )


def _held(task: PathTask, constraint: QConstraint | None) -> HeldByTarget | None:
    """What a waypoint alone places; all waypoints are of one kind."""
    if constraint is None or not len(task.goals):
        return None
    target = as_target(task.method, task.goals[0])
    request = make_request(task.module, target, task.problem, task.start, warns=False)
    return HeldByTarget(request.active, task.module.frame, request.error_method)


def _write_way(task: PathTask, rows: list[int], way: Array, arrays: dict[str, Any]) -> None:
    """The rows that the way leads through, with what is left of their errors."""
    q = np.tile(task.start, (len(rows), 1))
    q[:, task.module.active_dofs().indices] = way
    measured = Attempts(task).solve(task.goals[rows], q)
    places = task.numbers[rows]
    arrays["q"][places] = q
    arrays["success"][places] = True
    arrays["reason"][places] = Reason.CONVERGED
    arrays["attempts"][places] = 1
    for name in ("position_error", "orientation_error"):
        arrays[name][places] = measured[name]


def _write_break(task: PathTask, row: int, why: Break, arrays: dict[str, Any]) -> None:
    """A row that no way leads to, with the nearest configuration to one that would do."""
    place = task.numbers[row]
    arrays["reason"][place] = why.reason
    arrays["detail"][place] = why.detail
    arrays["attempts"][place] = 1
    if why.q is None:
        return
    q = task.start.copy()
    q[task.module.active_dofs().indices] = why.q
    arrays["q"][place] = q
    target = as_target(task.method, task.goals[row])
    aimed = make_request(task.module, target, task.problem, q, warns=False).error_method
    state = task.module.active_dofs().borrow_state(q)
    arrays["position_error"][place], arrays["orientation_error"][place] = aimed.residual(state)
    task.module.active_dofs().return_state(state)
