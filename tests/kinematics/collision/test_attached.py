"""Attached objects: what a robot carries goes with it and is checked."""

import math

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    FixedJoint,
    GeometryError,
    InvalidPoseError,
    InvalidValueError,
    Mesh,
    PrismaticJoint,
    RevoluteJoint,
    Shape,
    SimpleFrame,
    Skeleton,
    Sphere,
    StructureError,
    UnknownNameError,
    pose,
)


def arm() -> Skeleton:
    """A turning arm of 1 m about z, with a flange welded to it and two fingers that slide."""
    robot = Skeleton("arm")
    robot.add_link("base", collisions=[Shape(Box(0.2, 0.2, 0.2), pose([0, 0, -0.5]))])
    robot.add_link("arm", RevoluteJoint("turn", limits=(-3, 3)), "base", collisions=[Shape(Capsule(0.05, 0.5))])
    robot.add_link("flange", FixedJoint("weld"), "arm", pose([1, 0, 0]), collisions=[Shape(Sphere(0.05))])
    for name, axis in (("left", "y"), ("right", "-y")):
        joint = PrismaticJoint(f"slide_{name}", axis=axis, limits=(0, 0.2))
        robot.add_link(name, joint, "flange", pose([0.2, 0, 0]), collisions=[Shape(Box(0.1, 0.02, 0.02))])
    return robot


OPEN = {"slide_left": 0.15, "slide_right": 0.15}


@pytest.fixture
def detector() -> CollisionDetector:
    return CollisionDetector(arm())


def test_it_goes_with_its_frame(detector):
    detector.add("wall", Box(0.1, 4, 4), pose([1.6, 0, 0]))
    assert not detector.in_collision(OPEN)
    tool = detector.attach("tool", Sphere(0.05), "flange", pose([0.55, 0, 0]))
    assert detector.check(OPEN).pair == ("tool", "wall")
    assert not detector.in_collision(OPEN | {"turn": 0.6})
    assert detector.attached == {"tool": tool}
    assert tool.frame is detector.skeleton.link("flange")
    detector.detach("tool")
    assert not detector.in_collision(OPEN)
    assert not detector.attached


def test_pairs_of_an_attached_object(detector):
    detector.add("wall", Box(0.1, 4, 4), pose([5, 0, 0]))
    detector.attach("tool", Sphere(0.01), "flange", touches=["left"])
    checked = {pair for pair in detector.pairs if "tool" in pair}
    assert checked == {("base", "tool"), ("right", "tool"), ("tool", "wall")}
    reasons = {(each.first, each.second): each.reason for each in detector.excluded if "tool" in each}
    assert reasons == {
        ("arm", "tool"): "no joint moves one against the other",
        ("flange", "tool"): "no joint moves one against the other",
        ("left", "tool"): "allowed to touch when it was attached",
    }


def test_links_that_it_may_touch(detector):
    part = Box(0.1, 0.1, 0.02)
    detector.attach("part", part, "flange", pose([0.2, 0, 0]))
    closed = {"slide_left": 0.05, "slide_right": 0.05}
    assert not detector.in_collision(OPEN)
    assert {each.pair for each in detector.contacts(closed)} == {("left", "part"), ("right", "part")}
    detector.detach("part")
    detector.attach("part", part, "flange", pose([0.2, 0, 0]), touches=("left", "right"))
    assert not detector.in_collision(closed)
    detector.include("left", "part")
    assert detector.check(closed).pair == ("left", "part")
    with pytest.raises(UnknownNameError, match="did you mean 'left'"):
        detector.attach("other", part, "flange", touches=["lefft"])
    assert list(detector.attached) == ["part"]


def test_an_obstacle_that_it_may_touch(detector):
    detector.add("table", Box(1, 1, 0.1), pose([1.2, 0, -0.11]))
    detector.attach("part", Box(0.1, 0.1, 0.1), "flange", pose([0.2, 0, -0.02]))
    assert detector.check(OPEN).pair == ("part", "table")
    detector.detach("part")
    detector.attach("part", Box(0.1, 0.1, 0.1), "flange", pose([0.2, 0, -0.02]), touches="table")
    assert not detector.in_collision(OPEN)


def test_two_attached_objects_are_checked_when_a_joint_moves_one_against_the_other(detector):
    detector.attach("first", Sphere(0.05), "left", pose([0.1, 0, 0]))
    detector.attach("second", Sphere(0.05), "right", pose([0.1, 0, 0]))
    detector.attach("third", Sphere(0.05), "right", pose([0.1, 0, 0]))
    assert ("first", "second") in detector.pairs
    assert ("second", "third") not in detector.pairs
    touching = {each.pair for each in detector.contacts({"slide_left": 0.04, "slide_right": 0.04})}
    assert touching == {("first", "second"), ("first", "third")}
    assert not detector.in_collision({"slide_left": 0.06, "slide_right": 0.06})


