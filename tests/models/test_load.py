"""`load`: names, files of any kind, tips, floating bases, and errors that help."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from kinetree.kinematics import FixedJoint, FreeJoint, InvalidPoseError, InvalidValueError, pose
from kinetree.models import (
    ModelFileError,
    ModelNotFoundError,
    RobotInfo,
    UnsupportedFeatureError,
    load,
    robots,
)

ARM = """<robot name="arm"><link name="base"/><link name="{tip}"/><link name="camera"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="{tip}"/><limit lower="-1" upper="1"/></joint>
  <joint name="c" type="fixed"><parent link="{tip}"/><child link="camera"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.format(tip="tool0"))
    return file


# Built-in robots.


def test_every_built_in_robot_loads_with_its_tip() -> None:
    names = {info.name for info in robots()}
    assert {
        "ur5", "panda", "iiwa14", "kr6_r900", "gen3", "scara", "planar3", "dual_arm", "humanoid",
    } <= names  # fmt: skip
    for info in robots():
        assert isinstance(info, RobotInfo)
        assert info.file.is_file()
        assert info.description
        assert info.source
        robot = load(info.name)
        assert robot.tip.name == info.tip
        assert info.name in robot.tip_source
        assert robot.num_dofs == info.dofs
        assert robot.warnings == []
        assert robot.source == info.source


def test_a_name_that_is_almost_right() -> None:
    with pytest.raises(ModelNotFoundError, match=r"'Pandas' is neither a file nor a .*did you mean 'panda'"):
        load("Pandas")
    with pytest.raises(ModelNotFoundError, match="the built-in robots are dual_arm, fr3, gantry_wrist, gen3"):
        load("zzzzzzzz")
    with pytest.raises(FileNotFoundError, match=r"nowhere/robot\.urdf"):
        load("nowhere/robot.urdf")


def test_loading_twice_gives_independent_robots() -> None:
    first, second = load("planar3"), load("planar3")
    first.positions = np.full(first.num_dofs, 0.3)
    first.dofs[0].limits = (-0.5, 0.5)
    np.testing.assert_array_equal(second.positions, np.zeros(second.num_dofs))
    assert second.dofs[0].limits != (-0.5, 0.5)


def test_a_robot_goes_before_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "panda").write_text(ARM.format(tip="tool0"))
    monkeypatch.chdir(tmp_path)
    assert load("panda").name == "panda"
    assert load("./panda").name == "arm"
    assert load(Path("panda")).name == "arm"


# Files.


