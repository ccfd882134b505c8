"""The benchmarks run and say what they should, on few targets; their numbers are not judged here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import runner
from benchmarks.options import Options
from benchmarks.report.standing import COMPARED

ROOT = Path(__file__).parents[2]


def test_robots_measures_each_robot():
    (table,) = runner.run("robots", Options(samples=3, robots=["ur5", "planar3"]))
    assert [row["robot"] for row in table.rows] == ["ur5", "planar3"]
    assert [row["target"] for row in table.rows] == ["pose", "position"]
    for row in table.rows:
        assert row["success"] == 100.0
        assert 0.0 <= row["position_error"] <= 1e-6
        assert row["median_ms"] > 0.0


def test_object_path_counts_every_iteration():
    (table,) = runner.run("object_path", Options(samples=2))
    assert [row["method"] for row in table.rows] == [
        "JacobianTranspose",
        "JacobianPseudoInverse",
        "JacobianDLS",
        "LevenbergMarquardt",
    ]
    for row in table.rows:
        assert row["dofs"] == 7
        assert row["iterations"] > 100
        assert 1.0 < row["least_us"] <= row["median_us"] <= row["most_us"]


def test_a_group_is_all_of_its_sections():
    sections = runner.expand(["core"])
    assert len(sections) == 7
    assert all(name.startswith("core.") for name in sections)
    assert "closed_form.seven_axis" in runner.expand(["closed_form"])
    assert runner.expand(["robots", "core.batch", "robots"]) == ["robots", "core.batch"]
    with pytest.raises(KeyError, match="cor"):
        runner.expand(["cor"])


def test_a_quick_run_is_of_benchmarks_that_there_are_and_has_all_that_compares():
    assert set(runner.QUICK) <= set(runner.BENCHMARKS)
    assert set(COMPARED) - set(runner.QUICK) == {"closed_form.general"}


def test_quick_is_few_and_samples_are_as_asked():
    assert Options(quick=True).count(100, 5) == 5
    assert Options(quick=True, samples=7).count(100, 5) == 7
    assert Options().count(100, 5) == 100


def test_command_line_prints_a_table_and_writes_json(tmp_path):
    file = tmp_path / "rows.json"
    command = [sys.executable, "-m", "benchmarks", "robots", "--robot", "scara", "--samples", "2"]
    done = subprocess.run([*command, "--json", str(file)], cwd=ROOT, check=True, capture_output=True, text=True)
    assert "scara" in done.stdout
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["benchmarks"]["robots"]["rows"][0]["robot"] == "scara"
    assert content["machine"]["cores"] >= 1
    assert {"python", "numpy", "pin"} <= set(content["versions"])


def test_command_line_names_the_benchmarks_that_there_are():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "nothing"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "object_path" in done.stderr
