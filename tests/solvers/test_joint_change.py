"""A limit on how far joints may go from the seed."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import (
    InvalidValueError,
    PrismaticJoint,
    RevoluteJoint,
    ShapeError,
    Skeleton,
    SphericalJoint,
    UnknownNameError,
    pose,
)
from kinetree.solvers import InverseKinematics, Reason, TaskSpaceRegion
from tests.solvers.conftest import missing
from tests.solvers.random_targets import reachable

ENGINES = ("compiled", "object", "closed form")
#: Rounding of a sum of two numbers of the size of an angle.
ROUNDING = 1e-12


def module(robot, engine):
    ik = InverseKinematics(robot)
    if engine == "closed form":
        ik.gradient_method = ik.analytical()
    else:
        ik.problem.engine = engine
    return ik


@pytest.fixture(scope="module")
def robots():
    return {name: models.load(name) for name in ("panda", "ur5", "kr6_r900")}


def inside(robot, rng):
    return rng.uniform(robot.lower_limits, robot.upper_limits)


def near(robot, rng, seed, change):
    """A random configuration within the limits and the change."""
    low, high = np.maximum(seed - change, robot.lower_limits), np.minimum(seed + change, robot.upper_limits)
    return rng.uniform(low, high)


@pytest.mark.parametrize(
    ("name", "engine"),
    [(name, engine) for name in ("panda", "ur5") for engine in ENGINES] + [("kr6_r900", "compiled")],
)
@settings(max_examples=25)
@given(number=st.integers(0, 10**6), size=st.floats(0.01, 3.0), is_far=st.booleans())
def test_solutions_are_near_the_seed(robots, name, engine, number, size, is_far):
    robot, rng = robots[name], np.random.default_rng(number)
    ik = module(robot, engine)
    seed = inside(robot, rng)
    change = size * rng.uniform(0.5, 1.0, robot.num_dofs)
    q = inside(robot, rng) if is_far else near(robot, rng, seed, change)
    target = robot.state(q).transform(robot.tip)
    solution = ik.solve(target, seed=seed, max_joint_change=change, attempts=200)
    assert solution.engine == engine
    if solution:
        moved = [dof.index for dof in ik.dofs]
        assert (np.abs(solution.q - seed) <= change + ROUNDING)[moved].all()
        assert (solution.q >= robot.lower_limits).all()
        assert (solution.q <= robot.upper_limits).all()
        assert max(missing(robot, solution.q, robot.tip, target)) <= 1.001e-6
    else:
        assert is_far or engine == "closed form" or size > 1.0
        assert solution.reason in (Reason.LIMITS, Reason.UNREACHABLE, Reason.ITERATIONS)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["panda", "ur5"])
def test_random_walk(robots, name, engine, misses):
    """Steps of at most 0.1 rad, as in the tests of MoveIt's kinematics plugins, with a limit of 1.05 of that."""
    robot, rng = robots[name], np.random.default_rng(5)
    ik = module(robot, engine)
    q = 0.5 * inside(robot, rng)
    for _ in range(60):
        target = robot.state(near(robot, rng, q, 0.1)).transform(robot.tip)
        solution = ik.solve(target, seed=q, max_joint_change=1.05 * 0.1)
        assert solution, solution.detail
        assert np.abs(solution.q - q).max() <= 0.105 + ROUNDING
        assert max(misses(robot, solution.q, robot.tip, target)) <= 1.001e-6
        q = solution.q


def line(robot, start, direction, length, steps):
    at = robot.state(start).transform(robot.tip)
    for k in range(1, steps + 1):
        target = at.copy()
        target.translation = at.translation + length * k / steps * np.asarray(direction)
        yield target


@pytest.mark.parametrize("engine", ["compiled", "object"])
def test_a_restart_does_not_jump_to_another_branch_on_a_line(robots, engine):
    """A straight line that leads out of the limits of the branch it began on."""
    robot = robots["panda"]
    ik = module(robot, engine)
    q = robot.clamp([0.0, -0.6, 0.0, -2.2, 0.0, 1.6, 0.8, 0.0])
    jumped, ended = [], None
    free = q
    for target in line(robot, q, (-1.0, 0.0, 0.0), 0.7, 40):
        if ended is None:
            solution = ik.solve(target, seed=q, max_joint_change=0.2, attempts=100)
            if solution:
                assert np.abs(solution.q - q).max() <= 0.2 + ROUNDING
                q = solution.q
            else:
                ended = solution
        anywhere = ik.solve(target, seed=free, attempts=100)
        if not anywhere:
            break
        jumped.append(np.abs(anywhere.q - free).max() > 0.5)
        free = anywhere.q
    assert any(jumped)
    assert ended is not None
    assert ended.reason in (Reason.LIMITS, Reason.UNREACHABLE)