def test_on_a_named_frame_that_is_moved(detector):
    robot = detector.skeleton
    tip = robot.add_frame("tip", "flange", pose([0.4, 0, 0]))
    detector.add("wall", Box(0.1, 4, 4), pose([1.6, 0, 0]))
    detector.attach("tool", Sphere(0.05), "tip")
    assert not detector.in_collision(OPEN)
    tip.relative_transform = pose([0.55, 0, 0])
    assert detector.check(OPEN).pair == ("tool", "wall")
    tip.set_parent(robot.link("base"))
    assert not detector.in_collision(OPEN)
    assert ("tool", "wall", "neither is moved by a joint") in detector.excluded
    assert ("arm", "tool") in detector.pairs
    tip.set_parent(None)
    with pytest.raises(StructureError, match="'tool' hangs on frame 'tip'"):
        detector.in_collision(OPEN)


def test_on_a_frame_without_a_name_in_the_robot(detector):
    grip = SimpleFrame("grip", detector.skeleton.link("flange"), pose([0.3, 0, 0]))
    inner = grip.spawn("inner", pose([0.2, 0, 0], rpy=[0, 0, math.pi / 2]))
    detector.add("ball", Sphere(0.05), pose([1.5, 0.2, 0]))
    detector.attach("stick", Box(0.5, 0.02, 0.02), inner)
    assert detector.check(OPEN).pair == ("stick", "ball"), "the stick is along y"
    grip.relative_transform = pose([0.3, 0, 0], rpy=[0, 0, -math.pi / 2])
    assert not detector.in_collision(OPEN)


def test_frames_and_placements_that_are_none(detector):
    with pytest.raises(UnknownNameError, match="did you mean 'flange'"):
        detector.attach("tool", Sphere(0.1), "flang")
    with pytest.raises(InvalidValueError, match="needs a frame"):
        detector.attach("tool", Sphere(0.1), None)
    with pytest.raises(StructureError, match="not part of 'arm'"):
        detector.attach("tool", Sphere(0.1), SimpleFrame("loose"))
    with pytest.raises(StructureError, match="not part of 'arm'"):
        detector.attach("tool", Sphere(0.1), arm().link("flange"))
    with pytest.raises(InvalidPoseError, match="placement of attached object 'tool'"):
        detector.attach("tool", Sphere(0.1), "flange", [0, 0, math.nan])
    with pytest.raises(GeometryError, match="nowhere"):
        detector.attach("tool", Mesh("nowhere.stl"), "flange")
    assert not detector.attached


@pytest.mark.parametrize("name", ["panda", "ur5"])
def test_is_what_an_extra_link_welded_on_would_be(name):
    robot = models.load(name)
    shapes = [Shape(Box(0.05, 0.05, 0.3), pose([0, 0.05, 0.15])), Shape(Sphere(0.06), pose([0, 0.05, 0.3]))]
    place = pose([0.01, 0.02, 0.03], rpy=[0.3, 0.2, 0.1])
    detector = CollisionDetector(robot)
    detector.attach("tool", shapes, robot.tip, place)
    longer = robot.clone()
    longer.add_link("tool", FixedJoint("weld"), robot.tip.link.name, robot.tip.transform(robot.tip.link) * place,
                    collisions=shapes)  # fmt: skip
    welded = CollisionDetector(longer)
    for first, second in detector.pairs:
        welded.include(first, second)
    for each in (detector, welded):
        each.add("table", Box(2, 2, 0.1), pose([0, 0, -0.06]))
        each.add("post", Box(0.1, 0.1, 1), pose([0.4, 0.4, 0.5]))
    assert set(detector.pairs) == {tuple(sorted(p, key=lambda n: n == "tool")) if "table" not in p and "post" not in p
                                   else p for p in welded.pairs}  # fmt: skip
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(150):
        q = robot.random_positions(rng)
        assert {frozenset(each.pair) for each in detector.contacts(q)} == {
            frozenset(each.pair) for each in welded.contacts(q)
        }
        assert detector.distance(q).value == pytest.approx(welded.distance(q).value, abs=1e-6)
        hits += any("tool" in each.pair for each in detector.contacts(q))
    assert hits > 10


@pytest.mark.parametrize("wrong", [None, 3, [3], ["left", None], [["left"]]])
def test_what_it_may_touch_must_be_names(detector, wrong):
    with pytest.raises(InvalidValueError, match="touches of attached object 'tool' must be names"):
        detector.attach("tool", Sphere(0.05), "flange", touches=wrong)
    assert not detector.attached
