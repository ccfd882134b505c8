"""The compiled searches: what they return is there, inside the limits, and the same however it was worked out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.kinematics.core.plan import Plan
from kinetree.solvers.compiled.attempts import workspace_rows
from kinetree.solvers.compiled.batch import make_batch
from kinetree.solvers.compiled.iteration import STOPS, WRAPS
from kinetree.solvers.compiled.levenberg_marquardt_rule import levenberg_marquardt_rule
from kinetree.solvers.compiled.restarts import make_restarts


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
        self.n = self.robot.num_dofs
        rng = np.random.default_rng(3)
        state = self.robot.state()
        self.poses = []
        for _ in range(count):
            state.set(self.robot.random_positions(rng))
            self.poses.append(state.transform(tool).copy())
        self.targets = np.array([[*p.rotation.ravel(), *p.translation] for p in self.poses])
        self.seeds = np.array([self.robot.random_positions(rng) for _ in range(count)])
        lower, upper = self.robot.lower_limits, self.robot.upper_limits
        kinds = np.where(upper - lower >= 2 * np.pi, WRAPS, STOPS)
        self.joints = np.array([kinds, lower, upper, lower, upper])
        self.settings = np.array([1e-6, 1e-6, 1.5, 0.81, 0.01, 1e-9, 0.0, 0.0])
        self.counts = np.array([25, 1000, 3, 0, 0, rows])
        self.work = np.zeros((workspace_rows.py_func(self.n, len(self.plan.steps))[4], width))

    def one(self, search: Any, k: int, seed: np.ndarray | None = None) -> np.ndarray:
        answer = np.zeros(self.n + 7)
        start = self.seeds[k] if seed is None else seed
        search(self.plan.integers, self.plan.floats, self.joints, self.settings, self.counts, self.targets[k],
               start, self.work, answer)  # fmt: skip
        return answer

    def all(
        self, search: Any, first: int = 0, last: int | None = None, answers: np.ndarray | None = None
    ) -> np.ndarray:
        answers = np.zeros((len(self.poses), self.n + 7)) if answers is None else answers
        skip = np.zeros(len(self.poses), dtype=np.int64)
        search(self.plan.integers, self.plan.floats, self.joints, self.settings, self.counts, self.targets, self.seeds,
               skip, first, len(self.poses) if last is None else last, self.work, answers)  # fmt: skip
        return answers

    def assert_there(self, k: int, q: np.ndarray) -> None:
        reached = self.robot.state(q).transform(self.robot.link("tool"))
        assert np.linalg.norm(reached.translation - self.poses[k].translation) <= 1.0001e-6
        if self.counts[5] == 6:
            assert np.linalg.norm(pin.log3(reached.rotation.T @ self.poses[k].rotation)) <= 1.0001e-6
        assert np.all(q >= self.robot.lower_limits)
        assert np.all(q <= self.robot.upper_limits)


@pytest.fixture(scope="module", params=[1, 4])
def restarts(request: pytest.FixtureRequest) -> tuple[int, Any]:
    return request.param, make_restarts(levenberg_marquardt_rule, request.param)


@pytest.fixture(scope="module", params=[1, 4])
def batch(request: pytest.FixtureRequest) -> tuple[int, Any]:
    return request.param, make_batch(levenberg_marquardt_rule, request.param)


@pytest.mark.parametrize("rows", [6, 3])
def test_every_reachable_target_is_reached(restarts: tuple[int, Any], rows: int) -> None:
    width, search = restarts
    case = Case(100, width, rows)
    for k in range(100):
        answer = case.one(search, k)
        assert answer[case.n] == 1.0
        case.assert_there(k, answer[: case.n])
        np.testing.assert_array_equal(answer, case.one(search, k))


def test_a_seed_at_the_target_comes_back(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(5, width)
    for k in range(5):
        solved = case.one(search, k)[: case.n]
        again = case.one(search, k, solved)
        np.testing.assert_array_equal(again[: case.n], solved)
        assert again[case.n + 2] == 0.0  # iterations


def test_a_solution_from_the_seed_is_preferred(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(50, width)
    rng = np.random.default_rng(5)
    near = 0
    for k in range(50):
        q = case.one(search, k)[: case.n]
        seed = np.clip(q + rng.uniform(-0.05, 0.05, case.n), case.joints[1], case.joints[2])
        near += np.abs(case.one(search, k, seed)[: case.n] - seed).max() < 0.3
    assert near >= 49


def test_a_target_out_of_reach_gives_the_nearest_configuration(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(1, width, rows=3)
    case.targets[0, 9:] = [0.0, 0.0, 50.0]
    case.counts[1] = 20
    answer = case.one(search, 0)
    assert answer[case.n] == 0.0
    assert answer[case.n + 1] == 20.0
    reached = case.robot.state(answer[: case.n]).transform(case.robot.link("tool")).translation
    assert answer[case.n + 3] == pytest.approx(np.linalg.norm(reached - [0.0, 0.0, 50.0]))


def test_half_a_turn_away_is_not_there(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(1, width)
    q = case.seeds[0]
    flipped = case.robot.state(q).transform(case.robot.link("tool")) * pose(rpy=(np.pi, 0.0, 0.0))
    case.targets[0] = [*flipped.rotation.ravel(), *flipped.translation]
    case.poses[0] = flipped
    case.counts[1] = 1
    answer = case.one(search, 0)
    if answer[case.n] == 1.0:
        case.assert_there(0, answer[: case.n])
    else:
        assert answer[case.n + 4] > 1e-6


def test_a_batch_does_not_depend_on_how_it_is_cut(batch: tuple[int, Any]) -> None:
    width, search = batch
    case = Case(120, width)
    whole = case.all(search)
    assert np.all(whole[:, case.n] == 1.0)
    for k in range(120):
        case.assert_there(k, whole[k, : case.n])
    parts = np.zeros_like(whole)
    for first, last in ((0, 1), (1, 50), (50, 53), (53, 120)):
        case.all(search, first, last, parts)
    np.testing.assert_array_equal(parts, whole)


def test_a_joint_that_was_pushed_into_its_limit_comes_free_again(restarts: tuple[int, Any]) -> None:
    width, search = restarts
    case = Case(60, width)
    case.counts[1] = 1
    reached = 0
    for k in range(60):
        at_limits = case.seeds[k].copy()
        at_limits[[1, 3]] = case.joints[2, [1, 3]]
        reached += case.one(search, k, at_limits)[case.n] == 1.0
    # From anywhere about half of the attempts succeed; a solver that strands joints at their limits needs a
    # target that happens to have both joints there.
    assert reached >= 15
