"""A time for a whole path or batch."""

import time

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers import InverseKinematics, Reason

Q = np.array([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])


@pytest.fixture
def targets(six):
    return [six.state(Q + 0.01 * k * np.eye(6)[0]).transform(six.tip) for k in range(60)]


def slow(q):
    time.sleep(0.02)
    return True


def is_whole(result):
    """Rows that were solved come first or not, and the others say that the time was over."""
    failed = ~result.success
    return failed.any() and all(result.reason[failed] == Reason.TIMEOUT) and all(result.detail[failed] != "")


def test_a_path_keeps_what_was_followed_in_time(six, targets, engine):
    path = InverseKinematics(six).solve_path(targets, Q, constraint=slow, timeout=0.3)
    assert is_whole(path)
    count = int(path.success.sum())
    assert 0 < count < 60
    assert path.success[:count].all()
    assert np.isnan(path.q[count + 1 :]).all()
    assert path.constraint_calls < 30
    for row in range(count):
        assert np.abs(six.state(path.q[row]).transform(six.tip).homogeneous - targets[row].homogeneous).max() < 5e-6


def test_a_path_whose_constraint_refuses_all_ends_in_time(six, targets):
    asked = []
    path = InverseKinematics(six).solve_path(
        targets, Q, constraint=lambda q: asked.append(q) or not slow(q), timeout=0.3
    )
    assert not path.success.any()
    assert set(path.reason) <= {Reason.CONSTRAINT, Reason.TIMEOUT}
    assert path.reason[-1] is Reason.TIMEOUT
    assert len(asked) < 30


def test_a_graph_has_no_way_when_the_time_is_over(six, targets):
    ik = InverseKinematics(six)
    path = ik.solve_path(targets, Q, strategy="graph", constraint=slow, timeout=0.3)
    assert is_whole(path)
    assert not path.success.any()
    assert path.constraint_calls < 30
    assert ik.solve_path(targets, Q, strategy="graph", timeout=600)


def test_a_batch_keeps_what_was_found_and_accepted_in_time(six, targets, engine):
    asked = []
    batch = InverseKinematics(six).solve_batch(targets, Q, constraint=lambda q: asked.append(q) or slow(q), timeout=0.3)
    assert is_whole(batch)
    assert 0 < batch.success.sum() <= len(asked) < 30


def test_no_time_at_all_and_plenty(six, targets, engine):
    ik = InverseKinematics(six)
    for solve in (ik.solve_path, ik.solve_batch):
        nothing = solve(targets, Q, timeout=0)
        assert is_whole(nothing)
        assert not nothing.success.any()
        assert solve(targets, Q, timeout=600)
        assert np.array_equal(solve(targets, Q, timeout=600).q, solve(targets, Q).q)


def test_what_makes_no_sense_is_told_as_that(six, targets):
    targets[3] = np.full((4, 4), np.nan)
    batch = InverseKinematics(six).solve_batch(targets, Q, timeout=0)
    assert batch.reason[3] is Reason.INVALID_INPUT
    assert batch.reason[4] is Reason.TIMEOUT
    for wrong in ("1", -1, True, np.nan):
        with pytest.raises(InvalidValueError, match="timeout"):
            InverseKinematics(six).solve_batch(targets, Q, timeout=wrong)
