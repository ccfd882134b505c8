"""`MissedBranches`: branches that a source has missed."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from ..engine import engine_for
from ..goals import as_target
from ..request import make_request
from ..solution import Solution
from .attempts import Attempts
from .branch_source import BranchSource, PathTask
from .joint_metric import JointMetric
from .layer import Layer, edges_between

#: Nodes that are continued to a waypoint whose own branches are not next to any.
_CONTINUED = 64
#: Waypoints on either side of one that no way leads to that more branches are taken of.
_AROUND = 10
#: Configurations that differ by less (rad or m) are the same branch.
_SAME = 1e-6


class MissedBranches:
    """Branches that a source has missed.

    At a singular pose a closed form gives one configuration of infinitely many; samples may be too far apart, or too
    few. So where no way leads on, branches of the waypoint before are continued numerically, what has no branch at all
    is solved for on its own, and the source is asked for more.

    Args:
        task: What is solved for.
        source: Where branches come from.
        metric: Of steps.
        start: (k,) where the robot is; None when it may be anywhere.

    Attributes:
        unreached: What a search of their own has said about waypoints without branches, by their rows.
    """

    def __init__(self, task: PathTask, source: BranchSource, metric: JointMetric, start: Array | None) -> None:
        self._task = task
        self._source = source
        self._metric = metric
        self._start = start
        self._attempts = Attempts(task)
        self._columns = task.module.active_dofs().indices
        self.unreached: dict[int, Solution] = {}

    def add_to(self, layers: list[Layer], dead: int, way: list[tuple[int, int]]) -> int | None:
        """Adds branches to layers, so that a way may lead to one that none leads to.

        Args:
            layers: Of all waypoints.
            dead: Place of the layer that no way leads to.
            way: Nodes of the layers before.

        Returns:
            Place of the first layer that has more branches now; None when none has.
        """
        layer = layers[dead]
        if not layer.is_continued:
            layer.is_continued = True
            if dead and self._continue(layers, dead):
                return dead
            if not len(layer.base):
                near = layers[dead - 1].q(*way[-1]) if dead else self._start
                found = self.unreached[layer.row] = self._solve(layer.row, near)
                if found and _add(layers, dead, found.q[None, self._columns], self._metric):
                    return dead
        if layer.is_dense or not dead:
            return None
        layer.is_dense = True
        first = max(0, dead - _AROUND)
        places = range(first, min(len(layers), dead + _AROUND + 1))
        more = self._source.denser([layers[place].row for place in places])
        if more is None:
            return None
        added = [_add(layers, place, q, self._metric) for place, q in zip(places, more, strict=True)]
        return first if any(added) else None

    def _solve(self, row: int, near: Array | None) -> Solution:
        """A solution for a waypoint, or why there is none."""
        task, q = self._task, self._task.start.copy()
        if near is not None:
            q[self._columns] = near
        request = make_request(task.module, as_target(task.method, task.goals[row]), task.problem, q, warns=False)
        return engine_for(request).solve(request)

    def _continue(self, layers: list[Layer], dead: int) -> bool:
        before, layer, task = layers[dead - 1], layers[dead], self._task
        nodes = np.argwhere(np.isfinite(before.cost))
        nodes = nodes[np.argsort(before.cost[tuple(nodes.T)], kind="stable")]
        # Equivalents lead to equivalents of the same branch.
        _, first = np.unique(nodes[:, 0], return_index=True)
        nodes = nodes[np.sort(first)][:_CONTINUED]
        starts = np.tile(task.start, (len(nodes), 1))
        starts[:, self._columns] = before.windows.values(before.base[nodes[:, 0]], nodes[:, 1])
        found = self._attempts.solve(np.repeat(task.goals[layer.row][None], len(nodes), axis=0), starts)
        away = np.abs(found["q"] - starts)[:, self._columns]
        good = found["success"] & (away <= task.bound_between(before.row, layer.row)).all(axis=1)
        return _add(layers, dead, found["q"][good][:, self._columns], self._metric)


def _add(layers: list[Layer], place: int, q: Array, metric: JointMetric) -> bool:
    """Adds configurations (m, k) to a layer that are not among its branches; whether there were any."""
    layer = layers[place]
    base = layer.windows.base(q)
    twins = edges_between(layer, Layer(layer.row, base, layer.windows), np.full(base.shape[1], _SAME), metric)
    base = np.delete(base, twins.target, axis=0)
    if not len(base):
        return False
    layer.add(base)
    for after in layers[place + 1 : place + 2]:
        after.edges = None
    return True
