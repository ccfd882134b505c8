"""MJCF files, against MuJoCo's own kinematics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Box, Capsule, Ellipsoid, Mesh, Skeleton
from kinetree.models import ModelFileError, UnsupportedFeatureError, load

mujoco = pytest.importorskip("mujoco", reason="needs the package mujoco (kinetree[mjcf])")

MODEL = """<mujoco model="all"><compiler angle="degree" autolimits="true"/>
<default><geom contype="1" conaffinity="1"/></default>
<worldbody>
  <geom type="plane" size="1 1 .1"/><site name="origin" pos="0 0 1"/>
  <body name="a" pos="0 0 1" euler="10 20 30"><freejoint name="root"/><geom type="box" size=".1 .2 .3"/>
    <body name="b" pos=".3 0 0" quat="1 .2 0 .1">
      <joint name="h1" axis="1 1 0" pos=".05 0 .1" range="-90 90" ref="20" actuatorfrcrange="-7 5"/>
      <joint name="s1" type="slide" axis="0 0 1" pos="0 .1 0" ref="0.1"/>
      <joint name="h2" axis="0 1 0" pos="-.05 0 .1"/>
      <geom type="capsule" size=".02 .1"/><site name="tool" pos="0 0 .3" euler="0 45 0"/><site/>
      <body name="c" pos="0 0 .4"><joint name="ball" type="ball" pos="0 0 .1"/><geom type="sphere" size=".05"/>
        <body name="d" pos="0 .2 0"><joint name="f" axis="0 0 1"/><geom type="cylinder" size=".02 .1"/>
          <body pos="0 .1 0"><joint axis="1 0 0"/><geom size=".01"/></body>
        </body>
      </body>
    </body>
  </body>
  <body name="stand" pos="1 0 0"><geom type="ellipsoid" size=".1 .2 .3" contype="0" conaffinity="0"/>
    <geom size=".1" group="3"/></body>
</worldbody>
<equality><joint joint1="f" joint2="h1" polycoef=".1 -2 0 0 0"/></equality></mujoco>"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path, MODEL)


def place(model: Any, data: Any, robot: Skeleton) -> None:
    """Puts MuJoCo's robot where ours is; our moving joints are in the order of its joints."""
    for index, joint in enumerate(joint for joint in robot.joints if joint.is_moving):
        assert model.jnt(index).name in ("", joint.name)
        first, values = model.jnt_qposadr[index], joint.positions
        if joint.num_dofs == 1:
            data.qpos[first] = values[0]
            continue
        x, y, z, w = pin.Quaternion(pin.exp3(values[-3:])).coeffs()
        numbers = [*values[:-3], w, x, y, z]
        data.qpos[first : first + len(numbers)] = numbers


def agree(path: Path, robot: Skeleton, names: tuple[str, ...], sites: tuple[str, ...] = ()) -> None:
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    for q in (robot.positions, *(robot.random_positions(rng) for _ in range(5))):
        robot.positions = q
        place(model, data, robot)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        for name in names:
            pose = robot.link(name).transform()
            np.testing.assert_allclose(pose.translation, data.body(name).xpos, atol=1e-12)
            np.testing.assert_allclose(pose.rotation.ravel(), data.body(name).xmat, atol=1e-12)
        for name in sites:
            np.testing.assert_allclose(robot.frame(name).transform().translation, data.site(name).xpos, atol=1e-12)
        np.testing.assert_allclose(robot.com, data.subtree_com[0], atol=1e-12)


def test_poses_agree_with_mujoco(file: Path) -> None:
    robot = load(file)
    assert robot.root is not None
    assert robot.root.name == "world"
    assert robot.name == "all"
    assert robot.num_dofs == 6 + 3 + 3 + 1
    agree(file, robot, ("a", "b", "c", "d", "stand"), ("tool", "origin"))


def test_it_starts_where_the_file_draws_it(file: Path) -> None:
    robot = load(file)
    np.testing.assert_allclose(robot.link("a").transform().translation, [0, 0, 1])
    np.testing.assert_allclose(
        robot.link("a").transform(robot.link("b")).inverse().translation, [0.3, 0, 0], atol=1e-15
    )
    assert robot.dof("h1").position == robot.dof("h1").rest == pytest.approx(np.deg2rad(20))
    assert robot.dof("root.z").rest == 1.0


