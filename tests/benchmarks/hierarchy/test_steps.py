"""The benchmark of steps runs; how large its figures are is not judged here, but that nothing leaks upwards is."""

import numpy as np

from benchmarks.hierarchy import peer_steps
from benchmarks.hierarchy.cases import make_cases
from benchmarks.options import Options
from benchmarks.runner import expand, run


def test_each_case_has_a_row_for_each_call():
    assert expand(["hierarchy"]) == ["hierarchy.steps"]
    table, required = run("hierarchy.steps", Options(samples=12))
    assert len(table.rows) == 3 * 4
    assert {row["library"] for row in table.rows} == {"kinetree"}
    assert all(row["leak"] <= 1e-8 for row in table.rows)
    assert [row["engine"] for row in table.rows[:4]] == ["compiled", "compiled", "compiled", "object"]
    assert [row["rows"] for row in table.rows[::4]] == [6, 9, 26]
    leaks = [row for row in required.rows if "higher levels" in row["what"]]
    assert [row["met"] for row in leaks] == ["yes"] * 9


def test_targets_are_where_the_steps_lead():
    for case in make_cases(3, 0):
        steps = case.hierarchy().prepare()
        assert steps.misses(case.rest).max() < 1e-9
        assert steps.misses(case.starts[0])[:, 0].max() > 1e-2
        np.testing.assert_array_equal(case.starts, make_cases(3, 0)[0].starts if "panda" in case.name else case.starts)


def test_what_is_written_for_others_is_enough(tmp_path):
    case = make_cases(4, 0)[-1]
    peer_steps._write(case, tmp_path, 3)
    with np.load(tmp_path / "starts.npz") as found:
        assert found["values"].shape == (3, case.robot.num_dofs - 6)
        assert found["base"].shape == (3, 7)
    assert "floating_base_joint" in (tmp_path / "problem.json").read_text(encoding="utf-8")


def test_a_library_that_cannot_be_had_is_a_note(monkeypatch):
    def refuse(name, requirements):
        raise peer_steps.PeerError("cannot be installed: no network")

    monkeypatch.setattr(peer_steps, "python_of", refuse)
    rows = list(peer_steps.peer_rows(make_cases(2, 0)[0], 2, Options(peers=True)))
    assert [row["library"] for row in rows] == ["placo", "pin-pink", "mink"]
    assert all(row["note"] == "cannot be installed: no network" for row in rows)
