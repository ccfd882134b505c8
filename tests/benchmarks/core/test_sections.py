"""Each section of the core benchmark runs and gives its figures; how large they are is not judged here."""

import pytest

from benchmarks.options import Options
from benchmarks.runner import run

FEW = Options(samples=30, robots=["ur5"])


def figures_of(tables):
    assert tables[-1].name.endswith(".required")
    rows = tables[-1].rows
    assert all(row["met"] in ("yes", "NO") for row in rows), rows
    return [row["what"] for row in rows]


def test_success():
    tables = run("core.success", FEW)
    (row,) = tables[0].rows
    assert row["solved"] == row["claimed"] == 100.0
    assert 0.0 < row["position_max"] <= 1e-6
    assert len(figures_of(tables)) == 1


def test_one_target_without_peers():
    (table,) = run("core.one_target", FEW)
    assert [row["library"] for row in table.rows] == ["kinetree", "kinetree prepare()"]
    assert all(row["solved"] == 100.0 for row in table.rows)


def test_near_seed():
    tables = run("core.near_seed", FEW)
    assert len(figures_of(tables)) == 3
    (row,) = tables[1].rows
    assert row["points"] == 300
    assert row["solved"] == 100.0


@pytest.mark.slow
def test_batch():
    tables = run("core.batch", FEW)
    assert [row["solved"] for row in tables[0].rows] == [100.0] * 3
    assert len(figures_of(tables)) == 2


def test_forward():
    tables = run("core.forward", FEW)
    (row,) = tables[0].rows
    assert row["difference"] < 1e-12
    assert len(figures_of(tables)) == 1


def test_hierarchical():
    tables = run("core.hierarchical", Options(samples=20))
    assert [(row["dofs"], row["rows"]) for row in tables[0].rows] == [(7, 6), (7, 9), (36, 24)]
    assert len(figures_of(tables)) == 3


@pytest.mark.slow
def test_start_up():
    tables = run("core.start_up", Options(samples=1))
    assert len(figures_of(tables)) == 3
