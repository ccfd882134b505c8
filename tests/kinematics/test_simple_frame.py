"""Frames that the user places: on the world, on links, on each other."""

import numpy as np
import pytest
from hypothesis import given

from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    SimpleFrame,
    StructureError,
    World,
    pose,
)
from tests.kinematics.random_trees import build, random_pose, seeds
from tests.kinematics.reference import assert_same_pose


def robot_and_link(seed=0):
    robot = build(["free", "revolute", "prismatic"], seed=seed)
    return robot, robot.link("link2")


@given(seed=seeds)
def test_a_frame_on_a_link_moves_along(seed):
    rng = np.random.default_rng(seed)
    robot, link = robot_and_link(seed)
    first, second = random_pose(rng), random_pose(rng)
    target = SimpleFrame("a", link, first)
    on_target = target.spawn("b", second)
    for _ in range(3):
        robot.positions = robot.random_positions(rng)
        assert_same_pose(target.transform(), link.transform() * first)
        assert_same_pose(on_target.transform(), link.transform() * first * second)
        assert_same_pose(on_target.transform(link), first * second)
        assert_same_pose(robot.state().transform(on_target), on_target.transform())


def test_it_hangs_on_the_world_unless_told():
    frame = SimpleFrame("f")
    assert frame.parent is World()
    assert_same_pose(frame.transform(), np.eye(4), 0.0)
    assert SimpleFrame().name == "frame"


@given(seed=seeds)
def test_placed_relative_to_any_frame(seed):
    rng = np.random.default_rng(seed)
    robot, link = robot_and_link(seed)
    others = [None, World(), link, robot.link("link1"), SimpleFrame("o", None, random_pose(rng))]
    frame = SimpleFrame("f", link, random_pose(rng))
    for other in others:
        wanted = random_pose(rng)
        frame.set_transform(wanted, other)
        assert_same_pose(frame.transform(other), wanted)
        assert frame.parent is link


@given(seed=seeds)
def test_origin_or_axes_alone(seed):
    rng = np.random.default_rng(seed)
    _, link = robot_and_link(seed)
    frame = SimpleFrame("f", link, random_pose(rng))
    for other in (None, link):
        kept = frame.transform(other).rotation
        frame.set_translation([1.0, -2.0, 3.0], other)
        np.testing.assert_allclose(frame.transform(other).translation, [1.0, -2.0, 3.0], rtol=0, atol=1e-13)
        np.testing.assert_allclose(frame.transform(other).rotation, kept, rtol=0, atol=1e-13)
        turn = random_pose(rng).rotation
        frame.set_rotation(turn, other)
        np.testing.assert_allclose(frame.transform(other).rotation, turn, rtol=0, atol=1e-13)
        np.testing.assert_allclose(frame.transform(other).translation, [1.0, -2.0, 3.0], rtol=0, atol=1e-13)


@given(seed=seeds)
def test_another_parent(seed):
    rng = np.random.default_rng(seed)
    _, link = robot_and_link(seed)
    frame = SimpleFrame("f", link, random_pose(rng))
    world = frame.transform()
    frame.set_parent(None, keep_in_place=True)
    assert frame.parent is World()
    assert_same_pose(frame.transform(), world)
    relative = frame.relative_transform
    frame.set_parent(link)
    assert_same_pose(frame.transform(link), relative)


def test_the_relative_transform_is_a_copy_and_takes_every_form():
    frame = SimpleFrame("f", None, ([1, 2, 3], [0, 0, 0, 1]))
    frame.relative_transform.translation = np.zeros(3)
    np.testing.assert_array_equal(frame.transform().translation, [1, 2, 3])
    frame.relative_transform = np.eye(4)
    assert_same_pose(frame.transform(), np.eye(4), 0.0)
    given_pose = pose((4, 5, 6))
    frame.relative_transform = given_pose
    given_pose.translation = np.zeros(3)
    np.testing.assert_array_equal(frame.transform().translation, [4, 5, 6])


@pytest.mark.parametrize("bad", [np.zeros((4, 4)), [0, 0, 0], None, "here", [0, 0, 0, 0, 0, 0, np.nan]])
def test_a_wrong_pose_is_refused_by_name_and_changes_nothing(bad):
    frame = SimpleFrame("goal", None, pose((1, 2, 3)))
    for use in (
        lambda: setattr(frame, "relative_transform", bad),
        lambda: frame.set_transform(bad),
        lambda: frame.set_transform(bad, World()),
    ):
        with pytest.raises(InvalidPoseError, match="goal"):
            use()
    with pytest.raises(KinetreeError):
        frame.set_rotation(bad)
    with pytest.raises(KinetreeError):
        frame.set_translation([np.nan, 0, 0])
    assert_same_pose(frame.transform(), pose((1, 2, 3)), 0.0)


def test_circles_are_refused():
    a = SimpleFrame("a")
    b = SimpleFrame("b", a)
    c = SimpleFrame("c", b)
    for child in (a, b, c):
        with pytest.raises(StructureError, match=f"'a' cannot hang on {child.name!r}"):
            a.set_parent(child)
        with pytest.raises(StructureError, match=f"'a' cannot be placed relative to {child.name!r}"):
            a.set_transform(np.eye(4), child)
    assert a.parent is World()
    c.set_parent(a)
    b.set_parent(c)
    assert [each.name for each in b.ancestors()] == ["b", "c", "a", "world"]


@pytest.mark.parametrize("parent", ["world", 3, np.eye(4), object()])
def test_a_parent_must_be_a_frame(parent):
    with pytest.raises(InvalidValueError, match="a parent must be a Frame"):
        SimpleFrame("f", parent)
    frame = SimpleFrame("f")
    with pytest.raises(InvalidValueError, match="a parent must be a Frame"):
        frame.set_parent(parent)
    assert frame.parent is World()


def test_a_clone_is_another_frame_at_the_same_place():
    _, link = robot_and_link()
    frame = SimpleFrame("f", link, pose((1, 2, 3)))
    twin = frame.clone()
    named = frame.clone("g")
    assert (twin.name, named.name) == ("f", "g")
    assert twin.parent is named.parent is link
    twin.relative_transform = np.eye(4)
    assert_same_pose(frame.relative_transform, pose((1, 2, 3)), 0.0)
    assert_same_pose(named.relative_transform, pose((1, 2, 3)), 0.0)


def test_a_frame_can_be_renamed():
    frame = SimpleFrame("f")
    frame.name = "g"
    assert frame.name == "g"
