"""What is said when there is no solution."""

import time

import numpy as np
import pytest

from kinetree.kinematics import pose
from kinetree.solvers import FAST, GradientMethod, InverseKinematics, Reason, kernel
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def test_a_target_beyond_the_reach_is_unreachable_at_once(arm):
    solution = InverseKinematics(arm).solve(pose((3.0, 0, 0.5)))
    assert not solution
    assert solution.reason is Reason.UNREACHABLE
    assert solution.attempts <= 200
    assert "'j0'" in solution.detail
    assert "3 m" in solution.detail
    # The nearest pose found is stretched out towards the target.
    at = arm.state(solution.q).transform(arm.tip).translation
    assert at[0] > 0.6
    assert solution.position_error == pytest.approx(np.linalg.norm(at - [3.0, 0, 0.5]), abs=1e-9)


def test_reach_is_not_claimed_of_a_base_that_moves(humanoid):
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    ik.use_whole_body()
    assert ik.solve(pose((3.0, 0, 0.5)))


def test_a_target_inside_the_reach_that_no_attempt_gets_to(arm):
    low = pose((0.0, 0.0, -0.45))
    solution = InverseKinematics(arm).solve(low, attempts=30)
    assert not solution
    assert solution.reason in (Reason.UNREACHABLE, Reason.LIMITS)
    assert f"{solution.position_error:.3g} m" in solution.detail


def test_limits_in_the_way_are_named(planar):
    planar.dof("j1").limits = (-0.5, 0.5)
    ik = InverseKinematics(planar)
    target = planar.state([0.2, 0.9]).transform(planar.tip)
    solution = ik.solve(target, attempts=20)
    assert solution.reason is Reason.LIMITS
    assert "'j1'" in solution.detail
    assert "0.4 beyond its upper limit 0.5" in solution.detail


def test_too_few_iterations(arm, rng):
    solution = InverseKinematics(arm).solve(reachable(arm, rng), attempts=3, iterations=1)
    assert solution.reason is Reason.ITERATIONS
    assert "1 iterations" in solution.detail or "allow more" in solution.detail


def test_a_timeout_is_kept(arm):
    ik = InverseKinematics(arm)
    ik.problem.attempts = 10**9
    begun = time.perf_counter()
    solution = ik.solve(pose((0.1, 0.0, -0.3), rpy=(0.1, 0.2, 0.3)), timeout=0.05)
    assert time.perf_counter() - begun < 0.5
    assert not solution
    assert solution.reason is Reason.TIMEOUT
    assert "0.05 s" in solution.detail
    assert np.isfinite(solution.q).all()


def test_a_timeout_of_zero_still_looks_at_the_seed(arm):
    assert InverseKinematics(arm).solve(timeout=0.0)


def test_without_degrees_of_freedom(arm):
    ik = InverseKinematics(arm, dofs=[])
    assert ik.solve()
    failed = ik.solve(pose((0.1, 0, 0)))
    assert not failed
    assert failed.reason is Reason.NO_DOFS
    np.testing.assert_array_equal(failed.q, arm.positions)


def test_a_failed_solve_gives_the_nearest_configuration(arm, misses, inside):
    target = pose((0.6, 0.3, -0.6))
    solution = InverseKinematics(arm).solve(target, attempts=40)
    assert not solution
    away, turned = misses(arm, solution.q, arm.tip, target)
    assert (solution.position_error, solution.orientation_error) == (
        pytest.approx(away),
        pytest.approx(turned),
    )
    assert inside(arm, solution.q)


def test_another_method_does_not_lend_its_success(six, rng):
    """A method that gets nowhere is not called a success because ours would get there."""

    class Nowhere(GradientMethod):
        pace = FAST

        def gradient(self, jacobian, error):
            return np.zeros(jacobian.shape[1])

    class NowhereCompiled(GradientMethod):
        pace = FAST

        @kernel
        def step(jacobian, error, rows, n, parameters, gradient):
            for k in range(n):
                gradient[k] = 0.0 * error[0]

    for method in (Nowhere(), NowhereCompiled()):
        ik = InverseKinematics(six)
        ik.gradient_method = method
        solution = ik.solve(reachable(six, rng), attempts=20)
        assert not solution
        assert solution.reason is Reason.ITERATIONS
        assert "can be reached" in solution.detail
        assert solution.position_error > 1e-3


def test_a_target_in_millimetres_is_asked_about(arm):
    ik = InverseKinematics(arm)
    assert "are these millimetres?" in ik.solve(pose((400.0, 0, 500.0))).detail
    assert "millimetres" not in ik.solve(pose((3.0, 0, 0.5))).detail
    assert "millimetres" not in ik.solve(pose((40000.0, 0, 0.5))).detail
