"""Arms of seven joints of which the first or the last is held."""

import numpy as np
import pytest

from kinetree.kinematics import core
from kinetree.kinematics.core.compile_cache import entry_point
from kinetree.solvers import compiled
from kinetree.solvers.closed_form import kernels
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.family import Fit
from kinetree.solvers.closed_form.kernels.flags import OUT_OF_REACH
from kinetree.solvers.closed_form.kernels.locked_joint import make_locked
from kinetree.solvers.closed_form.locked_joint import LOCKED_JOINT, without_end
from kinetree.solvers.closed_form.spherical_wrist import SPHERICAL_WRIST
from tests.solvers.closed_form.seven_joint_arms import (
    difference,
    goal_at,
    is_inside,
    newton_roots,
    random_configurations,
    robot_geometry,
)


def arm_with_wrist(rng):
    """General axes, of which the last three meet."""
    offsets = rng.normal(size=(8, 3)) * 0.2
    offsets[5] = offsets[6] = 0.0
    limits = rng.uniform(1.5, 3.0, (2, 7))
    return ChainGeometry.made(rng.normal(size=(7, 3)), offsets, None, None, -limits[0], limits[1])


class Solver:
    """The compiled functions of `make_locked` for a spherical wrist."""

    def __init__(self):
        candidates, at_value = make_locked(SPHERICAL_WRIST.kernel())

        def solve(numbers, goal, seed, value, q, flags):
            if value > 100.0:
                return candidates(numbers, goal, seed, q, flags)
            return at_value(numbers, goal, value, q, flags)

        self._solve = entry_point(solve, [core, compiled, kernels], [], "locked joint for the tests")

    def __call__(self, numbers, goal, seed=None, value=1e3):
        most = LOCKED_JOINT[0].most
        q, flags = np.zeros((most, 7)), np.zeros(most, np.int64)
        near = np.zeros(7) if seed is None else np.asarray(seed, dtype=float)
        count = self._solve(numbers, goal, near, float(value), q, flags)
        return q[:count], flags[:count]


@pytest.fixture(scope="module")
def solver():
    return Solver()


def test_which_arms_fit():
    rng = np.random.default_rng(0)
    arm = arm_with_wrist(rng)
    fits = [family.fit(arm, None) for family in LOCKED_JOINT]
    assert isinstance(fits[0], Fit)
    assert "joint 1 leaves" in fits[0].why
    assert isinstance(LOCKED_JOINT[1].fit(arm.reversed(), None), Fit)
    assert isinstance(fits[-1], Fit)
    assert "without its last joint" in fits[1]
    assert isinstance(LOCKED_JOINT[1].fit(robot_geometry("xarm7"), None), Fit)


@pytest.mark.parametrize("last", [False, True])
def test_the_other_joints_are_the_same_arm(last):
    """The chain without its end, at the goal that `inner_goal` gives, is where the whole chain is."""
    rng = np.random.default_rng(1)
    arm = arm_with_wrist(rng)
    rest = without_end(arm, last)
    for q in random_configurations(rng, arm, 10):
        rotation, position = rest.forward(q[:-1] if last else q[1:])
        whole, place = arm.forward(q)
        from kinetree.solvers.closed_form.chain_geometry import turn

        end = turn(arm.axes[6 if last else 0], q[6 if last else 0])
        if last:
            np.testing.assert_allclose(rotation @ end @ arm.tip_rotation, whole, atol=1e-12)
            np.testing.assert_allclose(position + rotation @ end @ arm.offsets[7], place, atol=1e-12)
        else:
            np.testing.assert_allclose(end @ rotation, whole, atol=1e-12)
            np.testing.assert_allclose(arm.offsets[0] + end @ position, place, atol=1e-12)


def test_generating_configuration_is_found_at_its_value(solver):
    rng = np.random.default_rng(2)
    for _ in range(200):
        arm = arm_with_wrist(rng)
        numbers = LOCKED_JOINT[0].fit(arm, None).numbers
        q = random_configurations(rng, arm, 1)[0]
        goal = goal_at(arm, q)
        branches, flags = solver(numbers, goal, value=q[0])
        assert difference(branches, q).min() < 1e-6
        for each, flag in zip(branches, flags, strict=True):
            assert flag & OUT_OF_REACH or np.abs(goal_at(arm, each) - goal).max() < 1e-10


def test_roots_of_newton_starts_are_among_the_branches(solver):
    rng, count = np.random.default_rng(3), 0
    for _ in range(6):
        arm = arm_with_wrist(rng)
        numbers = LOCKED_JOINT[0].fit(arm, None).numbers
        goal = goal_at(arm, random_configurations(rng, arm, 1)[0])
        for root in newton_roots(arm, goal, 6, rng):
            branches, _ = solver(numbers, goal, value=root[0])
            assert difference(branches, root).min() < 1e-6
            count += 1
    assert count > 15


def test_nearest_inside_the_limits(solver):
    """Nearly always as near as the best of 500 values; never with a pose that is not reached."""
    rng, missed, total = np.random.default_rng(4), 0, 0
    for _ in range(30):
        arm = arm_with_wrist(rng)
        numbers = LOCKED_JOINT[0].fit(arm, None).numbers
        q, seed = random_configurations(rng, arm, 2)
        goal = goal_at(arm, q)
        found, flags = solver(numbers, goal, seed)
        reached = found[(flags & OUT_OF_REACH) == 0]
        assert np.abs([goal_at(arm, each) - goal for each in reached]).max() < 1e-10
        inside = reached[is_inside(arm, reached)]
        nearest = np.abs(inside - seed).max(axis=1).min() if len(inside) else 1e9
        scanned = 1e9
        middle = 0.5 * (arm.lower + arm.upper)
        for value in np.linspace(arm.lower[0], arm.upper[0], 500):
            branches, flags = solver(numbers, goal, value=value)
            turned = branches + 2 * np.pi * np.round((middle - branches) / (2 * np.pi))
            ok = is_inside(arm, turned) & ((flags & OUT_OF_REACH) == 0)
            scanned = min([scanned, *np.abs(turned[ok] - seed).max(axis=1)])
        total += scanned < 1e9
        missed += nearest > scanned + 1e-2
    assert total > 25
    assert missed <= 3
