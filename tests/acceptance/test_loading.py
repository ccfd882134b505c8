"""Reading robot files: reports of users, and what they should have got."""

import logging
import math

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import DependencyCycleError
from kinetree.models import ModelFileError

LIMIT = '<limit lower="-2" upper="2" effort="1" velocity="1"/>'


def test_relaxed_ik_7_and_dart_pr_1178_a_mimic_joint_follows(load_urdf, joint):
    """Mimic joints were dropped or moved freely -> they follow, and have no place in q."""
    mimic = LIMIT + '<mimic joint="drive" multiplier="-0.5" offset="0.1"/>'
    robot = load_urdf(
        joint("drive", "revolute", "base", "link1", LIMIT) + joint("follow", "revolute", "link1", "link2", mimic)
    )
    assert [dof.name for dof in robot.dofs] == ["drive"]
    robot.positions = [0.8]
    assert robot.joint("follow").dofs[0].position == pytest.approx(-0.3)
    # The Jacobian knows of it: both joints turn the tip.
    moved = robot.state([0.8 + 1e-6]).transform(robot.link("link2"))
    slope = (moved.translation - robot.link("link2").transform().translation) / 1e-6
    np.testing.assert_allclose(robot.link("link2").jacobian()[:3, 0], slope, atol=1e-5)
    assert robot.link("link2").jacobian()[5, 0] == pytest.approx(0.5)


def test_mujoco_3527_a_mimic_of_nothing_is_named(load_urdf, joint):
    """A mimic of a joint that is not there was ignored -> the error names both joints."""
    mimic = LIMIT + '<mimic joint="drive_"/>'
    with pytest.raises(ModelFileError, match=r"follow.*drive_"):
        load_urdf(
            joint("drive", "revolute", "base", "link1", LIMIT) + joint("follow", "revolute", "link1", "link2", mimic)
        )


def test_robot_model_pr_177_and_cram_pr_114_chained_mimics_with_offsets(load_urdf, joint):
    """In chains of mimic joints offsets were forgotten -> multipliers and offsets compose."""
    robot = load_urdf(
        joint("c", "continuous", "link2", "link3", '<mimic joint="b" multiplier="3" offset="-0.2"/>')
        + joint("b", "revolute", "link1", "link2", LIMIT + '<mimic joint="a" multiplier="2" offset="0.5"/>')
        + joint("a", "revolute", "base", "link1", LIMIT),
        links="base link1 link2 link3",
    )
    robot.positions = {"a": 0.1}
    assert robot.joint("b").dofs[0].position == pytest.approx(0.7)
    assert robot.joint("c").dofs[0].position == pytest.approx(1.9)
    turned = robot.link("link3").transform().rotation
    assert math.atan2(turned[1, 0], turned[0, 0]) == pytest.approx(0.1 + 0.7 + 1.9)


def test_urdf_loaders_195_mimics_in_a_circle_are_refused(load_urdf, joint):
    """Joints that mimic each other hung the loader -> refused, with their names."""
    with pytest.raises(DependencyCycleError, match=r"a -> b -> a|b -> a -> b"):
        load_urdf(
            joint("a", "revolute", "base", "link1", LIMIT + '<mimic joint="b"/>')
            + joint("b", "revolute", "link1", "link2", LIMIT + '<mimic joint="a"/>')
        )


def with_mesh(name):
    geometry = f'<geometry><mesh filename="{name}"/></geometry>'
    return f'<link name="base"><visual>{geometry}</visual><collision>{geometry}</collision></link>'


