import math

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import as_pose, rotation_angle

PANDA = "solve panda --position 0.4 0.1 0.5 --rpy 180 0 0 --degrees"
KEYS = {
    "robot",
    "frame",
    "frame_source",
    "base",
    "target",
    "success",
    "reason",
    "detail",
    "position_error",
    "orientation_error",
    "iterations",
    "attempts",
    "elapsed",
    "angle_unit",
    "joints",
    "q",
    "reached",
}


def reached(robot_name, frame, q):
    robot = models.load(robot_name)
    return robot.state(q).transform(robot.frame(frame))


def test_a_pose_of_panda(run):
    done = run(PANDA)
    assert done.status == 0
    assert "solved" in done.out
    assert "natural tip" in done.out
    assert "panda_joint1" in done.out


def test_json_is_checked_by_forward_kinematics(run):
    done = run("solve panda --position 0.4 0.1 0.5 --quaternion 1 0 0 0 --json")
    assert done.status == 0
    data = done.json
    assert set(data) == KEYS
    assert data["success"] is True
    assert data["reason"] == "converged"
    at = reached("panda", data["frame"], data["q"])
    assert np.allclose(at.translation, [0.4, 0.1, 0.5], atol=1e-6)
    assert rotation_angle(at.rotation.T @ as_pose([0, 0, 0, 1, 0, 0, 0]).rotation) < 1e-6
    assert np.allclose(at.homogeneous, data["reached"]["matrix"], atol=1e-9)
    robot = models.load("panda")
    assert np.all(robot.lower_limits <= data["q"])
    assert np.all(data["q"] <= robot.upper_limits)


def test_same_answer_every_time(run):
    first, second = run(PANDA + " --json").json, run(PANDA + " --json").json
    assert first["q"] == second["q"]


def test_rpy_in_degrees_is_the_same_as_in_radians(run):
    radians = run(f"solve panda --position 0.4 0.1 0.5 --rpy {math.pi} 0 0 --json").json
    degrees = run(PANDA + " --json").json
    robot = models.load("panda")
    for dof, mine, theirs in zip(robot.dofs, radians["q"], degrees["q"], strict=True):
        assert theirs == pytest.approx(math.degrees(mine) if dof.is_angular else mine, abs=1e-4)


def test_position_alone_leaves_the_rotation_open(run, two_link):
    done = run("solve", two_link, "--position", "0.5", "-0.8", "0", "--json")
    assert done.status == 0
    assert done.json["orientation_error"] is None
    assert done.json["target"]["quaternion"] is None
    assert np.allclose(done.json["reached"]["position"], [0.5, -0.8, 0], atol=1e-6)


def test_negative_positions(run):
    data = run("solve panda --position -0.4 -0.1 0.5 --json").json
    assert np.allclose(data["reached"]["position"], [-0.4, -0.1, 0.5], atol=1e-6)


def test_frame_and_base(run, two_link):
    done = run("solve", two_link, "--position", "0.0", "0.5", "0", "--frame", "tool0", "--base", "fore", "--json")
    assert done.status == 2  # nothing moves tool0 relative to the link that it is fixed to
    done = run("solve", two_link, "--position", "1.0", "0.5", "0", "--base", "upper", "--json")
    assert done.status == 0
    assert done.json["base"] == "upper"
    assert done.json["q"][0] == 0.0
    assert done.json["q"][1] == pytest.approx(math.pi / 2, abs=1e-5)


def test_seed_chooses_the_branch(run, two_link):
    ends = []
    for seed in ("-1 1.5", "elbow=-1.5,shoulder=1"):
        data = run("solve", two_link, "--position", "1.1", "0", "0", "--seed-config", seed, "--json").json
        ends.append(data["q"][1])
    assert ends[0] > 0 > ends[1]


@pytest.mark.parametrize("method", ["levenberg-marquardt", "dls", "pseudo-inverse", "transpose"])
def test_methods(run, method):
    done = run("solve", "planar3", "--position", "0.3", "0.4", "0", "--method", method)
    assert done.status in (0, 1)
    assert ("solved" in done.out) == (done.status == 0) or "not solved" in done.out


def test_unreachable_target_says_why_and_how_far(run, two_link):
    done = run("solve", two_link, "--position", "2.5", "0", "0", "--attempts", "5")
    assert done.status == 1
    assert "not solved" in done.out
    data = run("solve", two_link, "--position", "2.5", "0", "0", "--attempts", "5", "--json").json
    assert data["success"] is False
    assert data["position_error"] == pytest.approx(1.0, abs=1e-2)
    assert data["detail"]


