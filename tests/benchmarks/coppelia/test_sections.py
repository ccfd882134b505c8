"""Each section of the Coppelia benchmark runs and gives its figures; how large they are is not judged here."""

from benchmarks.options import Options
from benchmarks.runner import run


def test_handle_groups():
    tables = run("coppelia.handle_groups", Options(samples=5, robots=["iiwa14"]))
    assert [row["iterations"] for row in tables[0].rows] == [1, 10, 40]
    assert tables[1].name == "coppelia.handle_groups.required"


def test_find_config(monkeypatch):
    monkeypatch.setattr("benchmarks.coppelia.find_config.LONG_BUDGET", 0.05)
    tables = run("coppelia.find_config", Options(samples=5, robots=["panda"]))
    (row,) = tables[0].rows
    assert row["solved"] == 100.0
    assert row["rate"] > 0.0
    assert len(tables[1].rows) == 3
