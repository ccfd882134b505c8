"""Each section of the benchmark of closed forms runs and gives its figures; how large they are is not judged here."""

import pytest

from benchmarks.closed_form import completeness
from benchmarks.options import Options
from benchmarks.runner import run

FEW = Options(samples=20, robots=["kr6_r900"])


def figures_of(tables):
    assert tables[-1].name.endswith(".required")
    return [(row["what"], row["met"]) for row in tables[-1].rows]


def test_six_axis_without_peers():
    tables = run("closed_form.six_axis", FEW)
    rows = tables[0].rows
    assert [row["library"] for row in rows] == ["kinetree solve_all", "kinetree get_solutions"]
    for row in rows:
        assert row["found"] == 100.0
        assert row["wrong"] == 0
        assert row["solutions"] > 4
        assert row["orientation_error"] < 1e-9
    assert len(figures_of(tables)) == 1


def test_batch_without_peers():
    tables = run("closed_form.batch", FEW)
    (row,) = tables[0].rows
    assert row["found"] == 100.0
    assert row["solutions"] > 4
    assert len(figures_of(tables)) == 1


def test_general():
    tables = run("closed_form.general", Options(samples=5, robots=["general_6r"]))
    (row,) = tables[0].rows
    assert row["found"] == 100.0
    assert row["wrong"] == 0
    assert len(figures_of(tables)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iiwa14", "panda"])
def test_seven_axis(name):
    tables = run("closed_form.seven_axis", Options(samples=10, robots=[name]))
    (row,) = tables[0].rows
    assert row["solved"] == 100.0
    assert row["scanned"] == 100.0
    assert row["nearest"] > 50.0
    assert len(figures_of(tables)) == 2


def test_completeness_of_a_robot():
    tables = run("closed_form.completeness", FEW)
    (row,) = tables[0].rows
    assert row["found"] + row["singular"] == 100.0
    assert row["wrong"] == row["mistagged"] == row["roots_missing"] == 0
    assert row["roots"] > 20
    assert [met for _, met in figures_of(tables)] == ["yes"] * 5


@pytest.mark.slow
def test_completeness_of_random_arms(monkeypatch):
    monkeypatch.setattr(completeness, "KINDS", completeness.KINDS[:1])
    monkeypatch.setattr(completeness, "ARMS", 3)
    tables = run("closed_form.completeness", Options(samples=12))
    row = tables[0].rows[-1]
    assert row["arm"] == "3 random"
    assert row["targets"] == 12
    assert row["missing"] == row["roots_missing"] == 0


def test_completeness_notices_what_is_missing(monkeypatch):
    solved = completeness._solved

    def forgetful(closed, work, seeds):
        q, flags, counts = solved(closed, work, seeds)
        q[0] += 1e-4  # one solution misses, and with it a root
        return q, flags, counts

    monkeypatch.setattr(completeness, "_solved", forgetful)
    tables = run("closed_form.completeness", FEW)
    (row,) = tables[0].rows
    assert row["wrong"] == 1
    assert row["roots_missing"] == 1
    assert "NO" in [met for _, met in figures_of(tables)]


@pytest.mark.slow
def test_targets():
    tables = run("closed_form.targets", Options(samples=5, robots=["planar3", "scara"]))
    for row in tables[0].rows:
        assert row["solved"] == 100.0, row
        assert row["way"] == "closed form"
