"""``kinetree collisions``, and ``kinetree solve`` where something is in the way."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import CollisionDetector
from kinetree.models import load_scene

CELL = """
margin = 0.01
exclude = [["panda_link1", "table"]]
[[obstacle]]
name = "table"
kind = "box"
size = [1.2, 0.8, 0.05]
position = [0.8, 0, 0.0]
[[obstacle]]
name = "post"
kind = "cylinder"
radius = 0.03
length = 1.5
position = [0.45, -0.25, 0.8]
[[attached]]
name = "tool"
frame = "panda_hand"
kind = "capsule"
radius = 0.02
length = 0.1
position = [0, 0, 0.15]
touches = ["panda_leftfinger", "panda_rightfinger"]
"""
POSE = ("solve", "panda", "--position", "0.55", "-0.2", "0.5", "--rpy", "180", "0", "0", "--degrees")
#: A tool below the table top.
IN_THE_TABLE = ("solve", "panda", "--position", "0.5", "0", "0.1", "--rpy", "180", "0", "0", "--degrees")


@pytest.fixture
def cell(tmp_path):
    (tmp_path / "cell.toml").write_text(CELL)
    return str(tmp_path / "cell.toml")


def free(robot, scene_file, q):
    """By a detector of its own."""
    skeleton = models.load(robot)
    detector = CollisionDetector(skeleton) if scene_file is None else load_scene(scene_file).detector(skeleton)
    return not detector.in_collision(q)


def test_pairs_and_reasons(run, cell):
    done = run("collisions", "panda", "--scene", cell, "--json")
    assert done.status == 0
    data = done.json
    detector = load_scene(cell).detector(models.load("panda"))
    assert [tuple(pair) for pair in data["checked"]] == list(detector.pairs)
    assert {(each["first"], each["second"]): each["reason"] for each in data["excluded"]} == {
        (each.first, each.second): each.reason for each in detector.excluded
    }
    assert (data["obstacles"], data["attached"], data["margin"]) == (["table", "post"], ["tool"], 0.01)
    assert "contacts" not in data


def test_pairs_as_text(run, cell):
    done = run("collisions", "panda", "--scene", cell)
    assert done.status == 0
    assert f"panda in {cell}; obstacles: table, post; carries: tool" in done.out
    assert "margins: 0.01 m to obstacles, 0 m to itself" in done.out
    rows = {tuple(line.strip().split(maxsplit=2)) for line in done.out.splitlines()}
    assert ("panda_link0", "panda_link1", "no: adjacent") in rows
    assert ("panda_link1", "table", "no: excluded by hand") in rows
    assert ("panda_hand", "table", "yes") in rows
    alone = run("collisions panda").out
    assert "panda alone; obstacles: none; carries: nothing" in alone


def test_what_touches_at_a_configuration(run, cell):
    q = "0 0.9 0 -1.5 0 2.4 0.8"
    done = run("collisions", "panda", "--scene", cell, "--at", q, "--json")
    assert done.status == 1
    detector = load_scene(cell).detector(models.load("panda"))
    contacts = {tuple(each["pair"]): each["depth"] for each in done.json["contacts"]}
    expected = detector.contacts(done.json["q"])
    assert contacts == {each.pair: each.depth for each in expected}
    assert ("tool", "table") in contacts
    assert done.json["in_collision"] is True
    assert done.json["distance"] == detector.distance(done.json["q"]).value
    text = run("collisions", "panda", "--scene", cell, "--at", q)
    assert text.status == 1
    assert "'tool' and 'table' overlap by" in text.out
    away = detector.distance(done.json["q"], obstacles_only=True)
    assert (done.json["obstacle_distance"], tuple(done.json["nearest_obstacle"])) == (away.value, away.pair)
    assert f"; nearest obstacle: {away}" in text.out
    degrees = run("collisions", "panda", "--scene", cell, "--at", "panda_joint2=68.7549", "--degrees", "--json").json
    assert degrees["q"][1] == pytest.approx(68.7549)


def test_nothing_touches(run):
    q = "0 -0.5 0 -2.3 0 1.6 0.8"
    done = run("collisions", "panda", "--at", q)
    assert done.status == 0
    assert "nothing collides" in done.out
    assert "nearest: 'panda_" in done.out
    assert "nearest obstacle" not in done.out
    data = run("collisions", "panda", "--at", q, "--json").json
    assert data["in_collision"] is False
    assert data["contacts"] == []
    assert data["distance"] > 0.0
    assert len(data["nearest"]) == 2
    assert (
        run("collisions", "panda", "--at", "rest", "--json").json["q"] == models.load("panda").rest_positions.tolist()
    )


def in_radians(data):
    return [np.deg2rad(x) if "finger" not in name else x for name, x in zip(data["joints"], data["q"], strict=True)]


def test_without_a_scene_nothing_of_it_is_avoided(run, cell):
    done = run(*POSE, "--json")
    assert done.status == 0
    assert not free("panda", cell, in_radians(done.json))
    assert "distance" not in done.json
    assert run(*IN_THE_TABLE).status == 0


def test_solve_avoids_what_is_in_the_scene(run, cell):
    done = run(*POSE, "--scene", cell, "--json")
    assert done.status == 0
    data = done.json
    assert data["scene"] == cell
    assert free("panda", cell, in_radians(data))
    assert data["distance"] > 0.0
    assert len(data["nearest"]) == 2
    text = run(*POSE, "--scene", cell)
    assert "no collision; nearest: '" in text.out


def test_avoid_collisions_without_a_scene_is_about_the_robot_itself(run):
    robot = models.load("panda")
    q = [-0.06, 1.11, 0.37, -0.66, 1.1, 0.26, 2.79, 0.02]  # the hand in link 5
    at = robot.state(q).transform(robot.tip)
    words = ["solve", "panda", "--position", *map(str, at.translation)]
    words += ["--seed-config", " ".join(map(str, q)), "--json"]
    plain, avoiding = run(*words), run(*words, "--avoid-collisions")
    assert plain.status == avoiding.status == 0
    assert not free("panda", None, plain.json["q"])
    assert free("panda", None, avoiding.json["q"])
    assert avoiding.json["scene"] is None


def test_a_pose_that_always_collides_names_the_pair(run, cell):
    done = run(*IN_THE_TABLE, "--scene", cell)
    assert done.status == 1
    assert "not solved (collision)" in done.out
    assert "'table'" in done.out
    data = run(*IN_THE_TABLE, "--scene", cell, "--json").json
    assert data["success"] is False
    assert data["reason"] == "collision"
    assert "'table'" in data["detail"]
    assert data["distance"] < 0.01


UR5 = ("solve", "ur5", "--position", "0.4", "0.25", "0.3", "--rpy", "180", "0", "0", "--degrees", "--all")


@pytest.fixture
def floor(tmp_path):
    (tmp_path / "floor.toml").write_text('[[obstacle]]\nname = "floor"\nkind = "plane"\nposition = [0, 0, -0.05]\n')
    return str(tmp_path / "floor.toml")


def test_all_branches_with_those_that_collide_marked(run, floor):
    data = run(*UR5, "--scene", floor, "--json").json
    detector = load_scene(floor).detector(models.load("ur5"))
    collisions = [detector.check(np.deg2rad(branch["q"])).pair for branch in data["branches"]]
    assert [None if each["collision"] is None else tuple(each["collision"]) for each in data["branches"]] == collisions
    assert 0 < sum(each is None for each in collisions) < len(collisions)
    good = [
        branch["q"]
        for branch in data["branches"]
        if not (branch["collision"] or branch["out_of_reach"] or branch["limit_violated"])
    ]
    assert data["solutions"] == good
    assert any(np.allclose(data["q"], q, atol=1e-3) for q in good)
    text = run(*UR5, "--scene", floor)
    assert text.status == 0
    assert f"8 branches, 8 of them valid, {len(good)} of these without a collision" in text.out
    first, second = next(pair for pair in collisions if pair)
    assert f": {first!r} touches {second!r}" in text.out
    assert "collision" not in run(*UR5, "--json").json["branches"][0]


def test_all_solutions_of_random_restarts_are_free(run, floor):
    done = run(*UR5, "--scene", floor, "--method", "levenberg-marquardt", "--json")
    closed = run(*UR5, "--scene", floor, "--json").json["solutions"]
    assert done.status == 0
    assert done.json["solutions"]
    assert all(free("ur5", floor, np.deg2rad(q)) for q in done.json["solutions"])
    assert len(done.json["solutions"]) <= len(closed) * 2**6  # whole turns count as solutions of their own


@pytest.mark.parametrize("command", [("collisions",), ("solve", "--position", "1", "0", "0")])
def test_wrong_use(run, two_link, tmp_path, command):
    name, *rest = command
    shapeless = run(name, two_link, *rest, *(["--avoid-collisions"] if rest else []))
    assert shapeless.status == 2
    assert "no link of 'two_link' has a shape" in shapeless.err
    (tmp_path / "bad.toml").write_text("[[obstacle]]\nname = 'a'\nkind = 'cone'\n")
    bad = run(name, "panda", *rest, "--scene", str(tmp_path / "bad.toml"), "--json")
    assert bad.status == 2
    assert "obstacle 'a', key 'kind': is 'cone'" in bad.err
    assert "error" in bad.json
    assert run(name, "panda", *rest, "--scene", "none.toml").status == 2
    (tmp_path / "odd.toml").write_text("exclude = [['panda_link0', 'chair']]")
    odd = run(name, "panda", *rest, "--scene", str(tmp_path / "odd.toml"))
    assert odd.status == 2
    assert "'chair'" in odd.err
