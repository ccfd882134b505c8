"""Xacro files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kinetree.models import ModelFileError, UnsupportedFeatureError, load

ARM = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="length" default="1.0"/>
<xacro:macro name="bar" params="name"><link name="${name}"/></xacro:macro>
<xacro:bar name="base"/><xacro:bar name="tool0"/>
<joint name="j" type="prismatic"><parent link="base"/><child link="tool0"/><origin xyz="$(arg length) 0 0"/>
<limit lower="0" upper="${2 * 0.5}"/></joint></robot>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    pytest.importorskip("xacro", reason="needs the package xacro (kinetree[xacro])")
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(ARM)
    return path


def test_macros_expressions_and_arguments(file: Path) -> None:
    robot = load(file, xacro_arguments={"length": 2.5})
    assert robot.dof("j").limits == (0.0, 1.0)
    assert robot.link("tool0").transform().translation[0] == 2.5
    assert load(file).link("tool0").transform().translation[0] == 1.0


def test_a_broken_file_gives_xacros_reason(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="needs the package xacro (kinetree[xacro])")
    path = tmp_path / "broken.xacro"
    path.write_text(ARM.replace("2 * 0.5", "nothing"))
    with pytest.raises(ModelFileError, match=r"broken\.xacro cannot be expanded by xacro: .*nothing"):
        load(path)


def test_without_the_package_the_error_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(UnsupportedFeatureError, match=r"pip install 'kinetree\[xacro\]'"):
        load(file)
