"""Shapes are data: immutable, checked when made."""

import copy
import dataclasses
import math
import pickle
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    InvalidPoseError,
    InvalidValueError,
    Mesh,
    OcTree,
    RevoluteJoint,
    Shape,
    ShapeError,
    Skeleton,
    Sphere,
)

ROUND = {
    Box: ("x", "y", "z"),
    Sphere: ("radius",),
    Cylinder: ("radius", "length"),
    Capsule: ("radius", "length"),
    Ellipsoid: ("x", "y", "z"),
}


@pytest.mark.parametrize("kind", ROUND)
def test_sizes_are_kept_and_frozen(kind):
    sizes = {name: 0.1 * (index + 1) for index, name in enumerate(ROUND[kind])}
    shape = kind(**sizes)
    assert dataclasses.asdict(shape) == sizes
    assert shape == kind(**sizes)
    with pytest.raises(dataclasses.FrozenInstanceError):
        shape.radius = 2.0


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, "1", None, [1.0]])
@pytest.mark.parametrize("kind", ROUND)
def test_every_size_must_be_positive(kind, bad):
    for wrong in ROUND[kind]:
        sizes = dict.fromkeys(ROUND[kind], 1.0) | {wrong: bad}
        with pytest.raises(InvalidValueError, match=f"{kind.__name__}: {wrong} must be positive"):
            kind(**sizes)


def test_numpy_numbers_are_numbers():
    assert Sphere(np.float64(0.5)).radius == 0.5
    assert Box(np.int64(1), np.float32(2.0), 3).x == 1


def test_a_mesh_is_not_opened():
    mesh = Mesh("nowhere/at/all.stl")
    assert (mesh.path, mesh.scale) == ("nowhere/at/all.stl", (1.0, 1.0, 1.0))


def test_a_mesh_takes_what_callers_have():
    assert Mesh(Path("part.stl")) == Mesh("part.stl") == Mesh(path="part.stl", scale=1)
    thousandth = Mesh("part.stl", (0.001, 0.001, 0.001))
    for same in (0.001, [0.001] * 3, np.full(3, 0.001), np.array(0.001)):
        assert Mesh("part.stl", same) == thousandth
        assert hash(Mesh("part.stl", same)) == hash(thousandth)
    assert Mesh("part.stl", (1, -1, 2)).scale == (1.0, -1.0, 2.0), "mirrored"
    match thousandth:
        case Mesh(path, scale):
            assert (path, scale) == (thousandth.path, thousandth.scale)


@pytest.mark.parametrize("path", [None, 3, "", b"part.stl"])
def test_the_path_of_a_mesh_is_checked(path):
    with pytest.raises(InvalidValueError, match=f"path must be the path of a file, not {path!r}"):
        Mesh(path)


@pytest.mark.parametrize("scale", [0, (1, 0, 1), math.nan, (1, math.inf, 1), None, "x", 1j, (1, None, 1)])
def test_the_scale_of_a_mesh_is_checked(scale):
    with pytest.raises(InvalidValueError, match=r"scale of Mesh 'part\.stl'"):
        Mesh("part.stl", scale)
    with pytest.raises(ShapeError, match=r"scale of Mesh 'part\.stl' must have 3 entries"):
        Mesh("part.stl", (1.0, 2.0))


def test_bare_geometries_become_shapes():
    robot = Skeleton()
    link = robot.add_link("base", collisions=[Sphere(1.0)], visuals=(Box(1, 1, 1), Shape(Sphere(2.0))))
    assert link.collisions == [Shape(Sphere(1.0))]
    assert [shape.geometry for shape in link.visuals] == [Box(1, 1, 1), Sphere(2.0)]
    for wrong in ([3], [None], 3, "box", Sphere(1.0)):
        with pytest.raises(InvalidValueError, match="link 'wrong' needs"):
            robot.add_link("wrong", RevoluteJoint("turn"), "base", collisions=wrong)
    assert len(robot.links) == 1


def test_a_copied_octree_is_read_only_too():
    cloud = OcTree([[0.15, 0.0, 0.0], [1.0, 2.0, 3.0]], 0.1)
    for twin in (copy.deepcopy(cloud), pickle.loads(pickle.dumps(cloud))):
        assert twin == cloud
        assert not twin.points.flags.writeable


def test_a_shape_has_a_placement_of_its_own():
    first, second = Shape(Sphere(1.0)), Shape(Sphere(1.0))
    assert first.placement == pin.SE3.Identity()
    assert first.placement is not second.placement
    assert (first.name, first.color) == ("", None)


def test_links_keep_lists_of_their_own():
    given = [Shape(Sphere(1.0))]
    robot = Skeleton()
    link = robot.add_link("base", collisions=given, visuals=given)
    given.clear()
    assert len(link.collisions) == len(link.visuals) == 1
    twin = robot.clone().link("base")
    twin.collisions.clear()
    assert len(link.collisions) == 1


def test_a_shape_is_placed_by_any_form_of_a_pose():
    given = pin.SE3.Identity()
    shape = Shape(Sphere(1.0), given)
    given.translation = np.ones(3)
    assert shape.placement == pin.SE3.Identity()
    np.testing.assert_array_equal(Shape(Sphere(1.0), ([1, 2, 3], [0, 0, 0, 1])).placement.translation, [1, 2, 3])
    with pytest.raises(InvalidPoseError, match="placement of a shape"):
        Shape(Sphere(1.0), "here")
