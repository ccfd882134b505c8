"""Constraints in batches."""

import threading

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, QConstraint, pose
from kinetree.solvers import ConstraintError, InverseKinematics, Reason

pytestmark = pytest.mark.usefixtures("engine")


@pytest.fixture(scope="module")
def panda():
    robot = models.load("panda")
    robot.positions = robot.clamp(robot.rest_positions)
    return robot


@pytest.fixture
def ik(panda):
    return InverseKinematics(panda)


@pytest.fixture
def targets(panda, engine):
    rng = np.random.default_rng(3)
    count = 30 if engine == "object" else 600
    return np.array([panda.state(panda.random_positions(rng)).transform(panda.tip).homogeneous for _ in range(count)])


def check(robot, batch, targets, misses, wanted):
    for row in np.flatnonzero(batch.success)[:40]:
        assert wanted(batch.q[row])
        at = robot.state(batch.q[row]).transform(robot.tip).homogeneous
        np.testing.assert_allclose(at, targets[row], atol=3e-6)
    assert all(wanted(q) for q in batch.q[batch.success])


def test_what_is_refused_goes_on(ik, panda, targets, misses):
    wanted = QConstraint(lambda q: q[0] > 0.0, "left")
    free = ik.solve_batch(targets)
    batch = ik.solve_batch(targets, constraint=wanted)
    check(panda, batch, targets, misses, wanted)
    good = np.array([wanted(q) for q in free.q])
    assert 0.2 < good.mean() < 0.8
    np.testing.assert_array_equal(batch.q[good], free.q[good])
    assert batch.success.mean() > 0.9
    assert (batch.attempts[~good] > free.attempts[~good]).all()
    for row in np.flatnonzero(~batch.success):
        assert batch.reason[row] is Reason.CONSTRAINT
        assert "'left'" in batch.detail[row]


def test_the_same_for_any_number_of_threads_and_called_from_one(ik, targets):
    callers = set()

    def wanted(q):
        callers.add(threading.get_ident())
        return q[0] > 0.0

    one = ik.solve_batch(targets, constraint=wanted, threads=1, attempts=60)
    three = ik.solve_batch(targets, constraint=wanted, threads=3, attempts=60, progress=True)
    assert callers == {threading.get_ident()}
    for name in ("q", "success", "reason", "attempts", "detail"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))
    part = ik.solve_batch(targets[7:9], constraint=wanted, attempts=60)
    np.testing.assert_array_equal(part.q, one.q[7:9])


def test_nothing_is_accepted(ik, targets):
    some = targets[:5].copy()
    some[2, :3, 3] = [5.0, 0.0, 0.0]
    some[3, 0, 3] = np.nan
    batch = ik.solve_batch(some, constraint=lambda q: False, attempts=8)
    reasons = [str(each) for each in batch.reason]
    assert reasons[3] == "invalid input"
    assert reasons[2] in ("unreachable", "iterations")
    assert [reasons[k] for k in (0, 1, 4)] == ["constraint"] * 3
    assert "refused" in batch.detail[0]
    assert (batch.attempts[[0, 1, 4]] == 8).all()
    assert (batch.position_error[[0, 1, 4]] <= 1e-6).all()


@pytest.mark.parametrize("answer", [lambda q: np.nan, lambda q: None, lambda q: 1 / 0])
def test_a_constraint_that_fails_names_the_row(ik, panda, targets, answer):
    calls, before = [], panda.positions

    def third(q):
        calls.append(q)
        return True if len(calls) < 3 else answer(q)

    with pytest.raises(ConstraintError, match=r"target 2: constraint 'third'"):
        ik.solve_batch(targets[:6], constraint=third)
    np.testing.assert_array_equal(panda.positions, before)
    with pytest.raises(InvalidValueError):
        ik.solve_batch(targets[:6], constraint=0.5)


def test_an_interrupt_ends_it(ik, targets):
    def interrupt(q):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ik.solve_batch(targets, constraint=interrupt)
    assert ik.solve_batch(targets[:3])


def test_with_a_limit_on_the_joint_change(ik, panda, targets):
    rng = np.random.default_rng(0)
    seeds = np.array([panda.clamp(panda.random_positions(rng)) for _ in range(20)])
    steps = np.clip(seeds + rng.uniform(-0.2, 0.2, seeds.shape), panda.lower_limits, panda.upper_limits)
    near = [panda.state(q).transform(panda.tip) for q in steps]
    asked = []
    batch = ik.solve_batch(
        near,
        seeds,
        max_joint_change=0.6,
        attempts=100,
        constraint=lambda q: bool(asked.append(q)) or len(asked) % 3 == 0,
    )
    assert np.abs(batch.q - seeds).max() <= 0.6 + 1e-12
    assert batch.success.sum() >= 18


def test_sequences_of_poses(ik):
    poses = [pose((0.5, 0.1 * k, 0.4), rpy=(np.pi, 0, 0)) for k in range(5)]
    batch = ik.solve_batch(poses, constraint=lambda q: q[1] > -5.0)
    assert batch
    assert not ik.solve_batch(poses, constraint=lambda q: q[1] > 5.0, attempts=5).success.any()


def test_closed_forms(panda, ik, targets, misses):
    ik.gradient_method = ik.analytical()
    wanted = QConstraint(lambda q: q[0] > 0.0, "left")
    batch = ik.solve_batch(targets[:20], constraint=wanted)
    check(panda, batch, targets, misses, wanted)
    with pytest.raises(ConstraintError, match="target 0"):
        ik.solve_batch(targets[:3], constraint=lambda q: None)
