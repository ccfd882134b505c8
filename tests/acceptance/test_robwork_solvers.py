"""What RobWork's own tests ask of its solvers, made stricter, and reports of users about such solvers."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    InverseKinematics,
    JacobianIKSolver,
    JacobianPseudoInverse,
    MultiJacobianIKSolver,
    as_inv_kin_solver,
)
from tests.solvers.iiwa import iiwa

#: One that RobWork's test has, and nine more, each inside the limits.
REFERENCES = [
    (2.4, 1.4, -2.2, 2.0, 2.5, -1.2, 0.8),
    (0.3, 0.6, -0.2, 1.2, 0.1, 0.7, 0.2),
    (-1.1, -0.9, 0.4, -1.5, 2.2, 1.7, -2.9),
    (2.9, 2.0, 2.9, 2.0, 2.9, 2.0, 3.0),
    (-2.9, -2.0, -2.9, -2.0, -2.9, -2.0, -3.0),
    (0.0, 0.5, 0.0, -1.0, 0.0, 0.5, 0.0),
    (1.57, 1.57, 1.57, 1.57, 1.57, 1.57, 1.57),
    (-0.7, 1.9, 2.3, -0.4, -1.9, 0.3, 1.1),
    (0.9, -0.1, -1.3, 0.2, 0.6, -0.1, -0.4),
    (2.0, 0.01, 1.0, 1.9, -2.0, 1.0, 2.0),
]


def relative(robot, q, chain):
    state = robot.state(q)
    return state.transform(chain.base).actInv(state.transform(chain.tip))


def missed(robot, q, chain, target):
    """Both parts of RobWork's measure: largest component of the position, and of the axis times the angle."""
    away = relative(robot, q, chain).actInv(target)
    return max(np.abs(away.translation).max(), np.abs(pin.log3(away.rotation)).max())


def failures(robot, solver, part, count):
    """How many targets are not reached from 0.45 (lower + upper), being ``part`` of the ranges away at most."""
    rng = np.random.default_rng(0)
    lower, upper = robot.lower_limits, robot.upper_limits
    start = 0.45 * (lower + upper)
    failed = 0
    for _ in range(count):
        target = relative(robot, start + part * (upper - lower) * rng.uniform(-1, 1, len(start)), solver.chain)
        found = solver.solve(target, start)
        failed += not found
        assert all(missed(robot, q, solver.chain, target) <= 1e-6 for q in found)
    return failed


@pytest.fixture
def seven():
    """A Panda."""
    robot = models.load("panda")
    robot.positions = robot.rest_positions
    return robot


def test_iterative_solvers_reach_everything_near_the_middle_of_the_ranges(seven):
    """RobWork: 10 targets; SVD within 0.2 of the ranges, and CCD, which it calls unreliable, within 0.002."""
    assert failures(seven, JacobianIKSolver(seven), 0.2, 40) == 0
    assert failures(seven, JacobianIKSolver(seven, JacobianPseudoInverse()), 0.2, 10) == 0
    assert failures(seven, JacobianIKSolver.robwork_defaults(seven, "svd"), 0.1, 40) == 0
    assert failures(seven, CCDSolver(seven), 0.002, 40) == 0
    assert failures(seven, CCDSolver(seven), 0.1, 40) == 0


@pytest.mark.parametrize("reference", REFERENCES)
def test_every_solution_of_an_iiwa_in_closed_form_is_exact(reference):
    """RobWork's loop over the solutions passes as well when there is none; here the reference is among them."""
    robot = iiwa()
    solver = as_inv_kin_solver(InverseKinematics(robot).analytical())
    target = relative(robot, reference, solver.chain)
    found = solver.solve(target, reference)
    assert 1 <= len(found) <= 8
    np.testing.assert_array_equal(found[0], reference)
    for q in found:
        assert missed(robot, q, solver.chain, target) < 1e-14
        assert ((q >= robot.lower_limits) & (q <= robot.upper_limits)).all()
    solver.check_joint_limits = False
    assert len(solver.solve(target, reference)) == 8
    rng = np.random.default_rng(1)
    for q in solver.solve(target, robot.random_positions(rng)):
        assert missed(robot, q, solver.chain, target) < 1e-13


def test_a_heavier_joint_of_an_iiwa_moves_less():
    """RobWork's loop passes as well when nothing is found; here every target is solved with all weights."""
    robot = iiwa()
    solvers = [JacobianIKSolver.robwork_defaults(robot, "weighted") for _ in range(3)]
    solvers[1].weights = np.ones(7)
    solvers[2].weights = {"joint7": 2.0}
    rng = np.random.default_rng(0)
    for start, size in ((np.full(7, 0.1), 0.02), (np.array([0.3, 0.6, -0.2, 1.2, 0.1, 0.7, 0.2]), 0.1)):
        for _ in range(20):
            target = relative(robot, start + rng.uniform(-size, size, 7), solvers[0].chain)
            plain, unit, heavy = (solver.solve(target, start) for solver in solvers)
            assert len(plain) == len(unit) == len(heavy) == 1
            assert all(missed(robot, each[0], solvers[0].chain, target) <= 1e-6 for each in (plain, unit, heavy))
            np.testing.assert_allclose(unit[0], plain[0], atol=1e-9)
            assert abs(heavy[0][6] - start[6]) < abs(plain[0][6] - start[6])


def test_universal_robot_155_every_turn_inside_the_limits():
    """Branches a whole turn away were never tried -> all of them on request, the nearest first."""
    robot = models.load("ur5")
    module = InverseKinematics(robot)
    closed = as_inv_kin_solver(module.analytical())
    q = np.array([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])
    target = relative(robot, q, closed.chain)
    branches, turns = closed.solve(target, q), AmbiguityResolver(closed).solve(target, q)
    assert len(turns) == 64 * len(branches)
    assert all(missed(robot, each, closed.chain, target) < 1e-9 for each in turns)
    wound_up = q + np.array([-1, 1, -1, 1, -1, -1]) * 2 * math.pi
    assert (np.abs(wound_up) <= 2 * math.pi).all()
    assert min(np.abs(each - wound_up).max() for each in turns) < 1e-9
    assert np.abs(AmbiguityResolver(closed).solve(target, wound_up)[0] - wound_up).max() < 1e-9


def test_pinocchio_1336_several_targets_at_once_converge():
    """A sum of several errors never converged -> both hands reach their poses from near ones, every time."""
    robot = models.load("dual_arm")
    solver = MultiJacobianIKSolver(robot, ["left_tool0", "right_tool0"])
    rng = np.random.default_rng(3)
    for _ in range(30):
        q = robot.random_positions(rng)
        state = robot.state(q)
        base = state.transform(solver.base)
        targets = [base.actInv(state.transform(frame)) for frame in solver.tcps]
        (found,) = solver.solve(targets, robot.clamp(q + rng.uniform(-0.4, 0.4, len(q))))
        reached = robot.state(found)
        for frame, target in zip(solver.tcps, targets, strict=True):
            away = (base * target).actInv(reached.transform(frame))
            assert np.linalg.norm(away.translation) <= 1e-6
            assert np.linalg.norm(pin.log3(away.rotation)) <= 1e-6
