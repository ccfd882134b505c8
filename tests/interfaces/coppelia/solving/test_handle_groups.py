"""Handling groups against a model in NumPy."""

import gc
import math
import weakref

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.interfaces.coppelia import Constraint, Environment, JointKind, JointMode, Method
from kinetree.interfaces.coppelia.solving import compute_group_jacobian, handle_groups
from kinetree.interfaces.coppelia.solving.handle_or import handle_or
from kinetree.kinematics.errors import StructureError
from tests.interfaces.coppelia.scenes import random_pose
from tests.interfaces.coppelia.solving.arm import CANNOT_INVERT, HOME, NOT_PERFORMED, OUTSIDE, Arm


def inverse(jacobian, method, damping, weights):
    """The inverse that the documentation gives for a method."""
    if method is Method.JACOBIAN_TRANSPOSE:
        return np.diag(weights) @ jacobian.T
    squared = {Method.DAMPED_LEAST_SQUARES: damping**2, Method.PSEUDO_INVERSE: 1e-12}.get(method, 0.0)
    weighted = np.diag(weights) @ jacobian.T
    return weighted @ np.linalg.pinv(jacobian @ weighted + squared * np.eye(len(jacobian)))


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("weights", [np.ones(7), np.array([1.0, 0.3, 2.0, 1.0, 0.5, 3.0, 1.0])], ids=["ones", "other"])
def test_step_of_one_group(method, weights):
    arm = Arm(method, 0.07)
    for joint, weight in zip(arm.joints, weights, strict=True):
        joint.weight = weight
    arm.element.weights = (0.5, 2.0, 0.8)
    jacobian, error = compute_group_jacobian(arm.group)
    gains = 0.8 * np.array([0.5, 0.5, 0.5, 2.0, 2.0, 2.0])
    arm.handle()
    np.testing.assert_allclose(arm.q - HOME, inverse(jacobian, method, 0.07, weights) @ (gains * error), atol=1e-9)


@pytest.mark.parametrize("methods", [(1, 1), (0, 1), (1, 2), (2, 0), (3, 1), (0, 3)])
def test_second_group_in_the_null_space_of_the_first(methods):
    first, second = (Method(each) for each in methods)
    arm = Arm(first, 0.05, turn=0.05)
    arm.element.constraints = Constraint.POSITION
    arm.elbow.method, arm.elbow.damping = second, 0.2
    arm.elbow_element.constraints = Constraint.Y
    own = compute_group_jacobian(arm.group)
    elbow = compute_group_jacobian(arm.elbow)
    wide = np.zeros((1, 7))
    wide[:, :4] = elbow.jacobian
    ones = np.ones(7)
    a = inverse(own.jacobian, first, 0.05, ones)
    projector = np.eye(7) - a @ own.jacobian
    expected = a @ own.error + projector @ (inverse(wide, second, 0.2, ones) @ elbow.error)
    arm.handle(arm.group, arm.elbow)
    np.testing.assert_allclose(arm.q - HOME, expected, atol=1e-9)


def test_elements_are_stacked():
    arm = Arm()
    other = arm.group.add_element(arm.elbow_element.tip)
    other.constraints = Constraint.X | Constraint.Z
    jacobian, error = compute_group_jacobian(arm.group)
    assert jacobian.shape == (8, 7)
    expected = inverse(jacobian, Method.DAMPED_LEAST_SQUARES, 0.1, np.ones(7)) @ error
    arm.handle()
    np.testing.assert_allclose(arm.q - HOME, expected, atol=1e-9)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1))
