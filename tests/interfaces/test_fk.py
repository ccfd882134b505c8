import math

import numpy as np
import pytest

from kinetree import models


def test_pose_of_the_natural_tip_which_is_named(run, two_link):
    done = run("fk", two_link, "0", "0")
    assert done.status == 0
    assert "tool0" in done.out
    assert "natural tip" in done.out
    assert "position    1.5 0 0 m" in done.out


def test_json_has_the_documented_keys(run, two_link):
    data = run("fk", two_link, "0.5", "0.25", "--json").json
    assert set(data) == {
        "robot",
        "frame",
        "frame_source",
        "base",
        "angle_unit",
        "joints",
        "q",
        "position",
        "quaternion",
        "rpy",
        "matrix",
    }
    expected = [math.cos(0.5) + 0.5 * math.cos(0.75), math.sin(0.5) + 0.5 * math.sin(0.75), 0.0]
    assert np.allclose(data["position"], expected, atol=1e-12)
    assert np.allclose(data["quaternion"], [0, 0, math.sin(0.375), math.cos(0.375)], atol=1e-12)
    assert np.allclose(data["rpy"], [0, 0, 0.75], atol=1e-12)
    assert data["joints"] == ["shoulder", "elbow"]
    assert data["base"] == "world"


@pytest.mark.parametrize("words", [["-0.5", "-1e-1"], ["--", "-0.5", "-1e-1"], ["shoulder=-0.5", "elbow=-0.1"]])
def test_negative_values(run, two_link, words):
    assert run("fk", two_link, "--json", *words).json["q"] == [-0.5, -0.1]


def test_options_may_stand_among_negative_values(run, two_link):
    assert run("fk", two_link, "-0.5", "--frame", "upper", "-0.1", "--json").json["frame"] == "upper"


def test_degrees_go_in_and_out(run, two_link):
    data = run("fk", two_link, "90", "-45", "--degrees", "--json").json
    assert np.allclose(data["q"], [90, -45])
    assert np.allclose(data["rpy"], [0, 0, 45])
    assert data["angle_unit"] == "deg"
    half = math.sqrt(0.5) / 2
    assert np.allclose(data["position"], [half, 1 + half, 0])


def test_degrees_leave_distances_alone(run):
    robot = models.load("scara")
    values = [0.05 if not dof.is_angular else 30.0 for dof in robot.dofs]
    data = run("fk", "scara", *map(str, values), "--degrees", "--json").json
    robot.positions = [0.05 if not dof.is_angular else math.radians(30) for dof in robot.dofs]
    assert np.allclose(data["matrix"], robot.tip.transform().homogeneous, atol=1e-12)


def test_pose_relative_to_another_frame(run, two_link):
    data = run("fk", two_link, "0.5", "0.25", "--base", "upper", "--json").json
    assert np.allclose(data["position"], [1 + 0.5 * math.cos(0.25), 0.5 * math.sin(0.25), 0])


def test_left_out_values_are_rest_positions(run, two_link):
    assert run("fk", two_link, "elbow=0.5", "--json").json["q"] == [0.0, 0.5]
    assert run("fk", two_link, "--json").json["q"] == [0.0, 0.0]


def test_values_of_the_chain_suffice(run):
    arm = run("fk panda 0 -0.7 0 -2.3 0 1.6 0.8 --json").json
    assert arm["q"][:7] == [0, -0.7, 0, -2.3, 0, 1.6, 0.8]
    assert len(arm["q"]) == models.load("panda").num_dofs


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["0"], ["1 values", "takes 2", "shoulder, elbow"]),
        (["0", "0", "0"], ["3 values", "takes 2"]),
        (["0", "nan"], ["nan", "not finite"]),
        (["0", "-inf"], ["-inf", "not finite"]),
        (["0", "x"], ["'x' is not a number"]),
        (["0", "elbow=1"], ["not both"]),
        (["elbo=1"], ["'elbo'", "did you mean 'elbow'"]),
        (["elbow=much"], ["'much' is not a number"]),
        (["0", "0", "--degree"], ["'--degree'", "did you mean '--degrees'"]),
        (["0", "0", "--frame", "tool"], ["'tool'", "did you mean 'tool0'"]),
        (["0", "0", "--base", "floor"], ["'floor'"]),
    ],
)
def test_wrong_use_says_what_is_wrong(run, two_link, words, parts):
    done = run("fk", two_link, *words)
    assert done.status == 2
    for part in parts:
        assert part in done.err
    assert not done.out


def test_wrong_use_in_json(run, two_link):
    done = run("fk", two_link, "0", "--json")
    assert done.status == 2
    assert "1 values" in done.json["error"]
