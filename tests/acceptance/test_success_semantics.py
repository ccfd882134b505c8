"""What success means and why there is none: reports of users, and what they should have got."""

import itertools
import math
import time

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, pose
from kinetree.solvers import (
    GradientMethod,
    GradientMethodError,
    IKMetaSolver,
    InverseKinematics,
    Reason,
    TaskSpaceRegion,
)


@pytest.fixture
def panda():
    robot = models.load("panda")
    robot.positions = robot.clamp([0.1, -0.5, 0.2, -2.0, 0.1, 1.6, 0.7, 0.02])
    return robot


def far(robot):
    return pose([3.0, 0.5, 0.4], matrix=robot.tip.transform().rotation)


def near(robot):
    moved = robot.positions.copy()
    moved[:7] += 0.1
    return robot.state(moved).transform(robot.tip)


def test_dartsim_dart_pr_1266_a_failed_solve_moves_nothing(panda):
    """A failed solve left the robot somewhere else -> it stays, unless the best configuration is asked for."""
    before = panda.positions
    module = InverseKinematics(panda)
    solution = module.solve_and_apply(far(panda))
    assert not solution
    np.testing.assert_array_equal(panda.positions, before)
    solution = module.solve_and_apply(far(panda), apply_best=True)
    np.testing.assert_array_equal(panda.positions, solution.q)
    assert module.solve_and_apply(near(panda))
    assert module.solve(panda.tip.transform()).iterations == 0


def test_bullet3_1380_looking_moves_nothing_and_errors_are_told(panda):
    """Nobody could tell whether a solve had converged, and forward kinematics moved the world -> neither."""
    before = panda.tip.transform().homogeneous
    panda.state(panda.lower_limits).transform(panda.tip)
    solution = InverseKinematics(panda).solve(near(panda))
    assert (panda.tip.transform().homogeneous == before).all()
    assert 0.0 <= solution.position_error <= 1e-6
    assert 0.0 <= solution.orientation_error <= 1e-6


@pytest.mark.parametrize("mask", list(itertools.product([0, 1], repeat=6)), ids=lambda mask: "".join(map(str, mask)))
def test_robotics_toolbox_python_335_any_mask_and_no_false_success(planar_arm, mask):
    """Masks made matrices singular and success doubtful -> any choice of rows works, success is checked."""
    arm = planar_arm([0.6, 0.5, 0.3], limits=(-2.5, 2.5))
    module = InverseKinematics(arm)
    free = np.where(np.array(mask, dtype=bool), 0.0, math.inf)
    module.error_method = TaskSpaceRegion(bounds=(-free, free))
    target = arm.state([0.3, 0.8, -0.4]).transform(arm.tip)
    solution = module.solve(target, seed=[-0.5, 0.2, 0.4], attempts=20)
    assert solution
    reached = arm.state(solution.q).transform(arm.tip)
    missed = np.concatenate([reached.translation - target.translation, [0, 0, _yaw(reached) - _yaw(target)]])
    assert np.abs(missed[np.array(mask, dtype=bool)]).max(initial=0.0) <= 1e-6


def _yaw(placed):
    return math.atan2(placed.rotation[1, 0], placed.rotation[0, 0])


@pytest.mark.parametrize("axis", [[1, 0, 0], [0, 1, 0], [0, 0, 1]], ids="xyz")
def test_ikpy_90_and_138_a_flip_by_half_a_turn_is_no_success(panda, axis):
    """The pose was returned turned upside down, without a word -> the true angle counts, and is reported."""
    here = panda.tip.transform()
    target = here * pose(quaternion=[*axis, 0.0])
    solution = InverseKinematics(panda).solve(target, attempts=1, iterations=0)
    assert not solution
    assert solution.orientation_error == pytest.approx(math.pi)
    solution = InverseKinematics(panda).solve(target)
    reached = panda.state(solution.q).transform(panda.tip)
    angle = math.acos(np.clip((np.trace(target.rotation.T @ reached.rotation) - 1) / 2, -1, 1))
    assert solution.orientation_error == pytest.approx(angle, abs=1e-6)
    assert solution.success == (angle <= 1e-6 and solution.position_error <= 1e-6)