def test_undamped_step_is_the_pseudo_inverse_at_singularities_too(seed):
    # Joints about parallel axes, and rows that nothing moves: the rank is anything from 0 to 3.
    rng = np.random.default_rng(seed)
    environment = Environment()
    parent = None
    for _ in range(int(rng.integers(1, 5))):
        joint = environment.add_joint(JointKind.REVOLUTE)
        joint.parent = parent
        joint.pose = pin.SE3(np.eye(3), np.array([rng.choice([0.0, 0.4]), 0.0, 0.0]))
        parent = joint
    tip = environment.add_dummy()
    tip.parent = parent
    tip.pose = pin.SE3(np.eye(3), np.array([0.3, 0.0, 0.0]))
    tip.target = environment.add_dummy()
    tip.target.pose = random_pose(rng, 0.05)
    group = environment.add_group()
    group.method, group.max_iterations = Method.UNDAMPED_PSEUDO_INVERSE, 1
    group.add_element(tip).constraints = Constraint.POSITION | Constraint.ORIENTATION
    jacobian, error = compute_group_jacobian(group)
    joints = group.joints
    before = np.array([joint.position for joint in joints])
    handle_groups(environment, [group])
    step = np.array([joint.position for joint in joints]) - before
    expected = np.linalg.pinv(jacobian, rcond=1e-7) @ error
    np.testing.assert_allclose(np.remainder(step - expected + 1.0, math.tau) - 1.0, 0.0, atol=1e-7)


def test_success_and_precision():
    arm = Arm(Method.PSEUDO_INVERSE)
    arm.group.max_iterations = 10
    result = arm.handle()
    assert result
    assert not result.result & OUTSIDE
    off = arm.target.full_pose().actInv(arm.element.tip.full_pose())
    assert result.precision == pytest.approx([np.linalg.norm(off.translation), np.linalg.norm(pin.log3(off.rotation))])
    assert 1 < result.iterations < 10
    assert "within the precision" in str(result)


def test_nothing_to_do():
    arm = Arm()
    arm.group.enabled = False
    assert arm.handle().result == NOT_PERFORMED | OUTSIDE
    assert handle_groups(arm.environment, []).result == NOT_PERFORMED | OUTSIDE
    arm.group.enabled, arm.element.enabled = True, False
    assert arm.handle(arm.group, arm.elbow).result == NOT_PERFORMED | OUTSIDE
    arm.element.enabled, arm.element.tip.target = True, None
    result = arm.handle()
    assert result.result == CANNOT_INVERT | OUTSIDE
    assert "no element has a target" in str(result)
    np.testing.assert_array_equal(arm.q, HOME)


def test_no_iterations_tell_how_far_off_it_is():
    arm = Arm()
    arm.group.max_iterations = 0
    result = arm.handle()
    assert result.result == OUTSIDE
    assert result.precision == pytest.approx((math.sqrt(0.005), 0.2), abs=1e-9)
    np.testing.assert_array_equal(arm.q, HOME)


def test_disabled_groups_are_left_out_and_all_groups_are_handled_one_by_one():
    arm, twin = Arm(), Arm()
    arm.elbow.enabled = False
    arm.handle(arm.group, arm.elbow)
    twin.handle()
    np.testing.assert_array_equal(arm.q, twin.q)
    arm.elbow.enabled = True
    both = handle_groups(arm.environment)
    twin.handle()
    last = twin.handle(twin.elbow)
    np.testing.assert_array_equal(arm.q, twin.q)
    assert both.result & last.result == last.result


def test_spherical_joint_turns_to_the_target():
    environment = Environment()
    joint = environment.add_joint(JointKind.SPHERICAL)
    tip = environment.add_dummy()
    tip.parent = joint
    tip.target = environment.add_dummy()
    turn = pin.exp3(np.array([0.7, -0.9, 1.8]))
    tip.target.pose = pin.SE3(turn, np.zeros(3))
    group = environment.add_group()
    group.max_iterations = 20
    group.add_element(tip).constraints = Constraint.POSE
    assert handle_groups(environment, [group])
    np.testing.assert_allclose(tip.full_pose().rotation, turn, atol=2e-3)
    assert np.linalg.norm(joint.rotation) == pytest.approx(1.0, abs=1e-14)


