"""Distances, contacts and margins against formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    Contact,
    Distance,
    FreeJoint,
    InvalidValueError,
    Plane,
    Shape,
    Skeleton,
    Sphere,
    pose,
    rotation_from_rpy,
)

coordinate = st.floats(-2.0, 2.0, allow_subnormal=False)
angle = st.floats(-3.0, 3.0, allow_subnormal=False)
points = st.tuples(coordinate, coordinate, coordinate).map(np.array)
angles = st.tuples(angle, angle, angle)
sizes = st.floats(0.05, 1.0)


def floating(geometry) -> CollisionDetector:
    robot = Skeleton("floating")
    robot.add_link("body", FreeJoint("free"), collisions=[Shape(geometry)])
    return CollisionDetector(robot)


def at(translation) -> np.ndarray:
    """The configuration of a free joint, without rotation."""
    return np.array([*translation, 0, 0, 0], dtype=float)


@given(points, points, sizes, sizes)
def test_two_spheres(first, second, radius, other):
    detector = floating(Sphere(radius))
    detector.add("ball", Sphere(other), pose(second))
    apart = float(np.linalg.norm(first - second))
    distance = detector.distance(at(first))
    assert distance.value == pytest.approx(apart - radius - other, abs=1e-6)
    assert distance.pair == ("body", "ball")
    if apart > 1e-3:
        direction = (second - first) / apart
        expected = [first + radius * direction, second - other * direction]
        np.testing.assert_allclose(distance.points, expected, atol=1e-6)
    if abs(apart - radius - other) > 1e-5:
        assert detector.in_collision(at(first)) == (apart < radius + other)


@given(points, points, angles, sizes, sizes, sizes, sizes)
def test_sphere_and_box(first, centre, rpy, x, y, z, radius):
    detector = floating(Sphere(radius))
    detector.add("box", Box(x, y, z), pose(centre, rpy=rpy))
    local = rotation_from_rpy(*rpy).T @ (first - centre)
    beyond = np.abs(local) - np.array([x, y, z]) / 2
    expected = np.linalg.norm(np.maximum(beyond, 0)) + min(beyond.max(), 0.0) - radius
    assert detector.distance(at(first)).value == pytest.approx(expected, abs=2e-5)
    if abs(expected) > 2e-5:
        assert detector.in_collision(at(first)) == (expected < 0)


@given(points, points, angles, sizes, sizes, sizes)
def test_sphere_and_capsule(first, centre, rpy, length, thickness, radius):
    detector = floating(Sphere(radius))
    detector.add("capsule", Capsule(thickness, length), pose(centre, rpy=rpy))
    axis = rotation_from_rpy(*rpy)[:, 2]
    along = np.clip(axis @ (first - centre), -length / 2, length / 2)
    expected = np.linalg.norm(first - centre - along * axis) - thickness - radius
    assert detector.distance(at(first)).value == pytest.approx(expected, abs=1e-5)


@given(points, angles, sizes, sizes)
def test_capsule_and_plane(centre, rpy, length, radius):
    detector = floating(Capsule(radius, length))
    detector.add("floor", Plane())
    vector = np.array(rpy) / max(1.0, float(np.linalg.norm(rpy)) / 3.0)
    q = np.array([*centre, *vector])
    axis = detector.skeleton.state(q).transform(detector.skeleton.link("body")).rotation[:, 2]
    expected = centre[2] - abs(axis[2]) * length / 2 - radius
    distance = detector.distance(q)
    assert distance.value == pytest.approx(expected, abs=1e-6)
    assert distance.points[1][2] == pytest.approx(0.0, abs=1e-6)


def test_the_nearest_pair_is_named_with_its_points():
    detector = floating(Box(1, 1, 1))
    detector.add("far", Sphere(0.1), pose([0, 3, 0]))
    detector.add("near", [Sphere(0.1), Shape(Sphere(0.2), pose([0, 0, 1]))], pose([1.5, 0, 0.4]))
    distance = detector.distance(at([0, 0, 0]))
    assert distance.pair == ("body", "near")
    assert distance.value == pytest.approx(0.9)
    np.testing.assert_allclose(distance.points, [[0.5, 0, 0.4], [1.4, 0, 0.4]], atol=1e-6)
    assert str(distance) == "'body' to 'near': 0.9 m"


def test_without_any_pair():
    distance = floating(Sphere(0.1)).distance()
    assert (distance.value, distance.pair, distance.points) == (math.inf, None, None)
    assert str(distance) == "nothing to be near to"


def test_answers_do_not_depend_on_earlier_questions():
    robot = models.load("panda")
    detector = CollisionDetector(robot)
    rng = np.random.default_rng(0)
    q = [robot.random_positions(rng) for _ in range(30)]
    forth = [detector.distance(each).value for each in q]
    back = [detector.distance(each).value for each in reversed(q)]
    assert forth == back[::-1]


def test_contacts_give_depth_points_and_normal():
    detector = floating(Sphere(0.5))
    detector.add("left", Sphere(0.3), pose([-0.7, 0, 0]))
    detector.add("floor", Plane(), pose([0, 0, -0.4]))
    detector.add("far", Sphere(0.3), pose([3, 0, 0]))
    contacts = {each.pair[1]: each for each in detector.contacts(at([0, 0, 0]))}
    assert set(contacts) == {"left", "floor"}
    left, floor = contacts["left"], contacts["floor"]
    assert left.depth == pytest.approx(0.1, abs=1e-6)
    np.testing.assert_allclose(left.points, [[-0.5, 0, 0], [-0.4, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(left.normal, [-1, 0, 0], atol=1e-6)
    assert floor.depth == pytest.approx(0.1, abs=1e-6)
    np.testing.assert_allclose(floor.normal, [0, 0, -1], atol=1e-6)
    np.testing.assert_allclose(floor.points[0] - floor.points[1], [0, 0, -0.1], atol=1e-6)
    assert str(left) == "'body' and 'left' overlap by 0.1 m"


def test_of_several_shapes_the_deepest_contact_counts():
    detector = floating(Sphere(0.5))
    depths = [0.1, 0.3, 0.2]
    detector.add("balls", [Shape(Sphere(0.5), pose([0, 0, 1.0 - depth])) for depth in depths])
    (contact,) = detector.contacts(at([0, 0, 0]))
    assert contact.depth == pytest.approx(0.3, abs=1e-5)


def test_a_contact_inside_the_margin_has_a_negative_depth():
    detector = floating(Sphere(0.5))
    detector.add("ball", Sphere(0.5), pose([1.01, 0, 0]))
    assert detector.contacts(at([0, 0, 0])) == ()
    detector.margin = 0.02
    (contact,) = detector.contacts(at([0, 0, 0]))
    assert contact.depth == pytest.approx(-0.01, abs=1e-6)
    collision = detector.check(at([0, 0, 0]))
    assert str(collision) == "'body' comes nearer than 0.02 m to 'ball'"


@given(st.floats(0.0, 0.5), st.floats(0.0, 0.5), points)
def test_a_larger_margin_refuses_more(margin, more, place):
    detector = floating(Box(0.2, 0.3, 0.4))
    detector.add("capsule", Capsule(0.2, 0.5), pose([0.1, 0.2, 0.3], rpy=[0.5, 0.6, 0.7]))
    value = detector.distance(at(place)).value
    detector.margin = margin
    tight = detector.in_collision(at(place))
    detector.margin = margin + more
    assert detector.in_collision(at(place)) >= tight
    if abs(value - margin) > 1e-5:
        assert tight == (value < margin)


def test_the_margin_is_for_obstacles_and_the_self_margin_for_the_robot():
    robot = models.load("ur5")
    home = [0.0, -1.2, 1.6, -1.97, -1.57, 0.0]
    detector = CollisionDetector(robot, margin=0.05)
    assert not detector.in_collision(home), "base and upper arm are always nearer than this"
    assert 0 < detector.distance(home).value < 0.005
    detector.self_margin = 0.005
    collision = detector.check(home)
    assert set(collision.pair) <= {link.name for link in robot.links}
    assert collision.margin == 0.005
    detector.self_margin = 0.0
    value = detector.distance(home).value
    tip = robot.state(home).transform(robot.tip).translation
    detector.add("ball", Sphere(0.1), pose(np.add(tip, [0, 0, -0.14])))
    detector.margin = 0.0
    assert not detector.in_collision(home)
    detector.margin = 0.05
    assert detector.check(home).pair[1] == "ball"
    assert detector.distance(home).value == pytest.approx(value)


@pytest.mark.parametrize("bad", [-0.1, math.nan, math.inf, "0.1", None])
def test_margins_that_are_none(bad):
    detector = floating(Sphere(0.1))
    for name in ("margin", "self_margin"):
        with pytest.raises(InvalidValueError, match=f"{name} must be"):
            setattr(detector, name, bad)
        with pytest.raises(InvalidValueError, match=f"{name} must be"):
            CollisionDetector(detector.skeleton, **{name: bad})
    assert (detector.margin, detector.self_margin) == (0.0, 0.0)


@pytest.mark.parametrize("name", ["ur5", "humanoid", "dual_arm"])
def test_overlaps_that_coal_fails_at_first_have_a_depth(name):
    """At some of these coal's iterations end without a depth, and say -1.8e308 m."""
    robot = models.load(name)
    detector = CollisionDetector(robot)
    rng = np.random.default_rng(0)
    values = [detector.distance(robot.random_positions(rng)) for _ in range(400)]
    assert all(-1.0 < found.value < 1.0 and np.isfinite(found.points).all() for found in values)


