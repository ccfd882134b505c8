"""``kinetree solve --type``: targets that ask for less than a pose."""

import math

import numpy as np
import pytest

from kinetree import models
from kinetree.solvers.targets import TARGET_CLASSES

#: Words for a target of each kind that panda reaches.
WORDS = {
    "Transform6D": "--position 0.4 0.1 0.5 --quaternion 1 0 0 0",
    "Rotation3D": "--rpy 3.0 0.1 0",
    "Translation3D": "--point 0.4,0.1,0.5",
    "Direction3D": "--direction -z",
    "Ray4D": "--point 0.4,0.1,0.5 --direction -z",
    "Lookat3D": "--point 0.6,0.2,0",
    "TranslationDirection5D": "--point 0.4,0.1,0.5 --direction 0,0.2,-1",
    "TranslationXY2D": "--point 0.4,0.1",
    "TranslationXYOrientation3D": "--point 0.4,0.1 --angle 0.3",
    "TranslationLocalGlobal6D": "--local 0,0,0.1 --point 0.4,0.1,0.5",
    "TranslationXAxisAngle4D": "--point 0.4,0.1,0.5 --angle 1.4",
    "TranslationYAxisAngle4D": "--point 0.4,0.1,0.5 --angle 1.4",
    "TranslationZAxisAngle4D": "--point 0.4,0.1,0.5 --angle 3.0",
    "TranslationXAxisAngleZNorm4D": "--point 0.4,0.1,0.5 --angle 0.3",
    "TranslationYAxisAngleXNorm4D": "--point 0.4,0.1,0.5 --angle -1.6",
    "TranslationZAxisAngleYNorm4D": "--point 0.4,0.1,0.5 --angle 3.0",
}
PLACELESS = {"Rotation3D", "Direction3D", "Lookat3D"}
TURNLESS = {"Translation3D", "TranslationXY2D", "TranslationLocalGlobal6D"}


def tool(data):
    robot = models.load(data["robot"])
    q = np.deg2rad(data["q"]) if data["angle_unit"] == "deg" else data["q"]
    return robot.state(q).transform(robot.frame(data["frame"]))


def test_all_kinds_are_here():
    assert list(WORDS) == [kind.__name__ for kind in TARGET_CLASSES.values()]


@pytest.mark.parametrize("name", WORDS)
def test_every_kind(run, name):
    done = run(f"solve panda --type {name.lower()} {WORDS[name]}")
    assert done.status == 0
    assert name in done.out
    assert "solved" in done.out
    data = run(f"solve panda --type {name} {WORDS[name]} --json").json
    assert data["success"] is True
    assert data["target"]["type"] == name
    assert (data["position_error"] is None) == (name in PLACELESS)
    assert (data["orientation_error"] is None) == (name in TURNLESS)


def test_values_are_those_that_were_written(run):
    data = run("solve panda --type ray_4d --point 0.4,0.1,0.5 --direction 0,0,-2 --json").json
    target = data["target"]
    assert target["point"] == [0.4, 0.1, 0.5]
    assert target["direction"] == [0, 0, -1]
    assert target["tool_direction"] == [0, 0, 1]
    assert target["position"] is target["quaternion"] is target["rpy"] is target["matrix"] is None
    at = tool(data)
    np.testing.assert_allclose(at.translation[:2], [0.4, 0.1], atol=1e-6)
    np.testing.assert_allclose(at.rotation[:, 2], [0, 0, -1], atol=1e-6)
    assert np.allclose(at.homogeneous, data["reached"]["matrix"], atol=1e-9)


def test_a_pose_is_shown_as_one(run):
    target = run(f"solve panda --type Transform6D {WORDS['Transform6D']} --json").json["target"]
    assert target["position"] == [0.4, 0.1, 0.5]
    assert target["quaternion"] == [1, 0, 0, 0]
    assert np.array(target["matrix"]).shape == (4, 4)
    assert "point" not in target
    data = run("solve panda --type rotation3d --quaternion 1 0 0 0 --json").json
    assert data["target"]["quaternion"] == [1, 0, 0, 0]
    assert data["target"]["position"] is None
    np.testing.assert_allclose(tool(data).rotation, data["target"]["rotation"], atol=2e-6)


def test_position_may_stand_for_point(run):
    by_point = run("solve panda --type Lookat3D --point -0.6,0.2,0 --json").json
    by_position = run("solve panda --type Lookat3D --position -0.6 0.2 0 --json").json
    assert by_point["q"] == by_position["q"]


@pytest.mark.parametrize("tool_direction", ["x", "-y", "0.6,0,0.8"])
def test_tool_direction(run, tool_direction):
    data = run(f"solve ur5 --type Direction3D --direction 1,1,0 --tool-direction {tool_direction} --json").json
    assert data["success"]
    pointing = tool(data).rotation @ data["target"]["tool_direction"]
    np.testing.assert_allclose(pointing, np.array([1, 1, 0]) / math.sqrt(2), atol=1e-6)