@pytest.mark.parametrize("engine", ENGINES)
def test_dragging_a_target_does_not_flip_joints(robots, engine):
    """A circle past the singular wrist of a ur5; where the branch cannot follow fast enough it says which joint."""
    robot = robots["ur5"]
    ik = module(robot, engine)
    q = robot.state({"shoulder_lift_joint": -1.2, "elbow_joint": 1.6, "wrist_1_joint": -0.4, "wrist_2_joint": 0.3}).q
    start = robot.state(q).transform(robot.tip)
    failed = []
    for angle in np.linspace(0.0, 2 * np.pi, 80):
        target = start.copy()
        target.translation = start.translation + 0.1 * np.array([np.cos(angle) - 1.0, np.sin(angle), 0.0])
        solution = ik.solve(target, seed=q, max_joint_change=0.4, attempts=50)
        if not solution:
            failed.append(solution)
            continue
        assert np.abs(solution.q - q).max() <= 0.4 + ROUNDING
        q = solution.q
    assert all("from the seed, limit 0.4" in each.detail for each in failed)


@pytest.mark.usefixtures("engine")
class TestWithEveryEngine:
    def test_single_joints_by_name(self, arm, rng):
        ik = InverseKinematics(arm)
        seed, q = arm.random_positions(rng), arm.random_positions(rng)
        q[[0, 6]] = seed[[0, 6]] * 0.9
        target = arm.state(q).transform(arm.tip)
        solution = ik.solve(target, seed=seed, max_joint_change={"j0": 0.4, "j6": 1.0})
        assert solution
        assert abs(solution.q[0] - seed[0]) <= 0.4 + ROUNDING
        assert abs(solution.q[6] - seed[6]) <= 1.0 + ROUNDING
        assert np.abs(solution.q - seed).max() > 1.0

    def test_zero_holds_a_joint_still(self, arm, rng):
        seed = arm.random_positions(rng)
        q = arm.random_positions(rng)
        q[2] = seed[2]
        target = arm.state(q).transform(arm.tip)
        solution = InverseKinematics(arm).solve(target, seed=seed, max_joint_change={"j2": 0.0})
        assert solution
        assert solution.q[2] == seed[2]

    def test_zero_for_all_leaves_the_seed(self, arm, rng):
        ik, seed = InverseKinematics(arm), arm.random_positions(rng)
        here = arm.state(seed).transform(arm.tip)
        np.testing.assert_array_equal(ik.solve(here, seed=seed, max_joint_change=0.0).q, seed)
        there = ik.solve(reachable(arm, rng), seed=seed, max_joint_change=0, attempts=3)
        assert not there
        np.testing.assert_array_equal(there.q, seed)

    def test_infinite_is_no_limit(self, arm, rng):
        ik, target, seed = InverseKinematics(arm), reachable(arm, rng), arm.random_positions(rng)
        free = ik.solve(target, seed=seed)
        np.testing.assert_allclose(ik.solve(target, seed=seed, max_joint_change=np.inf).q, free.q, atol=1e-9)

    def test_a_failure_says_which_joint_would_have_to_go_further(self, planar):
        ik = InverseKinematics(planar)
        ik.error_method = TaskSpaceRegion.position_only()
        target = planar.state([0.0, 1.0]).transform(planar.tip).translation
        failed = ik.solve(target, seed=[0.0, 0.2], max_joint_change=0.5, attempts=10)
        assert failed.reason is Reason.LIMITS
        assert "reached only with 'j1' 0.8 rad from the seed, limit 0.5" in failed.detail
        assert np.abs(failed.q - [0.0, 0.2]).max() <= 0.5 + ROUNDING
        assert ik.solve(target, seed=[0.0, 0.2], max_joint_change=0.81)

    def test_joint_limits_in_the_way_are_still_told(self, planar):
        ik = InverseKinematics(planar)
        target = planar.state([2.3, 0.5]).transform(planar.tip)
        failed = ik.solve(target, seed=[1.9, 0.5], max_joint_change=0.5, attempts=10)
        assert failed.reason is Reason.LIMITS
        assert "'j0' at 2.3 rad, 0.3 beyond its upper limit 2" in failed.detail

    def test_a_turn_further_is_not_near(self):
        skeleton = wheel(None)
        target = pose(rpy=(0, 0, 0.1))
        ik = InverseKinematics(skeleton)
        near_by = ik.solve(target, seed=[4 * math.pi], max_joint_change=0.2)
        assert near_by.q[0] == pytest.approx(4 * math.pi + 0.1, abs=2e-6)
        round_the_corner = ik.solve(pose(rpy=(0, 0, -3.0)), seed=[3.0], max_joint_change=0.5)
        assert round_the_corner.q[0] == pytest.approx(2 * math.pi - 3.0, abs=2e-6)
        far = ik.solve(target, seed=[4 * math.pi + 0.5], max_joint_change=0.2, attempts=20)
        assert far.reason is Reason.LIMITS
        assert "'j' 0.4 rad from the seed, limit 0.2" in far.detail

    def test_a_wheel_at_its_stop_may_not_go_all_the_way_back(self):
        ik = InverseKinematics(wheel((-3.0, 3.0)))
        target = pose(rpy=(0, 0, -2.9))
        assert ik.solve(target, seed=[2.9]).q[0] == pytest.approx(-2.9, abs=2e-6)
        assert not ik.solve(target, seed=[2.9], max_joint_change=1.0, attempts=5)

    def test_an_angle_of_a_great_many_turns(self):
        turns = 500 * 2 * math.pi
        solution = InverseKinematics(wheel(None)).solve(pose(rpy=(0, 0, 0.3)), seed=[turns], max_joint_change=0.5)
        assert solution.q[0] == pytest.approx(turns + 0.3, abs=2e-6)

    def test_a_sliding_joint_in_metres(self):
        skeleton = Skeleton("lift")
        skeleton.tip = skeleton.add_link(
            "car", PrismaticJoint("lift", axis="z", limits=(0, 2)), skeleton.add_link("base")
        )
        ik = InverseKinematics(skeleton)
        assert ik.solve(pose((0, 0, 1.0)), seed=[0.9], max_joint_change=0.11)
        failed = ik.solve(pose((0, 0, 1.0)), seed=[0.8], max_joint_change=0.11, attempts=5)
        assert "'lift' 0.2 m from the seed, limit 0.11" in failed.detail

    def test_a_ball_joint_keeps_its_coordinates_near(self, rng, misses):
        skeleton = Skeleton("ball")
        arm = skeleton.add_link("arm", SphericalJoint("ball"), skeleton.add_link("base"))
        skeleton.tip = skeleton.add_link("hand", RevoluteJoint("wrist", axis="x"), arm, pose((0, 0, 0.4)))
        ik = InverseKinematics(skeleton)
        for _ in range(10):
            seed = rng.uniform(-0.8, 0.8, 4)
            target = skeleton.state(seed + rng.uniform(-0.2, 0.2, 4)).transform(skeleton.tip)
            solution = ik.solve(target, seed=seed, max_joint_change={"ball": 0.3, "wrist": 0.3})
            assert solution, solution.detail
            assert np.abs(solution.q - seed).max() <= 0.3 + ROUNDING
            assert max(misses(skeleton, solution.q, skeleton.tip, target)) <= 1e-6

    def test_without_joint_limits(self, planar):
        ik = InverseKinematics(planar)
        ik.problem.respect_limits = False
        target = planar.state([2.3, 0.5]).transform(planar.tip)
        beyond = ik.solve(target, seed=[1.9, 0.5], max_joint_change=0.5)
        np.testing.assert_allclose(beyond.q, [2.3, 0.5], atol=1e-5)
        failed = ik.solve(target, seed=[1.9, 0.5], max_joint_change=0.3, attempts=5)
        assert "'j0' 0.4 rad from the seed" in failed.detail
        assert ik.solve(target, seed=[1.9, 0.5])

    def test_a_seed_outside_the_limits(self, planar):
        ik = InverseKinematics(planar)
        target = planar.state([1.8, 0.5]).transform(planar.tip)
        assert ik.solve(target, seed=[2.2, 0.5], max_joint_change=0.5)
        nowhere = ik.solve(target, seed=[2.8, 0.5], max_joint_change=0.5)
        assert nowhere.reason is Reason.LIMITS
        assert "'j0' 0.8 rad from the seed, limit 0.5" in nowhere.detail
        np.testing.assert_array_equal(nowhere.q, [2.8, 0.5])
        assert nowhere.position_error > 0.1

    def test_other_calls_are_not_narrowed(self, arm, rng):
        ik, target, seed = InverseKinematics(arm), reachable(arm, rng), arm.random_positions(rng)
        before = ik.solve(target, seed=seed)
        ik.solve(target, seed=seed, max_joint_change=0.01, attempts=3)
        after = ik.solve(target, seed=seed)
        np.testing.assert_array_equal(before.q, after.q)
        assert before.attempts == after.attempts

    @pytest.mark.parametrize(
        ("change", "error"),
        [
            (-0.1, InvalidValueError),
            (math.nan, InvalidValueError),
            (True, InvalidValueError),
            ("far", InvalidValueError),
            ([0.1] * 6 + [math.nan], InvalidValueError),
            ([0.1] * 6, ShapeError),
            ([[0.1] * 7], ShapeError),
            ({"j0": -1.0}, InvalidValueError),
            ({"j0": [1.0, 2.0]}, ShapeError),
            ({"elbow": 1.0}, UnknownNameError),
        ],
    )
    def test_what_makes_no_sense(self, arm, rng, change, error):
        ik, before = InverseKinematics(arm), arm.positions
        with pytest.raises(error, match=r"max_joint_change|elbow"):
            ik.solve_and_apply(reachable(arm, rng), max_joint_change=change)
        with pytest.raises(error):
            ik.solve_batch([reachable(arm, rng)], max_joint_change=change)
        with pytest.raises(error):
            ik.prepare(max_joint_change=change)
        np.testing.assert_array_equal(arm.positions, before)

    def test_prepared(self, arm, rng):
        prepared = InverseKinematics(arm).prepare(max_joint_change=0.2)
        q = arm.random_positions(rng)
        for _ in range(10):
            step = np.clip(q + rng.uniform(-0.15, 0.15, 7), arm.lower_limits, arm.upper_limits)
            solution = prepared.solve(arm.state(step).transform(arm.tip), q)
            assert solution
            assert np.abs(solution.q - q).max() <= 0.2 + ROUNDING
            q = solution.q
        far = reachable(arm, rng)
        assert not prepared.solve(far, q)
        assert prepared.solve(far, q, max_joint_change=np.inf)
        with pytest.raises(InvalidValueError):
            prepared.solve(far, q, max_joint_change=-1.0)

    def test_with_a_constraint(self, arm, rng):
        ik, asked = InverseKinematics(arm), []
        seed = arm.random_positions(rng)
        step = np.clip(seed + rng.uniform(-0.2, 0.2, 7), arm.lower_limits, arm.upper_limits)
        target = arm.state(step).transform(arm.tip)
        solution = ik.solve(
            target, seed=seed, max_joint_change=0.4, constraint=lambda q: asked.append(q) or len(asked) > 3
        )
        assert solution
        assert np.abs(np.array(asked) - seed).max() <= 0.4 + ROUNDING


