import math

import pytest

from kinetree import models


def test_tree_limits_and_tips(run, two_link):
    done = run("info", two_link)
    assert done.status == 0
    for part in ("two_link", "shoulder", "tool0", "rad", "-2.000000", "none"):
        assert part in done.out


def test_json_is_finite_and_has_the_documented_keys(run, two_link):
    data = run("info", two_link, "--json").json
    assert set(data) == {
        "robot",
        "source",
        "warnings",
        "tip",
        "tip_source",
        "chain",
        "closed_form",
        "ends",
        "frames",
        "mass",
        "dofs",
        "joints",
    }
    shoulder, elbow = data["dofs"]
    assert shoulder == {
        "name": "shoulder",
        "joint": "shoulder",
        "unit": "rad",
        "lower": -2.0,
        "upper": 2.0,
        "velocity": 3.0,
        "rest": 0.0,
    }
    assert elbow["lower"] is None
    assert elbow["upper"] is None
    assert data["tip"] == "tool0"
    assert data["ends"] == ["tool0"]
    assert data["chain"] == ["shoulder", "elbow"]


def test_degrees(run, two_link):
    shoulder = run("info", two_link, "--degrees", "--json").json["dofs"][0]
    assert shoulder["unit"] == "deg"
    assert shoulder["upper"] == pytest.approx(math.degrees(2))


def test_brackets_in_names_are_shown_as_they_are(run, tmp_path):
    path = tmp_path / "odd.urdf"
    path.write_text(
        '<robot name="odd"><link name="a"/><link name="b"/><joint name="[bold]turn[/bold]" type="continuous">'
        '<parent link="a"/><child link="b"/></joint></robot>',
        encoding="utf-8",
    )
    done = run("info", str(path))
    assert done.status == 0
    assert done.out.count("[bold]turn[/bold]") >= 2


@pytest.mark.parametrize("name", [each.name for each in models.robots()])
def test_every_built_in_robot(run, name):
    assert run("info", name).status == 0
    data = run("info", name, "--json").json
    assert len(data["dofs"]) == models.load(name).num_dofs


def test_warnings_of_the_reader_are_shown(run, tmp_path):
    path = tmp_path / "mesh.urdf"
    path.write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="package://nowhere/a.stl"/></geometry>'
        "</visual></link></robot>",
        encoding="utf-8",
    )
    done = run("info", str(path))
    assert done.status == 0
    assert "note: " in done.out
