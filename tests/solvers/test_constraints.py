"""Constraints of the caller."""

import numpy as np
import pytest

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
