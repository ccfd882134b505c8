"""What a library is told is the robot that its answers are judged by."""

import numpy as np
import pytest

from benchmarks.peers import worker
from benchmarks.peers.problem import ATTEMPTS, problem_of
from kinetree import models
from kinetree.interfaces.bench import pose_errors, workload
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry


@pytest.mark.parametrize("name", ["panda", "ur5", "gen3"])
def test_the_file_has_the_chain_alone_and_the_same_poses(name):
    work = workload(name, 5)
    with problem_of(work) as problem:
        chain = models.load(problem.urdf)
        assert tuple(dof.name for dof in chain.dofs) == problem.joints
        assert not chain.frame(problem.tip).children
        # Its base is the root, at the world's origin.
        tip = chain.frame(problem.tip)
        reached = np.array([chain.state(q).transform(tip).homogeneous for q in work.of_chain(work.witnesses)])
        for error in pose_errors(reached, work.in_base()):
            assert error.max() < 1e-12
        limits = np.stack([chain.lower_limits, chain.upper_limits])
        bounded = ~problem.continuous
        np.testing.assert_array_equal(limits[:, bounded], np.stack([problem.lower, problem.upper])[:, bounded])
        assert problem.continuous.sum() == (4 if name == "gen3" else 0)
        geometry = ChainGeometry.made(problem.axes, problem.offsets, problem.tip_rotation)
        for q, target in zip(work.of_chain(work.witnesses), work.in_base(), strict=True):
            rotation, position = geometry.forward(q)
            np.testing.assert_allclose(rotation, target[:3, :3], atol=1e-12)
            np.testing.assert_allclose(position, target[:3, 3], atol=1e-12)
        assert problem.restarts.shape == (ATTEMPTS, len(problem.joints))
        assert (problem.restarts >= problem.lower).all()
        assert (problem.restarts <= problem.upper).all()


@pytest.mark.parametrize("name", ["panda", "ur5"])
def test_adapters_see_the_same_poses_as_pinocchio(name):
    work = workload(name, 3)
    with problem_of(work) as problem:
        found = [worker.pose_at(problem, q) for q in work.of_chain(work.witnesses)]
    np.testing.assert_allclose(found, work.in_base(), atol=1e-12)
