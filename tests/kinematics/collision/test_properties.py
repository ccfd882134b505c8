"""What must hold whatever the shapes and places are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    Cylinder,
    Ellipsoid,
    FreeJoint,
    Shape,
    Skeleton,
    Sphere,
    pose,
)

size = st.floats(0.05, 0.6)
geometries = st.one_of(
    st.builds(Box, size, size, size),
    st.builds(Sphere, size),
    st.builds(Capsule, size, size),
    st.builds(Cylinder, size, size),
    st.builds(Ellipsoid, size, size, size),
)
coordinate = st.floats(-1.5, 1.5, allow_subnormal=False)
angle = st.floats(-3.0, 3.0, allow_subnormal=False)
places = st.builds(lambda *values: pose(values[:3], rpy=values[3:]), *[coordinate] * 3, *[angle] * 3)
#: Where coal's answer may be either way (m).
UNSURE = 1e-4


def between(first, first_place, second, second_place) -> CollisionDetector:
    robot = Skeleton("one")
    robot.add_link("one", FreeJoint("free"), placement=first_place, collisions=[Shape(first)])
    detector = CollisionDetector(robot)
    detector.add("other", second, second_place)
    return detector


@given(geometries, places, geometries, places)
def test_who_is_the_obstacle_does_not_matter(first, first_place, second, second_place):
    forth = between(first, first_place, second, second_place)
    back = between(second, second_place, first, first_place)
    value = forth.distance().value
    if value > UNSURE:
        assert back.distance().value == pytest.approx(value, abs=1e-5)
        np.testing.assert_allclose(np.linalg.norm(np.subtract(*forth.distance().points)), value, atol=1e-5)
    if abs(value) > UNSURE:
        assert forth.in_collision() == back.in_collision() == (value < 0)


@given(geometries, places, geometries, places, places)
def test_moving_everything_changes_nothing(first, first_place, second, second_place, motion):
    before = between(first, first_place, second, second_place)
    after = between(first, motion * first_place, second, motion * second_place)
    value = before.distance().value
    if value > UNSURE:
        assert after.distance().value == pytest.approx(value, abs=1e-5)
    if abs(value) > UNSURE:
        assert after.in_collision() == before.in_collision()


@settings(max_examples=20)
@given(places, st.integers(0, 1000))
def test_a_robot_may_stand_anywhere(motion, seed):
    robot = models.load("ur5")
    detector = CollisionDetector(robot)
    detector.add("box", Box(0.3, 0.3, 0.3), pose([0.4, 0.2, 0.3]))
    q = robot.random_positions(seed)
    hit, value = detector.in_collision(q), detector.distance(q).value
    robot.root.joint.placement = motion * robot.root.joint.placement
    detector.move("box", motion * pose([0.4, 0.2, 0.3]))
    if abs(value) > UNSURE:
        assert detector.in_collision(q) == hit
        if value > 0:
            assert detector.distance(q).value == pytest.approx(value, abs=1e-5)


@given(geometries, places, geometries, places)
def test_a_bounding_ball_touches_first(first, first_place, second, second_place):
    detector = between(first, first_place, second, second_place)
    extent = {
        Box: lambda g: 0.5 * float(np.linalg.norm([g.x, g.y, g.z])),
        Sphere: lambda g: g.radius,
        Capsule: lambda g: g.radius + 0.5 * g.length,
        Cylinder: lambda g: float(np.hypot(g.radius, 0.5 * g.length)),
        Ellipsoid: lambda g: max(g.x, g.y, g.z),
    }
    reach = extent[type(first)](first) + extent[type(second)](second)
    apart = float(np.linalg.norm(first_place.translation - second_place.translation))
    if apart > reach + UNSURE:
        assert not detector.in_collision()
        assert detector.distance().value >= apart - reach - UNSURE
