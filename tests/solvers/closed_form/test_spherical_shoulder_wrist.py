"""Arms with a spherical shoulder and a spherical wrist."""

import numpy as np
import pytest

from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.family import Fit
from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH, SINGULAR
from kinetree.solvers.closed_form.redundancy import swivel_angle
from kinetree.solvers.closed_form.spherical_shoulder_wrist import fit
from tests.solvers.closed_form.seven_joint_arms import (
    SWIVEL_ROBOTS,
    difference,
    goal_at,
    is_inside,
    kernels_for,
    newton_roots,
    random_arm,
    random_configurations,
    robot_geometry,
)


@pytest.fixture(scope="module")
def kernels():
    return kernels_for("swivel")


def numbers_of(geometry):
    found = fit(geometry)
    assert isinstance(found, Fit), found
    return found.numbers


@pytest.mark.parametrize("name", SWIVEL_ROBOTS)
def test_robots_are_recognised(name):
    assert "meet in one point" in fit(robot_geometry(name)).why


@pytest.mark.parametrize("name", ["panda", "xarm7", "gen3"])
def test_other_robots_are_told_why_not(name):
    assert "do not meet in one point" in fit(robot_geometry(name))


def test_nearly_meeting_axes_are_accepted_and_named():
    arm = robot_geometry("iiwa14")
    offsets = arm.offsets.copy()
    offsets[6] = offsets[6] + [0.0, 4e-4, 0.0]
    found = fit(ChainGeometry.made(arm.axes, offsets, arm.tip_rotation, None, arm.lower, arm.upper))
    assert "nearly" in found.why
    offsets[6, 1] += 0.02
    assert isinstance(fit(ChainGeometry.made(arm.axes, offsets, arm.tip_rotation)), str)


@pytest.mark.parametrize("name", SWIVEL_ROBOTS)
def test_generating_configuration_is_found_at_its_swivel_angle(kernels, name):
    arm, rng = robot_geometry(name), np.random.default_rng(1)
    worst, errors = check_recovery(kernels, arm, random_configurations(rng, arm, 300))
    assert worst < 1e-6
    assert errors < 1e-10


@pytest.mark.parametrize("square", [True, False])
def test_random_arms(kernels, square):
    rng = np.random.default_rng(2)
    for _ in range(200):
        arm = random_arm(rng, "swivel", square)
        worst, errors = check_recovery(kernels, arm, random_configurations(rng, arm, 5))
        assert worst < 1e-6
        assert errors < 1e-10


def check_recovery(kernels, arm, configurations):
    """The largest distance of a generating configuration from a branch, and the largest pose error of a branch."""
    numbers, worst, largest = numbers_of(arm), 0.0, 0.0
    for q in configurations:
        goal = goal_at(arm, q)
        branches, flags = kernels.at(numbers, goal, swivel_angle(numbers, q))
        assert not (flags & OUT_OF_REACH).any()
        worst = max(worst, difference(branches, q).min())
        largest = max(largest, *(np.abs(goal_at(arm, each) - goal).max() for each in branches))
    return worst, largest


@pytest.mark.parametrize("name", ["iiwa14", "wam7", "random"])
def test_roots_of_newton_starts_are_among_the_branches(kernels, name):
    rng = np.random.default_rng(3)
    arm = random_arm(rng, "swivel", False) if name == "random" else robot_geometry(name)
    numbers, count = numbers_of(arm), 0
    for q in random_configurations(rng, arm, 12):
        goal = goal_at(arm, q)
        for root in newton_roots(arm, goal, 6, rng):
            branches, _ = kernels.at(numbers, goal, swivel_angle(numbers, root))
            assert difference(branches, root).min() < 1e-6
            count += 1
    assert count > 40


def test_the_swivel_angle_is_zero_where_the_elbow_axis_is_level(kernels):
    arm, rng = robot_geometry("iiwa14"), np.random.default_rng(4)
    numbers = numbers_of(arm)
    for q in random_configurations(rng, arm, 20):
        branches, _ = kernels.at(numbers, goal_at(arm, q), 0.0)
        for each in branches:
            # A level elbow axis needs joint 3 at zero or half a turn.
            assert np.abs(np.sin(each[2])) < 1e-9


