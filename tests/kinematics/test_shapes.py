"""Shapes are data: immutable, checked when made."""

import dataclasses
import math

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
    Shape,
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
    assert mesh.scale == (1.0, 1.0, 1.0)


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
