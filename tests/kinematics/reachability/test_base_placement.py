"""Bases from which more is reached come first."""

import math

import numpy as np
import pytest

from kinetree.kinematics import InvalidPoseError, InvalidValueError, bases_on_plane, pose, rank_bases
from tests.kinematics.reachability.arms import slider, small_map

BOUNDS = ([-0.05, -0.05, -0.05] + [-0.25] * 3, [1.05, 0.05, 0.05] + [0.25] * 3)


def reaches_one_metre():
    """Positions 0 to 1 m along x, unturned."""
    return small_map(slider(), samples=3000, bounds=BOUNDS, step_rotation=0.5)


def test_a_base_is_as_good_as_what_it_reaches():
    made = reaches_one_metre()
    targets = np.array([pose((x, 2.0, 0.0)).homogeneous for x in (3.1, 3.6, 3.95)])
    candidates = bases_on_plane([2.0, 2.5, 3.0, 3.5], [2.0])
    ranked = rank_bases(made, targets, candidates)
    wanted = {2.0: 0.0, 2.5: 1 / 3, 3.0: 1.0, 3.5: 2 / 3}
    assert [wanted[x] for x in ranked.poses[:, 0, 3]] == pytest.approx(ranked.reached.tolist())
    assert ranked.poses[0, 0, 3] == 3.0
    np.testing.assert_array_equal(ranked.poses, candidates[ranked.order])
    assert (np.diff(ranked.reached) <= 0).all()
    assert ranked.quality[0] > ranked.quality[1] > ranked.quality[-1] == 0.0


def test_more_targets_count_before_better_ones():
    made = reaches_one_metre()
    values = np.minimum(made.values, 1)
    values[1] = 255  # the cell around 0.1 m
    made = made.refined(values)
    targets = np.array([pose((x, 0.0, 0.0)).homogeneous for x in (1.2, 1.9)])
    ranked = rank_bases(made, targets, bases_on_plane([1.8, 1.0], [0.0]))
    assert ranked.reached.tolist() == [1.0, 0.5]
    one_better = rank_bases(made, targets[1:], bases_on_plane([1.0, 1.8], [0.0]))
    assert one_better.order.tolist() == [1, 0]


def test_turned_bases_reach_to_where_they_point():
    made = reaches_one_metre()
    target = pose((0.0, 0.5, 0.0), rpy=(0, 0, math.pi / 2)).homogeneous
    ranked = rank_bases(made, target, bases_on_plane([0.0], [0.0], [0.0, math.pi / 2, math.pi]))
    assert ranked.order[0] == 1
    assert ranked.reached.tolist() == [1.0, 0.0, 0.0]


def test_bases_on_a_plane_are_all_combinations():
    bases = bases_on_plane([0.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0], height=0.4)
    assert bases.shape == (12, 4, 4)
    assert set(bases[:, 2, 3]) == {0.4}
    assert len({tuple(np.round(each.ravel(), 6)) for each in bases}) == 12


def test_what_is_no_pose_and_no_target():
    made = reaches_one_metre()
    with pytest.raises(InvalidPoseError, match="candidates"):
        rank_bases(made, np.eye(4), np.zeros((1, 4, 4)))
    with pytest.raises(InvalidValueError, match="no target"):
        rank_bases(made, np.zeros((0, 4, 4)), np.eye(4))
    assert len(rank_bases(made, np.eye(4), np.zeros((0, 4, 4))).poses) == 0
