"""Written robots are read back the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import (
    Box,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Shape,
    Skeleton,
    Sphere,
    UniversalJoint,
    pose,
)
from kinetree.models import UnsupportedFeatureError, load, robots, save_urdf


def same(first: Skeleton, second: Skeleton, path: Path) -> None:
    rng = np.random.default_rng(0)
    assert [dof.limits for dof in second.dofs] == [dof.limits for dof in first.dofs]
    for _ in range(3):
        q = first.random_positions(rng)
        one, two = first.state(q), second.state(q)
        for frame in first.frames:
            np.testing.assert_allclose(
                one.transform(frame).homogeneous,
                two.transform(second.frame(frame.name)).homogeneous,
                atol=1e-12,
            )
        np.testing.assert_allclose(one.com(), two.com(), atol=1e-12)


@pytest.mark.parametrize("name", [info.name for info in robots()])
def test_built_in_robots_survive(name: str, tmp_path: Path) -> None:
    robot = load(name)
    save_urdf(robot, tmp_path / "copy.urdf")
    copy = load(tmp_path / "copy.urdf")
    same(robot, copy, tmp_path)
    assert [joint.name for joint in copy.joints if joint.is_moving] == [j.name for j in robot.joints if j.is_moving]
    for link in robot.links:
        assert [s.geometry for s in copy.link(link.name).visuals] == [s.geometry for s in link.visuals]
    pin.buildModelFromUrdf(str(tmp_path / "copy.urdf"))


def test_joints_away_from_their_links_frames_and_dependence(tmp_path: Path) -> None:
    robot = Skeleton("odd")
    robot.add_link("base", placement=pose((0.1, 0, 0), rpy=(0, 0.2, 0)), inertia=pin.Inertia(1, np.ones(3), np.eye(3)))
    robot.add_link(
        "a",
        RevoluteJoint("r", (1, 2, 3), (-1, 2)),
        "base",
        pose((0, 0, 1)),
        child_placement=pose((0.2, 0, 0.1)),
    )
    robot.add_link("u", UniversalJoint("uni", ("x", (0, 1, 1)), [(-1, 1), (-2, 2)]), "a", pose(rpy=(0.3, 0, 0)))
    robot.add_link("p", PrismaticJoint("s", "-y", (0, 1)), "u", visuals=[Shape(Box(1, 2, 3), color=(1, 0, 0, 1))])
    robot.add_link("flat", PlanarJoint("plane"), "p", collisions=[Shape(Sphere(0.1), pose((1, 0, 0)))])
    robot.add_link("m", RevoluteJoint("follower"), "p")
    robot.joint("follower").depend_on(robot.joint("s"), 3.0, -0.5)
    robot.add_frame("tcp", "m", pose((0, 0, 0.3)))
    save_urdf(robot, tmp_path / "odd.urdf")
    copy = load(tmp_path / "odd.urdf")
    same(robot, copy, tmp_path)
    assert copy.link("p").visuals[0].color == (1, 0, 0, 1)
    assert copy.joint("follower").is_dependent


def test_what_urdf_cannot_say_is_refused_by_name_and_nothing_is_written(tmp_path: Path) -> None:
    robot = Skeleton("s")
    robot.add_link("base")
    robot.add_link("a", ScrewJoint("lead_screw", lead=0.01), "base")
    with pytest.raises(UnsupportedFeatureError, match="'lead_screw' is screw"):
        save_urdf(robot, tmp_path / "s.urdf")
    assert list(tmp_path.iterdir()) == []
