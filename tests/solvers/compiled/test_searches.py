"""The compiled searches: what they return is there, inside the limits, and the same however it was worked out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.kinematics.core.argument_table import ArgumentTable
from kinetree.kinematics.core.plan import Plan
from kinetree.solvers import LevenbergMarquardt
from kinetree.solvers.compiled import layout
from kinetree.solvers.compiled.entry_points import batch_for, restarts_for
from kinetree.solvers.compiled.layout import BAD_GOAL, BAD_SEED, NOT_FOUND, SEED_OUTSIDE, SOLUTION
from kinetree.solvers.compiled.pose_task import POSE

RULE = LevenbergMarquardt.step


def arm() -> Skeleton:
    """Seven joints with skew offsets; one of them can turn all the way round."""
    robot = Skeleton("arm")
    link = robot.add_link("base")
    for k, axis in enumerate("zyzyzyx"):
        limits = (-6.5, 6.5) if k == 6 else (-2.4, 1.9)
        link = robot.add_link(
            f"l{k}", RevoluteJoint(f"j{k}", axis, limits), link, pose((0.03, 0.01, 0.25), rpy=(0.1, 0.0, 0.2))
        )
    robot.add_link("tool", None, link, pose((0.0, 0.0, 0.1), rpy=(0.0, 0.3, 0.0)))
    return robot


class Case:
    """The arrays of a search on the arm, for reachable targets."""

    def __init__(self, count: int, width: int, rows: int = 6) -> None:
        self.robot = arm()
        tool = self.robot.link("tool")
        self.plan = Plan.build(self.robot, [tool])
        n = self.n = self.robot.num_dofs
        rng = np.random.default_rng(3)
        state = self.robot.state()
        self.poses = []
        for _ in range(count):
            state.set(self.robot.random_positions(rng))
            self.poses.append(state.transform(tool).copy())
        self.targets = np.array([each.homogeneous for each in self.poses])
        self.seeds = np.array([self.robot.random_positions(rng) for _ in range(count)])
        lower, upper = self.robot.lower_limits, self.robot.upper_limits
        joints = np.zeros((layout.JOINT_ROWS, n))
        joints[layout.KIND] = np.where(upper - lower >= 2 * np.pi, layout.WRAPS, layout.STOPS)
        joints[layout.LOWER] = joints[layout.FROM] = lower
        joints[layout.UPPER] = joints[layout.TO] = upper
        joints[layout.TURNS], joints[layout.PLACE] = 1.0, np.arange(n)
        joints[layout.INVERSE_STEP], joints[layout.ROOT_WEIGHT], joints[layout.FACTOR] = 1 / 1.5, 1.0, 1.0
        joints[layout.CLAMP] = 1e30
        settings = np.zeros(layout.SETTINGS_SIZE)
        settings[:3], settings[layout.PARAMETERS : layout.PARAMETERS + 2] = (1e-6, 1e-6, 0.81), (0.01, 1e-9)
        self.counts = np.array([25, 1000, 3, 0, 0, rows, 0, 0, 1])
        work = np.zeros((layout.workspace_rows(n, len(self.plan.steps))[-1], width))
        self.answers = np.zeros((count, n + layout.REPORT_SIZE))
        plan = self.plan
        self.arrays = [plan.steps, plan.constants, plan.entries, plan.rates, plan.carries, plan.tip_frames,
                       plan.tip_poses, joints, settings, self.counts,
                       np.array([1.0 if rows == 6 else 0.0]), self.targets.reshape(-1, 16), self.seeds, work,
                       self.answers]  # fmt: skip
        self.status = -1

    def one(self, search: Any, k: int, seed: np.ndarray | None = None) -> np.ndarray:
        start = self.seeds[k] if seed is None else seed
        table = ArgumentTable(*self.arrays)
        self.status = search(table.address, 0, self.targets[k], start)
        return self.answers[0].copy()

    def all(self, search: Any, first: int = 0, last: int | None = None) -> np.ndarray:
        table = ArgumentTable(*self.arrays)
        search(table.address, first, len(self.poses) if last is None else last)
        return self.answers

    def assert_there(self, k: int, q: np.ndarray) -> None:
        reached = self.robot.state(q).transform(self.robot.link("tool"))
        assert np.linalg.norm(reached.translation - self.poses[k].translation) <= 1.0001e-6
        if self.counts[layout.ROWS] == 6:
            assert np.linalg.norm(pin.log3(reached.rotation.T @ self.poses[k].rotation)) <= 1.0001e-6
        assert np.all(q >= self.robot.lower_limits)
        assert np.all(q <= self.robot.upper_limits)


@pytest.fixture(scope="module", params=[1, 4])
def restarts(request: pytest.FixtureRequest) -> tuple[int, Any]:
    return request.param, restarts_for(POSE, RULE.compiled, request.param)


@pytest.fixture(scope="module", params=[1, 4])
def batch(request: pytest.FixtureRequest) -> tuple[int, Any]:
    return request.param, batch_for(POSE, RULE.compiled, request.param)


@pytest.mark.parametrize("rows", [6, 3])
def test_every_reachable_target_is_reached(restarts: tuple[int, Any], rows: int) -> None:
    width, search = restarts
    case = Case(100, width, rows)
    for k in range(100):
        answer = case.one(search, k)
        assert case.status == SOLUTION
        case.assert_there(k, answer[: case.n])
        np.testing.assert_array_equal(answer, case.one(search, k))


def test_a_seed_at_the_target_comes_back(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(5, width)
    for k in range(5):
        solved = case.one(search, k)[: case.n]
        again = case.one(search, k, solved)
        np.testing.assert_array_equal(again[: case.n], solved)
        assert again[case.n + layout.TAKEN] == 0.0


def test_a_solution_from_the_seed_is_preferred(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(50, width)
    rng = np.random.default_rng(5)
    near = 0
    for k in range(50):
        q = case.one(search, k)[: case.n]
        seed = np.clip(q + rng.uniform(-0.05, 0.05, case.n), case.robot.lower_limits, case.robot.upper_limits)
        near += np.abs(case.one(search, k, seed)[: case.n] - seed).max() < 0.3
    assert near >= 49


def test_a_target_out_of_reach_gives_the_nearest_configuration(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(1, width, rows=3)
    case.targets[0, :3, 3] = [0.0, 0.0, 50.0]
    case.counts[layout.ATTEMPTS] = 20
    answer = case.one(search, 0)
    assert case.status == NOT_FOUND
    assert answer[case.n + layout.SOLVED] == 0.0
    assert answer[case.n + layout.TRIED] == 20.0
    reached = case.robot.state(answer[: case.n]).transform(case.robot.link("tool")).translation
    assert answer[case.n + layout.DISTANCE] == pytest.approx(np.linalg.norm(reached - [0.0, 0.0, 50.0]))


def test_half_a_turn_away_is_not_there(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(1, width)
    flipped = case.robot.state(case.seeds[0]).transform(case.robot.link("tool")) * pose(rpy=(np.pi, 0.0, 0.0))
    case.targets[0] = flipped.homogeneous
    case.poses[0] = flipped
    case.counts[layout.ATTEMPTS] = 1
    answer = case.one(search, 0)
    if case.status == SOLUTION:
        case.assert_there(0, answer[: case.n])
    else:
        assert answer[case.n + layout.ANGLE] > 1e-6


def test_bad_goals_and_seeds_are_not_searched_for(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(1, width)
    good = case.targets[0].copy()
    for i, j, value in ((0, 0, np.nan), (1, 3, np.inf), (2, 2, 5.0), (3, 0, 1e-3), (3, 3, 0.0)):
        case.targets[0] = good
        case.targets[0, i, j] = value
        case.one(search, 0)
        assert case.status == BAD_GOAL
    case.targets[0] = good
    case.targets[0, :3, 0] *= -1.0
    case.one(search, 0)
    assert case.status == BAD_GOAL
    case.targets[0] = good
    for seed, status in ((np.full(7, np.nan), BAD_SEED), (np.zeros(6), BAD_SEED), (np.full(7, 3.0), SEED_OUTSIDE)):
        case.one(search, 0, seed)
        assert case.status == status


def test_a_batch_does_not_depend_on_how_it_is_cut(batch: tuple[int, Any]) -> None:
    width, search = batch
    case = Case(120, width)
    whole = case.all(search).copy()
    assert np.all(whole[:, case.n] == 1.0)
    for k in range(120):
        case.assert_there(k, whole[k, : case.n])
    case.answers[:] = 0.0
    for first, last in ((0, 1), (1, 50), (50, 53), (53, 120)):
        case.all(search, first, last)
    np.testing.assert_array_equal(case.answers, whole)


def test_a_joint_that_was_pushed_into_its_limit_comes_free_again(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(60, width)
    case.counts[layout.ATTEMPTS] = 1
    reached = 0
    for k in range(60):
        at_limits = case.seeds[k].copy()
        at_limits[[1, 3]] = case.robot.upper_limits[[1, 3]]
        case.one(search, k, at_limits)
        reached += case.status == SOLUTION
    # From anywhere about half of the attempts succeed; a solver that strands joints at their limits needs a
    # target that happens to have both joints there.
    assert reached >= 15
