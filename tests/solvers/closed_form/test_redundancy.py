"""The redundancy: intervals inside the limits, and the nearest solution inside them."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.kernels import redundancy_layout as at
from kinetree.solvers.closed_form.redundancy import Redundancy
from kinetree.solvers.closed_form.redundancy_numbers import measured_by_squares
from tests.solvers.closed_form.seven_joint_arms import (
    FITS,
    WAY,
    difference,
    goal_at,
    is_inside,
    kernels_for,
    random_arm,
    random_configurations,
    robot_geometry,
)


def pose_at(arm, q):
    return pin.SE3(*arm.forward(q))


def least_inside(arm, found, counts, seeds, weights=None):
    """The least distance (m,) of what was found inside the limits; 1e9 where nothing is."""
    away = np.abs(found - seeds[:, None])
    far = away.max(axis=2) if weights is None else (away**2 * weights).sum(axis=2)
    given = np.arange(found.shape[1]) < counts[:, None]
    return np.where(is_inside(arm, found) & given, far, 1e9).min(axis=1)


def compare_with_scan(arm, way, count, seed=0, squares=None):
    """How much further than the nearest of a scan the nearest one found is (m,)."""
    rng, kernels = np.random.default_rng(seed), kernels_for(way)
    numbers = FITS[way](arm).numbers
    if squares is not None:
        numbers = measured_by_squares(numbers, squares)
    goals = np.array([goal_at(arm, q) for q in random_configurations(rng, arm, count)])
    seeds = random_configurations(rng, arm, count)
    found, _, counts = kernels.many(numbers, goals, seeds)
    scanned = kernels.nearest_by_scan(numbers, goals, seeds, -np.pi, np.pi)
    least = least_inside(arm, found, counts, seeds, squares)
    assert (scanned < 1e9).mean() > 0.95
    return least - scanned


@pytest.mark.parametrize("name", WAY)
def test_nearest_inside_the_limits(name):
    """On every robot as near as the best of 2,000 values, on all of 200 targets with random seeds."""
    excess = compare_with_scan(robot_geometry(name), WAY[name], 200)
    assert (excess > 1e-3).sum() == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", WAY)
def test_nearest_inside_the_limits_of_ten_thousand(name):
    excess = compare_with_scan(robot_geometry(name), WAY[name], 10_000, seed=1)
    assert (excess > 1e-3).mean() <= 1e-3


@pytest.mark.parametrize(("way", "square", "share"), [("swivel", True, 0.0), ("free joint", True, 0.01)])
def test_nearest_on_random_arms(way, square, share):
    rng, excess = np.random.default_rng(4), []
    for k in range(20):
        excess.append(compare_with_scan(random_arm(rng, way, square, k % 2 == 1), way, 20, seed=k))
    assert (np.concatenate(excess) > 1e-3).mean() <= share


@pytest.mark.parametrize("way", FITS)
def test_nearest_on_random_arms_of_general_axes(way):
    """Where no turning points are known in closed form, and branches end, one in thirty may be missed."""
    rng, excess = np.random.default_rng(5), []
    for k in range(20):
        excess.append(compare_with_scan(random_arm(rng, way, False), way, 20, seed=k))
    assert (np.concatenate(excess) > 1e-3).mean() <= 1 / 30


@pytest.mark.parametrize("name", ["iiwa14", "panda"])
def test_nearest_by_weighted_squares(name):
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.2])
    excess = compare_with_scan(robot_geometry(name), WAY[name], 200, squares=weights)
    assert (excess > 2e-3).mean() <= 0.01


def test_turns_of_joints_with_wide_limits_count():
    """A seed far from zero, and limits of several turns: the equivalent angle nearest to the seed."""
    arm = robot_geometry("iiwa14")
    lower, upper = arm.lower.copy(), arm.upper.copy()
    lower[0], upper[0], lower[6], upper[6] = -np.inf, np.inf, -9.0, 9.0
    wide = ChainGeometry.made(arm.axes, arm.offsets, arm.tip_rotation, None, lower, upper)
    kernels, numbers = kernels_for("swivel"), FITS["swivel"](wide).numbers
    rng = np.random.default_rng(6)
    for q in random_configurations(rng, arm, 30):
        turned = q + 2 * np.pi * np.array([7, 0, 0, 0, 0, 0, 1 if q[6] < 2.5 else 0])
        found, _ = kernels.candidates(numbers, goal_at(arm, q), turned)
        assert np.abs(found - turned).max(axis=1).min() < 1e-5


ARMS = [*WAY, "random swivel", "random free joint", "random free joint of general axes"]


def arm_called(name, rng):
    if name in WAY:
        return robot_geometry(name)
    return random_arm(rng, "swivel" if "swivel" in name else "free joint", "general" not in name)


@pytest.mark.parametrize("name", ARMS)
def test_intervals_by_a_dense_scan(name):
    """Nothing inside the limits beyond the intervals, nothing outside within them, except within 1e-6 of their ends."""
    rng = np.random.default_rng(7)
    counted = 0
    for _ in range(4):
        arm = arm_called(name, rng)
        redundancy = Redundancy.of(arm)
        pose = pose_at(arm, random_configurations(rng, arm, 1)[0])
        rows = redundancy.intervals(pose)
        counted += len(rows)
        values = np.linspace(redundancy.lower, redundancy.upper, 3001)
        for branch in range(8):
            q = redundancy.configuration(pose, branch, values)
            # Limits of a turn or more are met by every angle.
            wide = arm.upper - arm.lower >= 2 * np.pi
            inside = (wide | ((q >= arm.lower) & (q <= arm.upper))).all(axis=1) & np.isfinite(q).all(axis=1)
            claimed, near = np.zeros(len(values), bool), np.zeros(len(values), bool)
            for _, low, high in rows[rows[:, 0] == branch]:
                assert low <= high
                claimed |= (values >= low) & (values <= high)
                near |= (np.abs(values - low) < 1e-6) | (np.abs(values - high) < 1e-6)
            assert not ((inside != claimed) & ~near).any()
    assert counted > 0


@pytest.mark.parametrize("name", ["iiwa14", "panda", "fr3"])
def test_candidates_inside_are_those_of_branches_with_intervals(name):
    arm, rng = robot_geometry(name), np.random.default_rng(8)
    kernels, redundancy = kernels_for(WAY[name]), Redundancy.of(arm)
    for q in random_configurations(rng, arm, 20):
        found, _ = kernels.candidates(redundancy.numbers, goal_at(arm, q), q)
        rows = redundancy.intervals(pose_at(arm, q))
        long = np.unique(rows[rows[:, 2] - rows[:, 1] > 1e-3, 0])
        inside = int(is_inside(arm, found).sum())
        assert len(long) <= inside <= len(np.unique(rows[:, 0]))
        value = redundancy.value_of(q)
        assert ((rows[:, 1] - 1e-9 <= value) & (value <= rows[:, 2] + 1e-9)).any()


@pytest.mark.parametrize("name", ["iiwa14", "panda"])
def test_branches_at_a_value(name):
    arm, rng = robot_geometry(name), np.random.default_rng(9)
    redundancy = Redundancy.of(arm)
    for q in random_configurations(rng, arm, 10):
        pose = pose_at(arm, q)
        branches, flags = redundancy.branches_at(pose, redundancy.value_of(q))
        assert difference(branches, q).min() < 1e-6
        assert (flags == 0).all()
        for each in branches:
            assert redundancy.value_of(each) == pytest.approx(redundancy.value_of(q), abs=1e-7)


def test_names_and_refusals():
    arm = robot_geometry("panda")
    redundancy = Redundancy.of(arm)
    assert redundancy.name == "joint 7"
    assert redundancy.joint == 6
    assert Redundancy.of(robot_geometry("iiwa14")).name == "swivel angle"
    general = ChainGeometry.made(*(np.random.default_rng(0).normal(size=(k, 3)) for k in (7, 8)))
    assert "do not meet" in Redundancy.of(general)
    pose = pose_at(arm, np.zeros(7))
    with pytest.raises(InvalidValueError, match="finite"):
        redundancy.branches_at(pose, np.nan)
    with pytest.raises(InvalidValueError, match="branch"):
        redundancy.configuration(pose, 8, [0.0])
    with pytest.raises(InvalidValueError, match="configuration"):
        redundancy.value_of([0.0])
    with pytest.raises(InvalidValueError, match="weights"):
        measured_by_squares(redundancy.numbers, [1.0])


def test_weights_of_an_arm_solved_from_its_tip_are_turned_round():
    numbers = Redundancy.of(robot_geometry("panda")).numbers
    changed = measured_by_squares(numbers, np.arange(7.0))
    assert changed[at.WEIGHTS : at.WEIGHTS + 7].tolist() == [6, 5, 4, 3, 2, 1, 0]
    assert numbers[at.MEASURE] == 0.0


def test_out_of_reach_has_no_intervals():
    for name in ("iiwa14", "panda"):
        redundancy = Redundancy.of(robot_geometry(name))
        assert redundancy.intervals(pin.SE3(np.eye(3), np.array([5.0, 0.0, 0.0]))).shape == (0, 3)
