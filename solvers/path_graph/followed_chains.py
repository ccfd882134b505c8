"""Branches of an arm with joints to spare that lie beside each other, got by following some of them."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from ..batches.batch_solution import empty_batch
from ..goals import any_target
from ..paths.path_follower import make_follower
from ..request import make_request
from .branch_source import PathTask


def followed_chains(task: PathTask, branches: list[Array], count: int) -> list[Array]:
    """For each waypoint more branches (c, k), along ways that lead smoothly through the path.

    Samples of the redundancy are steps apart, and a way through them has to climb these. So some of the branches at
    the first waypoint, of which one is the nearest to the start, are followed to where that ends, and some of the last
    waypoint back again. A path that can be followed from the start is thus among the ways.

    Args:
        task: What for.
        branches: For each waypoint what is known (b, k).
        count: Branches at either end that are followed.
    """
    columns = task.module.active_dofs().indices
    request = make_request(task.module, any_target(task.method), task.problem, task.start, explains=False, warns=False)
    follower = make_follower(request)
    continuity = float(task.bound.min(initial=np.inf, where=task.bound > 0.0))
    chains: list[list[Array]] = [[] for _ in branches]
    for order in (range(len(branches)), range(len(branches) - 1, -1, -1)):
        goals = np.ascontiguousarray(task.goals[order.start : order.stop if order.stop >= 0 else None : order.step])
        for begin in _spread(branches[order[0]], task.start[columns], count) if len(order) > 1 else ():
            arrays = empty_batch(len(goals), len(task.start), "")
            arrays["q"][0] = task.start
            arrays["q"][0, columns] = begin
            reached = follower.follow(goals, arrays, 1, continuity)
            for row, q in zip(order[1:reached], arrays["q"][1:reached, columns], strict=True):
                chains[row].append(q)
    return [np.array(each).reshape(-1, len(columns)) for each in chains]


def _spread(q: Array, near: Array, count: int) -> Array:
    """Some of configurations (m, k): the nearest to one (k,), then each as far as may be from those before."""
    if not len(q):
        return q
    chosen = [int(np.argmin(np.abs(q - near).max(axis=1)))]
    away = np.abs(q - q[chosen[0]]).max(axis=1)
    while len(chosen) < min(count, len(q)):
        chosen.append(int(np.argmax(away)))
        away = np.minimum(away, np.abs(q - q[chosen[-1]]).max(axis=1))
    return q[chosen]
