"""Joint limits, whole turns and joints without limits: reports of users, and what they should have got."""

import logging
import math

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.solvers import IKMetaSolver, InverseKinematics, JacobianIKSolver, PostureTask, Reason

TURN = 2 * math.pi


def at_angle(angle, radius=1.0):
    return pose([radius * math.cos(angle), radius * math.sin(angle), 0], rpy=[0, 0, angle])


def inside(robot, q):
    return bool((q >= robot.lower_limits).all() and (q <= robot.upper_limits).all())


def test_dartsim_dart_1449_wraps_minus_pi_into_limits(planar_arm):
    """An answer of -pi was thrown away although the limits hold +pi -> wrap by whole turns, then test."""
    arm = planar_arm([1.0], limits=(math.pi / 8, TURN))
    assert arm.wrap([-math.pi], near=[1.0]) == pytest.approx([math.pi])
    assert arm.clamp([-math.pi]) == pytest.approx([math.pi])
    solution = InverseKinematics(arm).solve(at_angle(-math.pi), seed=[1.0])
    assert solution
    assert solution.q == pytest.approx([math.pi], abs=1e-5)


@pytest.mark.parametrize("limits", [(-2 * TURN, 2 * TURN), None], ids=["limited", "continuous"])
def test_dartsim_dart_pr_1452_takes_the_turn_nearest_the_present_value(planar_arm, limits):
    """Of several equivalent angles any one was returned -> the one nearest to where the joint is."""
    arm = planar_arm([1.0], limits=limits)
    for turns in (-1, 0, 1):
        arm.positions = [turns * TURN + 0.3]
        solution = InverseKinematics(arm).solve(at_angle(0.1))
        assert solution.q == pytest.approx([turns * TURN + 0.1], abs=1e-5)


def test_moveit_pr_598_takes_the_nearest_equivalent_that_the_limits_allow(planar_arm):
    """With a range of two turns the equivalent further away was taken -> the nearest one that is allowed."""
    arm = planar_arm([1.0], limits=(-TURN, TURN))
    module = InverseKinematics(arm)
    assert module.solve(at_angle(0.2), seed=[6.0]).q == pytest.approx([0.2], abs=1e-5)  # a turn more is too far
    assert module.solve(at_angle(-0.2), seed=[6.0]).q == pytest.approx([TURN - 0.2], abs=1e-5)
    assert module.solve(at_angle(0.2), seed=[-6.0]).q == pytest.approx([0.2 - TURN], abs=1e-5)
    # One rounding error beyond a limit is on the limit, on either side.
    assert arm.wrap([np.nextafter(TURN, 7.0)], near=[6.0])[0] == TURN
    assert arm.wrap([np.nextafter(-TURN, -7.0)], near=[-6.0])[0] == -TURN


def test_rdiankov_openrave_537_counts_what_the_limits_refuse(planar_arm):
    """Answers beyond the limits came back unmarked -> leave them out, and say how many they were."""
    arm = planar_arm([1.0, 1.0, 0.3], limits=[(-3, 3), (0.0, 3), (-3, 3)])
    solver = JacobianIKSolver(arm, clamp_to_bounds=False)
    solver.check_joint_limits = False
    meta = IKMetaSolver(solver)
    q = np.array([0.2, 1.1, 0.4])
    found = meta.solve(arm.state(q).transform(arm.tip), q)
    assert len(found) == 1
    assert found[0] == pytest.approx(q, abs=1e-4)
    assert found.report.refused["limits"] > 0


@pytest.mark.parametrize("name", ["ur5", "panda", "kr6_r900"])
def test_descartes_112_pick_ik_43_and_ikine_of_robotics_toolbox_matlab_107_keep_limits(name):
    """Solvers gave configurations that the joints cannot take -> never by default, solved or not."""
    robot = models.load(name)
    module = InverseKinematics(robot)
    rng = np.random.default_rng(7)
    for _ in range(10):
        target = robot.state(robot.random_positions(rng, module.dof_indices)).transform(robot.tip)
        for wanted in (target, pose(2 * target.translation, matrix=target.rotation)):
            solution = module.solve(wanted, seed=robot.random_positions(rng, module.dof_indices), attempts=20)
            assert inside(robot, solution.q)


def test_pytorch_kinematics_48_does_not_wind_up(planar_arm, position_module):
    """Angles of tens of turns counted as converged -> inside the limits, or near the seed without any."""
    limited, free = planar_arm([1.0, 0.8], limits=(-math.pi, math.pi)), planar_arm([1.0, 0.8])
    target = pose([0.5, 0.9, 0])
    assert inside(limited, position_module(limited).solve(target, seed=[3.0, -3.0]).q)
    seed = np.array([50.0, -70.0])
    solution = position_module(free).solve(target, seed=seed)
    assert solution
    assert np.abs(solution.q - seed).max() <= math.pi + 1e-9


