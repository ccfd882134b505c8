"""When a solve counts as solved, and that it moves nothing."""

import numpy as np
import pytest

from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.solvers import InverseKinematics, Reason
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


# What success means.
@pytest.mark.parametrize("name", ["arm", "six"])
def test_random_reachable_targets(request, rng, misses, inside, name):
    skeleton = request.getfixturevalue(name)
    ik = InverseKinematics(skeleton)
    for _ in range(60):
        target = reachable(skeleton, rng)
        solution = ik.solve(target, seed=skeleton.random_positions(rng))
        assert solution.success, solution
        assert solution.reason is Reason.CONVERGED
        away, turned = misses(skeleton, solution.q, skeleton.tip, target)
        assert away <= 1e-6
        assert turned <= 1e-6
        assert solution.position_error == pytest.approx(away, abs=1e-12)
        assert solution.orientation_error == pytest.approx(turned, abs=1e-9)
        assert inside(skeleton, solution.q)
        assert not solution.detail


@pytest.mark.parametrize("tolerance", [1e-3, 1e-9, (1e-2, 1e-8)])
def test_the_callers_tolerance_is_what_counts(arm, rng, misses, tolerance):
    ik = InverseKinematics(arm)
    position, orientation = tolerance if isinstance(tolerance, tuple) else (tolerance, tolerance)
    for _ in range(10):
        target = reachable(arm, rng)
        solution = ik.solve(target, tolerance=tolerance)
        assert solution
        away, turned = misses(arm, solution.q, arm.tip, target)
        assert away <= position
        assert turned <= orientation


def test_at_the_target_the_seed_comes_back(arm, rng, engine):
    ik = InverseKinematics(arm)
    for _ in range(10):
        q = arm.random_positions(rng)
        solution = ik.solve(arm.state(q).transform(arm.tip), seed=q)
        assert solution
        np.testing.assert_array_equal(solution.q, q)
        assert solution.iterations == 0
        assert solution.attempts == 1 or engine != "object"  # the compiled one begins several at once


@pytest.mark.parametrize("axis", ["rx", "ry", "rz"])
def test_a_flip_is_no_success(axis):
    # The frame is at the target but turned by half a turn about an axis that nothing can turn.
    skeleton = Skeleton("slider")
    base = skeleton.add_link("base")
    link = skeleton.add_link("carriage", RevoluteJoint("turn", axis=(1, 1, 1), limits=(-0.1, 0.1)), base)
    rpy = {"rx": (180, 0, 0), "ry": (0, 180, 0), "rz": (0, 0, 180)}[axis]
    solution = InverseKinematics(link).solve(pose(rpy=rpy, degrees=True))
    assert not solution
    assert solution.orientation_error > 3.0


def test_convergence_in_the_last_iteration_counts(arm, rng):
    ik = InverseKinematics(arm)
    q = arm.random_positions(rng)
    target = arm.state(q).transform(arm.tip)
    seed = arm.clamp(q + 0.05)
    needed = ik.solve(target, seed=seed, attempts=1).iterations
    assert needed > 1
    assert ik.solve(target, seed=seed, attempts=1, iterations=needed)
    short = ik.solve(target, seed=seed, attempts=1, iterations=needed - 1)
    assert not short
    assert short.reason is Reason.ITERATIONS
    assert str(needed - 1) in short.detail


def test_at_the_target_no_iterations_are_needed(arm):
    assert InverseKinematics(arm).solve(iterations=0, attempts=1)


# Nothing moves.
def test_solve_touches_nothing(arm, rng):
    ik = InverseKinematics(arm)
    before, version = arm.positions, arm.version
    target, seed = reachable(arm, rng).homogeneous, arm.random_positions(rng)
    copies = target.copy(), seed.copy()
    own = ik.target.transform().homogeneous
    solution = ik.solve(target, seed=seed)
    np.testing.assert_array_equal(arm.positions, before)
    np.testing.assert_array_equal(target, copies[0])
    np.testing.assert_array_equal(seed, copies[1])
    np.testing.assert_array_equal(ik.target.transform().homogeneous, own)
    assert arm.version == version
    with pytest.raises(ValueError, match="read-only"):
        solution.q[0] = 0.0


def test_solve_and_apply_moves_only_on_success(arm, rng):
    ik = InverseKinematics(arm)
    before = arm.positions
    failed = ik.solve_and_apply(pose((3.0, 0, 0)), attempts=3)
    assert not failed
    np.testing.assert_array_equal(arm.positions, before)
    nearest = ik.solve_and_apply(pose((3.0, 0, 0)), attempts=3, apply_best=True)
    np.testing.assert_array_equal(arm.positions, nearest.q)
    solved = ik.solve_and_apply(reachable(arm, rng))
    assert solved
    np.testing.assert_array_equal(arm.positions, solved.q)


def test_an_interrupt_leaves_everything(arm, rng):
    ik = InverseKinematics(arm)
    before = arm.positions

    def interrupt(q):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ik.solve_and_apply(reachable(arm, rng), constraint=interrupt)
    np.testing.assert_array_equal(arm.positions, before)
    assert ik.solve(reachable(arm, rng))


def test_a_solve_inside_a_constraint_does_not_disturb_the_outer_one(arm, rng):
    ik = InverseKinematics(arm)
    target = reachable(arm, rng)
    plain = ik.solve(target)
    nested = ik.solve(target, constraint=lambda q: bool(ik.solve(reachable(arm, rng))))
    np.testing.assert_array_equal(plain.q, nested.q)


# Determinism.
def test_the_same_call_gives_the_same_answer(arm, rng):
    target = reachable(arm, rng)
    first = InverseKinematics(arm).solve(target)
    ik = InverseKinematics(arm)
    ik.solve(reachable(arm, rng))
    np.testing.assert_array_equal(ik.solve(target).q, first.q)
    np.testing.assert_array_equal(ik.solve(target, random_seed=0).q, first.q)


def test_the_random_seed_decides_about_restarts(six, rng, engine):
    ik = InverseKinematics(six)
    target = reachable(six, rng)

    def refuse_first_attempts():
        calls = []
        return lambda q: calls.append(q) is None and len(calls) > 3

    answers = [ik.solve(target, random_seed=seed, constraint=refuse_first_attempts()).q for seed in (1, 1, 2)]
    np.testing.assert_array_equal(answers[0], answers[1])
    assert (answers[0] != answers[2]).any()
    if engine != "object":
        return  # the compiled one draws its own numbers
    generator = np.random.default_rng(1)
    from_generator = ik.solve(target, random_seed=generator, constraint=refuse_first_attempts()).q
    np.testing.assert_array_equal(from_generator, answers[0])
