"""Reduced maps: what turning the first and the last joint leaves as it is, and when there is no such thing."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    NodeSet,
    RevoluteJoint,
    ShapeError,
    Skeleton,
    SymmetryError,
    World,
    pose,
    rank_bases,
)
from kinetree.kinematics.reachability.pose_arrays import poses_from_rows
from tests.kinematics.reachability.arms import elbow, panda, small_map


@pytest.mark.parametrize("make", [panda, elbow, lambda: models.load("ur5e").tip.chain()])
@pytest.mark.parametrize("frame", ["base", "world", "tilted"])
def test_turning_the_first_and_the_last_joint_changes_no_coordinate(make, frame):
    node_set = make()
    robot = node_set.skeleton
    robot.root.joint.placement = pose((0.3, 0.2, 0.1), rpy=(0.4, -0.3, 1.0))
    tilted = robot.add_frame("tilted", robot.root, pose((1, 2, 3), rpy=(2.0, 0.5, 0.1)))
    seen_from = {"base": node_set.base, "world": World(), "tilted": tilted}
    made = small_map(node_set, frame=seen_from[frame], symmetric=True, samples=100)
    rng = np.random.default_rng(0)
    for _ in range(10):
        q = robot.random_positions(rng)
        found = []
        for first, last in ((0.0, 0.0), (1.0, 0.0), (0.0, 2.0), (-2.5, 0.7)):
            q[node_set.dof_indices[0]], q[node_set.dof_indices[-1]] = first, last
            state = robot.state(q)
            tip = state.transform(seen_from[frame]).actInv(state.transform(node_set.tip)).homogeneous
            found.append(made.grid.coordinates(tip[None])[:, 0])
        np.testing.assert_allclose(found[1:], np.tile(found[0], (3, 1)), atol=1e-9)


def test_the_coordinates_tell_poses_apart_that_turning_does_not_lead_to():
    node_set = elbow()
    made = small_map(node_set, symmetric=True, samples=100)
    robot = node_set.skeleton
    bent = [robot.state([0.0, bend, 0.0]).transform(node_set.tip).homogeneous for bend in (-1.0, 0.0, 1.0)]
    coordinates = made.grid.coordinates(np.array(bent)).T
    assert np.abs(np.diff(coordinates, axis=0)).max(axis=1).min() > 0.1


def test_height_and_tilt_are_what_they_say():
    node_set = elbow()  # its first axis goes up through (0.1, 0.2), the bend is 0.7 above the base
    made = small_map(node_set, symmetric=True, samples=100)
    for bend in (0.3, -0.8):
        tip = node_set.skeleton.state([0.5, bend, 0.2]).transform(node_set.tip).homogeneous
        height, tilt, x, y = made.grid.coordinates(tip[None])[:, 0]
        assert height == pytest.approx(0.7 - 0.6 * math.sin(bend))
        assert tilt == pytest.approx(math.pi / 2 + bend)
        assert (x, y) == pytest.approx((0.6 * math.cos(bend), 0.0), abs=1e-12)


def test_kernel_and_questions_have_the_same_cells():
    made = small_map(samples=20_000, symmetric=True, bits=16)
    canonical = poses_from_rows(made._job.samples(0, 20_000).canonical)
    symmetry = made.grid.symmetry
    cells = made.grid.index(symmetry.base @ canonical @ np.linalg.inv(symmetry.tool))
    np.testing.assert_array_equal(made.values.ravel(), np.bincount(cells, minlength=made.grid.cells.size))


def test_poses_of_cells_are_in_them():
    made = small_map(samples=1000, symmetric=True)
    cells = np.arange(made.grid.cells.size)
    np.testing.assert_array_equal(made.grid.index(made.grid.poses(cells)), cells)
    poses = made.grid.poses(cells, np.random.default_rng(0))
    np.testing.assert_array_equal(made.grid.index(poses), cells)
    directions = np.arctan2(poses[:, 1, 3], poses[:, 0, 3])
    assert np.ptp(directions) > 6.0, "all round"


def test_a_reduced_map_covers_what_the_plain_one_takes_many_more_samples_for():
    node_set = panda()
    reduced, plain = (small_map(node_set, samples=300_000, symmetric=symmetric) for symmetric in (True, False))
    fresh = small_map(node_set, samples=1, seed=5)._job.samples(0, 3000)
    poses = poses_from_rows(fresh.poses)
    assert reduced.covers(poses).mean() > 0.98
    assert plain.covers(poses).mean() < 0.9


def test_what_counts_as_covered_grows_with_the_samples():
    few, many = (small_map(samples=samples, symmetric=True, bits=16) for samples in (2000, 1_000_000))
    even = 1_000_000 / many.grid.cells.size
    assert few.least == 1 < 2 < many.least
    assert many.least == pytest.approx(0.2 * even, abs=0.5)
    poses = many.grid.poses(np.arange(many.grid.cells.size))
    hit, covered = many.covers(poses, least=1), many.covers(poses)
    np.testing.assert_array_equal(hit, many.counts(poses) > 0)
    np.testing.assert_array_equal(covered, many.counts(poses) >= many.least)
    assert covered.sum() < hit.sum()
    # All that is asked goes by the same.
    assert many.num_covered == covered.sum()
    assert many.covers(many.sample_covered_poses(500)).all()
    assert not many.covers(many.sample_covered_poses(2000, least=1)).all()
    target = pose((0.5, 0.1, 0.4))
    for least in (None, 1):
        bases = many.sample_base_poses(target, 500, least=least)
        assert many.covers(np.linalg.inv(bases) @ target.homogeneous, least=least).all()
    assert rank_bases(many, poses, np.eye(4)[None]).reached[0] == covered.mean()
    assert rank_bases(many, poses, np.eye(4)[None], least=1).reached[0] == hit.mean()
    found = many.compare(few)
    assert found.both + found.only_first == many.num_covered


def test_what_counts_as_covered_is_1_where_counts_say_little():
    assert small_map(samples=1_000_000).least == 1
    assert small_map(samples=1_000_000, symmetric=True, quality="manipulability").least == 1
    made = small_map(samples=1_000_000, symmetric=True)
    assert made.refined(made.values).least == 1
    full = small_map(samples=0, symmetric=True)
    full.record = replace(full.record, samples=10**9)
    assert full.least == 255, "what counters of 8 bits can tell"


def test_the_union_of_two_arms_asks_of_each_what_it_did():
    one, same, other = (small_map(samples=1_000_000, symmetric=True, seed=seed) for seed in (0, 1, 1))
    assert (one | same).least == pytest.approx(2 * one.least, abs=1)
    other.record = replace(other.record, robot_hash="another")
    assert (one | other).least == one.least


def test_upright_poses_have_a_cell():
    made = small_map(samples=20_000, symmetric=True)
    for roll in (0.0, math.pi):
        at = made.grid.coordinates(pose((0.4, 0.1, 0.3), rpy=(roll, 0, 0)).homogeneous[None])
        assert np.isfinite(at).all()
        assert made.grid.cells.index(at)[0] >= 0


def test_ranges_below_a_whole_turn_are_told():
    symmetry = small_map(samples=1, symmetric=True).grid.symmetry
    assert symmetry.ranges == pytest.approx((5.7946, 5.7946))
    assert symmetry.missing == pytest.approx(1 - (5.7946 / (2 * math.pi)) ** 2)
    assert small_map(elbow(), samples=1, symmetric=True).grid.symmetry.missing == 0.0


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: elbow(first=(-1.0, 1.0)), "first joint turns 115 degrees"),
        (lambda: elbow(last=(-1.0, 1.0)), "last joint turns 115 degrees"),
        (lambda: models.load("gantry_wrist").tip.chain(), "first joint does not turn"),
        (lambda: models.load("scara").tip.chain(), "joint"),
        (lambda: single(), "single joint"),
    ],
)
def test_arms_without_the_symmetry_are_refused(make, what):
    with pytest.raises(SymmetryError, match=what):
        small_map(make(), samples=1, symmetric=True)


def single() -> NodeSet:
    robot = elbow().skeleton
    return NodeSet("one", ["turn"], robot.link("base"), robot.frame("tool"))


def test_a_joint_that_follows_the_first_is_refused():
    with pytest.raises(SymmetryError, match="moves 1 more"):
        small_map(following(), samples=1, symmetric=True)


def following() -> NodeSet:
    robot = Skeleton("arm")
    robot.add_link("base")
    first = RevoluteJoint("a", "z")
    robot.add_link("one", first, "base")
    middle = RevoluteJoint("b", "y")
    robot.add_link("two", middle, "one", pose((0.3, 0, 0)))
    robot.add_link("three", RevoluteJoint("c", "x"), "two", pose((0.3, 0, 0)))
    middle.depend_on(first, 0.5)
    return robot.link("three").chain(robot.link("base"))


def test_bounds_of_a_reduced_map_have_four_numbers():
    made = small_map(samples=1000, symmetric=True, bounds=([0.0, 0.0, -0.5, -0.5], [1.0, math.pi, 0.5, 0.5]))
    assert made.grid.cells.shape == (10, 5, 10, 10)
    with pytest.raises(ShapeError, match="4 entries"):
        small_map(samples=1, symmetric=True, bounds=([0.0] * 6, [1.0] * 6))