def test_distance_to_obstacles_only():
    robot = models.load("panda")
    detector = CollisionDetector(robot)
    q = robot.as_configuration({"panda_joint2": -0.785, "panda_joint4": -2.356, "panda_joint6": 1.571})
    assert detector.clearance(q) == math.inf
    assert detector.distance(q, obstacles_only=True).pair is None
    hand = robot.state(q).transform(robot.frame("panda_hand"))
    centre = hand.translation + np.array([0.4, 0.1, 0.0])
    detector.add("ball", Sphere(0.05), pose(centre))
    detector.add("wall", Box(0.1, 4.0, 4.0), pose([2.0, 0, 0]))
    detector.attach("tool", Sphere(0.02), "panda_hand", pose([0, 0, 0.3]))
    tip = hand.act(np.array([0.0, 0.0, 0.3]))
    near = detector.distance(q, obstacles_only=True)
    # The same from questions about one obstacle at a time, without any pair of the robot's own.
    alone = []
    for name in ("ball", "wall"):
        single = detector.clone()
        single.remove({"ball": "wall", "wall": "ball"}[name])
        for first, second in single.pairs:
            if second != name:
                single.exclude(first, second)
        alone.append(single.distance(q))
    best = min(alone, key=lambda each: each.value)
    assert (near.value, near.pair) == (pytest.approx(best.value, abs=1e-9), best.pair)
    assert near.value <= np.linalg.norm(centre - tip) - 0.07 + 1e-9
    assert detector.clearance(q) == near.value
    assert detector.distance(q).value < 0.011 < near.value
    assert detector.distance(q).pair == ("panda_link5", "panda_link7")


def test_a_depth_is_never_a_negative_zero():
    touching = Contact(("a", "b"), -0.0, np.zeros((2, 3)), np.zeros(3))
    assert str(touching) == "'a' and 'b' touch"
    apart = Contact(("a", "b"), -0.0123, np.zeros((2, 3)), np.zeros(3))
    assert str(apart) == "'a' and 'b' are 0.0123 m apart, which is less than the margin"
    assert str(Distance(-0.0, ("a", "b"), None)) == "'a' to 'b': 0 m"
