"""Constraints of the caller."""

import re
import time

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, QConstraint
from kinetree.solvers import ConstraintError, InverseKinematics, Reason
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def test_a_constraint_is_asked_only_about_solutions(arm, rng, misses):
    target = reachable(arm, rng)
    asked = []
    solution = InverseKinematics(arm).solve(target, constraint=lambda q: asked.append(q) is None and len(asked) > 2)
    assert solution
    assert len(asked) == 3
    for q in asked:
        assert max(misses(arm, q, arm.tip, target)) <= 1e-6
    np.testing.assert_array_equal(asked[-1], solution.q)


def test_everything_refused(arm, rng):
    solution = InverseKinematics(arm).solve(reachable(arm, rng), constraint=lambda q: False, attempts=5)
    assert not solution
    assert solution.reason is Reason.CONSTRAINT
    assert solution.attempts == 5
    assert solution.position_error <= 1e-6


@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        (lambda q: np.nan, "nan"),
        (lambda q: None, "None"),
        (lambda q: 1, "1"),
        (lambda q: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_bad_constraint_is_named(arm, constraint, says):
    before = arm.positions
    with pytest.raises(ConstraintError, match="lambda") as caught:
        InverseKinematics(arm).solve_and_apply(constraint=constraint)
    assert says in str(caught.value)
    np.testing.assert_array_equal(arm.positions, before)


def test_a_constraint_may_scribble_on_its_argument(arm, rng, misses):
    target = reachable(arm, rng)

    def scribble(q):
        q[:] = 0.0
        return np.True_

    solution = InverseKinematics(arm).solve(target, constraint=scribble)
    assert max(misses(arm, solution.q, arm.tip, target)) <= 1e-6


def test_parts_that_refuse_are_counted_by_name(arm, rng):
    left = QConstraint(lambda q: q[0] > 0.0, "turned left")
    up = QConstraint(lambda q: False, "elbow up")
    solution = InverseKinematics(arm).solve(reachable(arm, rng), constraint=left & up, attempts=60)
    assert solution.reason is Reason.CONSTRAINT
    count, first, second = map(int, re.fullmatch(
        r"(\d+) attempts reached the target; refused: (\d+) '[a-z ]+', (\d+) '[a-z ]+'", solution.detail
    ).groups())  # fmt: skip
    assert count == first + second <= 60
    assert "'turned left'" in solution.detail
    assert "'elbow up'" in solution.detail


def test_what_was_refused_nearest_to_the_seed_is_given(arm, rng, misses):
    target, seed, asked = reachable(arm, rng), arm.random_positions(rng), []
    solution = InverseKinematics(arm).solve(
        target, seed=seed, constraint=lambda q: bool(asked.append(q)), attempts=40, random_seed=3
    )
    assert len(asked) > 3
    away = np.abs(np.array(asked) - seed).max(axis=1)
    np.testing.assert_array_equal(solution.q, asked[int(away.argmin())])
    assert max(misses(arm, solution.q, arm.tip, target)) <= 1e-6


def test_the_same_configuration_is_asked_about_once(planar):
    asked = []
    ik = InverseKinematics(planar)
    target = planar.state([0.4, 1.1]).transform(planar.tip)
    solution = ik.solve(target, constraint=lambda q: bool(asked.append(q)), attempts=50)
    assert len(asked) == 1
    assert int(solution.detail.split()[0]) > 10
    assert solution.attempts == 50
    again = ik.solve(target, constraint=lambda q: bool(asked.append(q)), attempts=50)
    assert not again
    assert len(asked) == 2  # the world may have changed between two calls


def test_time_is_kept_by_a_slow_constraint(arm, rng):
    def slow(q):
        time.sleep(0.01)
        return False

    begun = time.perf_counter()
    solution = InverseKinematics(arm).solve(reachable(arm, rng), constraint=slow, timeout=0.05)
    assert solution.reason is Reason.TIMEOUT
    assert "not found within 0.05 s" in solution.detail
    assert "'slow'" in solution.detail
    assert time.perf_counter() - begun < 1.0
    assert solution.attempts < 20


def test_a_robot_that_the_constraint_moves_is_put_back(arm, rng):
    before, ik = arm.positions, InverseKinematics(arm)

    def moves_it(q):
        arm.positions = q
        return bool(arm.tip.transform().translation[2] > 100.0)

    def breaks(q):
        arm.positions = q
        raise KeyError("world")

    ik.solve(reachable(arm, rng), constraint=moves_it, attempts=5)
    np.testing.assert_array_equal(arm.positions, before)
    with pytest.raises(ConstraintError, match="breaks"):
        ik.solve(reachable(arm, rng), constraint=breaks)
    np.testing.assert_array_equal(arm.positions, before)


def test_a_solve_inside_a_constraint(arm, rng):
    ik, target, other = InverseKinematics(arm), reachable(arm, rng), reachable(arm, rng)
    prepared = ik.prepare()
    plain = ik.solve(target, constraint=lambda q: q[0] > 0.1, attempts=50)

    def nested(q):
        assert ik.solve(other, max_joint_change=3.0) or True
        assert prepared.solve(other, seed=q)
        return bool(ik.solve(other, constraint=lambda inner: True)) and q[0] > 0.1

    for solver in (ik, prepared, ik.prepare(attempts=50)):
        options = {"attempts": 50} if solver is ik else {}
        found = solver.solve(target, constraint=nested, **options)
        np.testing.assert_array_equal(found.q, plain.q)


def test_a_prepared_solver_that_its_own_constraint_asks(arm, rng, misses):
    prepared, target, other = InverseKinematics(arm).prepare(), reachable(arm, rng), reachable(arm, rng)
    solution = prepared.solve(target, arm.positions, lambda q: bool(prepared.solve(other, q)))
    assert max(misses(arm, solution.q, arm.tip, target)) <= 1e-6


def test_constraints_that_are_none(arm, rng):
    for nothing in (3, "free", object(), [lambda q: True, 3]):
        with pytest.raises(InvalidValueError, match="constraint"):
            InverseKinematics(arm).solve(reachable(arm, rng), constraint=nothing)
        with pytest.raises(InvalidValueError, match="constraint"):
            InverseKinematics(arm).solve_batch([reachable(arm, rng)], constraint=nothing)


def test_an_interrupt_is_no_failure_of_a_constraint(arm, rng):
    def interrupt(q):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        InverseKinematics(arm).solve(reachable(arm, rng), constraint=interrupt)


def test_nothing_moves_and_the_seed_is_refused(arm):
    ik = InverseKinematics(arm, dofs=[])
    assert ik.solve().success
    assert ik.solve(constraint=lambda q: False).reason is Reason.CONSTRAINT


@pytest.mark.parametrize("name", ["panda", "iiwa14"])
def test_other_values_of_the_redundancy_are_tried(name, rng, misses):
    robot = models.load(name)
    ik = InverseKinematics(robot)
    ik.gradient_method = ik.analytical()
    moved = 0
    for _ in range(10):
        q = robot.random_positions(rng)
        target = robot.state(q).transform(robot.tip)
        branches, flags = ik.gradient_method.solve_all(target, q)
        taken = branches[flags == 0]
        elsewhere = QConstraint(lambda x, taken=taken: bool((np.abs(x[:7] - taken).max(axis=1) > 0.1).all()), "new")
        solution = ik.solve(target, seed=q, constraint=elsewhere)
        assert solution.engine == "closed form"
        moved += solution.success
        if solution:
            assert elsewhere(solution.q)
            assert max(misses(robot, solution.q, robot.tip, target)) <= 1e-6
    assert moved == 10
    limited = ik.solve(target, seed=q, constraint=lambda x: False, attempts=30)
    assert limited.reason is Reason.CONSTRAINT
    assert "solutions in closed form" in limited.detail
    assert limited.attempts >= 30
