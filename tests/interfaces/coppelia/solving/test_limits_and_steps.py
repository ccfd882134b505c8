"""Limits, largest steps, and what the flags of a group say about them."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.coppelia import Constraint, Environment, JointKind, Method
from kinetree.interfaces.coppelia.solving import compute_group_jacobian, handle_groups
from tests.interfaces.coppelia.solving.arm import HOME, LIMIT, OUTSIDE, TOO_BIG, Arm


def test_steps_are_halved_until_none_is_too_big():
    arm, free = Arm(damping=0.01), Arm(damping=0.01)
    free.handle()
    whole = free.q - HOME
    for joint in arm.joints:
        joint.max_step = 0.02
    assert arm.handle().result == OUTSIDE | TOO_BIG  # told, although largest steps are ignored by default
    np.testing.assert_allclose(arm.q - HOME, whole, rtol=1e-9)
    arm = Arm(damping=0.01)
    for joint in arm.joints:
        joint.max_step = 0.02
    arm.group.ignore_max_steps = False
    assert arm.handle().result == OUTSIDE | TOO_BIG
    halvings = math.ceil(math.log2(np.abs(whole).max() / 0.02))
    assert halvings > 1
    np.testing.assert_allclose(arm.q - HOME, whole / 2**halvings, rtol=1e-9)


@pytest.mark.parametrize("most", [0.0, 1e-12])
def test_steps_that_are_not_allowed_end(most):
    arm = Arm()
    arm.group.ignore_max_steps, arm.group.avoid_limits, arm.group.max_iterations = False, True, 20
    arm.joints[1].max_step = most
    result = arm.handle()
    assert result.result & TOO_BIG
    assert result.iterations == 20
    np.testing.assert_allclose(arm.q, HOME, atol=1e-10)


def limited():
    arm = Arm(damping=0.01)
    joint = arm.joints[3]
    joint.minimum, joint.range = HOME[3] - 0.01, 0.02
    return arm, joint


def test_limits_stop_joints_and_are_told():
    arm, joint = limited()
    free = Arm(damping=0.01)
    free.handle()
    result = arm.handle()
    assert result.result & LIMIT
    wanted = free.q[3]
    limit = joint.maximum if wanted > HOME[3] else joint.minimum
    assert joint.position == limit
    assert arm.group.joint_limit_hits == {joint: pytest.approx(wanted - limit)}
    assert arm.elbow.joint_limit_hits == {}


def test_stop_on_limit():
    arm, _ = limited()
    arm.group.max_iterations = 10
    assert arm.handle().iterations > 1
    arm, _ = limited()
    arm.group.max_iterations, arm.group.stop_on_limit_hit = 10, True
    result = arm.handle()
    assert result.iterations == 1
    assert result.result & (LIMIT | OUTSIDE) == LIMIT | OUTSIDE


def test_limits_are_avoided():
    arm = Arm(Method.PSEUDO_INVERSE)
    arm.element.constraints = Constraint.POSITION
    joint = arm.joints[6]
    joint.minimum, joint.range, joint.limit_margin = 0.0, 0.5, 0.1  # HOME is the upper limit
    arm.group.avoid_limits = True
    jacobian, error = compute_group_jacobian(arm.group)
    assert jacobian[3].tolist() == [0.0] * 6 + [-1.0]
    assert error[3] == pytest.approx(0.1)
    arm.group.max_iterations = 5
    assert arm.handle()
    assert joint.position == pytest.approx(0.4, abs=1e-6)


def test_narrow_intervals_keep_away_from_one_side():
    arm = Arm()
    arm.group.avoid_limits = True
    joint = arm.joints[6]
    joint.minimum, joint.range, joint.limit_margin = 0.45, 0.2, 0.2  # nearer to the lower limit
    jacobian, error = compute_group_jacobian(arm.group)
    assert jacobian[6, 6] == -1.0
    assert error[6] == pytest.approx(0.5 - 0.45)


@pytest.mark.parametrize(("precision", "flag"), [("linear_precision", "linear"), ("angular_precision", "angular")])
def test_joints_are_restored_when_the_precision_is_missed(precision, flag):
    arm = Arm()
    arm.element.linear_precision = arm.element.angular_precision = 10.0
    setattr(arm.element, precision, 1e-12)
    arm.handle()
    assert np.abs(arm.q - HOME).max() > 1e-3
    for other in ("linear", "angular"):
        arm = Arm()
        arm.element.linear_precision = arm.element.angular_precision = 10.0
        setattr(arm.element, precision, 1e-12)
        setattr(arm.group, f"restore_on_bad_{other}_tolerance", True)
        result = arm.handle()
        assert result.result & OUTSIDE
        assert result.precision[0] < 0.05
        assert np.array_equal(arm.q, HOME) == (flag == other)


def test_cyclic_joints_wrap():
    environment = Environment()
    joint = environment.add_joint(JointKind.REVOLUTE)
    tip = environment.add_dummy()
    tip.parent = joint
    tip.target = environment.add_dummy()
    tip.target.pose = pin.SE3(pin.exp3(np.array([0.0, 0.0, -3.0])), np.zeros(3))
    joint.position = 3.0
    group = environment.add_group()
    group.add_element(tip).constraints = Constraint.POSE
    assert handle_groups(environment, [group])
    assert joint.position == pytest.approx(-3.0, abs=1e-6)


@pytest.mark.parametrize("kind", [JointKind.REVOLUTE, JointKind.PRISMATIC])
@pytest.mark.parametrize(
    ("position", "margin", "sign", "missing"),
    [(0.05, 0.1, 1.0, 0.05), (0.95, 0.1, -1.0, 0.05), (0.5, 0.1, 0.0, 0.0), (0.7, 0.6, -1.0, 0.3)],
)
def test_rows_that_keep_away_from_limits(kind, position, margin, sign, missing):
    environment = Environment()
    joint = environment.add_joint(kind)
    joint.cyclic = False
    joint.minimum, joint.range, joint.limit_margin = 0.0, 1.0, margin
    joint.position = position
    tip = environment.add_dummy()
    tip.parent = joint
    tip.target = environment.add_dummy()
    group = environment.add_group()
    group.avoid_limits = True
    group.add_element(tip)
    jacobian, error = compute_group_jacobian(group)
    assert jacobian[3:].tolist() == ([[sign]] if sign else [])
    assert error[3:].tolist() == pytest.approx([missing] if sign else [])


def test_slides_keep_away_from_the_nearer_limit():
    environment = Environment()
    joint = environment.add_joint(JointKind.PRISMATIC)
    joint.minimum, joint.range, joint.limit_margin = 0.0, 1.0, 0.8
    tip = environment.add_dummy()
    tip.parent = joint
    tip.target = environment.add_dummy()
    group = environment.add_group()
    group.avoid_limits = True
    group.add_element(tip)
    for position, sign in ((0.3, 1.0), (0.7, -1.0)):
        joint.position = position
        assert compute_group_jacobian(group).jacobian[3, 0] == sign
