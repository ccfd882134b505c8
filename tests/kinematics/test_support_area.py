"""The floor under a robot that stands, against supporting lines in all directions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    GeometryError,
    InvalidValueError,
    Mesh,
    Plane,
    Shape,
    ShapeError,
    Skeleton,
    Sphere,
    StructureError,
    SupportArea,
    pose,
)

#: Directions are this far apart (rad, halved), at distances of up to 6 m.
FINE = 6 * np.pi / 20_000
coordinates = st.floats(-2, 2, allow_subnormal=False).map(lambda value: round(value, 3))
points = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=12)


@settings(max_examples=200)
@given(points, st.tuples(coordinates, coordinates))
def test_it_is_the_convex_hull(given_points, at):
    area = SupportArea(given_points)
    # Distances to a convex hull by the dual: the largest, over directions, of how far the point is beyond all others.
    angles = np.linspace(0, 2 * np.pi, 20_000)
    directions = np.stack([np.cos(angles), np.sin(angles)])
    beyond = float((np.array(at) @ directions - (np.array(given_points) @ directions).max(axis=0)).max())
    assert area.excess(at) == pytest.approx(max(beyond, 0.0), abs=FINE)
    if area.margin(at) > 0 or beyond > FINE:
        assert area.margin(at) == pytest.approx(-beyond, abs=FINE)
    nearest = area.nearest(at)
    assert area.excess(nearest) <= 1e-9
    assert np.linalg.norm(nearest - at) == pytest.approx(area.excess(at))
    assert area.contains(at, -1e-5) == (area.margin(at) >= -1e-5)


def test_corners_go_round_once_and_the_centre_is_that_of_the_area():
    grid = np.stack(np.meshgrid([0, 1, 2, 3], [0, 1, 2]), axis=-1).reshape(-1, 2)
    area = SupportArea(grid)
    np.testing.assert_array_equal(area.corners, [[0, 0], [3, 0], [3, 2], [0, 2]])
    np.testing.assert_allclose(SupportArea([[0, 0], [3, 0], [0, 3]]).center, [1, 1])
    np.testing.assert_allclose(SupportArea([[0, 0, 9], [3, 0, 9]]).center, [1.5, 0])
    np.testing.assert_allclose(SupportArea([[2, 1]]).nearest([5, 5]), [2, 1])
    assert repr(area) == "<SupportArea of 4 corners, 3 m by 2 m>"
    with pytest.raises(ValueError, match="read-only"):
        area.corners[0] = 0


def test_the_soles_of_a_humanoid():
    robot = models.load("humanoid")
    feet = [robot.frame(f"{side}_foot") for side in ("left", "right")]
    area = SupportArea.of(feet)
    # Soles of 0.23 m by 0.1 m, 0.035 m before the ankles.
    places = [foot.transform().translation for foot in feet]
    low, high = np.min(places, axis=0)[:2], np.max(places, axis=0)[:2]
    np.testing.assert_allclose(area.corners.min(axis=0), low + np.array([0.035 - 0.115, -0.05]), atol=1e-9)
    np.testing.assert_allclose(area.corners.max(axis=0), high + np.array([0.035 + 0.115, 0.05]), atol=1e-9)
    assert len(area.corners) == 4
    # On its toes it stands on their front edge.
    tilted = SupportArea.of(feet, {"left_ankle_pitch_joint": 0.3, "right_ankle_pitch_joint": 0.3})
    assert np.ptp(tilted.corners[:, 0]) < 1e-9


@pytest.mark.parametrize(
    ("geometry", "size"),
    [
        (Box(0.4, 0.2, 0.1), (0.4, 0.2)),
        (Cylinder(0.1, 0.2), (0.2, 0.2)),
        (Sphere(0.1), (0, 0)),
        (Capsule(0.1, 0.3), (0, 0)),
        (Ellipsoid(0.1, 0.2, 0.3), (0, 0)),
    ],
)
def test_each_shape_stands_on_its_lowest_part(geometry, size):
    robot = Skeleton("foot")
    robot.add_link("foot", placement=pose((1, 2, 3)), collisions=[Shape(geometry)])
    area = SupportArea.of([robot.frame("foot")])
    np.testing.assert_allclose(np.ptp(area.corners, axis=0), size, atol=1e-12)
    np.testing.assert_allclose(area.center, [1, 2], atol=1e-12)


def test_lying_capsules_and_turned_ellipsoids():
    robot = Skeleton("foot")
    lying = pose((0, 0, 0), rpy=(0, np.pi / 2, 0))
    turned = pose((0, 5, -0.1), rpy=(0.0, 0.5, 0.3))
    robot.add_link("foot", collisions=[Shape(Capsule(0.1, 0.3), lying)])
    robot.add_link("toe", parent="foot", collisions=[Shape(Ellipsoid(0.1, 0.2, 0.05), turned)])
    np.testing.assert_allclose(np.ptp(SupportArea.of([robot.frame("foot")]).corners, axis=0)[0], 0.0, atol=1e-12)
    robot.link("foot").collisions, robot.link("toe").collisions = robot.link("toe").collisions, ()
    sphere = np.random.default_rng(0).normal(size=(200_000, 3))
    sphere /= np.linalg.norm(sphere, axis=1)[:, None]
    cloud = (sphere * [0.1, 0.2, 0.05]) @ turned.rotation.T + turned.translation
    np.testing.assert_allclose(SupportArea.of([robot.frame("toe")]).center, cloud[cloud[:, 2].argmin(), :2], atol=2e-3)


def test_a_mesh_foot(tmp_path):
    corners = ["0 0 0", "0.2 0 0", "0.1 0.3 0", "0.1 0.1 0.5"]
    path = tmp_path / "foot.obj"
    path.write_text("\n".join([*(f"v {each}" for each in corners), "f 1 2 3", "f 1 2 4", "f 2 3 4", "f 3 1 4"]) + "\n")
    robot = Skeleton("foot")
    robot.add_link("foot", collisions=[Shape(Mesh(str(path)))])
    np.testing.assert_allclose(SupportArea.of([robot.frame("foot")]).corners, [[0, 0], [0.2, 0], [0.1, 0.3]])


def test_a_bare_geometry_is_stood_on_and_nothing_else():
    robot = Skeleton("foot")
    robot.add_link("foot").collisions.append(Box(0.2, 0.4, 0.1))
    np.testing.assert_allclose(np.ptp(SupportArea.of([robot.frame("foot")]).corners, axis=0), [0.2, 0.4])
    robot.link("foot").collisions.append(3)
    with pytest.raises(InvalidValueError, match="link 'foot' needs"):
        SupportArea.of([robot.frame("foot")])


def test_what_no_area_comes_from():
    robot = models.load("humanoid")
    other = Skeleton("other")
    other.add_link("bare")
    with pytest.raises(GeometryError, match="frame 'bare' has no collision shapes"):
        SupportArea.of([other.frame("bare")])
    with pytest.raises(StructureError, match="must hang on one skeleton"):
        SupportArea.of([robot.frame("left_foot"), other.frame("bare")])
    with pytest.raises(InvalidValueError, match="at least one frame"):
        SupportArea.of([])
    other.link("bare").collisions = [Shape(Plane())]
    with pytest.raises(GeometryError, match="stand on a Plane"):
        SupportArea.of([other.frame("bare")])
    for wrong in ([], [1, 2], [[1, 2, 3, 4]]):
        with pytest.raises(ShapeError):
            SupportArea(wrong)
    for wrong in ([[np.nan, 0]], [["a", "b"]], None):
        with pytest.raises((InvalidValueError, ShapeError)):
            SupportArea(wrong)
