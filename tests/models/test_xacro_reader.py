"""Xacro files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kinetree.models import ModelFileError, UnsupportedFeatureError, load

pytest.importorskip("xacro", reason="needs the package xacro (kinetree[xacro])")

ARM = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="length" default="1.0"/>
<xacro:arg name="camera" default="false"/>
<xacro:macro name="bar" params="name"><link name="${name}"/></xacro:macro>
<xacro:bar name="base"/><xacro:bar name="tool0"/>
<xacro:if value="$(arg camera)"><xacro:bar name="camera"/>
  <joint name="c" type="fixed"><parent link="tool0"/><child link="camera"/></joint></xacro:if>
<joint name="j" type="prismatic"><parent link="base"/><child link="tool0"/><origin xyz="$(arg length) 0 0"/>
<limit lower="0" upper="${2 * 0.5}"/></joint></robot>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(ARM)
    return path


def test_macros_expressions_and_arguments(file: Path) -> None:
    robot = load(file, xacro_arguments={"length": 2.5, "camera": True})
    assert robot.dof("j").limits == (0.0, 1.0)
    assert robot.link("tool0").transform().translation[0] == 2.5
    assert robot.has_frame("camera")
    file.write_text('<robot name="$(arg on)" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/></robot>')
    assert load(file, xacro_arguments={"on": True}).name == "true", "as ROS writes it"
    file.write_text(ARM)
    plain = load(file)
    assert plain.link("tool0").transform().translation[0] == 1.0
    assert not plain.has_frame("camera")
    assert plain.source == str(file)


def test_xacro_is_recognised_under_another_name(file: Path) -> None:
    for name in ("arm.urdf", "arm.xml"):
        other = file.with_name(name)
        other.write_text(ARM)
        assert load(other).num_dofs == 1


def test_a_urdf_that_only_declares_the_prefix_is_a_urdf(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    other = file.with_name("arm.urdf")
    other.write_text("<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='a'/></robot>")
    assert load(other).num_dofs == 0


def test_packages_are_found_without_ros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    package = tmp_path / "src" / "parts"
    package.mkdir(parents=True)
    (package / "mesh.stl").write_text("solid")
    (package / "part.xacro").write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"><visual><geometry>'
        '<mesh filename="package://parts/mesh.stl"/></geometry></visual></link></robot>'
    )
    whole = tmp_path / "whole.xacro"
    whole.write_text(
        '<robot name="w" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:include filename="$(find parts)/part.xacro"/></robot>'
    )
    assert len(load(whole, package_dirs=package.parent).link("a").visuals) == 1
    with pytest.raises(ModelFileError, match="package 'parts' was not found; package_dirs says where"):
        load(whole)


def test_a_broken_file_gives_xacros_reason(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.xacro"
    path.write_text(ARM.replace("2 * 0.5", "nothing"))
    with pytest.raises(ModelFileError, match=r"broken\.xacro cannot be expanded by xacro: .*nothing"):
        load(path)
    path.write_text(ARM.replace("${2 * 0.5}", "x"))
    with pytest.raises(ModelFileError, match=r"broken\.xacro \(expanded\), line \d+: <limit> of joint 'j'"):
        load(path)
    path.write_text('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="m"/></robot>')
    with pytest.raises(ModelFileError, match="perhaps it only has macros"):
        load(path)
    assert capfd.readouterr() == ("", "")


def test_without_the_package_the_error_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xacro", None)
    with pytest.raises(UnsupportedFeatureError, match=r"pip install 'kinetree\[xacro\]'"):
        load(file)
