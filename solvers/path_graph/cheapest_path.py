"""The cheapest way through layers of branches, by dynamic programming.

The "ladder graph" of the ROS package Descartes: one layer of nodes per waypoint, edges between neighbouring layers only
(J. De Maeyer, B. Moyaers and E. Demeester, "Cartesian path planning for arc welding robots: evaluation of the Descartes
algorithm", IEEE ETFA 2017). Here edges are steps of branches, and whole turns are carried along as numbers of
equivalents: a step leads to one equivalent only, the nearest, so that arms with many of them cost little more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from .joint_metric import JointMetric
from .layer import Edges, Layer


def begin(layer: Layer, start: Array | None, metric: JointMetric) -> None:
    """Costs of the nodes of the first layer: the distance from a start (k,), or nothing."""
    windows = layer.windows
    layer.jumps[:] = 0
    layer.jumped_from[:] = -1
    if start is None:
        layer.cost[:] = 0.0
    else:
        base = windows.nearest(layer.base, start)
        for number in range(windows.size):
            layer.cost[:, number] = metric.of(windows.values(base, np.full(len(base), number)) - start)
    layer.cost[~layer.allowed] = np.inf


def advance(before: Layer, layer: Layer, metric: JointMetric, allow_jumps: bool) -> None:
    """Costs of the nodes of a layer from those of the layer before: the fewest jumps, then the least motion."""
    edges = layer.edges
    assert edges is not None
    layer.cost[:] = np.inf
    layer.jumps[:] = 0
    layer.jumped_from[:] = -1
    if len(edges.source):
        cost, jumps = _along(before, edges)
        targets = edges.target[edges.first]
        if allow_jumps:
            fewest = np.minimum.reduceat(jumps, edges.first, axis=0)
            layer.jumps[targets] = fewest
            cost[jumps > np.repeat(fewest, np.diff(edges.first, append=len(cost)), axis=0)] = np.inf
        layer.cost[targets] = np.minimum.reduceat(cost, edges.first, axis=0)
    layer.cost[~layer.allowed] = np.inf
    if allow_jumps:
        _jump(before, layer, metric)


def _along(before: Layer, edges: Edges) -> tuple[Array, NDArray[np.int64]]:
    """(p, size) what the ends of steps cost, and how many jumps lead there."""
    source = edges.source[:, None]
    cost = np.where(edges.origin >= 0, before.cost[source, edges.origin], np.inf)
    cost += edges.cost[:, None]
    cost[edges.blocked] = np.inf
    jumps = np.where(np.isfinite(cost), before.jumps[source, edges.origin], np.iinfo(np.int64).max)
    return cost, jumps


def _jump(before: Layer, layer: Layer, metric: JointMetric) -> None:
    """Lets nodes be reached by a jump where that makes the jumps fewer, or the motion less with as many."""
    reached = np.isfinite(before.cost)
    if not reached.any():
        return
    fewest = before.jumps[reached].min()
    sources = np.argwhere(reached & (before.jumps == fewest))
    targets = np.argwhere(layer.allowed & (~np.isfinite(layer.cost) | (layer.jumps > fewest)))
    if not len(targets):
        return
    windows = layer.windows
    start = windows.values(before.base[sources[:, 0]], sources[:, 1])
    end = windows.values(layer.base[targets[:, 0]], targets[:, 1])
    best, motion = _nearest(start, before.cost[tuple(sources.T)], end, metric, windows.is_free)
    where = tuple(targets.T)
    known, jumps = layer.cost[where], layer.jumps[where]
    better = ~np.isfinite(known) | (jumps > fewest + 1) | (motion < known)
    where = tuple(targets[better].T)
    layer.cost[where] = motion[better]
    layer.jumps[where] = fewest + 1
    layer.jumped_from[where] = sources[best[better], 0] * windows.size + sources[best[better], 1]


def _nearest(
    start: Array, cost: Array, end: Array, metric: JointMetric, is_free: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], Array]:
    """For each end (t, k) the start (s, k) that it is cheapest from, and what that costs (t,)."""
    best = np.empty(len(end), dtype=np.intp)
    result = np.empty(len(end))
    piece = max(1, 500_000 // max(start.size, 1))
    for first in range(0, len(end), piece):
        steps = end[first : first + piece, None] - start
        steps[..., is_free] -= 2.0 * np.pi * np.round(steps[..., is_free] / (2.0 * np.pi))
        total = cost + metric.of(steps)
        best[first : first + piece] = chosen = np.argmin(total, axis=1)
        result[first : first + piece] = total[np.arange(len(chosen)), chosen]
    return best, result


def way_back(layers: Sequence[Layer], start: Array | None) -> list[tuple[int, int]]:
    """(branch, number) of the cheapest way in each layer; of equally cheap ones, the one that ends nearest to (k,)."""
    last = layers[-1]
    reached = np.isfinite(last.cost)
    fewest = last.jumps[reached].min()
    cost = np.where(reached & (last.jumps == fewest), last.cost, np.inf)
    ties = np.argwhere(cost == cost.min())
    branch, number = ties[0]
    if len(ties) > 1 and start is not None:
        values = last.windows.values(last.windows.nearest(last.base[ties[:, 0]], start), ties[:, 1])
        branch, number = ties[np.argmin(np.abs(values - start).max(axis=1))]
    way = [(int(branch), int(number))]
    for k in range(len(layers) - 1, 0, -1):
        way.append(_origin(layers[k - 1], layers[k], *way[-1]))
    return way[::-1]


def _origin(before: Layer, layer: Layer, branch: int, number: int) -> tuple[int, int]:
    """The node that the cheapest way to a node comes from."""
    jumped_from = int(layer.jumped_from[branch, number])
    if jumped_from >= 0:
        return divmod(jumped_from, layer.windows.size)
    place = edge_to(before, layer, branch, number)
    assert layer.edges is not None
    return int(layer.edges.source[place]), int(layer.edges.origin[place, number])


def edge_to(before: Layer, layer: Layer, branch: int, number: int) -> int:
    """The place among the edges of a layer of the one that the cheapest way to a node takes."""
    edges = layer.edges
    assert edges is not None
    first, last = np.searchsorted(edges.target, (branch, branch + 1))
    origin = edges.origin[first:last, number]
    source = edges.source[first:last]
    cost = before.cost[source, origin] + edges.cost[first:last]
    away = (
        (origin < 0) | edges.blocked[first:last, number] | (before.jumps[source, origin] != layer.jumps[branch, number])
    )
    cost[away] = np.inf
    return int(first + np.argmin(cost))
