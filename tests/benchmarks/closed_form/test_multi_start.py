"""The numeric search finds the roots of arms whose number of roots is known."""

import numpy as np

from benchmarks.closed_form.multi_start import REGULAR, apart, roots
from kinetree.interfaces.bench import workload
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry


def test_all_eight_of_an_arm_with_a_spherical_wrist():
    work = workload("puma560", 10)
    geometry = ChainGeometry.of(work.robot, work.chain.tip, list(work.chain.dof_indices), work.chain.base)
    found = roots(geometry, work.in_base(), 100, np.random.default_rng(0))
    assert [len(each) for each in found] == [8] * 10
    for each, q in zip(found, work.of_chain(work.witnesses), strict=True):
        assert apart(each, q).min() < 1e-8
    for each, target in zip(found, work.targets, strict=True):
        np.testing.assert_allclose(work.poses(work.whole(each)), np.tile(target, (len(each), 1, 1)), atol=1e-9)


def test_roots_that_merge_are_left_out():
    work = workload("puma560", 3)
    q = work.witnesses.copy()
    q[:, 4] = 0.0  # axes 4 and 6 are one
    geometry = ChainGeometry.of(work.robot, work.chain.tip, list(work.chain.dof_indices), work.chain.base)
    for each in roots(geometry, work.poses(q), 50, np.random.default_rng(0)):
        for root in each:
            assert np.linalg.svd(geometry.jacobian(root), compute_uv=False)[-1] > 0.1 * REGULAR


def test_distances_go_the_short_way_round():
    assert apart(np.array([[3.1, 0.0]]), np.array([-3.1, 0.1]))[0] < 0.11