def test_the_kind_is_found_from_the_content(tmp_path: Path) -> None:
    for name in ("description.txt", "arm.xml", "arm"):
        file = tmp_path / name
        file.write_text(ARM.format(tip="tool0"))
        assert load(file).num_dofs == 1
        assert load(str(file)).source == str(file)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\t ", "is empty"),
        (b"<?xml version='1.0'?>", "not well-formed"),
        (b"<robot name='r'><link name='a'>", "not well-formed XML.*line 1"),
        (b"hello", "not well-formed XML"),
        (b"\x7fELF\0\0\0\0", "binary file"),
        (b"PK\x03\x04\x14\0", "binary file"),
        (b"<model/>", "Gazebo model"),
        (b"<svg/>", "neither URDF .* nor MJCF .*<svg>"),
        (b"<sdf version='1.6'/>", "SDF file; convert it to URDF"),
        (b"<mujocoinclude/>", "load the file that includes it"),
    ],
)
def test_files_that_are_no_robots(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "x.urdf"
    file.write_bytes(content)
    with pytest.raises((ModelFileError, UnsupportedFeatureError), match=message) as caught:
        load(file)
    assert str(file) in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_arguments_that_are_no_robots(tmp_path: Path, arm: Path) -> None:
    with pytest.raises(ModelFileError, match="is a folder"):
        load(tmp_path)
    for wrong in (3, None, ""):
        with pytest.raises(InvalidValueError, match="name of a robot or the path of a file"):
            load(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="not the text of a robot"):
        load(ARM)
    with pytest.raises(ModelNotFoundError):
        load("x" * 5000)
    with pytest.raises(ModelNotFoundError):
        load("a\0b")
    with pytest.raises(InvalidValueError, match="is no xacro file"):
        load(arm, xacro_arguments={"a": 1})


def test_what_was_done_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "a.urdf"
    file.write_text(ARM.format(tip="x").replace('<limit lower="-1" upper="1"/>', '<limit velocity="0"/>'))
    with caplog.at_level(logging.INFO):
        robot = load(file)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.name.startswith("kinetree.models")
    assert len(robot.warnings) == 2
    assert all(note in record.getMessage() for note in robot.warnings)


# Tips.


@pytest.mark.parametrize(
    ("name", "tip"),
    [
        ("tool0", "tool0"), ("tcp", "tcp"), ("panda_hand", "panda_hand"), ("ur5e_tool0", "ur5e_tool0"),
        ("fr3_hand_tcp", "fr3_hand_tcp"), ("end_effector_link", "end_effector_link"), ("wrist", "camera"),
    ],
)  # fmt: skip
def test_the_natural_tip_is_found_by_usual_names(tmp_path: Path, name: str, tip: str) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.format(tip=name))
    robot = load(file)
    assert robot.tip.name == tip
    assert ("usual name" in robot.tip_source) == (tip == name)
    assert ("longest chain" in robot.tip_source) == (tip != name)


def test_a_usual_name_that_two_frames_end_in_decides_nothing(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.format(tip="left_tcp").replace("camera", "right_tcp"))
    assert "longest chain" in load(file).tip_source


def test_a_frame_that_no_joint_moves_is_no_tip(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.format(tip="x").replace("base", "tool0"))
    assert load(file).tip.name == "camera"


# Floating bases.


def test_a_floating_base(arm: Path) -> None:
    robot = load(arm, floating_base=True)
    assert robot.num_dofs == 7
    assert robot.root is not None
    assert isinstance(robot.root.joint, FreeJoint)
    robot.positions = [1, 2, 3, 0, 0, 0, 0.5]
    np.testing.assert_allclose(robot.link("base").transform().translation, [1, 2, 3])
    assert load("panda", floating_base=True).num_dofs == load("panda").num_dofs + 6


def test_a_world_link_stays_and_what_is_on_it_floats(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    fixed = '<joint name="w" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0 0 1"/></joint>'
    file.write_text(ARM.format(tip="t").replace("</robot>", f'<link name="world"/>{fixed}</robot>'))
    robot = load(file, floating_base=True)
    assert isinstance(robot.link("world").joint, FixedJoint)
    assert isinstance(robot.link("base").joint, FreeJoint)
    np.testing.assert_array_equal(robot.link("base").transform().translation, [0, 0, 1])


def test_a_base_that_floats_already_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    free = '<joint name="w" type="floating"><parent link="world"/><child link="base"/></joint>'
    file.write_text(ARM.format(tip="t").replace("</robot>", f'<link name="world"/>{free}</robot>'))
    robot = load(file, floating_base=True)
    assert robot.num_dofs == 7
    assert "moves already" in robot.warnings[0]


def test_a_robot_stands_where_it_is_placed():
    where = pose([1.0, 2.0, 0.5], rpy=[0.0, 0.0, 90.0], degrees=True)
    plain, placed = load("ur5"), load("ur5", placement=where)
    expected = where * plain.tip.transform()
    np.testing.assert_allclose(placed.tip.transform().homogeneous, expected.homogeneous, atol=1e-12)
    floating = load("ur5", floating_base=True, placement=where)
    np.testing.assert_allclose(floating.tip.transform().homogeneous, expected.homogeneous, atol=1e-12)
    with pytest.raises(InvalidPoseError, match="placement"):
        load("ur5", placement=[1.0, 2.0])
