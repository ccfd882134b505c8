"""The nearest samples are the nearest ones, and their configurations give the poses that they were found by."""

import math

import numpy as np
import pytest

from kinetree.kinematics import (
    InvalidValueError,
    NodeSet,
    PoseIndex,
    ReachabilityMap,
    StaleMapError,
    World,
    rotation_angle,
)
from tests.kinematics.reachability.arms import panda, poses_of, small_map


def distances(index: PoseIndex, target: np.ndarray, q: np.ndarray, length: float) -> np.ndarray:
    """The distance as it is defined, pose by pose."""
    node_set, found = index.node_set, []
    for row in q:
        state = node_set.skeleton.state(row)
        pose = state.transform(node_set.base).actInv(state.transform(node_set.tip)).homogeneous
        angle = rotation_angle(pose[:3, :3].T @ target[:3, :3])
        turned = 2.0 * math.sqrt(2.0) * math.sin(0.5 * angle) * length
        found.append(math.hypot(np.linalg.norm(pose[:3, 3] - target[:3, 3]), turned))
    return np.array(found)


@pytest.mark.parametrize("length", [0.0, 0.3])
def test_the_nearest_are_the_nearest(length):
    index = PoseIndex(panda(), 300, length=length)
    target = poses_of(index.node_set, 1, seed=9)[0]
    everything = index.nearest(target, 300)
    far = distances(index, target, everything, length)
    assert (np.diff(far) > -1e-9).all()
    np.testing.assert_array_equal(index.nearest(target, 5), everything[:5])
    np.testing.assert_array_equal(index.nearest(target), everything[:1])


def test_a_pose_of_a_sample_gives_that_sample():
    index = PoseIndex(panda(), 100, seed=4)
    node_set = index.node_set
    q = index.nearest(np.eye(4), 100)
    for row in q[:10]:
        state = node_set.skeleton.state(row)
        pose = state.transform(node_set.base).actInv(state.transform(node_set.tip))
        np.testing.assert_array_equal(index.nearest(pose)[0], row)


def test_joints_outside_the_set_are_those_of_the_state():
    node_set = panda()
    index = PoseIndex(node_set, 10)
    state = node_set.skeleton.positions.copy()
    state[-1] = 0.03
    assert index.nearest(np.eye(4), 1, state)[0, -1] == 0.03
    assert node_set.skeleton.positions[-1] != 0.03


def test_the_index_of_a_map_has_its_samples():
    made = small_map(samples=200, seed=7)
    index = PoseIndex.of_map(made, 200)
    values = made._job.samples(0, 200).values
    found = index.nearest(np.eye(4), 200)[:, index.node_set.dof_indices]
    np.testing.assert_array_equal(np.sort(found, axis=0), np.sort(values, axis=0))
    with pytest.raises(InvalidValueError, match="base"):
        PoseIndex.of_map(small_map(samples=1, frame=World()))


def test_an_index_is_of_the_robot_as_it_was():
    whole = panda()
    some = NodeSet("some", whole.joints[3:], whole.base, whole.tip)
    index = PoseIndex(some, 10)
    q = whole.skeleton.positions.copy()
    q[0] = 1.0
    whole.skeleton.positions = q
    with pytest.raises(StaleMapError):
        index.nearest(np.eye(4))


@pytest.mark.parametrize("options", [{"samples": 0}, {"samples": 1.5}, {"seed": -1}, {"length": math.nan}])
def test_numbers_that_make_no_sense(options):
    with pytest.raises(InvalidValueError):
        PoseIndex(panda(), **options)


@pytest.mark.parametrize("count", [0, 11, True])
def test_more_than_there_are(count):
    with pytest.raises(InvalidValueError, match="from 1 to 10"):
        PoseIndex(panda(), 10).nearest(np.eye(4), count)


def test_making_maps_and_indices_moves_nothing():
    node_set = panda()
    robot = node_set.skeleton
    robot.positions = robot.random_positions(1)
    before, version = robot.positions, robot.version
    made = ReachabilityMap.create(node_set, step_translation=0.2, step_rotation=1.0, samples=1000, progress=False)
    made.sample_base_poses(np.eye(4), 3)
    PoseIndex(node_set, 10).nearest(np.eye(4))
    np.testing.assert_array_equal(robot.positions, before)
    assert robot.version == version
