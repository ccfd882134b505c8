"""Written robots are read back the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    FixedJoint,
    FreeJoint,
    InvalidValueError,
    Joint,
    Mesh,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Shape,
    SimpleFrame,
    Skeleton,
    Sphere,
    SphericalJoint,
    UniversalJoint,
    pose,
)
from kinetree.models import UnsupportedFeatureError, from_dh, from_screws, load, robots, save_urdf


def saved(robot: Skeleton, tmp_path: Path, **options: Any) -> Skeleton:
    save_urdf(robot, tmp_path / "copy.urdf", **options)
    return load(tmp_path / "copy.urdf")


def same(first: Skeleton, second: Skeleton) -> None:
    assert second.name == first.name
    assert second.warnings == []
    assert [dof.limits for dof in second.dofs] == [dof.limits for dof in first.dofs]
    for attribute in ("velocity_limit", "effort_limit"):
        before, after = ([getattr(dof, attribute) for dof in each.dofs] for each in (first, second))
        assert after == before
    rng = np.random.default_rng(0)
    for _ in range(3):
        q = first.random_positions(rng)
        one, two = first.state(q), second.state(q)
        for frame in first.frames:
            np.testing.assert_allclose(
                two.transform(second.frame(frame.name)).homogeneous,
                one.transform(frame).homogeneous,
                atol=1e-12,
                err_msg=frame.name,
            )
        if first.mass:
            np.testing.assert_allclose(two.com(), one.com(), atol=1e-12)
    for link in first.links:
        np.testing.assert_allclose(second.link(link.name).inertia.matrix(), link.inertia.matrix(), atol=1e-12)


def same_shapes(first: list[Shape], second: list[Shape]) -> None:
    assert [shape.geometry for shape in second] == [shape.geometry for shape in first]
    assert [shape.name for shape in second] == [shape.name for shape in first]
    for one, two in zip(first, second, strict=True):
        np.testing.assert_allclose(two.placement.homogeneous, one.placement.homogeneous, atol=1e-14)


@pytest.mark.parametrize("name", [info.name for info in robots()])
def test_built_in_robots_survive(name: str, tmp_path: Path) -> None:
    robot = load(name)
    copy = saved(robot, tmp_path)
    same(robot, copy)
    moving = [joint.name for joint in copy.joints if joint.is_moving]
    assert moving == [joint.name for joint in robot.joints if joint.is_moving]
    for link in robot.links:
        same_shapes(link.visuals, copy.link(link.name).visuals)
        same_shapes(link.collisions, copy.link(link.name).collisions)
        assert [s.color for s in copy.link(link.name).visuals] == [s.color for s in link.visuals]
    pin.buildModelFromUrdf(str(tmp_path / "copy.urdf"))


def random_pose(rng: np.random.Generator) -> pin.SE3:
    return pose(rng.normal(size=3), rpy=rng.uniform(-3, 3, 3))


def random_joint(name: str, rng: np.random.Generator) -> Joint:
    axis = rng.normal(size=3)
    kind = rng.integers(8)
    makers = (
        lambda: RevoluteJoint(name, axis, (-1, 2), velocity_limit=3.0, effort_limit=0.1),
        lambda: RevoluteJoint(name, axis),
        lambda: PrismaticJoint(name, axis, (-np.inf, 0.25)),
        lambda: ScrewJoint(name, axis, rng.normal(), (-4, 4)),
        lambda: UniversalJoint(name, (axis, rng.normal(size=3)), [(-1, 1), None], velocity_limit=2.0),
        lambda: PlanarJoint(name, axis),
        lambda: FreeJoint(name),
        lambda: FixedJoint(name),
    )
    return makers[kind]()


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_survive(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    robot = Skeleton(f"tree <{seed}> & more")
    robot.add_link("root", random_joint("root joint", rng), placement=random_pose(rng))
    for k in range(12):
        mass = abs(rng.normal())
        tensor = np.diag(rng.uniform(1, 1.5, 3))
        robot.add_link(
            f"link {k}",
            random_joint(f"joint {k}", rng),
            robot.links[rng.integers(len(robot.links))],
            random_pose(rng),
            child_placement=random_pose(rng) if rng.random() < 0.5 else None,
            inertia=pin.Inertia(mass, rng.normal(size=3), tensor) if rng.random() < 0.5 else None,
        )
    joints = [joint for joint in robot.joints if joint.num_dofs == 1]
    for follower, master in zip(joints[1:4], joints, strict=False):
        follower.depend_on(master, rng.normal(), rng.normal())
    robot.add_frame("tcp", SimpleFrame("between", robot.links[-1], random_pose(rng)), random_pose(rng))
    same(robot, saved(robot, tmp_path))


def test_a_root_that_moves_survives(tmp_path: Path) -> None:
    robot = Skeleton("floats")
    robot.add_link("base", FreeJoint("free"))
    copy = saved(robot, tmp_path)
    same(robot, copy)
    assert [link.name for link in copy.links] == ["world", "base"]


def test_tables_and_screws_survive(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    same(*(lambda robot: (robot, saved(robot, tmp_path)))(from_dh(rng.normal(size=(6, 4)), base=random_pose(rng))))
    same(*(lambda robot: (robot, saved(robot, tmp_path)))(from_screws(rng.normal(size=(5, 6)), random_pose(rng))))


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, np.pi / 2 + 1e-7])
def test_rotations_where_roll_and_yaw_are_one(pitch: float, tmp_path: Path) -> None:
    robot = Skeleton("singular")
    robot.add_link("a")
    robot.add_link("b", None, "a", pose((1, 2, 3), rpy=(0.3, pitch, -0.7)))
    same(robot, saved(robot, tmp_path))


def test_dependence_survives_chains_included(tmp_path: Path) -> None:
    robot = Skeleton("fingers")
    robot.add_link("palm")
    for k in range(3):
        robot.add_link(f"f{k}", RevoluteJoint(f"j{k}", "y"), "palm")
    robot.add_link("screw", ScrewJoint("s", "x", 0.3), "palm")
    robot.joint("j1").depend_on(robot.joint("j0"), 2.0, 0.1)
    robot.joint("j2").depend_on(robot.joint("j1"), -1.0, 0.2)
    robot.joint("s").depend_on(robot.joint("j0"), 3.0, -0.5)
    copy = saved(robot, tmp_path)
    same(robot, copy)
    assert [dof.name for dof in copy.dofs] == ["j0"]


def test_shapes_and_meshes_survive(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    inside, outside = tmp_path / "meshes" / "a.stl", tmp_path.parent / f"{tmp_path.name}_b.stl"
    for file in (inside, outside):
        file.write_text("solid")
    forms = [
        Box(1, 2, 3),
        Sphere(0.1),
        Cylinder(0.1, 0.3),
        Capsule(0.2, 1 / 3),
        Mesh(str(inside), (1, -1, 2)),
    ]
    shapes = [
        Shape(form, pose((k, 0, 0), rpy=(0.1, 0.2, k)), f"n{k}", (0.1, 0.2, 0.3, 1) if k % 2 else None)
        for k, form in enumerate([*forms, Mesh(str(outside))])
    ]
    robot = Skeleton("s")
    robot.add_link("a", visuals=shapes, collisions=shapes[:2])
    copy = saved(robot, tmp_path)
    same_shapes(shapes, copy.link("a").visuals)
    same_shapes(shapes[:2], copy.link("a").collisions)
    assert [shape.color for shape in copy.link("a").visuals] == [shape.color for shape in shapes]
    assert 'filename="meshes/a.stl"' in (tmp_path / "copy.urdf").read_text()
    assert saved(robot, tmp_path, shapes=False).link("a").visuals == []


def test_bare_geometries_are_written_and_others_named(tmp_path: Path) -> None:
    robot = Skeleton("s")
    link = robot.add_link("a")
    link.collisions.append(Box(1, 2, 3))
    link.visuals.append(Sphere(1))
    copy = saved(robot, tmp_path).link("a")
    assert (copy.collisions[0].geometry, copy.visuals[0].geometry) == (Box(1, 2, 3), Sphere(1))
    link.visuals.append(3)
    with pytest.raises(InvalidValueError, match="link 'a' needs"):
        saved(robot, tmp_path)


def test_others_can_read_what_is_unlimited(tmp_path: Path) -> None:
    robot = Skeleton("s")
    robot.add_link("a")
    robot.add_link("b", PrismaticJoint("p", "x"), "a", inertia=pin.Inertia(1, np.zeros(3), np.eye(3)))
    robot.add_link("c", RevoluteJoint("r", "x"), "b", inertia=pin.Inertia(1, np.zeros(3), np.eye(3)))
    same(robot, saved(robot, tmp_path))
    model = pin.buildModelFromUrdf(str(tmp_path / "copy.urdf"))
    assert model.upperPositionLimit[0] == 1e9
    assert model.nv == 2


def test_names_that_are_taken_are_not_used_for_helpers(tmp_path: Path) -> None:
    robot = Skeleton("s")
    robot.add_link("world", RevoluteJoint("u_middle", "x"), placement=pose((0, 0, 1)))
    robot.add_link("u_middle", UniversalJoint("u"), "world", child_placement=pose((1, 0, 0)))
    robot.add_link("u_middle_at_joint", FixedJoint("u_to_link"), "u_middle")
    same(robot, saved(robot, tmp_path))


def unwritable() -> list[tuple[Skeleton, str]]:
    ball = Skeleton("ball")
    ball.add_link("base")
    ball.add_link("a", SphericalJoint("shoulder"), "base")
    law = Skeleton("law")
    law.add_link("base")
    law.add_link("a", RevoluteJoint("crank"), "base")
    law.add_link("b", RevoluteJoint("rocker"), "base")
    law.joint("rocker").depend_on(law.joint("crank"), function=np.sin)
    egg = Skeleton("egg")
    egg.add_link("shell", collisions=[Shape(Ellipsoid(1, 2, 3))])
    return [
        (ball, "'shoulder' is spherical"),
        (law, "'rocker' depends on 'crank' through a callable"),
        (egg, "'shell' has the shape Ellipsoid.*shapes=False"),
        (Skeleton("none"), "'none' has no links"),
    ]


@pytest.mark.parametrize(("robot", "message"), unwritable(), ids=lambda value: getattr(value, "name", ""))
def test_what_urdf_cannot_say_is_refused_by_name_and_nothing_is_written(
    robot: Skeleton, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "s.urdf"
    file.write_text("before")
    with pytest.raises(UnsupportedFeatureError, match=message):
        save_urdf(robot, file)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save_urdf(load("planar3"), tmp_path / "nowhere" / "a.urdf")
