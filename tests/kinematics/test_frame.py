"""Poses of frames relative to each other, in any axes; names, parents, links."""

import copy
import pickle

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given

from kinetree.kinematics import Frame, InvalidValueError, SimpleFrame, StructureError, World
from tests.kinematics.random_trees import build, random_pose, seeds, trees
from tests.kinematics.reference import assert_same_pose


@given(robot=trees(), seed=seeds)
def test_relative_poses_compose(robot, seed):
    rng = np.random.default_rng(seed)
    frames = [*robot.links, World(), SimpleFrame("free", None, random_pose(rng))]
    frames.append(SimpleFrame("carried", robot.links[-1], random_pose(rng)))
    a, b, c = (frames[int(index)] for index in rng.integers(0, len(frames), 3))
    assert_same_pose(a.transform(c), b.transform(c) * a.transform(b))
    assert_same_pose(a.transform(b), b.transform(a).inverse())
    assert_same_pose(a.transform(World()), a.transform(), 0.0)
    assert_same_pose(a.transform(a), np.eye(4))


@given(seed=seeds)
def test_coordinates_of_a_third_frame(seed):
    rng = np.random.default_rng(seed)
    a, b, c = (SimpleFrame(name, None, random_pose(rng)) for name in "abc")
    found = a.transform(b, in_coordinates_of=c)
    turn = c.transform().rotation.T
    offset = a.transform().translation - b.transform().translation
    np.testing.assert_allclose(found.translation, turn @ offset, rtol=0, atol=1e-13)
    # The rotation that takes b's axes to a's, seen from c: the same vector, other numbers.
    spin = pin.log3(b.transform().rotation.T @ a.transform().rotation)
    np.testing.assert_allclose(pin.log3(found.rotation), turn @ b.transform().rotation @ spin, rtol=0, atol=1e-9)
    assert_same_pose(a.transform(b, in_coordinates_of=b), a.transform(b))
    world = a.transform(in_coordinates_of=c)
    np.testing.assert_allclose(world.translation, turn @ a.transform().translation, rtol=0, atol=1e-13)
    assert_same_pose(a.transform(in_coordinates_of=World()), a.transform())
    only = a.transform(b, in_coordinates_of=World())
    np.testing.assert_allclose(only.translation, offset, rtol=0, atol=1e-13)


def test_a_pose_is_a_new_object_each_time():
    robot = build(["free", "revolute"])
    frames = [*robot.links, World(), SimpleFrame("f", robot.link("link1")), SimpleFrame("g")]
    for frame in frames:
        before = frame.transform()
        for other in (None, World(), robot.link("link0"), frame):
            changed = frame.transform(other)
            changed.translation = np.full(3, 9.0)
            changed.rotation = np.diag([1.0, -1.0, -1.0])
        assert_same_pose(frame.transform(), before, 0.0)


def test_what_is_no_frame_is_refused_with_advice():
    robot = build(["fixed", "revolute", "revolute"])
    link = robot.link("link2")
    for use, argument in (
        (lambda: link.transform("link0"), "relative_to"),
        (lambda: link.transform(None, "link0"), "in_coordinates_of"),
        (lambda: link.jacobian(relative_to="link0"), "relative_to"),
        (lambda: link.chain("link0"), "base"),
        (lambda: SimpleFrame("f").set_transform(np.eye(4), "link0"), "relative_to"),
    ):
        with pytest.raises(InvalidValueError, match=f"{argument} must be a Frame, not str 'link0'.*skeleton.frame"):
            use()


def test_frames_know_what_carries_them():
    robot = build(["fixed", "revolute"])
    link = robot.link("link1")
    carried = SimpleFrame("a", link)
    deeper = SimpleFrame("b", carried)
    free = SimpleFrame("c")
    assert (link.link, carried.link, deeper.link, free.link, World().link) == (link, link, link, None, None)
    assert (link.skeleton, deeper.skeleton, free.skeleton, World().skeleton) == (robot, robot, None, None)
    assert [each.name for each in deeper.ancestors()] == ["b", "a", "link1", "link0", "world"]
    assert deeper.is_below(link)
    assert deeper.is_below(deeper)
    assert deeper.is_below(World())
    assert not link.is_below(deeper)


def test_a_frame_on_no_skeleton_has_neither_jacobian_nor_chain():
    for frame in (SimpleFrame("lonely"), World()):
        for use in (frame.jacobian, frame.chain):
            with pytest.raises(StructureError, match=f"{frame.name!r} hangs on no skeleton"):
                use()


@pytest.mark.parametrize("name", ["", None, 3, b"a"])
def test_a_name_is_needed(name):
    with pytest.raises(InvalidValueError, match="non-empty string"):
        SimpleFrame(name)
    frame = SimpleFrame("good")
    with pytest.raises(InvalidValueError, match="non-empty string"):
        frame.name = name
    assert frame.name == "good"


def test_there_is_one_world():
    assert World() is World()
    assert copy.copy(World()) is copy.deepcopy(World()) is pickle.loads(pickle.dumps(World())) is World()
    assert World().parent is None
    assert isinstance(World(), Frame)
    assert repr(World()) == "<World 'world'>"
    assert_same_pose(World().transform(), np.eye(4), 0.0)
    World().transform().translation = np.ones(3)
    assert_same_pose(World().transform(), np.eye(4), 0.0)
    with pytest.raises(StructureError, match="world"):
        _ = World().ik


def test_repr():
    robot = build(["fixed", "revolute"])
    assert repr(robot.link("link1")) == "<Link 'link1' on 'link0'>"
    assert repr(robot.link("link0")) == "<Link 'link0' on 'world'>"
    assert repr(SimpleFrame("tool", robot.link("link1"))) == "<SimpleFrame 'tool' on 'link1'>"
