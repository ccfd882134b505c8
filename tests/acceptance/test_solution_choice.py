"""Which of many solutions, from where, and the same every time: reports of users, and what they should have got."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import pose
from kinetree.solvers import IKMetaSolver, InverseKinematics, JacobianIKSolver, Reason


@pytest.fixture
def ur5():
    robot = models.load("ur5")
    robot.positions = [0.3, -1.2, 1.5, -0.8, 1.2, 0.1]
    return robot


@pytest.fixture
def elbow(planar_arm):
    """An arm of two links, a target, and its two solutions."""
    arm = planar_arm([1.0, 1.0], limits=(-3, 3))
    up, down = np.array([-0.4, 1.4]), np.array([1.0, -1.4])
    return arm, arm.state(up).transform(arm.tip), up, down


def test_moveit_pr_537_gives_the_branch_nearest_the_seed(elbow, position_module):
    """The first branch of a list came back, wherever the arm was -> the one that the seed is on."""
    arm, target, up, down = elbow
    module = position_module(arm)
    for branch in (up, down):
        assert module.solve(target, seed=branch + np.array([0.15, 0.2])).q == pytest.approx(branch, abs=1e-4)


def test_moveit_578_a_refused_nearest_solution_leads_to_another(elbow, position_module):
    """The nearest solution was in collision, and the call failed -> the others are tried."""
    arm, target, up, down = elbow
    solution = position_module(arm).solve(target, seed=up, constraint=lambda q: q[1] < 0)
    assert solution.q == pytest.approx(down, abs=1e-4)
    meta = IKMetaSolver(position_module(arm), constraint=lambda q: q[1] < 0)
    found = meta.solve(target, up)
    assert len(found) == 1
    assert found[0] == pytest.approx(down, abs=1e-4)
    assert found.report.refused["constraint"] > 0


def test_descartes_124_all_solutions(elbow, position_module, ur5):
    """A call for all solutions gave one -> every branch that the restarts find, each once."""
    arm, target, up, down = elbow
    meta = IKMetaSolver(position_module(arm))
    meta.max_attempts = 60
    found = sorted(meta.solve(target, up), key=lambda q: q[1])
    assert len(found) == 2
    assert found[0] == pytest.approx(down, abs=1e-4)
    assert found[1] == pytest.approx(up, abs=1e-4)
    meta = IKMetaSolver(JacobianIKSolver(ur5))
    target = ur5.tip.transform(ur5.tip.chain().base)
    found = meta.solve(target, max_attempts=300)
    # Six joints of this kind have eight ways to most poses.
    assert len(found) == 8
    assert found[0] == pytest.approx(ur5.positions, abs=1e-4)


def test_moveit_pr_3616_one_attempt_never_changes_the_branch(ur5):
    """Along a path a random restart jumped to another branch -> with one attempt there is no restart."""
    rng = np.random.default_rng(1)
    module = InverseKinematics(ur5)
    for _ in range(10):
        target = ur5.state(ur5.random_positions(rng)).transform(ur5.tip)
        solution = module.solve(target, attempts=1)
        assert solution.attempts == 1
        if not solution:
            assert solution.reason in (Reason.ITERATIONS, Reason.LIMITS)


def test_moveit_1255_dragging_a_target_does_not_flip_joints(ur5):
    """While a target was dragged, joints flipped -> small steps of the target are small steps of the joints."""
    module = InverseKinematics(ur5)
    start, q = ur5.tip.transform(), ur5.positions
    for step in range(1, 31):
        moved = pose(start.translation + step * np.array([0, 4e-3, -3e-3]), matrix=start.rotation)
        solution = module.solve(moved, seed=q)
        assert solution
        assert np.abs(solution.q - q).max() < 0.1
        q = solution.q


def test_pytorch_kinematics_56_starts_from_the_previous_solution(ur5):
    """Each call began at random -> a seed is where the search begins, and near ones need few iterations."""
    module = InverseKinematics(ur5)
    near = ur5.state(ur5.positions + 0.01).transform(ur5.tip)
    solution = module.solve(near, seed=ur5.positions)
    assert solution.iterations <= 4
    assert np.abs(solution.q - ur5.positions).max() < 0.05


def test_aikido_pr_389_tries_the_present_configuration_first(ur5):
    """Only random starts were tried -> the present configuration is the first, then random ones."""
    here = InverseKinematics(ur5).solve(ur5.tip.transform())
    np.testing.assert_array_equal(here.q, ur5.positions)
    assert here.iterations == 0


def test_scikit_robot_pr_834_the_answer_does_not_depend_on_what_was_left_over(ur5):
    """A result depended on the pose of an earlier call -> given a seed, on nothing else."""
    module = InverseKinematics(ur5)
    rng = np.random.default_rng(2)
    target, seed = ur5.state(ur5.random_positions(rng)).transform(ur5.tip), ur5.random_positions(rng)
    answers = []
    for _ in range(3):
        answers.append(module.solve(target, seed=seed).q)
        ur5.positions = ur5.random_positions(rng)
        module.solve(ur5.tip.transform())
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])


def test_rdk_pr_5181_a_seed_that_gets_stuck_does_not_end_the_search(elbow, position_module):
    """One bad seed ended everything -> the next seeds and random starts follow."""
    arm, target, up, _ = elbow
    module = position_module(arm)
    # Stretched out and pointing away from the target, where the error has no slope along the arm.
    angle = np.arctan2(target.translation[1], target.translation[0])
    stuck = [angle, 0.0]
    target = pose([0.5 * np.cos(angle), 0.5 * np.sin(angle), 0])
    assert not module.solve(target, seed=stuck, attempts=1)
    module.problem.seeds = [stuck, up]
    solution = module.solve(target, seed=stuck, attempts=3)
    assert solution
    assert solution.attempts == 3


def test_pink_59_restarts_solve_almost_all(ur5):
    """Half of the reachable targets were local minima -> with restarts 99 of 100 or more are solved."""
    meta = IKMetaSolver(InverseKinematics(ur5))
    meta.stop_at_first = True
    base = ur5.tip.chain().base
    rng = np.random.default_rng(3)
    targets = [ur5.state(ur5.random_positions(rng)).transform(ur5.tip) for _ in range(100)]
    solved = sum(bool(meta.solve(base.transform().actInv(each), ur5.random_positions(rng))) for each in targets)
    assert solved >= 99


def test_drake_13578_a_bad_default_start_is_not_the_end(elbow, position_module):
    """A target that can be reached was called infeasible from the default start -> random restarts find it."""
    arm, _, _, _ = elbow
    solution = position_module(arm).solve(pose([0.5, 0, 0]), seed=[0.0, 0.0])
    assert solution
    assert solution.attempts > 1


def test_dart_pr_624_seeds_are_a_list_and_a_filter_sits_in_between(elbow, position_module):
    """Initial guess and seeds were mixed up, a filter was awkward -> a list, in order, and a constraint."""
    arm, target, up, down = elbow
    module = position_module(arm)
    module.problem.seeds = [up, down]
    asked = []

    def accept(q):
        asked.append(q.copy())
        return len(asked) == 2

    solution = module.solve(target, seed=up, constraint=accept)
    assert solution.attempts == 3
    # Nothing is asked about twice: the first of the list is the seed itself.
    for q, seed in zip(asked, (up, down), strict=True):
        np.testing.assert_array_equal(q, seed)
