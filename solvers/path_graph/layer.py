"""`Layer`: the branches of one waypoint, and what is known about each; `Edges`: the steps between two layers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from .joint_metric import JointMetric
from .turn_windows import TurnWindows

_SLACK = 1e-12
#: So few pairs are looked at one and all.
_FEW = 400


class Edges(NamedTuple):
    """Steps from the branches of one layer to those of the next, in the order of their ends.

    Attributes:
        source: (p,) branches that they begin at.
        target: (p,) branches that they end at.
        cost: (p,) what they cost.
        origin: (p, size) for each number of equivalent at the end that at the beginning; -1 for none.
        blocked: (p, size) steps that were refused, by their end.
        passed: (p, size) steps that were looked at and accepted.
        first: Places where another target begins.
    """

    source: NDArray[np.intp]
    target: NDArray[np.intp]
    cost: Array
    origin: NDArray[np.intp]
    blocked: NDArray[np.bool_]
    passed: NDArray[np.bool_]
    first: NDArray[np.intp]


class Layer:
    """The branches of one waypoint.

    Args:
        row: Of the waypoint.
        base: (b, k) branches, see `TurnWindows`.
        windows: Their equivalents.

    Attributes:
        allowed: (b, size) nodes that are inside the limits and were not refused.
        accepted: (b, size) nodes that the constraint has accepted.
        jumps: (b, size) jumps on the way to each node.
        cost: (b, size) of the cheapest way to each node; inf where there is none.
        jumped_from: (b, size) node of the layer before that a jump led from; -1 for none.
        edges: From the layer before; None where they are not known yet.
        is_continued: Whether it was tried to add branches by continuing those of the layer before.
        is_dense: Whether more branches about here were asked for.
    """

    def __init__(self, row: int, base: Array, windows: TurnWindows) -> None:
        self.row = row
        self.windows = windows
        self.base = base
        self.allowed = windows.inside(base)
        self.accepted = np.zeros(self.allowed.shape, dtype=bool)
        self.jumps = np.zeros(self.allowed.shape, dtype=np.int64)
        self.cost = np.full(self.allowed.shape, np.inf)
        self.jumped_from = np.full(self.allowed.shape, -1, dtype=np.intp)
        self.edges: Edges | None = None
        self.is_continued = False
        self.is_dense = False

    def add(self, base: Array) -> None:
        """Adds branches (b, k)."""
        more = Layer(self.row, base, self.windows)
        for name in ("base", "allowed", "accepted", "jumps", "cost", "jumped_from"):
            setattr(self, name, np.concatenate([getattr(self, name), getattr(more, name)]))
        self.edges = None

    @property
    def is_reached(self) -> bool:
        """True when a way leads to one of its nodes."""
        return bool(np.isfinite(self.cost).any())

    def q(self, branch: int, number: int) -> Array:
        """The values (k,) of a node."""
        return self.windows.values(self.base[branch], number)


def edges_between(before: Layer, after: Layer, bound: Array, metric: JointMetric) -> Edges:
    """All steps of which no coordinate is above the bound (k,)."""
    windows = before.windows
    source, target = near_pairs(before.base, after.base, bound, windows)
    steps, shifts = windows.steps(before.base[source], after.base[target])
    keep = (np.abs(steps) <= bound).all(axis=-1)
    source, target, steps, shifts = source[keep], target[keep], steps[keep], shifts[keep]
    first = np.flatnonzero(np.diff(target, prepend=-1))
    origin = np.zeros((len(source), windows.size), dtype=np.intp)
    if windows.size > 1 and len(source):
        kinds, of = np.unique(shifts, axis=0, return_inverse=True)
        origin = np.array([windows.sources(each) for each in kinds])[of.reshape(-1)]
    blocked = np.zeros(origin.shape, dtype=bool)
    return Edges(source, target, metric.of(steps), origin, blocked, blocked.copy(), first)


def near_pairs(
    first: Array, second: Array, bound: Array, windows: TurnWindows
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs (source, target) of bases that no coordinate separates by more than a bound (k,), in the order of targets.

    Whole turns do not count where they may be added.
    """
    turns = windows.is_wide | windows.is_free
    narrow = np.flatnonzero(~turns)
    a, b = len(first), len(second)
    if a * b <= _FEW or not len(narrow):
        target, source = np.divmod(np.arange(a * b, dtype=np.intp), max(a, 1))
        column = -1
    else:
        spread = np.ptp(first[:, narrow], axis=0) / np.maximum(bound[narrow], _SLACK)
        column = int(narrow[np.argmax(spread)])
        source, target = _near_in(first[:, column], second[:, column], bound[column] + _SLACK)
    # One coordinate after another, of fewer and fewer pairs.
    for other in [*narrow, *np.flatnonzero(turns)] if len(source) > _FEW else ():
        if other != column:
            away = second[target, other] - first[source, other]
            away -= 2.0 * np.pi * np.round(away / (2.0 * np.pi)) if turns[other] else 0.0
            near = np.abs(away) <= bound[other] + _SLACK
            source, target = source[near], target[near]
    return source, target


def _near_in(first: Array, second: Array, bound: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs (source, target) of values that are near each other: sorted, they stand side by side."""
    order = np.argsort(first, kind="stable")
    values = first[order]
    low = np.searchsorted(values, second - bound)
    counts = np.searchsorted(values, second + bound, side="right") - low
    target = np.repeat(np.arange(len(second)), counts)
    places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)
    return order[places], target