def test_limits_couplings_and_inertia(file: Path) -> None:
    robot = load(file)
    np.testing.assert_allclose(robot.dof("h1").limits, [-np.pi / 2, np.pi / 2])
    assert robot.dof("h1").effort_limit == 7.0
    assert not robot.dof("h2").is_limited
    rule = robot.joint("f").dependence
    assert rule is not None
    assert rule.master.name == "h1"
    reference = np.deg2rad(20)
    assert rule.position(0.5) == pytest.approx(0.1 - 2 * (0.5 - reference))
    assert robot.mass == pytest.approx(sum(mujoco.MjModel.from_xml_path(str(file)).body_mass))


def test_shapes(file: Path) -> None:
    robot = load(file)
    assert robot.link("a").visuals[0].geometry == Box(0.2, 0.4, 0.6)
    assert robot.link("b").collisions[0].geometry == Capsule(0.02, 0.2)
    assert [shape.geometry for shape in robot.link("stand").visuals] == [Ellipsoid(0.1, 0.2, 0.3)]
    assert len(robot.link("stand").collisions) == 1, "what cannot touch is no collision shape, a hidden one is"
    assert robot.warnings == ["planes, height fields and meshes without a file were left out"]


def test_names_that_are_missing_or_taken(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "<mujoco><worldbody><body name='arm'><joint/><joint axis='1 0 0' name='arm_joint'/><geom size='.1'/>"
        "<site name='arm'/><body><joint/><geom size='.1'/></body></body></worldbody></mujoco>",
    )
    robot = load(path)
    assert [dof.name for dof in robot.dofs] == ["arm_joint_2", "arm_joint", "body_2_joint"]
    assert robot.has_frame("body_2")
    assert robot.has_frame("arm_2"), "the site makes way for the body"
    assert robot.warnings == ["sites with the name of a body were renamed: 'arm to arm_2'"]
    agree(path, robot, ("arm",))


EQUALITY = """<mujoco><worldbody>
  <body name="a"><joint name="x" ref="10"/><geom size=".1"/></body>
  <body name="b" pos="1 0 0"><joint name="y" ref="5"/><geom size=".1"/></body>
  <body name="c" pos="2 0 0"><joint name="z"/><geom size=".1"/></body></worldbody>
  <equality>{}</equality></mujoco>"""


def test_couplings_that_are_not_linear(tmp_path: Path) -> None:
    robot = load(write(tmp_path, EQUALITY.format('<joint joint1="y" joint2="x" polycoef="0.1 2 0.3 0 -0.5"/>')))
    assert [dof.name for dof in robot.dofs] == ["x", "z"]
    robot.positions = {"x": 0.7}
    d = 0.7 - np.deg2rad(10)
    assert robot.joint("y").positions[0] == pytest.approx(np.deg2rad(5) + 0.1 + 2 * d + 0.3 * d**2 - 0.5 * d**4)
    rule = robot.joint("y").dependence
    assert rule is not None
    assert rule.slope(0.7) == pytest.approx((rule.position(0.7 + 1e-6) - rule.position(0.7 - 1e-6)) / 2e-6, rel=1e-6)


def test_constraints_that_a_tree_cannot_have_are_left_out_with_notes(tmp_path: Path) -> None:
    text = EQUALITY.format(
        '<joint joint1="x" joint2="y"/><joint joint1="y" joint2="x"/><joint joint1="x" joint2="z"/>'
        '<joint joint1="z" polycoef="0.2 1 0 0 0"/><connect body1="a" body2="b" anchor="0 0 0"/>'
        '<joint joint1="z" joint2="x" active="false"/>'
    )
    robot = load(write(tmp_path, text))
    assert [joint.name for joint in robot.joints if joint.is_dependent] == ["x"]
    assert robot.dof("z").limits == (0.2, 0.2)
    assert robot.warnings == [
        "where joints would follow each other the reverse was ignored: 'y'",
        "of several constraints the first counts on a joint that is coupled already: 'x'",
        "joints that a constraint holds have equal limits: 'z'",
        "constraints other than between two joints were left out (closed loops stay open)",
        "constraints that are switched off were ignored",
    ]


