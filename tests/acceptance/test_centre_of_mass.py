"""Centres of mass: reports of users, and what they should have got."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import FreeJoint, SimpleFrame, pose
from kinetree.solvers import CenterOfMassIK, CenterOfMassTask


def test_pink_57_bullet_3068_the_centre_of_mass_moves_and_the_feet_stay():
    """No task for the centre of mass -> one that holds the feet, on a floating base."""
    robot = models.load("humanoid")
    feet = [robot.frame("left_foot"), robot.frame("right_foot")]
    before = [foot.transform() for foot in feet]
    for goal in ([0.05, 0.0], [0.0, 0.07], [-0.03, -0.05]):
        solution = CenterOfMassIK(robot, goal, holding=feet, support="shapes").solve()
        assert solution
        state = robot.state(solution.q)
        np.testing.assert_allclose(state.com()[:2], goal, atol=1e-6)
        for foot, pose_before in zip(feet, before, strict=True):
            assert np.linalg.norm(state.transform(foot).translation - pose_before.translation) <= 1e-6


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("robot", ["panda", "ur5e", "dual_arm"])
def test_pinocchio_1293_and_518_the_jacobian_is_that_of_differences(robot, floating):
    """Jacobians in the base's frame, and without its columns -> the world's axes, all columns, on both bases."""
    skeleton = models.load(robot)
    if floating:
        skeleton.replace_joint(skeleton.root, FreeJoint("floating"))
    rng = np.random.default_rng(5)
    table = SimpleFrame("table", None, pose((0.4, 0.1, 0.2), rpy=(0.2, 0.4, -0.9)))
    for options in ({}, {"frame": skeleton.tip}, {"frame": table}, {"frame": skeleton.root}):
        task = CenterOfMassTask(point=[0.0, 0.0, 0.0], **options)
        q = skeleton.random_positions(rng)
        jacobian = task.evaluate(skeleton.state(q))[1]
        assert jacobian.shape == (3, skeleton.num_dofs)
        for column in range(skeleton.num_dofs):
            step = 1e-6 * np.eye(skeleton.num_dofs)[column]
            ahead, behind = (task.center(skeleton.state(skeleton.integrate(q, sign * step))) for sign in (1.0, -1.0))
            np.testing.assert_allclose(jacobian[:, column], (ahead - behind) / 2e-6, atol=1e-7)


def test_hpp_pinocchio_28_it_is_the_same_wherever_the_base_is():
    """Wrong for a base that is turned -> moving the whole robot moves the centre of mass along."""
    robot = models.load("humanoid")
    local = CenterOfMassTask(point=[0.0, 0.0, 0.0], frame=robot.frame("pelvis"))
    q = robot.random_positions(np.random.default_rng(1), range(6, robot.num_dofs))
    base = pose((1.0, -2.0, 0.5), rpy=(0.4, 0.3, 2.0))
    there = robot.as_configuration({"floating_base_joint": np.zeros(6)}, q)
    moved = there.copy()
    moved[:3] = base.translation
    moved[3:6] = [0.0, 0.0, 0.0]
    turned = robot.integrate(there, np.zeros(robot.num_dofs))
    turned[3:6] = [0.3, -0.2, 1.1]
    for each in (moved, turned):
        np.testing.assert_allclose(local.center(robot.state(each)), local.center(robot.state(there)), atol=1e-12)
    placed = robot.state(turned)
    pelvis = placed.transform(robot.frame("pelvis"))
    np.testing.assert_allclose(placed.com(), pelvis.act(local.center(robot.state(there))), atol=1e-12)
