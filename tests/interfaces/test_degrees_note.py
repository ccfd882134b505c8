"""Angles that look like degrees, where radians are read."""

import numpy as np
import pytest

NOTE = "did you mean --degrees?"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("solve ur5 --position 0.4 0.1 0.5 --rpy 180 0 0", "--rpy is in radians, and 180 rad are 28.6 turns"),
        ("solve ur5 --type Rotation3D --rpy 0 -90 0", "--rpy is in radians, and 90 rad"),
        ("solve planar3 --type TranslationXYOrientation3D --point 0.4,0.1 --angle -45", "--angle is in radians"),
        ("solve ur5 --position 0.4 0.1 0.5 --seed-config elbow_joint=90", "--seed-config, elbow_joint is in radians"),
        ("fk ur5 0 -90 0 0 45 0", "q, shoulder_lift_joint is in radians, and 90 rad"),
        ("fk planar3 joint1=90 joint2=6", "q, joint1 is in radians"),
        ("collisions panda --at panda_joint1=90", "--at, panda_joint1 is in radians"),
    ],
)
@pytest.mark.parametrize("ending", ["", " --degrees", " --json"])
def test_more_than_a_turn(run, words, what, ending):
    done = run(words + ending)
    assert done.status in (0, 1)
    assert NOTE not in done.out
    if ending == " --degrees":
        assert done.err == ""
        return
    assert done.err.count(NOTE) == 1
    assert f"kinetree: note: {what}" in done.err
    if ending == " --json":
        assert done.json


@pytest.mark.parametrize(
    "words",
    [
        "solve ur5 --position 0.4 0.1 0.5 --rpy 3.14 -1.5 6.28",
        "fk planar3 0.5 6.2 -6.2",
        # A slide is no angle.
        "fk gantry_wrist 7 7 7 0 0 0",
    ],
)
def test_others_get_no_note(run, words):
    assert NOTE not in run(words).err


def test_a_joint_that_turns_that_far(run, tmp_path):
    file = tmp_path / "winch.urdf"
    file.write_text(
        '<robot name="winch"><link name="a"/><link name="b"/><joint name="drum" type="revolute"><parent link="a"/>'
        '<child link="b"/><axis xyz="0 0 1"/><limit lower="-100" upper="100" effort="1" velocity="1"/></joint></robot>'
    )
    assert run(f"fk {file} 90").err == ""
    assert "90 rad" not in run(f"fk {file} drum=90").err
    assert NOTE in run(f"fk {file} drum=120").err


def test_the_angle_is_taken_as_it_is(run):
    written = run("solve ur5 --position 0.4 0.1 0.5 --rpy 180 0 0 --json").json["target"]["rpy"]
    assert np.isclose(np.cos(written[0]), np.cos(180.0))
