"""Written files are accepted by strict readers, and nothing is written that cannot be read."""

from __future__ import annotations

import logging
import math
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import (
    Cylinder,
    FreeJoint,
    Joint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    Shape,
    SimpleFrame,
    Skeleton,
    Sphere,
    World,
    pose,
)
from kinetree.models import UnsupportedFeatureError, load, save_urdf


def one_joint(joint: Joint, **parts: object) -> Skeleton:
    robot = Skeleton("one")
    robot.add_link("base")
    robot.add_link("a", joint, "base", pose((0.1, 0.2, 0.3), rpy=(0.1, 0.2, 0.3)), **parts)  # type: ignore[arg-type]
    return robot


@pytest.mark.parametrize(
    "joint",
    [
        RevoluteJoint("j", (1, 2, 3), (-1, 2)),
        PrismaticJoint("j", "y", (-0.5, 0.25)),
        RevoluteJoint("j", "z", (-1, 1), velocity_limit=2.0),
        RevoluteJoint("j", "z", velocity_limit=2.0),
    ],
)
def test_limits_without_velocity_or_effort_are_read_by_pinocchio(joint: RevoluteJoint, tmp_path: Path) -> None:
    robot = one_joint(joint)
    save_urdf(robot, tmp_path / "one.urdf")
    copy = load(tmp_path / "one.urdf")
    for name in ("limits", "velocity_limit", "effort_limit"):
        assert getattr(copy.dof("j"), name) == getattr(robot.dof("j"), name)
    model = pin.buildModelFromUrdf(str(tmp_path / "one.urdf"))
    data = model.createData()
    for value in (-0.4, 0.0, 0.2):
        q = np.array([value]) if model.nq == 1 else np.array([math.cos(value), math.sin(value)])
        pin.framesForwardKinematics(model, data, q)
        theirs = data.oMf[model.getFrameId("a")].homogeneous
        np.testing.assert_allclose(robot.state([value]).transform(robot.link("a")).homogeneous, theirs, atol=1e-12)


def test_sizes_that_are_numpy_numbers(tmp_path: Path) -> None:
    shapes = [Shape(Sphere(np.float64(0.1))), Shape(Cylinder(np.float64(0.1), np.float64(0.2)))]
    save_urdf(one_joint(RevoluteJoint("j"), visuals=shapes), tmp_path / "one.urdf")
    read = [shape.geometry for shape in load(tmp_path / "one.urdf").link("a").visuals]
    assert read == [Sphere(0.1), Cylinder(0.1, 0.2)]


def test_a_named_frame_on_one_without_a_name_in_the_skeleton(tmp_path: Path) -> None:
    robot = one_joint(RevoluteJoint("j"))
    between = SimpleFrame("between", robot.link("a"), pose((1, 0, 0), rpy=(0, 0, 0.5)))
    robot.add_frame("tcp", between, pose((0, 1, 0)))
    save_urdf(robot, tmp_path / "one.urdf")
    copy = load(tmp_path / "one.urdf")
    np.testing.assert_allclose(
        copy.state([0.7]).transform(copy.frame("tcp")).homogeneous,
        robot.state([0.7]).transform(robot.frame("tcp")).homogeneous,
        atol=1e-12,
    )


def test_a_named_frame_that_left_the_skeleton_is_refused(tmp_path: Path) -> None:
    robot = one_joint(RevoluteJoint("j"))
    robot.add_frame("tcp", "a").set_parent(World())
    with pytest.raises(UnsupportedFeatureError, match="'tcp' does not hang on skeleton 'one'"):
        save_urdf(robot, tmp_path / "one.urdf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("joint", [FreeJoint("j"), PlanarJoint("j")])
def test_limits_that_are_lost_are_logged(joint: Joint, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    joint.dofs[0].limits = (-1, 1)
    with caplog.at_level(logging.WARNING):
        save_urdf(one_joint(joint), tmp_path / "one.urdf")
    assert f"limits of {joint.kind} joint 'j' are not written" in caplog.text