def test_includes_are_followed(tmp_path: Path) -> None:
    part = "<mujocoinclude><body name='p'><joint name='j'/><geom size='.1'/></body></mujocoinclude>"
    (tmp_path / "part.xml").write_text(part)
    whole = write(tmp_path, "<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>")
    assert [dof.name for dof in load(whole).dofs] == ["j"]


def test_several_trees_make_one_skeleton(tmp_path: Path) -> None:
    path = write(tmp_path, EQUALITY.format(""))
    robot = load(path)
    assert [link.name for link in robot.links] == ["world", "a", "b", "c"]
    agree(path, robot, ("a", "b", "c"))


def test_bodies_that_the_compiler_would_fuse_stay(tmp_path: Path) -> None:
    text = EQUALITY.format("").replace("<mujoco>", '<mujoco><compiler fusestatic="true" discardvisual="true"/>')
    still = '<body name="s"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody>'
    robot = load(write(tmp_path, text.replace("</worldbody>", still)))
    assert len(robot.link("s").visuals) == 1


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
WITH_MESH = """<mujoco><compiler meshdir="assets"/><asset><mesh name="m" file="t.obj" scale="2 1 1"/>
  <mesh file="u.obj"/><texture name="t" type="2d" file="t.png"/><material name="k" texture="t"/></asset>
  <worldbody><body name="a" pos="0 0 1"><joint name="j" axis="0 1 0"/>
  <geom type="mesh" mesh="m" pos="1 0 0" euler="0 0 90" material="k"/></body>
  <body name="b"><joint name="k"/><geom type="mesh" mesh="u"/></body></worldbody></mujoco>"""


def test_meshes_are_where_the_file_puts_them(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    for name in ("t.obj", "u.obj"):
        (tmp_path / "assets" / name).write_text(TETRAHEDRON)
    text = WITH_MESH.replace('<texture name="t" type="2d" file="t.png"/><material name="k" texture="t"/>', "")
    robot = load(write(tmp_path, text.replace(' material="k"', "")))
    (shape,) = robot.link("a").visuals
    assert shape.geometry == Mesh(str(tmp_path / "assets" / "t.obj"), (2.0, 1.0, 1.0))
    np.testing.assert_allclose(shape.placement.translation, [1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(shape.placement.rotation, pin.rpy.rpyToMatrix(0, 0, np.pi / 2), atol=1e-6)


def test_missing_meshes_and_textures_do_not_stop_the_reader(tmp_path: Path) -> None:
    robot = load(write(tmp_path, WITH_MESH))
    assert [dof.name for dof in robot.dofs] == ["j", "k"]
    assert robot.link("a").visuals == robot.link("a").collisions == []
    assert robot.mass == 0.0
    assert robot.warnings == ["2 mesh files were not found and left out: t.obj, u.obj"]
    np.testing.assert_array_equal(robot.link("a").transform().translation, [0, 0, 1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mujoco><worldbody><body><joint type='sideways'/></body></worldbody></mujoco>", "sideways"),
        ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "mass and inertia"),
        ("<mujoco><include file='gone.xml'/></mujoco>", "gone.xml"),
    ],
)
def test_what_mujoco_refuses_is_refused_with_its_words(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ModelFileError, match=rf"robot\.xml cannot be read by mujoco: .*{message}"):
        load(write(tmp_path, text))


def test_nothing_is_written_or_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    part = tmp_path / "part.xml"
    part.write_text("<mujoco><worldbody><body name='p'><joint name='j'/><geom size='.1'/></body></worldbody></mujoco>")
    path = write(
        tmp_path,
        '<mujoco><compiler settotalmass="1"/><asset><model name="m" file="part.xml"/></asset>'
        '<worldbody><attach model="m" body="p" prefix=""/></worldbody></mujoco>',
    )
    assert load(path).num_dofs == 1
    assert capfd.readouterr() == ("", "")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["part.xml", "robot.xml"]


def test_a_floating_base(tmp_path: Path) -> None:
    text = "<mujoco><worldbody><body name='a' pos='0 0 1'><geom size='.1'/></body></worldbody></mujoco>"
    robot = load(write(tmp_path, text), floating_base=True)
    assert robot.num_dofs == 6
    np.testing.assert_array_equal(robot.link("a").transform().translation, [0, 0, 1])


def test_without_the_package_the_error_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(UnsupportedFeatureError, match=r"pip install 'kinetree\[mjcf\]'"):
        load(file)
