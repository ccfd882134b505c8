"""Targets, seeds and the check of answers."""

import numpy as np
import pinocchio as pin
import pytest

from benchmarks.workload import NEAR, PATH_STEP, path, pose_errors, workload


@pytest.mark.parametrize("name", ["panda", "planar3"])
def test_targets_can_be_reached_and_are_the_same_each_time(name):
    work, again = workload(name, 5), workload(name, 5)
    for query, other in zip(work, again, strict=True):
        assert work.is_inside_limits(query.witness)
        assert work.errors(query.witness, query.target) == pytest.approx((0.0, 0.0), abs=1e-12)
        assert np.array_equal(query.seed, other.seed)
        assert (query.target.homogeneous == other.target.homogeneous).all()
    assert work.is_full_pose == (name == "panda")
    assert not np.array_equal(workload(name, 1, seed=1).seeds[0], work.seeds[0])
    np.testing.assert_array_equal(workload(name, 2).targets, work.targets[:2])


def test_near_seeds_are_near_and_inside():
    work = workload("panda", 200)
    seeds = work.near_seeds()
    off = np.abs(seeds - work.witnesses)
    assert off.max() <= NEAR
    assert off.max() > 0.9 * NEAR
    assert all(work.is_inside_limits(q) for q in seeds)


@pytest.mark.parametrize("name", ["panda", "gen3"])
def test_paths_are_smooth_and_inside(name):
    work = path(name, 500)
    assert np.abs(work.witnesses - work.seeds).max() <= PATH_STEP
    assert np.abs(work.witnesses[-1] - work.witnesses[0]).max() > 0.2
    assert all(work.is_inside_limits(q) for q in work.witnesses)
    np.testing.assert_allclose(work.poses(work.witnesses), work.targets, atol=1e-12)


def test_verification():
    work = workload("ur5", 4)
    q = work.witnesses.copy()
    q[1, 2] += 1e-3
    q[2, 5] = work.robot.upper_limits[5] + 1e-9
    q[3, 0] = np.nan
    check = work.verify(q)
    assert check.answered.tolist() == [True, True, True, False]
    assert check.inside.tolist() == [True, True, False, False]
    assert work.verify(q, slack=1e-8).inside[2]
    assert check.solved(1e-6, 1e-6).tolist() == [True, False, False, False]
    assert check.orientation_error[1] == pytest.approx(1e-3)


@pytest.mark.parametrize("name", ["panda", "gen3", "scara"])
def test_the_jacobian_is_the_derivative_of_the_pose(name):
    work = workload(name, 1)
    (q,) = work.witnesses
    jacobian, step = work.jacobian(q), 1e-6
    assert jacobian.shape == (6, len(work.chain.dofs))
    for column, index in enumerate(work.chain.dof_indices):
        ahead, behind = q.copy(), q.copy()
        ahead[index] += step
        behind[index] -= step
        before, after = (pin.SE3(pose) for pose in work.poses(np.array([behind, ahead])))
        moved = (after.translation - before.translation) / (2 * step)
        turned = pin.log3(after.rotation @ before.rotation.T) / (2 * step)
        np.testing.assert_allclose(jacobian[:, column], np.hstack([moved, turned]), atol=1e-8)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 2.0, np.pi - 1e-9, np.pi])
def test_the_angle_is_the_true_one(angle):
    rng = np.random.default_rng(0)
    wanted = pin.SE3.Random()
    axis = rng.normal(size=3)
    turn = pin.exp3(angle * axis / np.linalg.norm(axis))
    reached = pin.SE3(turn @ wanted.rotation, wanted.translation + np.array([3.0, 4.0, 0.0]))
    away, found = pose_errors(reached.homogeneous[None], wanted.homogeneous[None])
    assert away[0] == pytest.approx(5.0)
    assert found[0] == pytest.approx(angle, abs=1e-14 + 1e-8 * (angle > 3.0))