def test_exact_claims_of_candidates(kernels):
    arm, rng = robot_geometry("iiwa14"), np.random.default_rng(5)
    numbers = numbers_of(arm)
    for q, seed in zip(random_configurations(rng, arm, 100), random_configurations(rng, arm, 100), strict=True):
        goal = goal_at(arm, q)
        found, flags = kernels.candidates(numbers, goal, seed)
        assert len(found) == 8
        assert (flags == 0).all()
        for each in found:
            assert np.abs(goal_at(arm, each) - goal).max() < 1e-10


def test_a_seed_that_reaches_comes_back(kernels):
    arm, rng = robot_geometry("iiwa14"), np.random.default_rng(6)
    numbers = numbers_of(arm)
    for q in random_configurations(rng, arm, 100):
        found, _ = kernels.candidates(numbers, goal_at(arm, q), q)
        assert np.abs(found - q).max(axis=1).min() < 2e-6


SINGULAR_POSES = {
    "all joints at zero": np.zeros(7),
    "shoulder in line": [0.4, 0.0, -0.3, 1.1, 0.2, 0.9, 0.5],
    "wrist in line": [0.4, 0.8, -0.3, 1.1, 0.2, 0.0, 0.5],
    "elbow stretched": [0.4, 0.8, -0.3, 0.0, 0.2, 0.9, 0.5],
    "shoulder and wrist in line": [0.4, 0.0, -0.3, 1.1, 0.2, 0.0, 0.5],
    "stretched upwards, wrist bent": [0.4, 0.0, -0.3, 0.0, 0.2, 0.9, 0.5],
}


@pytest.mark.parametrize("name", SINGULAR_POSES)
def test_singular_poses(kernels, name):
    arm = robot_geometry("iiwa14")
    numbers, q = numbers_of(arm), np.array(SINGULAR_POSES[name], dtype=float)
    goal = goal_at(arm, q)
    for seed in (q, q + 0.1, np.zeros(7)):
        found, flags = kernels.candidates(numbers, goal, seed)
        assert len(found) > 0
        assert np.isfinite(found).all()
        for each in found:
            assert np.abs(goal_at(arm, each) - goal).max() < 1e-10
        assert not (flags & OUT_OF_REACH).any()
        # At the least, the configuration itself is found from itself, and said to be singular.
        if seed is q:
            nearest = np.abs(found - q).max(axis=1)
            assert nearest.min() < 1e-5
            assert flags[nearest.argmin()] & SINGULAR
    for value in (0.0, 1.0):
        branches, flags = kernels.at(numbers, goal, value)
        assert np.isfinite(branches).all()
        for each in branches:
            assert np.abs(goal_at(arm, each) - goal).max() < 1e-10


def test_out_of_reach(kernels):
    arm = robot_geometry("iiwa14")
    numbers = numbers_of(arm)
    stretched = goal_at(arm, [0.3, 0.7, 0.0, 0.0, 0.0, 0.4, 0.0])
    shoulder = np.array([0.0, 0.0, 0.36])
    to_wrist = ChainGeometry.made(arm.axes, [*arm.offsets[:6], np.zeros(3), np.zeros(3)])
    wrist = goal_at(to_wrist, np.array([0.3, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0]))[9:]
    away = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
    for beyond in (1e-9, 1e-4, 0.3):
        goal = stretched.copy()
        goal[9:] += beyond * away
        found, flags = kernels.candidates(numbers, goal, np.zeros(7))
        assert len(found) > 0
        assert (flags & OUT_OF_REACH).all()
        assert np.isfinite(found).all()
        for each in found:
            reached = goal_at(arm, each)
            assert np.abs(reached[:9] - goal[:9]).max() < 1e-10
            assert np.linalg.norm(reached[9:] - goal[9:]) == pytest.approx(beyond, abs=1e-9)


def test_limits_that_nothing_meets_give_representatives(kernels):
    arm, rng = robot_geometry("iiwa14"), np.random.default_rng(8)
    lower, upper = arm.lower.copy(), arm.upper.copy()
    lower[3], upper[3] = 2.8, 2.9
    tight = ChainGeometry.made(arm.axes, arm.offsets, arm.tip_rotation, None, lower, upper)
    q = random_configurations(rng, arm, 1)[0]
    found, flags = kernels.candidates(numbers_of(tight), goal_at(arm, q), q)
    assert len(found) == 8
    assert not is_inside(tight, found).any()
    assert (flags == 0).all()
