"""URDF files: read into the same robot as Pinocchio reads, forgiving where users need it, clear where it cannot be."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Box, DependencyCycleError, FreeJoint, Mesh, PlanarJoint, Skeleton
from kinetree.models import ModelFileError, load

HEAD = '<robot name="r"><link name="a"/><link name="b"/>'


def read(tmp_path: Path, body: str, **options: object) -> Skeleton:
    file = tmp_path / "robot.urdf"
    file.write_text(body)
    return load(file, **options)  # type: ignore[arg-type]


def one_joint(inside: str, kind: str = "revolute") -> str:
    return f'{HEAD}<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{inside}</joint></robot>'


LIMIT = '<limit lower="-1" upper="2" velocity="3" effort="4"/>'


def test_a_joint_has_its_limits_axis_and_placement(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint(f'<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 2"/>{LIMIT}'))
    dof = robot.dof("j")
    assert (dof.lower, dof.upper, dof.velocity_limit, dof.effort_limit) == (-1.0, 2.0, 3.0, 4.0)
    np.testing.assert_allclose(robot.joint("j").axis, [0, 0, 1])  # type: ignore[attr-defined]
    np.testing.assert_allclose(robot.joint("j").placement.rotation, pin.rpy.rpyToMatrix(0.1, 0.2, 0.3))
    assert robot.warnings == []


def test_the_default_axis_is_x(tmp_path: Path) -> None:
    np.testing.assert_array_equal(read(tmp_path, one_joint(LIMIT)).joint("j").axis, [1, 0, 0])  # type: ignore[attr-defined]


def test_limits_of_a_continuous_joint_are_ignored_with_a_warning(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint(LIMIT, "continuous"))
    assert not robot.dof("j").is_limited
    assert "continuous joint 'j'" in robot.warnings[0]


def test_zero_limits_of_a_continuous_joint_mean_none(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint('<limit lower="0" upper="0"/>', "continuous"))
    assert not robot.dof("j").is_limited
    assert robot.warnings == []


def test_a_revolute_joint_without_limits_is_unlimited_and_says_so(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint(""))
    assert not robot.dof("j").is_limited
    assert "'j' has no limits" in robot.warnings[0]


def test_a_planar_joint_without_an_axis_moves_in_x_and_y(tmp_path: Path) -> None:
    joint = read(tmp_path, one_joint(LIMIT, "planar")).joint("j")
    assert isinstance(joint, PlanarJoint)
    np.testing.assert_array_equal(joint.normal, [0, 0, 1])
    assert not any(dof.is_limited for dof in joint.dofs)


def test_floating_joints_and_floating_bases(tmp_path: Path) -> None:
    assert isinstance(read(tmp_path, one_joint("", "floating")).joint("j"), FreeJoint)
    robot = read(tmp_path, one_joint(LIMIT), floating_base=True)
    assert robot.num_dofs == 7
    assert isinstance(robot.root.joint, FreeJoint)  # type: ignore[union-attr]


def fixed(name: str, parent: str, child: str) -> str:
    return f'<joint name="{name}" type="fixed"><parent link="{parent}"/><child link="{child}"/></joint></robot>'


def chain_of_mimics(tail: str) -> str:
    links = "".join(f'<link name="l{k}"/>' for k in range(4))
    joints = "".join(
        f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/><axis xyz="0 0 1"/>'
        f"{LIMIT}{mimic}</joint>"
        for k, (kind, mimic) in enumerate(
            [
                ("continuous", ""),
                ("revolute", '<mimic joint="j0" multiplier="2" offset="0.1"/>'),
                ("revolute", tail),
            ]
        )
    )
    return f'<robot name="m">{links}{joints}</robot>'


def test_chained_mimics_with_offsets_of_a_continuous_joint(tmp_path: Path) -> None:
    robot = read(tmp_path, chain_of_mimics('<mimic joint="j1" multiplier="-3" offset="0.2"/>'))
    assert robot.num_dofs == 1
    robot.positions = [0.5]
    assert robot.joint("j1").positions[0] == pytest.approx(1.1)
    assert robot.joint("j2").positions[0] == pytest.approx(-3.1)


def test_a_circle_of_mimics_names_the_joints(tmp_path: Path) -> None:
    body = chain_of_mimics('<mimic joint="j1"/>').replace(
        '<mimic joint="j0" multiplier="2" offset="0.1"/>', '<mimic joint="j2"/>'
    )
    with pytest.raises(DependencyCycleError, match=r"j1.*j2|j2.*j1"):
        read(tmp_path, body)


def test_a_mimic_of_nothing_names_both(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="joint 'j2' mimics 'nobody'"):
        read(tmp_path, chain_of_mimics('<mimic joint="nobody"/>'))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "is empty"),
        ("   \n", "is empty"),
        ("<robot name='r'><link name='a'>", "is no XML"),
        ("<robot name='r'/>", "it has no links"),
        ("<model/>", "neither URDF"),
        ("<robot><link name='a'/><link name='a'/></robot>", "two links named 'a'"),
        ("<robot><link/></robot>", "needs the attribute 'name'"),
        (f"{HEAD}<link name='c'/></robot>", "3 root links, 'a', 'b', 'c'"),
        (one_joint('<axis xyz="0 0 0"/>' + LIMIT), "zero axis"),
        (one_joint('<axis xyz="0 0 nan"/>' + LIMIT), "xyz='0 0 nan'"),
        (one_joint('<axis xyz="0 1"/>' + LIMIT), "must be 3 finite numbers"),
        (one_joint('<limit lower="2" upper="1"/>'), "lower limit 2.0 above its upper limit 1.0"),
        (one_joint('<limit lower="x" upper="1"/>'), "lower='x'"),
        (one_joint(LIMIT, "hinge"), "unknown type 'hinge'"),
        (one_joint(LIMIT).replace('link="a"', 'link="zzz"'), "names the link 'zzz'"),
        (one_joint(LIMIT).replace('<parent link="a"/>', ""), "no <parent>"),
        (one_joint(LIMIT).replace("</robot>", fixed("k", "a", "b")), "two parents"),
        (one_joint(LIMIT).replace("</robot>", fixed("k", "b", "a")), "circle"),
        (one_joint(LIMIT).replace("</robot>", '<link name="c"/>' + fixed("j", "b", "c")), "two joints named 'j'"),
    ],
)  # fmt: skip
def test_broken_files_say_what_is_wrong(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        read(tmp_path, body)


def test_undeclared_prefixes_and_stray_bytes_do_not_stop_the_reader(tmp_path: Path) -> None:
    file = tmp_path / "robot.urdf"
    body = one_joint(LIMIT).replace("</robot>", "<xi:thing a:b='1'/><!-- caf\xe9 --></robot>")
    file.write_bytes(body.encode("latin-1"))
    assert load(file).num_dofs == 1


def test_shapes_colors_and_meshes(tmp_path: Path) -> None:
    (tmp_path / "arm_description" / "meshes").mkdir(parents=True)
    (tmp_path / "arm_description" / "meshes" / "a.stl").write_text("solid")
    body = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">
      <visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
      <visual><geometry><mesh filename="package://arm_description/meshes/a.stl" scale="2 2 2"/></geometry></visual>
      <collision><geometry><mesh filename="package://nowhere/b.stl"/></geometry></collision>
      <collision><geometry><mesh filename="package://nowhere/c.stl"/></geometry></collision></link></robot>"""
    robot = read(tmp_path, body)
    box, mesh = robot.link("a").visuals
    assert box.geometry == Box(1, 2, 3)
    assert box.color == (1, 0, 0, 1)
    assert isinstance(mesh.geometry, Mesh)
    assert mesh.geometry.path == str(tmp_path / "arm_description" / "meshes" / "a.stl")
    assert len([note for note in robot.warnings if "mesh" in note]) == 1
    assert "2 mesh files were not found" in robot.warnings[0]


def test_inertia_is_turned_into_the_link_frame(tmp_path: Path) -> None:
    body = one_joint(LIMIT).replace(
        '<link name="b"/>',
        '<link name="b"><inertial><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial></link>',
    )
    inertia = read(tmp_path, body).link("b").inertia
    np.testing.assert_allclose(inertia.inertia, np.diag([2.0, 1.0, 2.5]), atol=1e-12)
    np.testing.assert_allclose(inertia.lever, [1, 0, 0])
    assert inertia.mass == 2.0


def test_an_impossible_inertia_keeps_the_mass(tmp_path: Path) -> None:
    body = one_joint(LIMIT).replace(
        '<link name="b"/>',
        '<link name="b"><inertial><mass value="2"/><inertia ixx="-1" iyy="1" izz="1"/></inertial></link>',
    )
    robot = read(tmp_path, body)
    assert robot.link("b").mass == 2.0
    assert "inertia tensor of link 'b'" in robot.warnings[0]


def test_infinite_velocity_limits_are_understood(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint('<limit lower="-1" upper="1" velocity="inf" effort="0"/>'))
    assert math.isinf(robot.dof("j").velocity_limit)
    assert math.isinf(robot.dof("j").effort_limit)
