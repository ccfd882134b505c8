"""What is made small among the solutions."""

import numpy as np
import pytest

from kinetree.solvers import InverseKinematics
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def middle(skeleton):
    centre = 0.5 * (skeleton.lower_limits + skeleton.upper_limits)
    return lambda q: float(np.sum((q - centre) ** 2))


@pytest.mark.parametrize("kind", ["objective", "null_space_objective"])
def test_an_objective_is_reduced_among_the_solutions(arm, rng, misses, inside, kind):
    value = middle(arm)
    for _ in range(5):
        target = reachable(arm, rng)
        module = InverseKinematics(arm)
        module.problem.engine = "object"  # objectives are followed by this one
        plain = module.solve(target)
        ik = InverseKinematics(arm)
        setattr(ik, kind, value)
        best = ik.solve(target)
        assert best
        assert max(misses(arm, best.q, arm.tip, target)) <= 1e-6
        assert inside(arm, best.q)
        if kind == "objective":  # the same way there, then further
            assert value(best.q) <= value(plain.q) + 1e-9
        # Along the one free direction nothing better is near.
        jacobian = arm.state(best.q).jacobian(arm.tip)
        free = np.linalg.svd(jacobian)[2][-1]
        centre = 0.5 * (arm.lower_limits + arm.upper_limits)
        at_limit = ((best.q == arm.lower_limits) | (best.q == arm.upper_limits)).any()
        assert at_limit or abs(free @ (best.q - centre)) < 2e-2


def test_an_objective_with_a_gradient_equals_one_by_differences(arm, rng):
    value = middle(arm)
    centre = 0.5 * (arm.lower_limits + arm.upper_limits)

    class WithGradient:
        def evaluate(self, q):
            return value(q)

        def gradient(self, q):
            return 2.0 * (q - centre)

    target = reachable(arm, rng)
    answers = []
    for objective in (value, WithGradient()):
        ik = InverseKinematics(arm)
        ik.objective = objective
        answers.append(value(ik.solve(target).q))
    assert answers[0] == pytest.approx(answers[1], rel=1e-3)


@pytest.mark.parametrize("answer", [np.nan, np.inf, "far", None])
def test_a_bad_objective_is_named(arm, rng, answer):
    from kinetree.solvers import ObjectiveError

    ik = InverseKinematics(arm)
    ik.objective = lambda q: answer
    with pytest.raises(ObjectiveError, match="lambda"):
        ik.solve(reachable(arm, rng))
    ik.objective = 3.0
    with pytest.raises(ObjectiveError, match="neither"):
        ik.solve(reachable(arm, rng))
