"""The cell benchmark runs and judges by itself; how large its figures are is not judged here."""

import numpy as np
import pytest

from benchmarks.meta.cell import make_cell
from benchmarks.meta.free_targets import free_targets
from benchmarks.meta.plain_check import PlainCheck
from benchmarks.options import Options
from benchmarks.runner import run


@pytest.fixture(scope="module")
def cell():
    return make_cell("ur5")


def test_each_mode_has_a_row():
    tables = run("meta.in_a_cell", Options(samples=10, robots=["ur5"]))
    rows = tables[0].rows
    assert [(row["inner"], row["mode"]) for row in rows] == [
        (inner, mode) for inner in ("JacobianIKSolver", "ClosedForm") for mode in ("first", "all")
    ]
    assert all(row["wrong"] == 0 for row in rows)
    assert all(row["solved"] > 0.0 for row in rows)
    assert tables[1].name == "meta.in_a_cell.required"


def test_plain_check_and_detector_say_the_same(cell):
    check, rng = PlainCheck(cell), np.random.default_rng(1)
    configurations = [cell.robot.random_positions(rng) for _ in range(300)]
    plain = [check.touching(q) is not None for q in configurations]
    assert [cell.detector.in_collision(q) for q in configurations] == plain
    assert 30 < sum(plain) < 270  # neither is easy to be right about


def test_targets_are_free_and_seeds_are_elsewhere(cell):
    check = PlainCheck(cell)
    targets = free_targets(cell, check, 20, seed=3)
    assert all(check.touching(q) is None for q in targets.work.witnesses)
    assert np.abs(targets.work.seeds - targets.work.witnesses).max(axis=1).min() > 0.1
    again = free_targets(cell, check, 20, seed=3)
    assert (again.work.witnesses == targets.work.witnesses).all()
    assert 0.0 < targets.free_share < 1.0
