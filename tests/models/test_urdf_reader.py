"""URDF files: forgiving where users need it, with a note; clear where a robot cannot be read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import (
    Box,
    Capsule,
    Cylinder,
    DependencyCycleError,
    FreeJoint,
    PlanarJoint,
    Skeleton,
    Sphere,
)
from kinetree.models import ModelFileError, load

HEAD = '<robot name="r"><link name="a"/><link name="b"/>'
LIMIT = '<limit lower="-1" upper="2" velocity="3" effort="4"/>'


def read(tmp_path: Path, body: str | bytes, **options: Any) -> Skeleton:
    file = tmp_path / "robot.urdf"
    if isinstance(body, bytes):
        file.write_bytes(body)
    else:
        file.write_text(body, encoding="utf-8")
    return load(file, **options)


def one_joint(inside: str, kind: str = "revolute", more: str = "") -> str:
    return f'{HEAD}<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{inside}</joint>{more}</robot>'


# Joints.


def test_a_joint_has_its_limits_axis_and_placement(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint(f'<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 2"/>{LIMIT}'))
    dof = robot.dof("j")
    assert (dof.lower, dof.upper, dof.velocity_limit, dof.effort_limit) == (-1.0, 2.0, 3.0, 4.0)
    np.testing.assert_allclose(robot.joint("j").axis, [0, 0, 1])
    np.testing.assert_allclose(robot.joint("j").placement.rotation, pin.rpy.rpyToMatrix(0.1, 0.2, 0.3))
    np.testing.assert_array_equal(robot.joint("j").placement.translation, [1, 2, 3])
    assert robot.warnings == []


def test_the_default_axis_is_x_and_other_axes_are_normalised(tmp_path: Path) -> None:
    np.testing.assert_array_equal(read(tmp_path, one_joint(LIMIT)).joint("j").axis, [1, 0, 0])
    robot = read(tmp_path, one_joint('<axis xyz="3e-8 0 -4e-8"/>' + LIMIT))
    np.testing.assert_allclose(robot.joint("j").axis, [0.6, 0, -0.8])


def test_a_zero_axis_is_refused_only_where_it_matters(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"<axis> of joint 'j' is zero"):
        read(tmp_path, one_joint('<axis xyz="0 0 0"/>' + LIMIT))
    assert read(tmp_path, one_joint('<axis xyz="0 0 0"/>', "fixed")).num_dofs == 0


def test_limits_of_a_continuous_joint_are_ignored_with_a_warning(tmp_path: Path) -> None:
    """Reported for a Kinova arm: continuous joints whose limits made every target unreachable."""
    robot = read(tmp_path, one_joint(LIMIT, "continuous"))
    assert not robot.dof("j").is_limited
    assert robot.dof("j").velocity_limit == 3.0
    (note,) = robot.warnings
    assert "limits of continuous joints were ignored" in note
    assert "'j'" in note


@pytest.mark.parametrize("limit", ["", '<limit effort="1" velocity="1"/>', '<limit lower="0" upper="0"/>'])
def test_missing_and_zero_limits_of_a_continuous_joint_mean_none(tmp_path: Path, limit: str) -> None:
    """DART read such joints as unable to move."""
    robot = read(tmp_path, one_joint(limit, "continuous"))
    assert not robot.dof("j").is_limited
    assert robot.warnings == []
    q = robot.random_positions(np.random.default_rng(0))
    assert abs(q[0]) <= math.pi


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_joint_without_limits_is_unlimited_and_says_so_once(tmp_path: Path, kind: str) -> None:
    more = f'<link name="c"/><joint name="k" type="{kind}"><parent link="b"/><child link="c"/></joint>'
    robot = read(tmp_path, one_joint('<limit effort="9" velocity="2"/>', kind, more))
    assert not robot.dof("j").is_limited
    assert robot.dof("j").effort_limit == 9.0
    assert robot.warnings == [f"{kind} joints without limits are unlimited: 'j', 'k'"]
    robot.dof("j").limits = (-1, 1)  # the way to say otherwise


def test_one_limit_alone_leaves_the_other_at_zero(tmp_path: Path) -> None:
    assert read(tmp_path, one_joint('<limit upper="1.5"/>')).dof("j").limits == (0.0, 1.5)
    assert read(tmp_path, one_joint('<limit lower="-1.5"/>')).dof("j").limits == (-1.5, 0.0)


def test_equal_limits_are_kept_with_a_note(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint('<limit lower="0" upper="0"/>'))
    assert robot.dof("j").limits == (0.0, 0.0)
    assert "cannot move: 'j'" in robot.warnings[0]


@pytest.mark.parametrize("huge", ["1e16", "inf", "1000000"])
def test_huge_limits_mean_none(tmp_path: Path, huge: str) -> None:
    robot = read(tmp_path, one_joint(f'<limit lower="-{huge}" upper="{huge}"/>'))
    assert not robot.dof("j").is_limited
    assert read(tmp_path, one_joint(f'<limit lower="-1" upper="{huge}"/>')).dof("j").limits == (
        -1.0,
        math.inf,
    )


def test_velocity_and_effort_limits_of_zero_mean_that_nobody_wrote_one(tmp_path: Path) -> None:
    robot = read(tmp_path, one_joint('<limit lower="-1" upper="1" velocity="0" effort="inf"/>'))
    assert math.isinf(robot.dof("j").velocity_limit)
    assert math.isinf(robot.dof("j").effort_limit)
    assert robot.warnings == ["a velocity limit of zero means none for joints: 'j'"]


def test_a_planar_joint_without_an_axis_moves_in_x_and_y(tmp_path: Path) -> None:
    joint = read(tmp_path, one_joint("", "planar")).joint("j")
    assert isinstance(joint, PlanarJoint)
    np.testing.assert_array_equal(joint.normal, [0, 0, 1])
    joint = read(tmp_path, one_joint('<axis xyz="0 1 0"/>', "planar")).joint("j")
    np.testing.assert_array_equal(joint.normal, [0, 1, 0])


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_limits_of_planar_and_floating_joints_are_ignored_with_a_warning(tmp_path: Path, kind: str) -> None:
    robot = read(tmp_path, one_joint(LIMIT, kind))
    assert not any(dof.is_limited for dof in robot.dofs)
    assert robot.warnings == [f"limits of {kind} joints were ignored: 'j'"]


def test_floating_joints_and_types_in_capitals(tmp_path: Path) -> None:
    assert isinstance(read(tmp_path, one_joint("", "floating")).joint("j"), FreeJoint)
    assert read(tmp_path, one_joint(LIMIT, "Revolute")).num_dofs == 1


def test_elements_of_other_programs_are_skipped_without_a_word(tmp_path: Path) -> None:
    inside = LIMIT + '<safety_controller k_velocity="nan"/><calibration rising="x"/><dynamics damping="?"/>'
    more = (
        '<transmission name="t"><joint name="j"><hardwareInterface/></joint></transmission>'
        '<gazebo reference="a"><material>x</material></gazebo><drake:joint name="d" type="ball"/><sensor/>'
    )
    robot = read(tmp_path, one_joint(inside, more=more))
    assert robot.num_dofs == 1
    assert robot.warnings == []


# Joints that mimic others.


def chain_of_mimics(first: str, second: str, kind: str = "continuous") -> str:
    links = "".join(f'<link name="l{k}"/>' for k in range(4))
    joints = "".join(
        f'<joint name="j{k}" type="{each}"><parent link="l{k}"/><child link="l{k + 1}"/><axis xyz="0 0 1"/>'
        f"{LIMIT if each != 'fixed' else ''}{mimic}</joint>"
        for k, (each, mimic) in enumerate([(kind, ""), ("revolute", first), ("revolute", second)])
    )
    return f'<robot name="m">{links}{joints}</robot>'


J0 = '<mimic joint="j0" multiplier="2" offset="0.1"/>'


def test_chained_mimics_with_offsets_of_a_continuous_joint(tmp_path: Path) -> None:
    """Chains and offsets were forgotten by several readers."""
    robot = read(tmp_path, chain_of_mimics(J0, '<mimic joint="j1" multiplier="-3" offset="0.2"/>'))
    assert [dof.name for dof in robot.dofs] == ["j0"]
    robot.positions = [0.5]
    assert robot.joint("j1").positions[0] == pytest.approx(1.1)
    assert robot.joint("j2").positions[0] == pytest.approx(-3.1)
    turned = robot.link("l3").transform().rotation
    np.testing.assert_allclose(turned, pin.rpy.rpyToMatrix(0, 0, 0.5 + 1.1 - 3.1), atol=1e-15)


def test_a_mimic_may_come_before_its_master(tmp_path: Path) -> None:
    robot = read(tmp_path, chain_of_mimics('<mimic joint="j2"/>', ""))
    assert [dof.name for dof in robot.dofs] == ["j0", "j2"]
    assert robot.joint("j1").is_dependent


def test_a_circle_of_mimics_names_the_joints(tmp_path: Path) -> None:
    with pytest.raises(DependencyCycleError, match="j1 -> j2 -> j1"):
        read(tmp_path, chain_of_mimics('<mimic joint="j2"/>', '<mimic joint="j1"/>'))
    with pytest.raises(DependencyCycleError, match="j1 -> j1"):
        read(tmp_path, chain_of_mimics('<mimic joint="j1"/>', ""))


def test_a_mimic_of_nothing_names_both_and_what_is_like_it(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"joint 'j2' mimics joint 'j00'.*did you mean 'j0'"):
        read(tmp_path, chain_of_mimics("", '<mimic joint="j00"/>'))


def test_a_mimic_of_a_fixed_joint_is_fixed_at_its_offset(tmp_path: Path) -> None:
    robot = read(tmp_path, chain_of_mimics(J0, '<mimic joint="j1" multiplier="3" offset="1"/>', "fixed"))
    assert robot.num_dofs == 0
    turned = robot.link("l3").transform().rotation
    np.testing.assert_allclose(turned, pin.rpy.rpyToMatrix(0, 0, 0.1 + 1.3), atol=1e-15)
    assert robot.warnings == ["joints that mimic a fixed joint are fixed: 'j1', 'j2'"]


def test_a_fixed_joint_that_mimics_stays_fixed(tmp_path: Path) -> None:
    more = '<link name="c"/><joint name="k" type="fixed"><parent link="b"/><child link="c"/><mimic joint="j"/></joint>'
    robot = read(tmp_path, one_joint(LIMIT, more=more))
    assert robot.num_dofs == 1
    assert robot.warnings == ["mimic was ignored on joints that are fixed: 'k'"]


def test_a_master_of_several_degrees_of_freedom_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"'j1' mimics joint 'j0', which has 6"):
        read(tmp_path, chain_of_mimics(J0, "", "floating"))


# What cannot be read.

SECOND = '<joint name="{}" type="fixed"><parent link="{}"/><child link="{}"/></joint>'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<robot name='r'/>", "describes no robot: it has no links"),
        ("<robot name='r'><group name='arm'/></robot>", "no links; it looks like an SRDF"),
        (
            "<robot><link name='a'/>\n<link name='a'/></robot>",
            r"line 2: link 'a' is there twice \(first in line 1",
        ),
        ("<robot><link/></robot>", "<link> needs the attribute 'name'"),
        (f"{HEAD}<link name='c'/></robot>", "has 3 root links: 'a', 'b', 'c'"),
        (
            one_joint('<axis xyz="0 0 nan"/>' + LIMIT),
            r"<axis> of joint 'j' has xyz='0 0 nan', which is not finite",
        ),
        (one_joint('<origin rpy="0 inf 0"/>' + LIMIT), r"<origin> of joint 'j' has rpy='0 inf 0'"),
        (one_joint('<axis xyz="0 1"/>' + LIMIT), "must have 3 numbers"),
        (one_joint('<origin xyz="0 0 ${h}"/>'), "no numbers; it looks like xacro"),
        (one_joint('<limit lower="2" upper="1"/>'), "lower limit 2 above its upper limit 1"),
        (one_joint('<limit lower="x" upper="1"/>'), "<limit> of joint 'j' has lower='x', which is no number"),
        (one_joint('<limit lower="nan" upper="1"/>'), "lower='nan', which is not finite"),
        (one_joint('<limit lower="inf" upper="inf"/>'), "limits 'inf' to 'inf'"),
        (one_joint('<limit lower="0" upper="1" velocity="nan"/>'), "velocity='nan'"),
        (one_joint(LIMIT + '<mimic joint="j" multiplier="inf"/>'), "multiplier='inf'"),
        (one_joint(LIMIT, "hinge"), "joint 'j' has the unknown type 'hinge'; there are fixed, revolute"),
        (one_joint(LIMIT).replace('type="revolute"', ""), "joint 'j' needs the attribute 'type'"),
        (
            one_joint(LIMIT).replace('link="a"', 'link="bb"'),
            "parent link 'bb', which does not exist; did you",
        ),
        (one_joint(LIMIT).replace('<parent link="a"/>', ""), "joint 'j' has no <parent>"),
        (
            one_joint(LIMIT, more=SECOND.format("k", "a", "b")),
            "'b' a second parent 'a'; joint 'j' hangs it on 'a'",
        ),
        (one_joint(LIMIT, more=SECOND.format("k", "b", "a")), "in a circle: '[ab]' -> '[ab]' -> '[ab]'"),
        (
            one_joint(LIMIT, more='<link name="c"/>' + SECOND.format("j", "b", "c")),
            "joint 'j' is there twice",
        ),
        (HEAD + SECOND.format("k", "b", "b") + "</robot>", "circle: 'b' -> 'b'"),
    ],
)
def test_broken_files_say_what_is_wrong_and_where(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(ModelFileError, match=message) as caught:
        read(tmp_path, body)
    assert str(tmp_path / "robot.urdf") in str(caught.value)


def test_errors_have_the_line(tmp_path: Path) -> None:
    body = one_joint("\n\n<axis xyz='0 0 x'/>\n")
    with pytest.raises(ModelFileError, match=r"robot\.urdf, line 3: <axis>"):
        read(tmp_path, "<?xml version='1.0'?>" + body)
    with pytest.raises(ModelFileError, match="line 5"):
        read(tmp_path, "\n\n<?xml version='1.0'?>" + body)


# XML as it is found.


def test_undeclared_prefixes_do_not_stop_the_reader(tmp_path: Path) -> None:
    body = one_joint(LIMIT, more="<sensor:camera a:b='1'><xi:include/></sensor:camera>")
    assert read(tmp_path, body).num_dofs == 1


@pytest.mark.parametrize("declared", ["", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="utf-8"?>'])
def test_bytes_that_are_not_utf8_do_not_stop_the_reader(tmp_path: Path, declared: str) -> None:
    text = declared + one_joint(LIMIT).replace('"b"', '"bé"') + "<!-- ü -->"
    mixed = text.encode("utf-8").replace("ü".encode(), b"\xfc")
    robot = read(tmp_path, mixed)
    assert robot.has_frame("bé"), "what is UTF-8 stays so beside what is not"
    assert read(tmp_path, text.encode("latin-1")).has_frame("bé")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>' + one_joint(LIMIT)
    assert read(tmp_path, text.replace('"b"', '"bü"').encode(encoding)).has_frame("bü")


def test_entities_are_not_fetched_and_do_not_blow_up(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY e{k + 1} "{f"&e{k};" * 10}">' for k in range(12))
    bomb = f'<!DOCTYPE robot [<!ENTITY e0 "x">{levels}]><robot name="&e12;"/>'
    with pytest.raises(ModelFileError, match="not well-formed"):
        read(tmp_path, bomb)


# Links.


def test_shapes_and_colours(tmp_path: Path) -> None:
    body = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">
      <visual name="v"><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
      <visual><geometry><sphere radius="2"/></geometry>
        <material name="blue"><color rgba="0 0 1 0.5"/></material></visual>
      <visual><geometry><cylinder radius="1" length="2"/></geometry><material name="blue"/></visual>
      <collision><geometry><capsule radius="1" length="2"/></geometry></collision></link></robot>"""
    robot = read(tmp_path, body)
    box, sphere, cylinder = robot.link("a").visuals
    assert (box.geometry, box.color, box.name) == (Box(1, 2, 3), (1, 0, 0, 1), "v")
    np.testing.assert_array_equal(box.placement.translation, [0, 0, 1])
    assert (sphere.geometry, sphere.color) == (Sphere(2), (0, 0, 1, 0.5))
    assert (cylinder.geometry, cylinder.color) == (Cylinder(1, 2), (0, 0, 1, 0.5))
    assert robot.link("a").collisions[0].geometry == Capsule(1, 2)
    assert robot.warnings == []


