"""Fixed joints."""

import numpy as np

from kinetree.kinematics import FixedJoint
from tests.kinematics.random_trees import build
from tests.kinematics.reference import assert_engines_agree, assert_same_pose


def test_nothing_moves():
    joint = FixedJoint("weld")
    assert (joint.dofs, joint.num_dofs, joint.is_moving) == ((), 0, False)
    assert_same_pose(joint.transform(np.zeros(0)), np.eye(4), 0.0)


def test_a_robot_that_cannot_move():
    robot = build(["fixed", "fixed", "fixed"], seed=1)
    assert robot.num_dofs == 0
    assert robot.model.nq == 0
    assert robot.positions.shape == robot.random_positions().shape == (0,)
    assert robot.state().jacobian(robot.link("link2")).shape == (6, 0)
    assert_engines_agree(robot)
