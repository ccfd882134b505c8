"""Joint changes at the bound, and of joints that have turned far."""

import numpy as np
import pytest

from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.solvers import (
    CCDSolver,
    IKMetaSolver,
    InverseKinematics,
    JacobianIKSolver,
    SolverError,
)


def test_a_change_just_as_large_as_allowed_is_not_refused_for_rounding(six):
    meta, chain, rng = IKMetaSolver(JacobianIKSolver(six)), six.tip.chain(), np.random.default_rng(0)
    meta.max_joint_change = 0.1
    for _ in range(40):
        q = 0.5 * six.random_positions(rng)
        there = q + np.append(0.1, rng.uniform(-0.05, 0.05, 5))
        state = six.state(there)
        found = meta.solve(state.transform(chain.base).actInv(state.transform(six.tip)), q, 1)
        assert found.report.refused["joint change"] == 0
        assert all(np.abs(each - q).max() <= 0.1 + 1e-12 for each in found)


@pytest.fixture
def endless():
    """Six joints that turn without end."""
    robot = Skeleton("endless")
    link = robot.add_link("base")
    for k, (axis, at) in enumerate(_LENGTHS):
        link = robot.add_link(f"l{k}", RevoluteJoint(f"j{k}", axis=axis, limits=(-np.inf, np.inf)), link, pose(at))
    robot.tip = robot.add_link("tool", None, link, pose((0, 0.08, 0)))
    return robot


_LENGTHS = [
    ("z", (0, 0, 0.09)), ("y", (0, 0.14, 0)), ("y", (0, -0.12, 0.42)),
    ("y", (0, 0, 0.39)), ("z", (0, 0.09, 0)), ("y", (0, 0, 0.09)),
]  # fmt: skip


@pytest.mark.parametrize("turns", [0, 1000, 50000])
@pytest.mark.parametrize("kind", ["jacobian", "module", "ccd"])
def test_joints_that_have_turned_far_still_have_configurations_nearby(endless, turns, kind):
    ik, chain = InverseKinematics(endless.tip), endless.tip.chain()
    solver = {"jacobian": JacobianIKSolver(chain), "module": ik, "ccd": CCDSolver(chain)}[kind]
    q = np.array([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])
    state = endless.state(q)
    target = state.transform(chain.base).actInv(state.transform(endless.tip))
    start = q + 2 * np.pi * turns + 0.02
    meta = IKMetaSolver(solver)
    meta.max_joint_change = 0.3
    found = meta.solve(target, start)
    assert found
    for each in found:
        assert np.abs(each - start).max() <= 0.3 + 1e-12
        reached = endless.state(each)
        miss = reached.transform(chain.base).actInv(reached.transform(endless.tip)).actInv(target)
        assert np.abs(miss.homogeneous - np.eye(4)).max() < 5e-6


class Plain:
    """A solver of a user's that answers with whatever it is told to."""

    def __init__(self, robot, answer):
        self.chain, self._answer = robot.tip.chain(), answer

    def solve(self, target, q):
        return self._answer(q)


@pytest.mark.parametrize("answer", [list, tuple, lambda q: [list(q)], lambda q: [q]])
def test_a_flat_list_of_numbers_is_one_configuration(six, answer):
    q = np.array([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])
    meta = IKMetaSolver(Plain(six, answer))
    meta.check_pose = False
    six.positions = q
    found = meta.solve(six.tip.transform(), q, 1)
    assert np.array_equal(found[0], q)


@pytest.mark.parametrize(
    "answer",
    [
        lambda q: list(q)[:3],
        lambda q: q + 0j,
        lambda q: np.ma.array(q, mask=[1, 0, 0, 0, 0, 0]),
        lambda q: [["1"] * 6],
        lambda q: [True] * 6,
    ],
)
def test_what_would_have_to_be_cast_is_no_configuration(six, answer):
    with pytest.raises(SolverError, match="configuration"):
        IKMetaSolver(Plain(six, answer)).solve(six.tip.transform(), six.positions)