@pytest.mark.parametrize("how", ["above the file", "mapping", "folders", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"])
def test_pinocchio_1477_and_urchin_27_packages_are_found(load_urdf, tmp_path, monkeypatch, how):
    """package:// was not resolved -> looked for above the file, in the environment, where the caller says."""
    above = how == "above the file"
    home = tmp_path / ("ws" if above else "elsewhere/share") / "my_robot"
    (home / "meshes").mkdir(parents=True)
    (home / "meshes" / "base.stl").write_bytes(b"solid\nendsolid\n")
    options = {}
    if how == "mapping":
        options["package_dirs"] = {"my_robot": home}
    elif how == "folders":
        options["package_dirs"] = [home.parent]
    elif not above:
        monkeypatch.setenv(how, str(home.parent if how == "ROS_PACKAGE_PATH" else home.parents[1]))
    folder = "ws/my_robot/urdf" if above else "robots"
    robot = load_urdf(with_mesh("package://my_robot/meshes/base.stl"), links="", folder=folder, **options)
    assert robot.warnings == []
    for shape in robot.link("base").visuals + robot.link("base").collisions:
        assert shape.geometry.path == str(home / "meshes" / "base.stl")


def test_example_robot_data_17_a_missing_mesh_is_one_warning(load_urdf, caplog):
    """A mesh that is not there stopped the loading, or warned for every shape -> one warning that names it."""
    with caplog.at_level(logging.WARNING):
        robot = load_urdf(with_mesh("package://nowhere/base.stl"), links="")
    assert len(robot.warnings) == 1
    assert "package://nowhere/base.stl" in robot.warnings[0]
    assert caplog.text.count("package://nowhere/base.stl") == 1


def test_urdfdom_pr_38_and_urdf_loaders_9_a_missing_limit_is_no_limit(load_urdf, joint):
    """Nobody knew whether a missing limit meant zero or infinite -> infinite, one warning, and it can be set."""
    robot = load_urdf(
        joint("turn", "revolute", "base", "link1")
        + joint("slide", "prismatic", "link1", "link2", '<limit effort="1" velocity="1"/>')
    )
    assert robot.dof("turn").limits == robot.dof("slide").limits == (-math.inf, math.inf)
    assert sum("'turn'" in note for note in robot.warnings) == 1
    assert sum("'slide'" in note for note in robot.warnings) == 1
    robot.dof("turn").limits = (-1.0, 1.0)
    assert robot.upper_limits[0] == 1.0


def test_dartsim_dart_327_planar_and_floating_joints(load_urdf, joint):
    """Planar joints without an axis left the ground, and limits broke them -> x-y, limits ignored, said once."""
    robot = load_urdf(
        joint("slip", "planar", "base", "link1", axis="") + joint("fly", "floating", "link1", "link2", LIMIT)
    )
    assert robot.num_dofs == 9
    assert [note for note in robot.warnings if "'fly'" in note] == robot.warnings
    assert len(robot.warnings) == 1
    robot.positions = {"slip": [0.2, 0.3, 0.4]}
    placed = robot.link("link1").transform()
    np.testing.assert_allclose(placed.translation, [1.2, 0.3, 0.0], atol=1e-12)
    np.testing.assert_allclose(placed.rotation[2], [0, 0, 1], atol=1e-12)
    assert np.isinf(robot.upper_limits).all()


def test_klampt_112_no_kind_of_joint_is_dropped(load_urdf, joint):
    """Special joints were ignored without a word -> an unknown type is an error that lists the known ones."""
    with pytest.raises(ModelFileError, match=r"'odd'.*revolute"):
        load_urdf(joint("odd", "gearbox", "base", "link1"), links="base link1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("<robot", "XML"),
        ("<html></html>", "html"),
        ('<robot name="r"/>', "no links"),
        ('<robot name="r"><link name="a"/><link name="b"/></robot>', r"'a'.*'b'"),
    ],
    ids=["empty", "broken", "something else", "no links", "two roots"],
)
def test_files_that_are_no_robot(tmp_path, text, says):
    """Broken files gave a stack trace from deep inside -> an error that names the file and what is wrong."""
    path = tmp_path / "strange.urdf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelFileError, match=says) as caught:
        models.load(path)
    assert "strange.urdf" in str(caught.value)
