import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.bench import NEAR, workload


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


def test_a_workload_says_what_it_is_in_a_line():
    assert repr(workload("panda", 3)) == "<Workload 'panda': 3 poses of 'panda_hand', 7 joints>"
    assert "4 positions" in repr(workload("planar3", 4))


def test_near_seeds_are_near_and_inside():
    work = workload("panda", 200)
    seeds = work.near_seeds()
    off = np.abs(seeds - work.witnesses)
    assert off.max() <= NEAR
    assert off.max() > 0.9 * NEAR
    assert all(work.is_inside_limits(q) for q in seeds)


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