def test_degrees(run):
    data = run("solve panda --type TranslationZAxisAngle4D --point 0.4,0.1,0.5 --angle 150 --degrees --json").json
    assert data["target"]["angle"] == pytest.approx(150)
    assert math.degrees(math.acos(tool(data).rotation[2, 2])) == pytest.approx(150, abs=1e-4)
    assert (
        "angle 150 deg"
        in run("solve panda --type TranslationZAxisAngle4D --point 0.4,0.1,0.5 --angle 150 --degrees").out
    )


def test_base_and_frame(run):
    words = "--type Translation3D --point 0.2,0.1,0.3 --frame panda_link7 --base panda_link1 --json"
    data = run(f"solve panda {words}").json
    assert data["success"]
    assert data["base"] == "panda_link1"
    robot = models.load("panda")
    state = robot.state(data["q"])
    at = state.transform(robot.frame("panda_link1")).actInv(state.transform(robot.frame("panda_link7")))
    np.testing.assert_allclose(at.translation, [0.2, 0.1, 0.3], atol=1e-6)
    assert data["q"][0] == robot.positions[0]


def test_all_solutions(run):
    done = run("solve ur5 --type TranslationDirection5D --point 0.4,0.1,0.3 --direction -z --all --attempts 30 --json")
    assert done.status == 0
    solutions = done.json["solutions"]
    assert len(solutions) > 2
    robot = models.load("ur5")
    for q in solutions:
        at = robot.state(q).transform(robot.tip)
        np.testing.assert_allclose(at.translation, [0.4, 0.1, 0.3], atol=1e-6)
        np.testing.assert_allclose(at.rotation[:, 2], [0, 0, -1], atol=2e-6)


def test_not_solved(run):
    done = run("solve panda --type TranslationDirection5D --point 3,0,0 --direction x --attempts 5")
    assert done.status == 1
    assert "not solved" in done.out
    assert "nearest" in done.out
    data = run("solve panda --type TranslationDirection5D --point 3,0,0 --direction x --attempts 5 --all --json").json
    assert data["success"] is False
    assert data["solutions"] == []


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("--type ray4 --point 1,2,3", ["no type of target 'ray4'", "did you mean 'Ray4D'", *WORDS]),
        ("--type ray4d --point 1,2,3", ["Ray4D needs --direction"]),
        ("--type ray4d --direction x", ["Ray4D needs --point or --position"]),
        ("--type ray4d --point 1,2 --direction x", ["--point has 2 values", "Ray4D takes 3", "x,y,z"]),
        ("--type TranslationXY2D --point 1,2,3", ["--point has 3 values", "TranslationXY2D takes 2", "x,y"]),
        ("--type ray4d --point 1,2,a --direction x", ["--point", "'a' is not a number"]),
        ("--type ray4d --point 1,2,nan --direction x", ["--point", "not finite"]),
        ("--type ray4d --point 1,2,3 --direction 0,0,0", ["--direction is zero"]),
        ("--type ray4d --point 1,2,3 --direction w", ["--direction", "'w' is not a number"]),
        ("--type ray4d --point 1,2,3 --direction 1,2", ["--direction has 2 values"]),
        ("--type ray4d --point 1,2,3 --direction x --tool-direction 0,0,0", ["--tool-direction is zero"]),
        ("--type ray4d --point 1,2,3 --position 1 2 3 --direction x", ["--point or --position, not both"]),
        ("--type lookat3d --point 1,2,3 --angle 1", ["--angle means nothing for Lookat3D", "takes --point"]),
        ("--type translation3d --point 1,2,3 --tool-direction x", ["--tool-direction means nothing"]),
        ("--type translationzaxisangle4d --point 1,2,3 --angle 4", ["angle is 4 rad", "[0, pi]"]),
        ("--type translationzaxisangle4d --point 1,2,3 --angle nan", ["--angle", "finite"]),
        ("--type rotation3d", ["Rotation3D needs --rpy or --quaternion"]),
        ("--type rotation3d --rpy 0 0 0 --quaternion 0 0 0 1", ["--rpy or --quaternion, not both"]),
        ("--type transform6d --rpy 0 0 0", ["Transform6D needs --position or --point"]),
        ("--type transform6d --position 0 0 1", ["Transform6D needs --rpy or --quaternion"]),
        ("--point 1,2,3", ["--point needs --type"]),
        ("--position 1 2 3 --angle 1", ["--angle needs --type"]),
        ("--rpy 0 0 0", ["--position", "--type"]),
    ],
)
def test_wrong_use_says_what_is_wrong(run, words, parts):
    done = run(f"solve panda {words}")
    assert done.status == 2
    for part in parts:
        assert part in done.err
    assert "Traceback" not in done.err