def test_pinocchio_1626_and_bullet3_2405_respect_limits_or_say_that_they_could_not(planar_arm):
    """A textbook loop left the limits, and nothing said so -> limits hold, and the failure names the joint."""
    arm = planar_arm([1.0], limits=(-1.0, 1.0))
    module = InverseKinematics(arm)
    solution = module.solve(at_angle(1.5))
    assert not solution
    assert solution.reason is Reason.LIMITS
    assert "'joint1'" in solution.detail
    assert solution.q == pytest.approx([1.0], abs=1e-3)  # the nearest that is allowed
    module.problem.respect_limits = False
    assert module.solve(at_angle(1.5)).q == pytest.approx([1.5], abs=1e-5)


def test_robotics_toolbox_python_440_conversion_does_not_change_answers(tmp_path):
    """One class of a robot solved what another one refused over limits -> the same limits, the same answers."""
    robot = models.load("ur5")
    models.save_urdf(robot, tmp_path / "ur5.urdf")
    again = models.load(tmp_path / "ur5.urdf")
    assert [dof.name for dof in again.dofs] == [dof.name for dof in robot.dofs]
    np.testing.assert_allclose(again.lower_limits, robot.lower_limits)
    np.testing.assert_allclose(again.upper_limits, robot.upper_limits)
    rng = np.random.default_rng(3)
    for _ in range(5):
        seed = robot.random_positions(rng)
        target = robot.state(robot.random_positions(rng)).transform(robot.tip)
        one = InverseKinematics(robot).solve(target, seed=seed)
        other = InverseKinematics(again.frame(robot.tip.name)).solve(target, seed=seed)
        assert one.success
        assert other.success
        np.testing.assert_allclose(other.q, one.q, atol=1e-5)


def test_pink_206_and_ikpy_132_start_outside_the_limits(planar_arm, caplog):
    """A start beyond the limits was an error or had no way back -> it is moved inside, with a warning."""
    arm = planar_arm([1.0], limits=(-1.0, 1.0))
    with caplog.at_level(logging.WARNING):
        solution = InverseKinematics(arm).solve(at_angle(0.5), seed=[1.7])
    assert solution
    assert inside(arm, solution.q)
    assert "joint1" in caplog.text
    assert "seed" in caplog.text
    # The same for the present positions, which are not touched.
    arm.positions = [-1.7]
    assert InverseKinematics(arm).solve(at_angle(0.5))
    assert arm.positions == pytest.approx([-1.7])


def test_pink_163_a_hair_beyond_a_limit_is_no_error(planar_arm):
    """A start 1e-4 beyond a limit, left over from a solver, raised -> it is clamped and the search goes on."""
    arm = planar_arm([1.0], limits=(-1.0, 1.0))
    solution = InverseKinematics(arm).solve(at_angle(1.0), seed=[1.0 + 1e-4])
    assert solution
    assert inside(arm, solution.q)


def test_pinocchio_794_a_continuous_joint_is_one_number(load_urdf, joint):
    """A continuous joint took two entries of q -> one angle, which can be set by name."""
    robot = load_urdf(joint("spin", "continuous", "base", "link1") + joint("nod", "continuous", "link1", "link2"))
    assert robot.num_dofs == 2
    assert robot.model.nq == robot.model.nv == 2
    robot.positions = {"nod": 4.0}
    assert robot.positions == pytest.approx([0.0, 4.0])


def test_pink_9_posture_of_a_continuous_joint_goes_the_short_way(planar_arm):
    """Across the seam a posture error was almost a whole turn -> the difference on the circle."""
    arm = planar_arm([1.0])
    task = PostureTask([math.pi - 0.1])
    error, _ = task.evaluate(arm.state([-math.pi + 0.1]))
    assert error == pytest.approx([0.2])


def test_dartsim_dart_605_and_cram_pr_188_continuous_with_limits_of_zero(load_urdf, joint):
    """Continuous joints with limits [0, 0] could not move -> they have no limits."""
    robot = load_urdf(
        joint("spin", "continuous", "base", "link1", '<limit lower="0" upper="0" effort="1" velocity="1"/>')
        + joint("nod", "continuous", "link1", "link2", '<limit effort="1" velocity="1"/>')
    )
    assert all(dof.limits == (-math.inf, math.inf) for dof in robot.dofs)
    assert InverseKinematics(robot).solve(robot.state([3.0, -2.0]).transform(robot.tip))


def test_kinova_ros_289_continuous_with_limits_in_the_file(load_urdf, joint):
    """A continuous joint with limits was limited in one tool and free in another -> free, with a warning."""
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
    robot = load_urdf(joint("spin", "continuous", "base", "link1", limit), links="base link1")
    assert robot.dof("spin").limits == (-math.inf, math.inf)
    assert len(robot.warnings) == 1
    assert "'spin'" in robot.warnings[0]


def test_robotics_toolbox_python_475_samples_joints_without_limits():
    """Sampling an infinite range overflowed -> unlimited angles come from one turn."""
    arm = Skeleton("arm")
    arm.add_link("tip", RevoluteJoint("spin"), arm.add_link("base"))
    rng = np.random.default_rng(0)
    drawn = np.array([arm.random_positions(rng)[0] for _ in range(500)])
    assert np.abs(drawn).max() <= math.pi
    assert drawn.min() < -3.0
    assert drawn.max() > 3.0
