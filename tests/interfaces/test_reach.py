"""``kinetree reach``."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import ReachabilityMap

BUILD = ("reach", "build", "panda", "FILE", "--samples", "20000", "--step", "0.1")


@pytest.fixture
def file(tmp_path, run):
    path = str(tmp_path / "panda.h5")
    done = run(*[path if word == "FILE" else word for word in BUILD])
    assert done.status == 0, done.err
    assert "20000 samples of seed 0" in done.out
    return path


def test_a_built_map_is_the_one_of_the_library(file):
    again = ReachabilityMap.load(file)
    chain = models.load("panda").tip.chain()
    made = ReachabilityMap.create(
        chain, step_translation=0.1, step_rotation=np.deg2rad(36), samples=20000, progress=False
    )
    np.testing.assert_array_equal(again.values, made.values)


def test_info(file, run):
    text = run("reach", "info", file)
    assert "panda_hand in panda_link0" in text.out
    assert "pitch" in text.out
    data = run("reach", "info", file, "--json").json
    assert data["samples"] == 20000
    assert data["coordinates"] == ["x", "y", "z", "roll", "pitch", "yaw"]
    assert data["symmetric"] is False
    assert 0 < data["covered"] < 1


def test_query(file, run):
    made = ReachabilityMap.load(file)
    pose = made.grid.poses(np.flatnonzero(made.values.ravel() == made.values.max())[:1])[0]
    from kinetree.kinematics import rpy_from_rotation

    words = ["--position", *map(str, pose[:3, 3]), "--rpy", *map(str, rpy_from_rotation(pose[:3, :3]))]
    done = run("reach", "query", file, *words, "--robot", "panda")
    assert done.status == 0
    assert "covered, by" in done.out
    data = run("reach", "query", file, *words, "--json").json
    assert data == {"covered": True, "value": int(made.values.max()), "least": 1, "frame": "panda_link0"}
    far = run("reach", "query", file, "--position", "0", "0", "3", "--quaternion", "0", "0", "0", "1")
    assert (far.status, far.out) == (1, "not covered\n")


def test_a_cell_of_a_reduced_map_needs_more_than_one_of_many_samples(tmp_path, run):
    path = str(tmp_path / "map.h5")
    done = run("reach", "build", "panda", path, "--samples", "1000000", "--step", "0.1", "--symmetric")
    assert "covered, by 5 samples or more" in done.out
    made = ReachabilityMap.load(path)
    pose = made.grid.poses(np.flatnonzero(made.values.ravel() == 4)[:1])[0]
    x, y, z, w = pin.SE3ToXYZQUAT(pin.SE3(pose))[3:]
    words = ["--position", *map(str, pose[:3, 3]), "--quaternion", *map(str, (x, y, z, w))]
    done = run("reach", "query", path, *words)
    assert (done.status, done.out) == (1, "not covered: 4 samples, where cells with 5 or more are covered\n")
    data = run("reach", "query", path, *words, "--json").json
    assert data == {"covered": False, "value": 4, "least": 5, "frame": "panda_link0"}


def test_manipulability_and_reduced_maps(tmp_path, run):
    path = str(tmp_path / "map.h5")
    words = ["--samples", "20000", "--step", "0.1", "--symmetric", "--quality", "manipulability", "--bits", "16"]
    done = run("reach", "build", "panda", path, *words)
    assert "canonical x" in done.out
    assert "14.9% of the turns" in done.out
    done = run("reach", "query", path, "--position", "0.4", "0", "0.4", "--rpy", "180", "0", "0", "--degrees")
    assert "manipulability up to 0." in done.out


def test_samples_in_collision(tmp_path, run):
    words = ["--samples", "500", "--step", "0.3", "--avoid-collisions"]
    done = run("reach", "build", "panda", str(tmp_path / "map.h5"), *words)
    assert "of them in collision" in done.out


@pytest.mark.parametrize("words", [[], ["--3d"], ["--plane", "xy", "--at", "0.4"]])
def test_plot(file, run, tmp_path, words):
    picture = tmp_path / "map.png"
    done = run("reach", "plot", file, "-o", str(picture), "--resolution", "10", *words)
    assert done.status == 0, done.err
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["build", "pandaa", "x.h5"], "did you mean 'panda'"),
        (["build", "gantry_wrist", "x.h5", "--symmetric"], "use the plain map"),
        (["build", "panda", "x.h5", "--step", "0"], "step_translation"),
        (["build", "panda", "x.h5", "--step", "0.0001"], "would make it fit"),
        (["info", "none.h5"], "no file"),
        (["query", "none.h5", "--position", "0", "0", "0"], "--rpy or --quaternion"),
        (["query", "none.h5", "--position", "0", "0", "0", "--rpy", "0", "0", "0", "--frame", "a"], "--robot"),
    ],
)
def test_wrong_use(run, tmp_path, monkeypatch, words, what):
    monkeypatch.chdir(tmp_path)
    done = run("reach", *words)
    assert done.status == 2
    assert what in done.err
    assert not list(tmp_path.iterdir())


def test_another_robot_and_another_picture(file, run, tmp_path):
    words = ["--position", "0", "0", "0", "--rpy", "0", "0", "0"]
    assert "not of 'ur5e'" in run("reach", "query", file, *words, "--robot", "ur5e").err
    assert ".png, .svg or .pdf" in run("reach", "plot", file, "-o", str(tmp_path / "map.txt"), "--resolution", "3").err
