"""``kinetree bench``."""

import io
import json
import os
import re
import subprocess
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
        (("--output", ""), "is a folder"),
        (("--output", "."), "is a folder"),
        (("--plot", "no/such/folder/a.svg"), "no folder"),
        (("--output", "./a.svg", "--plot", "a.svg"), "the same file"),
        (("--targets", "2000000000"), "100000"),
        (("--targets", str(10**20)), "100000"),
    ],
)
def test_wrong_use_is_told_before_anything_is_measured(run, words, why):
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    done = run("bench", "ur5", "--targets", "2", *words)
    assert done.status == 2
    assert why in done.err


RUDE = """
import os
import sys
import numpy as np
from kinetree.solvers import InvKinSolver, JacobianIKSolver

print("NOISE of the module")

class Quiet(InvKinSolver):
    def __init__(self, chain):
        self._inner = JacobianIKSolver(chain)

    @property
    def chain(self):
        return self._inner.chain

    def solve(self, base_T_end, state=None):
        return self._inner.solve(base_T_end, state)

class Writes(Quiet):
    def solve(self, base_T_end, state=None):
        found = super().solve(base_T_end, np.array(state))
        state[:] = np.nan
        base_T_end.translation[:] = 5.0
        return found

class Prints(Quiet):
    def solve(self, base_T_end, state=None):
        print("NOISE of Python")
        os.write(1, b"NOISE of compiled code\\n")
        return super().solve(base_T_end, state)

class Leaves(Quiet):
    def solve(self, base_T_end, state=None):
        sys.exit(0)

class LeavesAtOnce(Quiet):
    def __init__(self, chain):
        sys.exit(0)
"""


@pytest.fixture
def rude(tmp_path):
    """The name of a solver that does what it should not."""
    file = tmp_path / "rude_solvers.py"
    file.write_text(RUDE, encoding="utf-8")
    yield lambda name: f"{file}:{name}"
    sys.modules.pop("rude_solvers", None)


def solved_by_method(done):
    return {row["method"]: row.get("solved") for row in done.json["benchmarks"]["bench.methods"]["rows"]}


def test_what_a_solver_writes_to_changes_no_figures(run, rude):
    words = ("bench", "ur5", "--methods", "one-attempt", "--json", *QUICK)
    alone, beside = (
        solved_by_method(run(*words, "--solver", rude("Quiet"), *more)) for more in ((), ("--solver", rude("Writes")))
    )
    assert beside["one-attempt"] == alone["one-attempt"]
    assert beside["Writes"] == beside["Quiet"] == alone["Quiet"] > 0.0


@pytest.mark.parametrize(
    ("name", "why"), [("Leaves", "SystemExit: 0"), ("LeavesAtOnce", "called with the chain, raised SystemExit: 0")]
)
def test_a_solver_that_exits_is_a_failure(run, rude, name, why):
    words = ("bench", "ur5", "--methods", "halley", *QUICK)
    done = run(*words, "--solver", rude(name))
    assert done.status == 0
    assert f"{name}: not measured: " in done.out
    assert why in done.out
    assert "halley" in done.out


def test_a_module_that_exits_cannot_be_imported(run, tmp_path):
    (tmp_path / "leaves.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    done = run("bench", "ur5", "--solver", f"{tmp_path / 'leaves.py'}:X", *QUICK)
    assert done.status == 2
    assert "cannot be imported: SystemExit: 0" in done.err


def test_what_a_solver_prints_is_no_part_of_the_json(run, rude):
    done = run("bench", "ur5", "--methods", "halley", "--solver", rude("Prints"), "--json", *QUICK)
    assert solved_by_method(done)["Prints"] > 0.0
    assert "NOISE of the module" in done.err
    assert "NOISE of Python" in done.err


def test_neither_is_what_compiled_code_prints(rude):
    words = ["bench", "ur5", "--methods", "halley", "--solver", rude("Prints"), "--json", "--targets", "5"]
    code = f"import sys; sys.argv[1:] = {words!r}; from kinetree.interfaces.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert json.loads(done.stdout)["benchmarks"]
    for who in ("the module", "Python", "compiled code"):
        assert f"NOISE of {who}" in done.stderr


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_file_that_cannot_be_written_at_the_end_loses_nothing(run, tmp_path, monkeypatch, more):
    pytest.importorskip("matplotlib")

    def fail(path, tables):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kinetree.interfaces.command_line.bench.write_json", fail)
    output, plot = tmp_path / "a.json", tmp_path / "a.svg"
    words = ("--methods", "halley", "--output", str(output), "--plot", str(plot), *QUICK, *more)
    done = run("bench", "ur5", *words)
    assert done.status == 2
    assert "No space left on device" in done.err
    assert plot.stat().st_size > 0
    if more:
        assert solved_by_method(done)["halley"] > 0.0
    else:
        assert "20 poses" in done.out
        assert "halley" in done.out


def test_a_folder_in_the_place_of_the_picture_is_told_before(run, tmp_path):
    pytest.importorskip("matplotlib")
    (tmp_path / "dd.svg").mkdir()
    done = run("bench", "ur5", "--methods", "halley", "--plot", str(tmp_path / "dd.svg"), *QUICK)
    assert done.status == 2
    assert "is a folder" in done.err
    assert not done.out
