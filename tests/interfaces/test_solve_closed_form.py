"""``kinetree solve --all`` and ``--method closed-form``."""

import pytest

POSE = ("--position", "0.5", "0.1", "0.6", "--rpy", "0", "90", "0", "--degrees")


def test_every_branch_is_listed_with_what_is_wrong_with_it(run):
    done = run("solve", "kr6_r900", *POSE, "--all")
    assert done.status == 0
    assert "8 branches, 6 of them valid" in done.out
    assert "6R with a spherical wrist" in done.out
    assert "beyond the limits of joint_a2" in done.out


def test_branches_as_data(run):
    data = run("solve", "kr6_r900", *POSE, "--all", "--json").json
    assert "spherical wrist" in data["closed_form"]
    assert len(data["branches"]) == 8
    assert len(data["solutions"]) == 6
    assert [branch["limit_violated"] for branch in data["branches"]] == [False] * 6 + [True] * 2
    assert all(branch["position_error"] < 1e-10 for branch in data["branches"])
    assert data["q"] == pytest.approx(data["branches"][0]["q"], abs=1e-9)


def test_singular_families_tell_their_free_direction(run):
    from kinetree import models

    robot = models.load("kr6_r900")
    target = robot.state([0.3, -1.0, 1.2, 0.0, 0.0, 0.0]).transform(robot.tip)
    words = [f"{value:.17g}" for value in (*target.translation, *_quaternion(target))]
    arguments = ("kr6_r900", "--position", *words[:3], "--quaternion", *words[3:], "--all")
    data = run("solve", *arguments, "--json").json
    singular = [branch for branch in data["branches"] if branch["singular"]]
    assert singular
    assert len(singular[0]["free_directions"][0]) == 6
    assert "free to move along" in run("solve", *arguments).out


def _quaternion(pose):
    import pinocchio as pin

    return pin.Quaternion(pose.rotation).coeffs()


def test_out_of_reach_is_marked(run):
    done = run("solve", "kr6_r900", "--position", "3", "0", "0.5", "--rpy", "0", "0", "0", "--all")
    assert done.status == 1
    assert "out of reach" in done.out


def test_the_closed_form_by_name(run):
    data = run("solve", "kr6_r900", *POSE, "--method", "closed-form", "--json").json
    assert data["success"]
    assert data["iterations"] == 0


def test_random_restarts_when_they_are_asked_for(run):
    data = run("solve", "kr6_r900", *POSE, "--all", "--method", "levenberg-marquardt", "--json").json
    assert "branches" not in data
    assert len(data["solutions"]) >= 1


def test_an_arm_without_one_says_why(run, two_link):
    done = run("solve", two_link, "--position", "1", "0.5", "0", "--method", "closed-form")
    assert done.status == 2
    assert "closed form" in done.err


@pytest.mark.parametrize(("robot", "free"), [("panda", "'panda_joint7'"), ("iiwa14", "the swivel angle")])
def test_branches_with_a_joint_too_many_are_said_to_be_curves(run, robot, free):
    target = ("--position", "0.5", "0", "0.4", "--rpy", "180", "0", "0", "--degrees")
    out = run("solve", robot, *target, "--all").out
    assert f"each branch goes on along {free}: these are the solutions on them that are nearest to the start" in out
    assert "--method levenberg-marquardt samples others" in out
    assert "each branch goes on" not in run("solve", "kr6_r900", *POSE, "--all").out
