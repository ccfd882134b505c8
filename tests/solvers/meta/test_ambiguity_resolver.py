import itertools
import math

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, PrismaticJoint, RevoluteJoint, Skeleton, pose
from kinetree.solvers import (
    AmbiguityResolver,
    IKMetaSolver,
    InverseKinematics,
    InvKinSolver,
    JacobianIKSolver,
    Solutions,
    TooManySolutionsError,
    as_inv_kin_solver,
)

TURN = 2 * math.pi


class Given(InvKinSolver):
    """Gives prepared configurations, those outside the limits only without the check."""

    def __init__(self, chain, answers):
        self._chain, self.answers = chain, answers

    @property
    def chain(self):
        return self._chain

    def solve(self, base_T_end, state=None):
        skeleton = self._chain.skeleton
        found = [np.array(each, dtype=float) for each in self.answers]
        if self.check_joint_limits:
            found = [q for q in found if ((q >= skeleton.lower_limits) & (q <= skeleton.upper_limits)).all()]
        return Solutions(found)


def wheels(*limits, slide=None):
    """Revolute joints in a row, and a sliding one."""
    skeleton = Skeleton("wheels")
    link = skeleton.add_link("base")
    for number, pair in enumerate(limits):
        link = skeleton.add_link(f"l{number}", RevoluteJoint(f"j{number}", limits=pair), link, pose((0.5, 0, 0)))
    if slide is not None:
        link = skeleton.add_link("slider", PrismaticJoint("slide", limits=slide), link)
    skeleton.tip = skeleton.add_link("tool", None, link, pose((0.3, 0, 0)))
    return skeleton


def resolver(skeleton, answers, **options):
    return AmbiguityResolver(Given(skeleton.tip.chain(), answers), **options)


def test_all_whole_turns_inside_the_limits_both_limits_included():
    skeleton = wheels((-TURN, TURN), (-1.0, 1.0 + TURN))
    solver = resolver(skeleton, [[0.0, 1.0]])
    found = solver.solve(pose(), [0.0, 0.0])
    expected = set(itertools.product((-TURN, 0.0, TURN), (1.0, 1.0 + TURN)))
    assert {tuple(q) for q in found} == expected
    # RobWork leaves out an angle at its upper limit.
    assert max(q[1] for q in found) == 1.0 + TURN


def test_the_nearest_to_the_state_comes_first():
    skeleton = wheels((-TURN, TURN), (-TURN, TURN))
    solver = resolver(skeleton, [[0.5, -0.5]])
    state = [0.4 - TURN, TURN - 0.6]
    found = solver.solve(pose(), state)
    assert len(found) == 4
    np.testing.assert_allclose(found[0], [0.5 - TURN, TURN - 0.5])
    away = [np.abs(q - state).max() for q in found]
    assert away == sorted(away)


def test_what_is_outside_may_have_an_equivalent_inside():
    """The solver is asked without its check of limits, and not changed by that."""
    skeleton = wheels((1.0, 4.0))
    solver = resolver(skeleton, [[-3.0], [0.5]])
    assert not solver.solver.solve(pose())
    found = solver.solve(pose(), [2.0])
    assert [q.tolist() for q in found] == [[TURN - 3.0]]
    assert found.report.refused["limits"] == 1
    assert solver.solver.check_joint_limits is True
    assert solver.check_joint_limits is True
    with pytest.raises(InvalidValueError, match="limits"):
        solver.check_joint_limits = False


def test_joints_without_limits_take_the_nearest_or_those_in_a_window():
    skeleton = wheels(None, (-TURN, math.inf))
    solver = resolver(skeleton, [[0.3, 0.2]])
    state = np.array([3 * TURN + 0.1, 10 * TURN])
    (only,) = solver.solve(pose(), state)
    np.testing.assert_allclose(only, [3 * TURN + 0.3, 10 * TURN + 0.2])
    solver.window = 7.0
    found = np.array(solver.solve(pose(), state))
    assert len(found) == 9
    assert set(np.round((found[:, 0] - 0.3) / TURN)) == {2, 3, 4}
    assert set(np.round((found[:, 1] - 0.2) / TURN)) == {9, 10, 11}
    np.testing.assert_allclose(found[0], only)
    (first, *_) = found
    assert np.abs(first - state).max() <= 0.3
    solver.window = 0.01  # holds nothing, and the nearest is there all the same
    assert len(solver.solve(pose(), state)) == 1
    near_the_end = solver.solve(pose(), [0.0, -TURN])
    assert near_the_end[0][1] == pytest.approx(0.2 - TURN)
    for wrong in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(InvalidValueError, match="window"):
            solver.window = wrong


