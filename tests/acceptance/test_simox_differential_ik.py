"""What Simox asks of differential inverse kinematics in its own tests, in our terms."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import pose
from kinetree.solvers import (
    HierarchicalDeltaIK,
    InverseKinematics,
    JacobianDLS,
    JacobianPseudoInverse,
    TaskSpaceRegion,
)

MILLIMETRES = 1000.0


def test_the_jacobian_of_two_joints_in_millimetres_is_that_of_differences(planar_arm):
    """Steps of 1e-3 rad of an arm of 0.4 m: no more than 0.3 mm from what the Jacobian says."""
    arm = planar_arm([0.2, 0.2])
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(50):
        q = arm.random_positions(rng)
        jacobian = MILLIMETRES * arm.state(q).jacobian(arm.tip)[:3]
        for joint in range(2):
            ahead = arm.state(q + 1e-3 * np.eye(2)[joint]).transform(arm.tip).translation
            moved = MILLIMETRES * (ahead - arm.state(q).transform(arm.tip).translation)
            worst = max(worst, np.linalg.norm(moved - 1e-3 * jacobian[:, joint]))
    assert 0.0 < worst <= 0.3


def test_damping_needs_metres_and_radians_of_comparable_size():
    """Position in millimetres beside radians: damping drowns the orientation, until rows are scaled."""
    arm = models.load("panda")
    arm.positions = {"panda_joint2": -0.5, "panda_joint4": -2.0, "panda_joint6": 1.6, "panda_joint7": 0.4}
    jacobian = arm.state().jacobian(arm.tip)[:, :7]
    jacobian[:3] *= MILLIMETRES
    wanted = np.array([10.0, -20.0, 15.0, 0.2, 0.3, -0.2])  # mm and rad
    scale = np.array([1 / 50.0] * 3 + [1.0] * 3)  # what counts as equally far: 50 mm and 1 rad

    def missed(method, weights):
        step = method.gradient(jacobian * weights[:, None], wanted * weights)
        return np.linalg.norm(scale * (jacobian @ step - wanted))

    plain = np.ones(6)
    assert missed(JacobianDLS(1.0), plain) >= 0.1
    assert 1e-3 <= missed(JacobianDLS(0.2), scale) <= 0.1
    assert missed(JacobianPseudoInverse(), plain) <= 0.01
    assert missed(JacobianPseudoInverse(), scale) <= 0.01


def test_metres_and_radians_are_of_comparable_size_as_they_are():
    """So in our units a damped step does not forget the orientation, and weights may say otherwise."""
    arm = models.load("panda")
    arm.positions = {"panda_joint2": -0.5, "panda_joint4": -2.0, "panda_joint6": 1.6, "panda_joint7": 0.4}
    target = arm.tip.transform()
    target.translation += np.array([0.01, -0.02, 0.015])
    target.rotation = pin.exp3(np.array([0.2, 0.3, -0.2])) @ target.rotation
    delta = HierarchicalDeltaIK(arm)
    module = delta.add_frame(arm.tip, target)
    module.gradient_method = JacobianDLS(0.2)
    turned = (arm.state().jacobian(arm.tip) @ delta.step())[3:]
    np.testing.assert_allclose(turned, [0.2, 0.3, -0.2], atol=0.1)
    module.error_method = TaskSpaceRegion(weights=[1000.0] * 3 + [1.0] * 3)
    again = (arm.state().jacobian(arm.tip) @ delta.step())[3:]
    assert np.linalg.norm(again - [0.2, 0.3, -0.2]) > np.linalg.norm(turned - [0.2, 0.3, -0.2])


@pytest.mark.parametrize(("method", "jumps"), [(JacobianPseudoInverse(), True), (JacobianDLS(0.2), False)])
def test_driving_through_a_singularity(planar_arm, method, jumps):
    """40 steps of 10 mm past the base, where the arm would have to turn round: only damping keeps steps short."""
    arm = planar_arm([0.5, 0.4])
    start = InverseKinematics(arm)
    start.error_method = TaskSpaceRegion.position_only()
    q = start.solve(pose([0.005, -0.2, 0.0]), seed=[-1.0, 2.5]).q
    delta = HierarchicalDeltaIK(arm)
    delta.problem.max_step = np.inf
    module = delta.add_frame(arm.tip, None, "position")
    module.gradient_method = method
    largest, before = 0.0, arm.state(q).transform(arm.tip).translation.copy()
    for _ in range(40):
        module.target = pose(before + np.array([0.0, 0.01, 0.0]))
        q = arm.integrate(q, delta.step(q))
        now = arm.state(q).transform(arm.tip).translation.copy()
        largest, before = max(largest, np.linalg.norm(now - before)), now
    assert bool(largest >= 0.05) is jumps


def test_largest_steps_and_velocity_limits_keep_undamped_steps_short(planar_arm):
    """The same drive without damping, for joints of 1 rad/s in steps of 0.05 s."""
    arm = planar_arm([0.5, 0.4])
    for dof in arm.dofs:
        dof.velocity_limit = 1.0
    start = InverseKinematics(arm)
    start.error_method = TaskSpaceRegion.position_only()
    q = start.solve(pose([0.005, -0.2, 0.0]), seed=[-1.0, 2.5]).q
    delta = HierarchicalDeltaIK(arm, time_step=0.05)
    module = delta.add_frame(arm.tip, None, "position")
    module.gradient_method = JacobianPseudoInverse()
    for _ in range(40):
        module.target = pose(arm.state(q).transform(arm.tip).translation + np.array([0.0, 0.01, 0.0]))
        step = delta.step(q)
        assert np.abs(step).max() <= 0.05 + 1e-12
        q = arm.integrate(q, step)
