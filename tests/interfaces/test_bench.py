"""``kinetree bench``."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from kinetree.interfaces.command_line.held_compile_lines import HeldCompileLines
from kinetree.kinematics.core.compile_cache import _announce

QUICK = ("--targets", "20", "--time-limit", "10")
OWN = """
import numpy as np
from kinetree.solvers import GradientMethod
import helper_of_mine

class Mine(GradientMethod):
    def gradient(self, jacobian, error):
        return np.linalg.pinv(jacobian + helper_of_mine.NOTHING) @ error
"""


def test_a_table_of_methods(run):
    done = run("bench", "ur5", "--methods", "levenberg-marquardt,halley", "--methods", "closed-form", *QUICK)
    assert done.status == 0
    assert "ur5: tool0 (natural tip:" in done.out
    assert "20 poses, seeds elsewhere" in done.out
    for name in ("levenberg-marquardt", "halley", "closed-form"):
        assert name in done.out
    assert "dls" not in done.out


def test_json_has_the_figures(run):
    done = run("bench", "ur5", "--methods", "levenberg-marquardt", "--json", *QUICK)
    tables = done.json["benchmarks"]
    (row,) = tables["bench.methods"]["rows"]
    assert row["solved"] == 100.0
    assert row["targets"] == 20
    assert tables["bench.attempts"]["rows"][0]["within_100"] == 100.0
    assert done.json["versions"]["python"]


def test_a_robot_file_files_written_and_why_a_method_does_not_fit(run, two_link, tmp_path):
    pytest.importorskip("matplotlib")
    output, plot = tmp_path / "rows.json", tmp_path / "success.svg"
    done = run(
        "bench", two_link, "--methods", "python,closed-form", "--output", str(output), "--plot", str(plot), *QUICK
    )  # fmt: skip
    assert done.status == 0
    assert "20 positions" in done.out
    assert "closed-form: not measured: " in done.out
    assert str(plot) in done.out
    assert "<svg" in plot.read_text(encoding="utf-8")
    rows = json.loads(output.read_text(encoding="utf-8"))["benchmarks"]["bench.methods"]["rows"]
    assert [row["method"] for row in rows] == ["python", "closed-form"]


def test_solvers_of_ones_own_in_the_folder_one_is_in(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", sys.path.copy())
    (tmp_path / "my_own_solvers.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "helper_of_mine.py").write_text("NOTHING = 0.0\n", encoding="utf-8")
    done = run("bench", "ur5", "--methods", "halley", "--solver", "my_own_solvers:Mine", "--json", *QUICK)
    rows = done.json["benchmarks"]["bench.methods"]["rows"]
    assert [row["method"] for row in rows] == ["halley", "Mine"]
    assert rows[1]["solved"] > 50.0


def test_near_seeds_need_one_attempt(run):
    words = ("bench", "ur5", "--methods", "one-attempt", "--json", *QUICK)
    far, near = (run(*words, *more).json["benchmarks"]["bench.methods"]["rows"][0] for more in ((), ("--near",)))
    assert near["solved"] > far["solved"]


def test_another_frame(run):
    done = run("bench", "humanoid", "--frame", "left_foot", "--methods", "levenberg-marquardt", *QUICK)
    assert "humanoid: left_foot (as asked for)" in done.out


def test_the_methods_are_listed(run):
    done = run("bench --list")
    assert done.status == 0
    assert "selectively-damped" in done.out
    assert "meta-solvers" in done.out


def test_what_is_compiled_is_told_once(run, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stderr", stream := io.StringIO())
    with HeldCompileLines(stream) as held:
        for name in ("a", "b"):
            _announce(name)
        print("a warning", file=sys.stderr)
    _announce("c")
    assert held.count == 2
    first, warning, after = stream.getvalue().splitlines()
    assert first.startswith("kinetree: compiling what the methods need")
    assert warning == "a warning"
    assert after.startswith("kinetree: compiling c for this machine")


def test_the_example_of_the_guide(run, tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")
    (text,) = re.findall(r'^```python title="my_solvers.py"\n(.*?)^```', page, flags=re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", sys.path.copy())
    monkeypatch.delitem(sys.modules, "my_solvers", raising=False)
    (tmp_path / "my_solvers.py").write_text(text, encoding="utf-8")
    names = re.findall(r"my_solvers:(\w+)", page)
    assert len(set(names)) >= 2
    words = [word for name in dict.fromkeys(names) for word in ("--solver", f"my_solvers:{name}")]
    done = run("bench", "ur5", "--methods", "halley", *words, "--json", *QUICK)
    monkeypatch.delitem(sys.modules, "my_solvers", raising=False)
    rows = {row["method"]: row for row in done.json["benchmarks"]["bench.methods"]["rows"]}
    assert all(rows[name]["targets"] and rows[name]["solved"] > 0.0 for name in dict.fromkeys(names)), rows


def test_the_title_of_the_picture_is_short(run, tmp_path):
    pytest.importorskip("matplotlib")
    plot = tmp_path / "a.svg"
    run("bench", "ur5", "--methods", "halley", "--plot", str(plot), *QUICK)
    text = plot.read_text(encoding="utf-8")
    assert "ur5: tool0, 6 joints, 20 poses, seeds elsewhere" in text
    assert "natural tip" not in text


def test_nothing_that_fits_is_no_success(run):
    done = run("bench", "so101", "--methods", "closed-form", *QUICK)
    assert done.status == 1
    assert "no closed form is known" in done.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--methods", "nothing"), "no method or group 'nothing'"),
        (("--methods", ","), "--methods names none"),
        (("--plot", "a.txt"), "a.txt"),
        (("--output", "no/such/folder/a.json"), "no folder"),
        (("--solver", "no_such_module_at_all:X"), "cannot be imported"),
        (("--solver", "kinetree.solvers:Halley", "--solver", "kinetree.solvers:Halley"), "'Halley'"),
        (("--tolerance", "0"), "tolerance must be positive"),
        (("--time-limit", "nan"), "time_limit must be positive"),
        (("--frame", "nothing"), "no frame 'nothing'"),
    ],
)
def test_wrong_use_is_told_before_anything_is_measured(run, words, why):
    done = run("bench", "ur5", *words, "--targets", "2")
    assert done.status == 2
    assert why in done.err
