"""Searches that begin at samples near the target."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, PoseIndex
from kinetree.solvers import IKMetaSolver, InverseKinematics
from kinetree.solvers.reachability.reachability_warm_start import WarmStart


def arm():
    robot = models.load("panda")
    return robot, robot.tip.chain()


class Recorder:
    """A solver that notes where it is asked to start, and gives nothing until it has been asked so often."""

    def __init__(self, gives_after=10**9):
        self.starts = []
        self._after = gives_after

    def solve(self, base_T_end, q):
        self.starts.append(np.array(q))
        return [np.array(q)] if len(self.starts) > self._after else []


def meta_of(inner, chain, **options):
    meta = IKMetaSolver(inner, chain)
    meta.check_pose = False
    for name, value in options.items():
        setattr(meta, name, value)
    return meta


def test_the_nearest_samples_are_tried_first_and_then_what_would_have_been():
    robot, chain = arm()
    index, inner = PoseIndex(chain, 50), Recorder()
    state, target = robot.random_positions(3), np.eye(4)
    meta = meta_of(inner, chain, max_attempts=3)
    found = WarmStart(meta, index, 2).solve(target, state)
    assert len(found) == 0
    np.testing.assert_array_equal(inner.starts[:2], index.nearest(target, 2, state))
    without = Recorder()
    meta_of(without, chain, max_attempts=3).solve(target, state)
    np.testing.assert_array_equal(inner.starts[2:], without.starts)


def test_the_first_success_ends_it():
    chain = arm()[1]
    inner = Recorder(gives_after=1)
    found = WarmStart(meta_of(inner, chain), PoseIndex(chain, 50), 4).solve(np.eye(4))
    assert len(found) == 1
    assert len(inner.starts) == 2


def test_targets_are_reached_and_nothing_moves():
    robot, chain = arm()
    before = robot.positions
    meta = IKMetaSolver(InverseKinematics(robot.tip))
    meta.stop_at_first, meta.max_attempts = True, 200
    solver = WarmStart(meta, PoseIndex(chain))
    rng = np.random.default_rng(0)
    for _ in range(20):
        state = robot.state(robot.random_positions(rng))
        target = state.transform(chain.base).actInv(state.transform(chain.tip))
        (q,) = solver.solve(target)
        at = robot.state(q)
        reached = at.transform(chain.base).actInv(at.transform(chain.tip))
        assert np.abs((reached.inverse() * target).homogeneous - np.eye(4)).max() < 1e-5
    np.testing.assert_array_equal(robot.positions, before)
    assert solver.chain.tip is chain.tip
    assert "WarmStart" in repr(solver)


def test_what_does_not_fit_together():
    robot, chain = arm()
    meta = IKMetaSolver(InverseKinematics(robot.tip))
    with pytest.raises(InvalidValueError, match="IKMetaSolver"):
        WarmStart(InverseKinematics(robot.tip), PoseIndex(chain, 10))
    with pytest.raises(InvalidValueError, match="from 1 to 10"):
        WarmStart(meta, PoseIndex(chain, 10), 11)
    other = PoseIndex(robot.link("panda_link7").chain(), 10)
    with pytest.raises(InvalidValueError, match="panda_link7"):
        WarmStart(meta, other)
    meta.max_joint_change = 0.3
    with pytest.raises(InvalidValueError, match="max_joint_change"):
        WarmStart(meta, PoseIndex(chain, 10)).solve(np.eye(4))
