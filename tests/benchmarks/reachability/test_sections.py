"""Each section of the reachability benchmark runs and gives its figures; how large they are is not judged here."""

import numpy as np

from benchmarks.options import Options
from benchmarks.reachability.scalar_loop import compiled_loop, python_loop
from benchmarks.runner import run
from kinetree import models
from kinetree.kinematics import ReachabilityMap


def test_speed(monkeypatch):
    monkeypatch.setattr("benchmarks.reachability.speed.POSES", 100)
    tables = run("reachability.speed", Options(samples=20_000))
    assert len(tables[0].rows) == 5
    assert [table.name for table in tables] == [
        "reachability.speed", "reachability.questions", "reachability.speed.required"
    ]  # fmt: skip


def test_accuracy(monkeypatch):
    monkeypatch.setattr("benchmarks.reachability.accuracy.QUICK_SAMPLES", (30_000, 100_000))
    monkeypatch.setattr("benchmarks.reachability.accuracy.refine_boundary", lambda made: made)
    tables = run("reachability.accuracy", Options(samples=50, quick=True))
    assert len(tables[0].rows) == 7
    reduced = [row for row in tables[0].rows if row["map"].startswith("reduced, 4")]
    assert reduced[1]["reached"] > 60.0


def test_warm_start():
    tables = run("reachability.warm_start", Options(samples=3))
    assert {row["start"] for row in tables[0].rows} >= {"as given", "nearest 1 of 2000"}
    assert all(row["solved"] > 0.0 for row in tables[0].rows)


def test_the_loops_sample_what_the_map_does():
    """Written apart from the map: what all three cover, and how much, must agree."""
    chain = models.load("panda").tip.chain()
    options = {"step_translation": 0.3, "step_rotation": np.deg2rad(72), "progress": False}
    made = ReachabilityMap.create(chain, samples=200_000, **options)
    loop = compiled_loop(chain, made.grid)(200_000, 1)
    one, other = made.values.ravel() > 20, loop > 20
    assert (one == other).mean() > 0.98
    middle = (made.values.ravel() > 30) & (made.values.ravel() < 250) & (loop < 250)
    first, second = made.values.ravel()[middle].astype(float), loop[middle].astype(float)
    # Two counts of the same thing differ by as much as their sum, squared and on average.
    assert 0.85 < ((first - second) ** 2 / (first + second)).mean() < 1.15
    slow = python_loop(chain, made.grid, 300, 0)
    assert (made.values.ravel()[slow > 0] > 0).mean() > 0.97