def test_shapes_that_cannot_be_are_left_out_with_a_note(tmp_path: Path) -> None:
    body = """<robot name="r"><link name="a"><visual/><visual><geometry/></visual>
      <visual><geometry><box size="0 1 1"/></geometry></visual>
      <visual><geometry><torus/></geometry></visual>
      <collision><geometry><sphere radius="1"/></geometry><material name="m"><color rgba="pink"/></material></collision>
      </link></robot>"""
    robot = read(tmp_path, body)
    assert robot.link("a").visuals == []
    assert robot.link("a").collisions[0].color is None
    assert robot.warnings == [
        "unreadable colours were left out of materials: 'm'",
        "shapes without any extent were left out of links: 'a'",
        "shapes of the unknown kind <torus> were left out of links: 'a'",
    ]


def test_a_number_in_a_shape_that_is_none_is_refused(tmp_path: Path) -> None:
    body = "<robot><link name='a'><visual><geometry><sphere radius='nan'/></geometry></visual></link></robot>"
    with pytest.raises(ModelFileError, match="<sphere> of link 'a' has radius='nan'"):
        read(tmp_path, body)


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


def test_an_impossible_inertia_is_kept_with_a_note_and_a_negative_mass_refused(tmp_path: Path) -> None:
    body = one_joint(LIMIT).replace(
        '<link name="b"/>',
        '<link name="b"><inertial><mass value="2"/><inertia ixx="-1" iyy="1" izz="1"/></inertial></link>',
    )
    robot = read(tmp_path, body)
    assert robot.link("b").mass == 2.0
    assert robot.mass == 2.0
    assert robot.link("b").inertia.inertia[0, 0] == -1.0
    assert robot.warnings == ["links with an inertia tensor that no body can have: 'b'"]
    with pytest.raises(ModelFileError, match="<mass> of link 'b' has the negative value"):
        read(tmp_path, body.replace('value="2"', 'value="-2"'))


def test_names_may_be_shared_by_links_and_joints(tmp_path: Path) -> None:
    more = '<link name="root_joint"/>' + SECOND.format("root_joint", "b", "root_joint")
    robot = read(tmp_path, one_joint(LIMIT, more=more))
    assert robot.link("root_joint").joint.name == "root_joint"


def test_a_long_chain_can_be_read(tmp_path: Path) -> None:
    count = 400
    links = "".join(f'<link name="l{k}"/>' for k in range(count + 1))
    joints = "".join(SECOND.format(f"j{k}", f"l{k}", f"l{k + 1}") for k in range(count))
    assert len(read(tmp_path, f"<robot name='long'>{links}{joints}</robot>").links) == count + 1
