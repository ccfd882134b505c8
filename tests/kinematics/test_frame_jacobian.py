"""Jacobians of frames in all axes, relative to fixed and moving frames, of offset points."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given

from kinetree.kinematics import (
    InvalidValueError,
    KinetreeError,
    RevoluteJoint,
    ShapeError,
    SimpleFrame,
    Skeleton,
    UnknownNameError,
    World,
    pose,
)
from tests.kinematics.random_trees import build, random_pose, random_tree, seeds, trees
from tests.kinematics.reference import pinocchio_jacobian, pose_derivative

LOCAL = pin.ReferenceFrame.LOCAL
WORLD = pin.ReferenceFrame.WORLD


@given(robot=trees())
def test_world_and_local_axes_are_pinocchios(robot):
    q = robot.positions
    for link in robot.links:
        aligned = pinocchio_jacobian(robot, q, link.name)
        for axes in (None, "world", World()):
            np.testing.assert_allclose(link.jacobian(axes=axes), aligned, rtol=0, atol=1e-12)
        local = pinocchio_jacobian(robot, q, link.name, LOCAL)
        for axes in ("local", link):
            np.testing.assert_allclose(link.jacobian(axes=axes), local, rtol=0, atol=1e-12)


@given(robot=trees())
def test_the_point_at_the_worlds_origin_is_pinocchios_spatial_one(robot):
    for link in robot.links:
        origin = link.transform().inverse().translation
        wanted = pinocchio_jacobian(robot, robot.positions, link.name, WORLD)
        np.testing.assert_allclose(link.jacobian(offset=origin), wanted, rtol=0, atol=1e-11)


def measured(robot, frame, offset, relative_to, axes):
    """The Jacobian by differences of poses that the frame tree gives."""
    tip = frame if offset is None else SimpleFrame("point", frame, pose(offset))

    def pose_at(q):
        kept, robot.positions = robot.positions, q
        found = tip.transform(relative_to)
        robot.positions = kept
        return found

    found = pose_derivative(robot, robot.positions, pose_at)
    base = np.eye(3) if relative_to is None else relative_to.transform().rotation
    if axes is None:
        return found
    wanted = {"world": np.eye(3), "local": frame.transform().rotation}
    rotation = wanted[axes] if isinstance(axes, str) else axes.transform().rotation
    turn = rotation.T @ base
    return np.vstack([turn @ found[:3], turn @ found[3:]])


@pytest.mark.parametrize("offset", [None, (0.3, -0.2, 0.5)])
@pytest.mark.parametrize("seed", range(3))
def test_every_combination_against_differences(seed, offset):
    rng = np.random.default_rng(seed)
    robot = random_tree(seed + 20, size=6)
    links = robot.links
    frame = SimpleFrame("tool", links[-1], random_pose(rng)).spawn("tip", random_pose(rng))
    elsewhere = SimpleFrame("elsewhere", None, random_pose(rng))
    carried = SimpleFrame("carried", links[len(links) // 2], random_pose(rng))
    for relative_to in (None, World(), elsewhere, links[0], links[2], carried, frame):
        for axes in (None, "world", "local", elsewhere, carried, frame):
            found = frame.jacobian(offset=offset, relative_to=relative_to, axes=axes)
            wanted = measured(robot, frame, offset, relative_to, axes)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7, err_msg=f"{relative_to} {axes}")


@given(robot=trees(max_size=5), seed=seeds)
def test_relative_to_a_moving_link(robot, seed):
    rng = np.random.default_rng(seed)
    frame = SimpleFrame("tool", robot.links[-1], random_pose(rng))
    other = robot.links[int(rng.integers(0, len(robot.links)))]
    found = frame.jacobian(relative_to=other)
    np.testing.assert_allclose(found, measured(robot, frame, None, other, None), rtol=0, atol=1e-7)


@given(robot=trees())
def test_nothing_moves_relative_to_itself(robot):
    for link in robot.links:
        np.testing.assert_allclose(link.jacobian(relative_to=link), 0.0, atol=1e-13)
        welded = SimpleFrame("welded", link, pose((1, 2, 3), rpy=(1, 2, 3)))
        np.testing.assert_allclose(welded.jacobian(relative_to=link), 0.0, atol=1e-12)


@given(robot=trees(root=("free",)))
def test_the_base_does_not_matter_for_what_is_relative_to_it(robot):
    tip = robot.links[-1]
    found = tip.jacobian(relative_to=robot.root)
    np.testing.assert_allclose(found[:, :6], 0.0, atol=1e-12)
    robot.positions = np.concatenate([robot.random_positions(5)[:6], robot.positions[6:]])
    np.testing.assert_allclose(tip.jacobian(relative_to=robot.root), found, rtol=0, atol=1e-12)


def test_dependent_joints_are_folded_along_the_chain_of_rules():
    robot = Skeleton()
    robot.add_link("base")
    for name, above in (("a", "base"), ("b", "a"), ("c", "b")):
        robot.add_link(name, RevoluteJoint(name, "z"), above, ([1, 0, 0], [0, 0, 0, 1]))
    robot.joint("b").depend_on(robot.joint("a"), -2.0, 0.5)
    robot.joint("c").depend_on(robot.joint("b"), function=math.sin)
    robot.positions = [0.3]
    b = -2.0 * 0.3 + 0.5
    turning = 1.0 - 2.0 - 2.0 * math.cos(b)
    assert robot.link("c").jacobian()[5, 0] == pytest.approx(turning, abs=1e-9)
    wanted = measured(robot, robot.link("c"), (0.2, 0.1, 0), None, None)
    np.testing.assert_allclose(robot.link("c").jacobian(offset=(0.2, 0.1, 0)), wanted, rtol=0, atol=1e-8)
    robot.joint("c").depend_on(robot.joint("b"), function=math.sin, derivative=math.cos)
    assert robot.link("c").jacobian()[5, 0] == pytest.approx(turning, abs=1e-14)


def test_a_jacobian_is_a_new_array():
    robot = build(["fixed", "revolute", "revolute"])
    link = robot.link("link2")
    first = link.jacobian()
    kept = first.copy()
    first += 1.0
    np.testing.assert_array_equal(link.jacobian(), kept)


@pytest.mark.parametrize("offset", [(0, 0), (0, 0, 0, 0), [[0, 0, 0]], (math.nan, 0, 0), "abc", 1.0])
def test_a_wrong_offset_is_refused(offset):
    robot = build(["fixed", "revolute"])
    with pytest.raises(KinetreeError, match="offset"):
        robot.link("link1").jacobian(offset=offset)
    with pytest.raises(ShapeError, match=r"offset must have 3 entries; it has shape \(2,\)"):
        robot.link("link1").jacobian(offset=(0, 0))


@pytest.mark.parametrize("axes", ["tool", "World", "", 3, np.eye(3)])
def test_wrong_axes_are_refused(axes):
    robot = build(["fixed", "revolute"])
    with pytest.raises(InvalidValueError, match="axes must be 'world', 'local' or a frame"):
        robot.link("link1").jacobian(axes=axes)


def test_a_frame_is_asked_for_by_the_skeleton():
    with pytest.raises(UnknownNameError, match="no frame 'link9'; did you mean"):
        build(["fixed", "revolute"]).frame("link9").jacobian()
