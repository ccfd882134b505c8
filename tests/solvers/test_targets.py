"""Targets of all kinds, and joints of all kinds."""

import numpy as np
import pytest

from kinetree.kinematics import (
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    World,
    pose,
    rotation_angle,
)
from kinetree.solvers import InverseKinematics, JacobianTranspose, Problem, TaskSpaceRegion, Translation3D
from tests.solvers.random_targets import reachable

pytestmark = pytest.mark.usefixtures("engine")


def test_all_forms_of_a_pose(arm, rng):
    ik = InverseKinematics(arm)
    target = reachable(arm, rng)
    import pinocchio as pin

    quaternion = pin.Quaternion(target.rotation).coeffs()
    forms = [target, target.homogeneous, (target.translation, quaternion), [*target.translation, *quaternion]]
    answers = [ik.solve(form).q for form in forms]
    for q in answers[1:]:
        np.testing.assert_allclose(q, answers[0], atol=1e-6)


@pytest.mark.parametrize(
    "target",
    [
        np.full((4, 4), np.nan),
        np.diag([1.0, 1.0, -1.0, 1.0]),
        np.diag([2.0, 1.0, 1.0, 1.0]),
        ([0, 0, 0], [0, 0, 0, 0]),
        ([0, 0, np.inf], [0, 0, 0, 1]),
        "home",
        [1.0, 2.0],
        np.zeros((3, 3)),
    ],
)
def test_bad_targets_are_refused(arm, target):
    before = arm.positions
    with pytest.raises(InvalidPoseError):
        InverseKinematics(arm).solve_and_apply(target)
    np.testing.assert_array_equal(arm.positions, before)


@pytest.mark.parametrize(
    "option",
    [
        {"attempts": 0},
        {"attempts": 1.5},
        {"iterations": -1},
        {"tolerance": 0.0},
        {"tolerance": np.nan},
        {"tolerance": (1e-3,)},
        {"timeout": -1.0},
        {"random_seed": -1},
        {"constraint": 3},
    ],
)
def test_bad_options_are_refused(arm, option):
    with pytest.raises(InvalidValueError, match=next(iter(option))):
        InverseKinematics(arm).solve(**option)


def test_targets_in_three_frames(arm, rng):
    ik = InverseKinematics(arm)
    wanted = reachable(arm, rng)
    table = SimpleFrame("table", World(), pose((0.3, 0.2, 0.1), rpy=(0.5, 0.6, 0.7)))
    on_table = SimpleFrame("on_table", table)
    on_table.set_transform(wanted)
    on_base = SimpleFrame("on_base", arm.root)
    on_base.set_transform(wanted)
    answers = [ik.solve(each) for each in (wanted, on_table, on_base)]
    for solution in answers:
        assert solution
        assert arm.state(solution.q).transform(arm.tip).isApprox(wanted, 2e-6)
    # A target that hangs on something follows it.
    ik.target = on_table
    table.set_translation([0.35, 0.2, 0.1])
    assert ik.solve()
    assert ik.target is on_table


def test_the_tip_may_be_a_frame_on_a_link(arm, rng):
    tool = arm.add_frame("spike", "tool", pose((0, 0, 0.1), rpy=(0.3, 0, 0)))
    ik = InverseKinematics(tool)
    for _ in range(5):
        target = reachable(arm, rng, tool)
        solution = ik.solve(target)
        assert solution
        assert arm.state(solution.q).transform(tool).isApprox(target, 3e-6)


def test_free_and_spherical_joints(rng):
    skeleton = Skeleton("floating")
    link = skeleton.add_link("body", FreeJoint("free"))
    link = skeleton.add_link("head", SphericalJoint("neck"), link, pose((0, 0, 0.5)))
    skeleton.tip = skeleton.add_link("nose", None, link, pose((0.1, 0, 0.1)))
    ik = InverseKinematics(skeleton)
    ik.use_whole_body()
    for _ in range(10):
        target = reachable(skeleton, rng)
        target.translation = target.translation + rng.uniform(-5, 5, 3)
        solution = ik.solve(target, seed=skeleton.random_positions(rng))
        assert solution, solution
        assert skeleton.state(solution.q).transform(skeleton.tip).isApprox(target, 5e-6)


def test_dependent_joints_follow(arm, rng):
    arm.joint("j4").depend_on(arm.joint("j2"), multiplier=-0.5, offset=0.1)
    ik = InverseKinematics(arm)
    assert len(ik.dofs) == 6
    for _ in range(5):
        target = reachable(arm, rng)
        solution = ik.solve(target)
        assert solution, solution
        assert arm.state(solution.q).transform(arm.tip).isApprox(target, 3e-6)


def test_weights_of_joints_say_how_readily_they_are_used(arm):
    ik = InverseKinematics(arm)
    seed = 0.5 * (arm.lower_limits + arm.upper_limits)
    target = arm.state(seed + 0.2).transform(arm.tip)
    plain = ik.solve(target, seed=seed, attempts=1)
    arm.dof("j0").weight = 0.01
    lazy = ik.solve(target, seed=seed, attempts=1)
    assert plain
    assert lazy
    assert abs(lazy.q[0] - seed[0]) < 0.5 * abs(plain.q[0] - seed[0])
    arm.dof("j0").weight = 0.0
    still = ik.solve(target, seed=seed, attempts=1)
    assert still
    assert still.q[0] == seed[0]


def test_the_transpose_gets_there_in_its_own_time(arm, rng):
    ik = InverseKinematics(arm)
    ik.gradient_method = JacobianTranspose()
    q = arm.random_positions(rng)
    assert ik.solve(arm.state(q).transform(arm.tip), seed=arm.clamp(q + 0.02), tolerance=1e-4)


def test_problem_options_are_checked_when_set():
    problem = Problem()
    for name, value in {
        "attempts": 0,
        "iterations": 2.5,
        "max_step": -1.0,
        "strikes": 0,
        "improvement": 0.0,
    }.items():
        with pytest.raises(InvalidValueError, match=name):
            setattr(problem, name, value)
    problem.tolerance = 1e-4
    assert problem.tolerance == (1e-4, 1e-4)


def test_solutions_say_what_they_are(arm, rng):
    solution = InverseKinematics(arm).solve(reachable(arm, rng))
    assert str(solution).startswith("solved: ")
    assert "position" in str(solution)
    assert solution == solution
    assert hash(solution) == hash(solution)
    failed = InverseKinematics(arm).solve(pose((3, 0, 0)))
    assert str(failed).startswith("not solved (unreachable): ")
    assert failed.engine


def test_the_advice_for_a_position_asks_for_no_rotation(arm):
    ik = InverseKinematics(arm)
    place = [0.4, 0.1, 0.5]
    with pytest.raises(InvalidPoseError) as refused:
        ik.solve(place)
    advice = str(refused.value)
    assert "leaves the rotation free use Translation3D(position) or TaskSpaceRegion.position_only()" in advice
    assert "pose(position) is the pose without any rotation" in advice
    solution = ik.solve(Translation3D(place))
    at = arm.state(solution.q).transform(arm.tip)
    assert np.allclose(at.translation, place, atol=1e-6)
    assert rotation_angle(at.rotation) > 0.1
    ik.error_method = TaskSpaceRegion.position_only()
    assert ik.solve(place)
