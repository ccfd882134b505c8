"""Arms that are spherical at one end, with a free joint at the other."""

import numpy as np
import pytest

from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.family import Fit
from kinetree.solvers.closed_form.kernels import redundancy_layout as at
from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH, SINGULAR
from kinetree.solvers.closed_form.panda_like import fit
from tests.solvers.closed_form.seven_joint_arms import (
    difference,
    goal_at,
    is_inside,
    kernels_for,
    newton_roots,
    random_arm,
    random_configurations,
    robot_geometry,
)

EXACT = ("panda", "fr3", "xarm7")


@pytest.fixture(scope="module")
def kernels():
    return kernels_for("free joint")


def numbers_of(geometry):
    found = fit(geometry)
    assert isinstance(found, Fit), found
    return found.numbers


def free_joint(numbers):
    return 6 if numbers[at.REVERSED] else 0


@pytest.mark.parametrize("name", EXACT)
def test_robots_are_recognised(name):
    assert "joint 7 is free" in fit(robot_geometry(name)).why


def test_gen3_is_accepted_though_its_wrist_misses():
    found = fit(robot_geometry("gen3"))
    assert "joint 1 is free" in found.why
    assert "nearly" in found.why


def test_an_arm_of_general_axes_is_told_why_not():
    rng = np.random.default_rng(0)
    assert "do not meet" in fit(ChainGeometry.made(rng.normal(size=(7, 3)), rng.normal(size=(8, 3))))


@pytest.mark.parametrize("name", EXACT)
def test_generating_configuration_is_found_at_its_free_joint(kernels, name):
    arm, rng = robot_geometry(name), np.random.default_rng(1)
    worst, errors = check_recovery(kernels, arm, random_configurations(rng, arm, 300))
    assert worst < 1e-6
    assert errors < 1e-10


@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("mirrored", [True, False])
def test_random_arms(kernels, square, mirrored):
    rng = np.random.default_rng(2)
    for _ in range(100):
        arm = random_arm(rng, "free joint", square, mirrored)
        worst, errors = check_recovery(kernels, arm, random_configurations(rng, arm, 5))
        assert worst < 1e-6
        assert errors < 1e-10


def check_recovery(kernels, arm, configurations):
    """The largest distance of a generating configuration from a branch, and the largest pose error of a branch."""
    numbers, worst, largest = numbers_of(arm), 0.0, 0.0
    joint = free_joint(numbers)
    for q in configurations:
        goal = goal_at(arm, q)
        branches, flags = kernels.at(numbers, goal, q[joint])
        assert not (flags & OUT_OF_REACH).any()
        worst = max(worst, difference(branches, q).min())
        largest = max(largest, *(np.abs(goal_at(arm, each) - goal).max() for each in branches))
    return worst, largest


@pytest.mark.parametrize("name", ["panda", "xarm7", "random"])
def test_roots_of_newton_starts_are_among_the_branches(kernels, name):
    rng = np.random.default_rng(3)
    arm = random_arm(rng, "free joint", False) if name == "random" else robot_geometry(name)
    numbers, count = numbers_of(arm), 0
    for q in random_configurations(rng, arm, 12):
        goal = goal_at(arm, q)
        for root in newton_roots(arm, goal, 6, rng):
            branches, _ = kernels.at(numbers, goal, root[free_joint(numbers)])
            assert difference(branches, root).min() < 1e-6
            count += 1
    assert count > 40


@pytest.mark.parametrize("name", EXACT)
def test_exact_claims_of_candidates(kernels, name):
    arm, rng = robot_geometry(name), np.random.default_rng(5)
    numbers = numbers_of(arm)
    for q, seed in zip(random_configurations(rng, arm, 100), random_configurations(rng, arm, 100), strict=True):
        goal = goal_at(arm, q)
        found, flags = kernels.candidates(numbers, goal, seed)
        assert is_inside(arm, found).any()
        for each, flag in zip(found, flags, strict=True):
            assert not flag & OUT_OF_REACH
            assert np.abs(goal_at(arm, each) - goal).max() < 1e-10


def test_gen3_is_near_enough_to_be_polished(kernels):
    arm, rng = robot_geometry("gen3"), np.random.default_rng(5)
    numbers = numbers_of(arm)
    for q in random_configurations(rng, arm, 50):
        goal = goal_at(arm, q)
        found, flags = kernels.candidates(numbers, goal, q)
        reached = found[(flags & OUT_OF_REACH) == 0]
        assert all(np.abs(goal_at(arm, each) - goal).max() < 2e-3 for each in reached)


@pytest.mark.parametrize("name", EXACT)
def test_a_seed_that_reaches_comes_back(kernels, name):
    arm, rng = robot_geometry(name), np.random.default_rng(6)
    numbers = numbers_of(arm)
    for q in random_configurations(rng, arm, 100):
        found, _ = kernels.candidates(numbers, goal_at(arm, q), q)
        assert np.abs(found - q).max(axis=1).min() < 1e-4


SINGULAR_POSES = {
    "shoulder in line": [0.4, 0.0, -0.3, -1.1, 0.2, 1.4, 0.5],
    "axes 5 and 7 parallel": [0.4, 0.6, -0.3, -1.1, 0.2, 0.0, 0.5],
    "all in a plane": [0.0, 0.6, 0.0, -1.1, 0.0, 1.4, 0.0],
    "upright": [0.0, 0.0, 0.0, -1.5, 0.0, 1.5, 0.0],
}


@pytest.mark.parametrize("name", SINGULAR_POSES)
def test_singular_poses(kernels, name):
    arm = robot_geometry("panda")
    numbers, q = numbers_of(arm), np.array(SINGULAR_POSES[name], dtype=float)
    goal = goal_at(arm, q)
    for seed in (q, q + 0.1, np.zeros(7)):
        found, flags = kernels.candidates(numbers, goal, seed)
        assert len(found) > 0
        assert np.isfinite(found).all()
        for each in found:
            assert np.abs(goal_at(arm, each) - goal).max() < 1e-10
        assert not (flags & OUT_OF_REACH).any()
        if seed is q:
            assert np.abs(found - q).max(axis=1).min() < 1e-4
    branches, flags = kernels.at(numbers, goal, q[6])
    assert np.isfinite(branches).all()
    assert difference(branches, q).min() < 1e-5 or (flags & SINGULAR).any()


@pytest.mark.parametrize("name", EXACT)
def test_out_of_reach(kernels, name):
    arm = robot_geometry(name)
    numbers, goal = numbers_of(arm), goal_at(arm, 0.5 * (arm.lower + arm.upper))
    for position in ([3.0, 0.0, 0.5], [0.0, -1e3, 0.0]):
        goal[9:] = position
        found, flags = kernels.candidates(numbers, goal, np.zeros(7))
        assert len(found) == 1
        assert flags[0] & OUT_OF_REACH
        assert np.isfinite(found).all()
        # It points to where the goal is.
        assert np.dot(goal_at(arm, found[0])[9:], position) > 0.0


def test_limits_that_nothing_meets_give_representatives(kernels):
    arm, rng = robot_geometry("panda"), np.random.default_rng(8)
    lower, upper = arm.lower.copy(), arm.upper.copy()
    lower[3], upper[3] = -0.05, -0.04
    tight = ChainGeometry.made(arm.axes, arm.offsets, arm.tip_rotation, None, lower, upper)
    q = random_configurations(rng, arm, 1)[0]
    found, flags = kernels.candidates(numbers_of(tight), goal_at(arm, q), q)
    assert len(found) > 0
    assert not is_inside(tight, found).any()
    assert not (flags & OUT_OF_REACH).any()