def test_kinematics_dynamics_99_the_tolerance_is_one_that_can_be_met(panda):
    """Solves failed at a default tolerance of 1e-9 -> a millionth, and a tighter one can be asked for."""
    module = InverseKinematics(panda)
    assert module.problem.tolerance == (1e-6, 1e-6)
    assert module.solve(near(panda))
    tight = module.solve(near(panda), tolerance=1e-11)
    assert tight
    assert max(tight.position_error, tight.orientation_error) <= 1e-11
    with pytest.raises(InvalidValueError, match="tolerance"):
        module.solve(near(panda), tolerance=0.0)


def test_pytracik_10_every_failure_has_a_reason(panda, planar_arm):
    """None came back, and no reason -> each kind of failure has its own, with numbers."""
    module = InverseKinematics(panda)
    limited = InverseKinematics(planar_arm([1.0], limits=(-1, 1)))
    up = pose([0, 1, 0], rpy=[0, 0, math.pi / 2])
    elsewhere = panda.state(panda.random_positions(5)).transform(panda.tip)
    fixed = InverseKinematics(panda, dofs=[])
    reasons = {
        Reason.UNREACHABLE: module.solve(far(panda)),
        Reason.LIMITS: limited.solve(up),
        Reason.CONSTRAINT: module.solve(near(panda), constraint=lambda q: False, attempts=3),
        Reason.ITERATIONS: module.solve(elsewhere, attempts=1, iterations=2),
        Reason.TIMEOUT: module.solve(elsewhere, timeout=0.0, attempts=5, iterations=1),
        Reason.NO_DOFS: fixed.solve(near(panda)),
    }
    for reason, solution in reasons.items():
        assert not solution
        assert solution.reason is reason, solution
        assert solution.detail
        assert str(reason) in str(solution)


def test_eaik_9_and_32_an_empty_list_says_why(planar_arm, position_module):
    """An empty list meant three different things -> the report counts what happened to each attempt."""
    arm = planar_arm([1.0, 0.8], limits=(-3, 3))
    target = arm.state([0.3, 1.0]).transform(arm.tip)
    away = IKMetaSolver(position_module(arm)).solve(pose([5, 0, 0]))
    assert (len(away), away.report.refused["not solved"]) == (0, 25)
    unwanted = IKMetaSolver(position_module(arm), constraint=lambda q: False).solve(target)
    assert len(unwanted) == 0
    assert unwanted.report.refused["constraint"] > 0

    class Everywhere:
        def in_collision(self, q):
            return True

    hit = IKMetaSolver(position_module(arm), collision_detector=Everywhere()).solve(target)
    assert len(hit) == 0
    assert hit.report.refused["collision"] > 0


def test_orbita3d_control_33_the_closest_configuration_when_out_of_reach(planar_arm, position_module):
    """Out of reach there was nothing, and the robot stood still -> the nearest configuration is given."""
    arm = planar_arm([1.0, 0.8], limits=(-3, 3))
    solution = position_module(arm).solve(pose([0, 3.0, 0]), seed=[0.2, 0.5])
    assert solution.reason is Reason.UNREACHABLE
    assert solution.position_error == pytest.approx(1.2, abs=1e-3)
    assert solution.q == pytest.approx([math.pi / 2, 0.0], abs=0.05)


@pytest.mark.parametrize("answer", [None, math.nan, "left", [1.0], "raise"], ids=repr)
def test_mink_13_a_method_that_gives_nonsense_is_named(panda, answer):
    """A solver's None became a TypeError far away -> an error that names the method and what it gave."""

    class Careless(GradientMethod):
        def gradient(self, jacobian, error):
            if answer == "raise":
                raise ZeroDivisionError("by zero")
            return np.full(jacobian.shape[1], answer) if isinstance(answer, float) else answer

    module = InverseKinematics(panda)
    module.gradient_method = Careless()
    before = panda.positions
    with pytest.raises(GradientMethodError, match="Careless"):
        module.solve_and_apply(near(panda))
    np.testing.assert_array_equal(panda.positions, before)


def test_moveit_task_constructor_pr_724_budgets_hold(panda):
    """One search ate all the time that a plan had -> a budget for an attempt, and one for the whole call."""
    module = InverseKinematics(panda)
    # The hand would have to point back at the robot from as far away as the arm is long.
    target = pose([0.8, 0.0, 0.3], rpy=[0, -math.pi / 2, 0])
    begun = time.perf_counter()
    solution = module.solve(target, timeout=0.05, attempts=100_000)
    assert time.perf_counter() - begun < 0.5
    assert solution.reason is Reason.TIMEOUT
    assert solution.attempts > 1
    assert module.solve(target, iterations=3, attempts=1).iterations <= 3