def wheel(limits):
    skeleton = Skeleton("wheel")
    skeleton.tip = skeleton.add_link("rim", RevoluteJoint("j", axis="z", limits=limits), skeleton.add_link("base"))
    return skeleton


@pytest.mark.parametrize("engine", ["compiled", "object"])
def test_batches(robots, engine):
    robot, rng = robots["panda"], np.random.default_rng(2)
    ik = module(robot, engine)
    seeds = np.array([inside(robot, rng) for _ in range(40)])
    targets = [robot.state(near(robot, rng, seed, 0.3)).transform(robot.tip) for seed in seeds]
    batch = ik.solve_batch(targets, seeds, max_joint_change=0.3)
    assert batch.engine == engine
    assert batch
    assert np.abs(batch.q - seeds).max() <= 0.3 + ROUNDING
    one = ik.solve_batch(targets, seeds[0], max_joint_change=0.9, attempts=30)
    assert not one
    assert np.abs(one.q - seeds[0]).max() <= 0.9 + ROUNDING
    again = ik.solve_batch(targets, seeds[0])
    assert again
    seeds[3, 1] = robot.upper_limits[1] + 1.0
    seeds[4, 2] = np.nan
    mixed = ik.solve_batch(targets, seeds, max_joint_change=0.3, attempts=30)
    assert mixed.reason[3] is Reason.LIMITS
    assert "panda_joint2" in mixed.detail[3]
    assert mixed.reason[4] is Reason.INVALID_INPUT
    assert mixed.success[[0, 1, 2, *range(5, 40)]].all()
    for threads in (1, 3):
        np.testing.assert_array_equal(
            ik.solve_batch(targets, seeds, max_joint_change=0.3, attempts=30, threads=threads).q, mixed.q
        )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("one_seed", [True, False])
def test_a_batch_blames_the_limit_as_a_single_solve_does(robots, engine, one_seed):
    robot, rng = robots["panda"], np.random.default_rng(5)
    ik = module(robot, engine)
    seeds = np.array([inside(robot, rng) for _ in range(6)])
    targets = [robot.state(inside(robot, rng)).transform(robot.tip) for _ in range(5)]
    targets.append(pose((3.0, 0, 0.5)))
    given = seeds[0] if one_seed else seeds
    batch = ik.solve_batch(targets, given, max_joint_change=0.01, attempts=30)
    assert [str(reason) for reason in batch.reason] == ["limits"] * 5 + ["unreachable"]
    for detail in batch.detail[:5]:
        assert detail.startswith("reached only with 'panda_joint")
        assert "rad from the seed, limit 0.01" in detail