def test_sliding_joints_are_left_alone_and_tested():
    skeleton = wheels((-TURN, TURN), slide=(0.0, 1.0))
    found = resolver(skeleton, [[0.5, 0.9], [0.5, 1.5]]).solve(pose(), [0.0, 0.0])
    assert {tuple(np.round(q, 6)) for q in found} == {(0.5, 0.9), (round(0.5 - TURN, 6), 0.9)}
    assert found.report.refused["limits"] == 1


def test_each_configuration_is_listed_once():
    skeleton = wheels((-TURN, TURN))
    found = resolver(skeleton, [[0.5], [0.5 - TURN], [0.5 + 1e-7], [0.8]]).solve(pose(), [0.0])
    assert sorted(round(float(q[0]), 6) for q in found) == sorted(
        round(v, 6) for v in (0.5, 0.5 - TURN, 0.8, 0.8 - TURN)
    )


def test_too_many_are_an_error_that_says_how_many():
    skeleton = wheels(*[(-2 * TURN, 2 * TURN)] * 6)
    solver = resolver(skeleton, [[0.1] * 6])
    assert len(solver.solve(pose())) == 4**6
    solver.most = 4000
    with pytest.raises(TooManySolutionsError, match=r"4096 configurations.*4000"):
        solver.solve(pose())
    with pytest.raises(InvalidValueError, match="most"):
        solver.most = 0
    far = wheels(*[(-1e6, 1e6)] * 6)
    with pytest.raises(TooManySolutionsError):  # at once, and without making them
        resolver(far, [[0.1] * 6]).solve(pose())


def test_every_turn_of_every_branch_of_a_ur5(rng, inside, misses):
    robot = models.load("ur5")
    closed = as_inv_kin_solver(InverseKinematics(robot).analytical())
    solver = AmbiguityResolver(closed)
    assert solver.tcp is robot.tip
    q = robot.random_positions(rng)
    target = robot.state(q).transform(solver.chain.base).actInv(robot.state(q).transform(robot.tip))
    branches, every = closed.solve(target, q), solver.solve(target, q)
    np.testing.assert_array_equal(every[0], q)
    assert len(every) == len(branches) * 2**6  # limits of two turns for each of the six joints
    assert len({np.round(each, 9).tobytes() for each in every}) == len(every)
    goal = robot.state(q).transform(robot.tip)
    for each in every:
        assert inside(robot, each)
        assert max(misses(robot, each, robot.tip, goal)) <= 1e-9


def test_around_other_solvers_and_for_a_device(rng, inside):
    robot = models.load("ur5")
    q = robot.random_positions(rng)
    base = robot.tip.chain().base
    target = robot.state(q).transform(base).actInv(robot.state(q).transform(robot.tip))
    for inner in (JacobianIKSolver(robot), InverseKinematics(robot), IKMetaSolver(JacobianIKSolver(robot))):
        found = AmbiguityResolver(inner, robot.tip).solve(target, robot.clamp(q + 0.01))
        assert len(found) >= 32
        assert all(inside(robot, each) for each in found)
        assert np.abs(found[0] - q).max() < 0.1
    assert not AmbiguityResolver(JacobianIKSolver(robot)).solve(pose((9, 0, 0)))
    with pytest.raises(InvalidValueError, match="no InvKinSolver"):
        AmbiguityResolver(3)


def test_inside_another_one_and_nothing_is_moved(rng):
    skeleton = wheels((-TURN, TURN))
    inner = resolver(skeleton, [[0.5]])
    before = skeleton.positions
    assert len(AmbiguityResolver(inner).solve(pose(), [0.0])) == 2
    np.testing.assert_array_equal(skeleton.positions, before)
