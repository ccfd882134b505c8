"""`load`: names, files of any kind, and errors that help."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.models import ModelFileError, ModelNotFoundError, RobotInfo, load, robots

ARM = """<robot name="arm"><link name="base"/><link name="tool0"/><link name="camera"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="tool0"/><limit lower="-1" upper="1"/></joint>
  <joint name="c" type="fixed"><parent link="tool0"/><child link="camera"/></joint></robot>"""


def test_every_built_in_robot_loads_with_its_tip() -> None:
    names = [info.name for info in robots()]
    assert {"ur5", "panda", "iiwa14", "kr6_r900", "gen3", "scara", "planar3", "dual_arm", "humanoid"} <= set(names)
    for info in robots():
        assert isinstance(info, RobotInfo)
        robot = load(info.name)
        assert robot.tip.name == info.tip
        assert robot.num_dofs == info.dofs
        assert robot.warnings == []
        assert robot.source == info.source


def test_a_name_that_is_almost_right() -> None:
    with pytest.raises(ModelNotFoundError, match="did you mean 'panda'"):
        load("pandas")
    with pytest.raises(FileNotFoundError, match=r"nowhere/robot\.urdf"):
        load("nowhere/robot.urdf")


def test_folders_binaries_and_other_types_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="is a folder"):
        load(tmp_path)
    binary = tmp_path / "x.urdf"
    binary.write_bytes(b"\x7fELF\0\0\0\0")
    with pytest.raises(ModelFileError, match="binary"):
        load(binary)
    with pytest.raises(InvalidValueError, match="name or a path"):
        load(3)  # type: ignore[arg-type]


def test_the_kind_is_found_from_the_content(tmp_path: Path) -> None:
    file = tmp_path / "description.txt"
    file.write_text(ARM)
    assert load(file).num_dofs == 1
    assert load(str(file)).tip.name == "tool0"
    assert "usual name" in load(file).tip_source


def test_warnings_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "a.urdf"
    file.write_text(ARM.replace('<limit lower="-1" upper="1"/>', ""))
    load(file)
    assert "'j' has no limits" in caplog.text


def test_loading_twice_gives_independent_robots() -> None:
    first, second = load("planar3"), load("planar3")
    first.positions = np.full(first.num_dofs, 0.3)
    np.testing.assert_array_equal(second.positions, np.zeros(second.num_dofs))
