"""The cheapest way through layers, against all ways that there are."""

import itertools

import numpy as np
import pytest

from kinetree import models
from kinetree.solvers import InverseKinematics
from kinetree.solvers.path_graph.cheapest_path import advance, begin, way_back
from kinetree.solvers.path_graph.joint_metric import JointMetric
from kinetree.solvers.path_graph.layer import Layer, edges_between, near_pairs
from kinetree.solvers.path_graph.turn_windows import TurnWindows

BOUND = np.full(4, 1.3)


@pytest.fixture(scope="module")
def active():
    """Three joints that turn, the last of which makes two turns, and one that slides."""
    return InverseKinematics(models.load("scara")).active_dofs()


def random_layers(active, rng, layers=4, branches=3):
    windows = TurnWindows(active, True, np.zeros(4), np.ones((1, 4)))
    assert windows.size == 2
    low, high = np.maximum(active.lower, -1.0), np.minimum(active.upper, 1.0)
    low[3], high[3] = active.lower[3], active.upper[3]
    return [Layer(k, windows.base(rng.uniform(low, high, (branches, 4))), windows) for k in range(layers)]


@pytest.mark.parametrize("allow_jumps", [False, True])
@pytest.mark.parametrize("metric", ["length", "squares", "largest"])
def test_of_all_ways(active, metric, allow_jumps):
    rng = np.random.default_rng(5)
    cost = JointMetric(metric, active)
    found = 0
    for _ in range(25):
        layers = random_layers(active, rng)
        for layer in layers:
            layer.allowed &= rng.random(layer.allowed.shape) < 0.8
            if not layer.allowed.any():
                layer.allowed[:] = layer.windows.inside(layer.base)
        start = rng.uniform(-1.0, 1.0, 4)
        begin(layers[0], start, cost)
        for before, layer in itertools.pairwise(layers):
            layer.edges = edges_between(before, layer, BOUND, cost)
            advance(before, layer, cost, allow_jumps)
        nodes = [[layer.q(*map(int, node)) for node in np.argwhere(layer.allowed)] for layer in layers]
        best = (10, np.inf)
        for way in itertools.product(*nodes):
            steps = np.diff(way, axis=0)
            jumps = int((np.abs(steps) > BOUND).any(axis=1).sum())
            if jumps == 0 or allow_jumps:
                best = min(best, (jumps, float(cost.of(way[0] - start) + cost.of(steps).sum())))
        if not np.isfinite(best[1]):
            assert not layers[-1].is_reached
            continue
        found += 1
        way = way_back(layers, start)
        last = layers[-1]
        assert last.jumps[way[-1]] == best[0]
        assert last.cost[way[-1]] == pytest.approx(best[1], rel=1e-12)
        # And the way back is what costs that.
        q = np.array([layer.q(*node) for layer, node in zip(layers, way, strict=True)])
        assert cost.of(q[0] - start) + cost.of(np.diff(q, axis=0)).sum() == pytest.approx(best[1], rel=1e-12)
    assert found >= 5  # or nothing was compared


def test_pairs_that_are_near(active):
    rng = np.random.default_rng(0)
    for count in (3, 60):
        first, second = random_layers(active, rng, 2, count)
        source, target = near_pairs(first.base, second.base, BOUND, first.windows)
        steps, _ = first.windows.steps(first.base[source], second.base[target])
        kept = (np.abs(steps) <= BOUND).all(axis=1)
        away = second.base[None] - first.base[:, None]
        away[..., 3] -= 2.0 * np.pi * np.round(away[..., 3] / (2.0 * np.pi))
        expected = {tuple(each) for each in np.argwhere((np.abs(away) <= BOUND).all(axis=-1))}
        assert set(zip(source[kept].tolist(), target[kept].tolist(), strict=True)) == expected
        assert (np.diff(target) >= 0).all()


def test_windows_hold_all_equivalents_inside_the_limits():
    robot = models.load("ur5")
    active = InverseKinematics(robot).active_dofs()
    q = np.random.default_rng(1).uniform(-7.0, 7.0, (20, 6))
    windows = TurnWindows(active, True, np.zeros(6), q)
    assert windows.size == 64
    inside, base = windows.inside(windows.base(q)), windows.base(q)
    for row in range(len(q)):
        found = {tuple(np.round(windows.values(base[row], int(number)), 6)) for number in np.flatnonzero(inside[row])}
        choices = [[v + 2 * np.pi * k for k in range(-4, 5) if abs(v + 2 * np.pi * k) <= 2 * np.pi] for v in q[row]]
        assert found == {tuple(np.round(each, 6)) for each in itertools.product(*choices)}
    q[0, 2] = 2.0 * np.pi  # and so it has an equivalent on the other limit
    assert TurnWindows(active, True, np.zeros(6), q).size == 96
    free = TurnWindows(active, False, np.zeros(6), q)
    assert free.size == 1
    assert free.is_free.all()
