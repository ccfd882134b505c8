"""MJCF files against MuJoCo's own kinematics."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Box, Capsule, Skeleton
from kinetree.models import ModelFileError, UnsupportedFeatureError, load

mujoco = pytest.importorskip("mujoco", reason="needs the package mujoco (kinetree[mjcf])")

MODEL = """<mujoco model="m"><compiler angle="degree"/><worldbody>
  <body name="a" pos="0 0 1" euler="10 20 30"><freejoint name="root"/><geom type="box" size=".1 .2 .3"/>
    <body name="b" pos=".1 0 .2" euler="0 0 40">
      <joint name="h1" axis="1 1 0" pos=".05 0 .1" range="-90 90" limited="true" ref="20"/>
      <joint name="s1" type="slide" axis="0 0 1" pos="0 .1 0" ref="0.1"/>
      <joint name="h2" axis="0 1 0" pos="-.05 0 .1"/>
      <geom type="capsule" size=".02 .1"/><site name="tool" pos="0 0 .3" euler="0 45 0"/>
      <body name="c" pos="0 0 .4"><joint name="ball" type="ball" pos="0 0 .1"/><geom type="sphere" size=".05"/>
        <body name="d" pos="0 .2 0"><joint name="f" axis="0 0 1"/><geom type="cylinder" size=".02 .1"/></body>
      </body>
    </body>
  </body>
  <body name="stand" pos="1 0 0"><geom type="ellipsoid" size=".1 .2 .3"/></body>
</worldbody>
<equality><joint joint1="f" joint2="h1" polycoef=".1 -2 0 0 0"/></equality></mujoco>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "robot.xml"
    path.write_text(MODEL)
    return path


def place(model: object, data: object, robot: Skeleton) -> None:
    """Puts MuJoCo's robot where ours is."""
    for index in range(model.njnt):  # type: ignore[attr-defined]
        joint = robot.joint(model.jnt(index).name)  # type: ignore[attr-defined]
        first, values = model.jnt_qposadr[index], joint.positions  # type: ignore[attr-defined]
        if joint.num_dofs == 1:
            data.qpos[first] = values[0]  # type: ignore[attr-defined]
            continue
        x, y, z, w = pin.Quaternion(pin.exp3(values[-3:])).coeffs()
        numbers = [*values[:-3], w, x, y, z]
        data.qpos[first : first + len(numbers)] = numbers  # type: ignore[attr-defined]


def test_poses_agree_with_mujoco(file: Path) -> None:
    robot = load(file)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    for q in (robot.positions, *(robot.random_positions(rng) for _ in range(10))):
        robot.positions = q
        place(model, data, robot)
        mujoco.mj_kinematics(model, data)
        for name in ("a", "b", "c", "d", "stand"):
            pose = robot.link(name).transform()
            np.testing.assert_allclose(pose.translation, data.body(name).xpos, atol=1e-12)
            np.testing.assert_allclose(pose.rotation.ravel(), data.body(name).xmat, atol=1e-12)
        np.testing.assert_allclose(robot.frame("tool").transform().translation, data.site("tool").xpos, atol=1e-12)
        mujoco.mj_comPos(model, data)
        np.testing.assert_allclose(robot.com, data.subtree_com[0], atol=1e-12)


def test_limits_couplings_and_shapes(file: Path) -> None:
    robot = load(file)
    assert robot.num_dofs == 6 + 3 + 3
    np.testing.assert_allclose(robot.dof("h1").limits, [-np.pi / 2, np.pi / 2])
    assert not robot.dof("h2").is_limited
    assert robot.joint("f").is_dependent
    assert robot.link("a").visuals[0].geometry == Box(0.2, 0.4, 0.6)
    assert robot.link("b").collisions[0].geometry == Capsule(0.02, 0.2)
    assert robot.dof("root.z").position == pytest.approx(1.0)


def test_includes_are_followed(tmp_path: Path) -> None:
    (tmp_path / "part.xml").write_text(
        "<mujocoinclude><body name='p'><joint name='j'/><geom size='.1'/></body></mujocoinclude>"
    )
    whole = tmp_path / "whole.xml"
    whole.write_text("<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>")
    assert [dof.name for dof in load(whole).dofs] == ["j"]


def test_what_mujoco_refuses_is_refused_with_its_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco><worldbody><body><joint type='sideways'/></body></worldbody></mujoco>")
    with pytest.raises(ModelFileError, match=r"broken\.xml cannot be read by mujoco: .*sideways"):
        load(broken)


def test_without_the_package_the_error_says_what_to_install(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(UnsupportedFeatureError, match=r"pip install 'kinetree\[mjcf\]'"):
        load(file)