def test_all_solutions(run, two_link):
    done = run("solve", two_link, "--position", "1.1", "0", "0", "--all", "--json")
    assert done.status == 0
    solutions = np.array(done.json["solutions"])
    assert len(solutions) == 2
    for q in solutions:
        x = math.cos(q[0]) + 0.5 * math.cos(q[0] + q[1])
        y = math.sin(q[0]) + 0.5 * math.sin(q[0] + q[1])
        assert np.allclose([x, y], [1.1, 0], atol=2e-6)
    assert "2 solutions" in run("solve", two_link, "--position", "1.1", "0", "0", "--all").out


def test_all_solutions_of_a_six_axis_arm(run):
    robot = models.load("ur5")
    target = robot.state([0.3, -1.2, 1.5, -0.8, 1.2, 0.1]).transform(robot.tip)
    position = [str(each) for each in target.translation]
    quaternion = [str(each) for each in as_quaternion(target)]
    done = run("solve", "ur5", "--position", *position, "--quaternion", *quaternion, "--all", "--json")
    assert done.status == 0
    assert len(done.json["solutions"]) >= 4
    for q in done.json["solutions"]:
        at = robot.state(q).transform(robot.tip)
        assert np.allclose(at.homogeneous, target.homogeneous, atol=1e-5)


def as_quaternion(pose):
    import pinocchio as pin

    return pin.Quaternion(pose.rotation).coeffs()


def test_all_of_an_unreachable_target(run, two_link):
    done = run("solve", two_link, "--position", "2.5", "0", "0", "--all", "--attempts", "5", "--json")
    assert done.status == 1
    assert done.json["solutions"] == []
    assert done.json["success"] is False


def test_tolerance(run, two_link):
    data = run("solve", two_link, "--position", "1.1", "0", "0", "--tolerance", "0.01", "--json").json
    assert data["position_error"] <= 0.01


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("solve nao --position 0 0 1", ["nao"]),
        ("solve pandaa --position 0 0 1", ["pandaa", "panda"]),
        ("solve missing.urdf --position 0 0 1", ["missing.urdf"]),
        ("solve panda --position 0 0 1 --frame panda_hnd", ["panda_hnd", "did you mean", "panda_hand"]),
        ("solve panda --position 0 0 1 --base panda_lnk0", ["panda_lnk0", "panda_link0"]),
        ("solve panda --position 0 0 1 --method dsl", ["dsl", "did you mean 'dls'"]),
        ("solve panda --position 0 0 nan", ["--position", "finite"]),
        ("solve panda --position 0 inf 1", ["--position", "finite"]),
        ("solve panda --position 0 0 1 --rpy nan 0 0", ["--rpy", "finite"]),
        ("solve panda --position 0 0 1 --quaternion 0 0 0 0", ["quaternion", "zero"]),
        ("solve panda --position 0 0 1 --quaternion 0 0 0 1 --rpy 0 0 0", ["not both"]),
        ("solve panda --position 0 0", ["--position", "3"]),
        ("solve panda --rpy 0 0 0", ["--position"]),
        ("solve panda --position 0 0 1 --attempts 0", ["--attempts", "at least 1"]),
        ("solve panda --position 0 0 1 --tolerance 0", ["--tolerance"]),
        ("solve panda --position 0 0 1 --tolerance nan", ["--tolerance"]),
        ("solve panda --position 0 0 1 --tolerance -1", ["--tolerance"]),
        ("solve panda --position 0 0 1 --seed-config 1,2", ["--seed-config", "2 values"]),
        ("solve panda --position 0 0 1 --seed-config 1,2,x,4,5,6,7", ["--seed-config", "'x'"]),
        ("solve panda --position 0 0 1 --frame panda_link0", ["panda_link0", "no joint moves"]),
        ("solve panda --positon 0 0 1", ["--positon", "--position"]),
    ],
)
def test_wrong_use_says_what_is_wrong(run, words, parts):
    done = run(words)
    assert done.status == 2
    for part in parts:
        assert part in done.err
    assert "Traceback" not in done.err


def test_broken_files_are_wrong_use(run, tmp_path):
    for name, content in (
        ("empty.urdf", b""),
        ("broken.urdf", b"<robot"),
        ("binary.urdf", bytes(range(256))),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        done = run("solve", str(path), "--position", "0", "0", "1")
        assert done.status == 2
        assert name in done.err
    done = run("solve", str(tmp_path), "--position", "0", "0", "1")
    assert done.status == 2
