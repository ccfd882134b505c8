"""The benchmarks run and say what they should, on few targets; their numbers are not judged here."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # `benchmarks` is run from the checkout and not installed

from benchmarks import runner  # noqa: E402
from benchmarks.workload import workload  # noqa: E402


@pytest.mark.parametrize("name", ["panda", "planar3"])
def test_targets_can_be_reached_and_are_the_same_each_time(name):
    work, again = workload(name, 5), workload(name, 5)
    for query, other in zip(work, again, strict=True):
        assert work.is_inside_limits(query.witness)
        assert work.errors(query.witness, query.target) == pytest.approx((0.0, 0.0), abs=1e-12)
        assert np.array_equal(query.seed, other.seed)
        assert (query.target.homogeneous == other.target.homogeneous).all()
    assert work.is_full_pose == (name == "panda")
    assert not np.array_equal(workload(name, 1, seed=1).queries[0].seed, work.queries[0].seed)


def test_robots_measures_each_robot():
    table = runner.run("robots", samples=3, robots=["ur5", "planar3"])
    assert [row["robot"] for row in table.rows] == ["ur5", "planar3"]
    assert [row["target"] for row in table.rows] == ["pose", "position"]
    for row in table.rows:
        assert row["success"] == 100.0
        assert 0.0 <= row["position_error"] <= 1e-6
        assert row["median_ms"] > 0.0


def test_object_path_counts_every_iteration():
    table = runner.run("object_path", samples=2)
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