def test_half_a_turn_is_no_success():
    environment = Environment()
    joint = environment.add_joint(JointKind.REVOLUTE)
    tip = environment.add_dummy()
    tip.parent = joint
    tip.target = environment.add_dummy()
    tip.target.pose = pin.SE3(np.diag([-1.0, -1.0, 1.0]), np.zeros(3))
    group = environment.add_group()
    group.max_iterations = 1
    group.add_element(tip).constraints = Constraint.ORIENTATION
    result = handle_groups(environment, [group])
    assert result
    assert abs(joint.position) == pytest.approx(math.pi, abs=1e-6)


def test_passive_joints_do_not_move():
    arm = Arm()
    arm.joints[2].mode = JointMode.PASSIVE
    arm.joints[2].position = 0.33
    assert arm.joints[2] not in arm.group.joints
    arm.handle()
    assert arm.joints[2].position == 0.33


def test_changes_of_the_scene_are_seen():
    arm = Arm(Method.PSEUDO_INVERSE)
    arm.group.max_iterations = 20
    assert arm.handle()
    shifted = pin.SE3(np.eye(3), np.array([0.1, 0.0, 0.05]))
    base = arm.joints[0]
    base.pose = shifted * base.pose
    assert arm.handle()
    off = arm.target.full_pose().actInv(arm.element.tip.full_pose())
    assert np.linalg.norm(off.translation) < 5e-4
    arm.element.base = None
    arm.target.parent = base
    result = arm.handle()
    assert result.precision[0] < 10.0
    arm.element.constraints = Constraint.POSITION
    arm.target.parent = None
    assert arm.handle().precision[1] == 0.0


def test_first_of_several_groups_that_succeeds():
    arm, damped = Arm(Method.UNDAMPED_PSEUDO_INVERSE), None
    arm.group.max_iterations = 6
    damped = arm.environment.add_group("damped")
    element = damped.add_element(arm.element.tip)
    element.constraints = Constraint.POSE
    damped.method, damped.damping, damped.max_iterations = Method.DAMPED_LEAST_SQUARES, 1.0, 99
    assert handle_or(arm.group, damped).iterations <= 6
    arm.target.pose = pin.SE3(arm.target.pose.rotation, np.array([2.0, 0.0, 0.5]))
    before = arm.q
    result = handle_or(arm.group, damped)
    assert not result
    assert result.iterations == 99
    twin = arm.q
    for joint, position in zip(arm.joints, before, strict=True):
        joint.position = position
    handle_groups(arm.environment, [damped])
    np.testing.assert_array_equal(arm.q, twin)


def test_poses_that_overflow_change_nothing():
    arm = Arm()
    arm.target.pose = pin.SE3(np.eye(3), np.array([1e200, 0.0, 0.0]))
    arm.joints[0].pose = pin.SE3(np.eye(3), np.array([-1e308, 0.0, 1e308]))
    result = arm.handle()
    assert not result
    assert np.isfinite(arm.q).all()


def test_arrays_go_with_their_environment():
    arm = Arm()
    arm.handle()
    gone = weakref.ref(arm.environment)
    del arm
    gc.collect()
    assert gone() is None


def test_groups_of_another_environment_are_refused():
    arm, other = Arm(), Arm()
    with pytest.raises(StructureError, match="'hand'"):
        arm.handle(other.group)


@pytest.mark.parametrize("method", list(Method))
def test_a_joint_of_weight_zero_does_not_move(method):
    arm = Arm(method)
    arm.joints[1].weight = 0.0
    arm.handle()
    assert arm.joints[1].position == HOME[1]
    assert arm.joints[0].position != HOME[0]


def test_poses_are_changed_in_place():
    # The kernels read them where they are.
    arm = Arm()
    before = [each._local for each in arm.environment.objects]
    arm.target.parent = arm.joints[0]
    arm.target.pose = random_pose(np.random.default_rng(0))
    arm.joints[0].set_pose(random_pose(np.random.default_rng(1)))
    arm.environment.erase(arm.joints[2])
    after = [each._local for each in arm.environment.objects]
    assert len(after) == len(before) - 1
    assert all(any(each is other for other in before) for each in after)
