"""`GraphSearch`: the cheapest way through the branches of the waypoints of a path that a constraint accepts."""

from __future__ import annotations

import math

import numpy as np

from ...kinematics.transforms import Array
from ..constraints.refused_solutions import reason_of
from ..reason import Reason
from ..solution import Solution
from ..time_limit import TimeIsOverError
from . import cheapest_path
from .branch_source import BranchSource, PathTask
from .graph_options import GraphOptions
from .joint_metric import JointMetric
from .layer import Layer, edges_between
from .missed_branches import MissedBranches
from .node_check import NodeCheck
from .turn_windows import TurnWindows

#: Rounds in which the constraint is asked along the cheapest way only; after that, about every node that is reached.
_LAZY_ROUNDS = 40
#: What part of the cost another round of refinement has to be worth.
_WORTHWHILE = 0.005


class GraphSearch:
    """The cheapest way through the branches of the waypoints of a path that a constraint accepts.

    The constraint is asked lazily: only about the nodes and steps of the way that is the cheapest so far (the lazy
    search of Dellin and Srinivasa, "A unifying formalism for shortest path problems with expensive edge evaluations via
    lazy best-first search", ICAPS 2016). What it refuses is taken out, and the search goes on from there.

    Args:
        task: What is solved for.
        source: Where branches come from.
        options: What is wanted.
        check: The constraint.
        windows: Equivalents of branches.
        start: (k,) where the robot is; None when it may be anywhere.

    Attributes:
        layers: Of the waypoints that a way leads through.
        way: For each of these the branch and the equivalent.
        broken_at: Row of the waypoint that no way leads to; None when all are reached.
    """

    def __init__(
        self,
        task: PathTask,
        source: BranchSource,
        options: GraphOptions,
        check: NodeCheck,
        windows: TurnWindows,
        start: Array | None,
    ) -> None:
        self._task = task
        self._source = source
        self._options = options
        self._check = check
        self._start = start
        self._windows = windows
        self._metric = JointMetric(options.metric, task.module.active_dofs())
        self._missed = MissedBranches(task, source, self._metric, start)
        self._columns = task.module.active_dofs().indices
        self._jumps_now = False
        self._asks_all = False
        self.layers: list[Layer] = []
        self.way: list[tuple[int, int]] = []
        self.broken_at: int | None = None
        self._left_out: dict[int, Layer] = {}

    def run(self, branches: list[Array]) -> None:
        """Searches among the branches of all waypoints, and then for a cheaper way close to the one that was found."""
        windows = self._windows
        self.layers = [Layer(row, windows.base(q), windows) for row, q in enumerate(branches)]
        self._search()
        if self.broken_at is not None and self._options.allow_jumps:
            self._jumps_now, self.broken_at = True, None
            self._search()
        self._refine()

    def _refine(self) -> None:
        """Looks for a cheaper way close to the one that was found, in rounds, as long as that makes it much cheaper."""
        round, gain = 0, math.inf
        while self.way and self.broken_at is None and gain > _WORTHWHILE * self.cost():
            rows = [layer.row for layer in self.layers]
            way = np.array([layer.q(*node) for layer, node in zip(self.layers, self.way, strict=True)])
            more = self._source.refined(rows, way, self.jumps(), round)
            if more is None:
                return
            before = self.layers, self.way, self.cost()
            self.layers = [self._refined(k, q, branches) for k, (q, branches) in enumerate(zip(way, more, strict=True))]
            try:
                self._search()
            except TimeIsOverError:
                self.layers, self.way, _ = before
                return
            gain = before[2] - self.cost() if self.broken_at is None else -1.0
            if gain < 0.0:
                # What was found before still holds.
                self.layers, self.way, _ = before
                self.broken_at = None
            round, gain = round + 1, math.inf if round == 0 else gain

    def _refined(self, place: int, q: Array, branches: Array) -> Layer:
        """A layer with a node of the way and what is beside it."""
        known, (branch, number) = self.layers[place], self.way[place]
        layer = Layer(known.row, self._windows.base(np.concatenate([q[None], branches])), self._windows)
        layer.is_continued = layer.is_dense = True
        layer.accepted[0, number] = known.accepted[branch, number]
        return layer

    @property
    def unreached(self) -> dict[int, Solution]:
        """What a search of their own has said about waypoints without branches, by their rows."""
        return self._missed.unreached

    @property
    def left_out(self) -> list[int]:
        """Rows of the waypoints that the way leaves out because nothing that is accepted reaches them."""
        return sorted(self._left_out)

    def configurations(self) -> Array:
        """(w, k) values along the way, angles without limits next to those before."""
        result: list[Array] = []
        near = self._start
        for layer, node in zip(self.layers, self.way, strict=False):
            q = layer.q(*node)
            if near is None:
                near = self._task.start[self._columns]
            near = self._windows.nearest(q[None], near)[0]
            result.append(near)
        return np.array(result).reshape(-1, len(self._columns))

    def number_of(self, row: int) -> int:
        """The number of a waypoint, for people."""
        return int(self._task.numbers[row])

    def layer_of(self, row: int) -> Layer:
        """The layer of a waypoint, left out or not."""
        return self._left_out[row] if row in self._left_out else next(x for x in self.layers if x.row == row)

    def layer_before(self, row: int) -> tuple[Layer, tuple[int, int]] | None:
        """The last layer before a waypoint that the way leads through, and its node; None when there is none."""
        known = [(layer, node) for layer, node in zip(self.layers, self.way, strict=False) if layer.row < row]
        return known[-1] if known else None

    def reached_before(self, row: int) -> Array:
        """(r, k) all configurations that ways lead to in the layer before a waypoint."""
        before = next(layer for layer in reversed(self.layers) if layer.row < row)
        places = np.argwhere(np.isfinite(before.cost))
        return self._windows.values(before.base[places[:, 0]], places[:, 1])

    def bound_to(self, row: int) -> Array:
        """(k,) the largest step to a waypoint."""
        before = next(layer for layer in reversed(self.layers) if layer.row < row)
        return self._task.bound_between(before.row, row)

    def cost(self) -> float:
        """What the way costs, the distance from the start included."""
        return float(self.layers[len(self.way) - 1].cost[self.way[-1]]) if self.way else 0.0

    def jumps(self) -> list[int]:
        """Places along the way of nodes that are jumped to."""
        return [k for k in range(1, len(self.way)) if self.layers[k].jumped_from[self.way[k]] >= 0]

    # The search.

    def _search(self) -> None:
        dirty, rounds = 0, 0
        while True:
            self._check.look_at_the_clock()
            self._asks_all = rounds >= _LAZY_ROUNDS
            dead = self._costs_from(dirty)
            reached = self.layers if dead is None else self.layers[:dead]
            near = self._start if self._start is not None else self._task.start[self._columns]
            self.way = cheapest_path.way_back(reached, near) if reached else []
            refused = self._first_refused(reached)
            rounds += 1
            if refused is not None:
                dirty = refused
            elif dead is None:
                return
            elif (first := self._missed.add_to(self.layers, dead, self.way)) is not None:
                dirty = first
            elif self._jumps_now:
                # Nothing that is accepted reaches this waypoint: the way leaves it out.
                layer = self.layers.pop(dead)
                self._left_out[layer.row] = layer
                for layer in self.layers[dead : dead + 1]:
                    layer.edges = None
                dirty = dead
            else:
                self.broken_at = self.layers[dead].row
                return

    def _costs_from(self, first: int) -> int | None:
        """Costs from a layer on; the place of the first layer that no way leads to, None when there is none."""
        for k in range(first, len(self.layers)):
            layer = self.layers[k]
            if k == 0:
                cheapest_path.begin(layer, self._start, self._metric)
            else:
                before = self.layers[k - 1]
                if layer.edges is None:
                    layer.edges = edges_between(
                        before, layer, self._task.bound_between(before.row, layer.row), self._metric
                    )
                cheapest_path.advance(before, layer, self._metric, self._jumps_now)
            if self._asks_all:
                self._ask_about_all(layer)
            if not layer.is_reached:
                return k
        return None

    def _ask_about_all(self, layer: Layer) -> None:
        """Asks about all nodes of a layer that a way leads to."""
        for branch, number in np.argwhere(np.isfinite(layer.cost)):
            if not self._check.accepts(layer, int(branch), int(number)):
                layer.cost[branch, number] = np.inf

    def _first_refused(self, layers: list[Layer]) -> int | None:
        """Asks about the nodes and steps of the way; the place of the first one that was refused."""
        refused: int | None = None
        for k, (layer, node) in enumerate(zip(layers, self.way, strict=True)):
            if not self._check.accepts(layer, *node):
                refused = k if refused is None else refused
            elif k and self._options.check_between and refused is None and self._is_step_refused(k):
                refused = k
        return refused

    def _is_step_refused(self, k: int) -> bool:
        """Asks about the configurations on the step to a node of the way."""
        before, layer, (branch, number) = self.layers[k - 1], self.layers[k], self.way[k]
        if layer.jumped_from[branch, number] >= 0:
            return False
        assert layer.edges is not None
        place = cheapest_path.edge_to(before, layer, branch, number)
        if layer.edges.passed[place, number]:
            return False
        first, second = before.q(*self.way[k - 1]), layer.q(branch, number)
        second = self._windows.nearest(second[None], first)[0]
        refusing = self._check.refusing_between(first, second, self._options.check_between)
        if refusing is None:
            layer.edges.passed[place, number] = True
            return False
        layer.edges.blocked[place if reason_of(refusing) is Reason.COLLISION else (place, number)] = True
        return True
