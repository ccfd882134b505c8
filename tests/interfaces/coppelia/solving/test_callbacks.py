"""Callbacks that look into the iterations, and joints that follow others through one."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.coppelia import Constraint, Dependency, Environment, JointKind, Method
from kinetree.interfaces.coppelia.errors import CallbackError
from kinetree.interfaces.coppelia.solving import compute_group_jacobian, handle_groups
from tests.interfaces.coppelia.solving.arm import HOME, Arm


def test_joints_that_follow_through_a_callback():
    environment = Environment()
    first, second = environment.add_joint(JointKind.REVOLUTE), environment.add_joint(JointKind.REVOLUTE)
    second.parent = first
    second.pose = pin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0]))
    tip = environment.add_dummy()
    tip.parent = second
    tip.pose = pin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0]))
    second.dependency = Dependency(first, callback=lambda environment, slave, q: q + 0.5 * math.sin(q))
    first.position = 0.8
    goal = tip.full_pose().translation.copy()
    tip.target = environment.add_dummy()
    tip.target.pose = pin.SE3(np.eye(3), goal)
    first.position = 0.3
    group = environment.add_group()
    group.max_iterations = 30
    group.add_element(tip).constraints = Constraint.X | Constraint.Y
    result = handle_groups(environment, [group])
    assert result
    assert first.position == pytest.approx(0.8, abs=1e-3)
    np.testing.assert_allclose(tip.full_pose().translation, goal, atol=1e-3)


def test_callback_sees_what_there_is():
    arm = Arm()
    seen = []

    def look(*given):
        seen.append(given)
        return 0

    free = Arm()
    free.handle()
    result = arm.handle(callback=look)
    np.testing.assert_allclose(arm.q, free.q, atol=1e-12)
    assert result.iterations == 1
    (size, jacobian, kinds, elements, handles, stages, error, step, inverse_) = seen[0]
    assert tuple(size) == (6, 7) == jacobian.shape
    assert kinds.tolist() == [0, 1, 2, 3, 4, 5]
    assert elements.tolist() == [arm.element.handle] * 6
    assert handles.tolist() == [joint.handle for joint in arm.joints]
    assert stages.tolist() == [0] * 7
    assert error.shape == (6,)
    assert step.tolist() == [0.0] * 7
    assert inverse_.shape == (7, 6)


def test_callback_gives_the_step_or_the_inverse():
    arm = Arm()

    def give_step(*given):
        given[7][:] = 0.01
        return 1

    arm.handle(callback=give_step)
    np.testing.assert_allclose(arm.q, HOME + 0.01)

    arm = Arm()
    jacobian, error = compute_group_jacobian(arm.group)

    def give_inverse(*given):
        given[8][:] = 0.1 * given[1].T
        return 2

    arm.handle(callback=give_inverse)
    np.testing.assert_allclose(arm.q, HOME + 0.1 * jacobian.T @ error, atol=1e-12)


def test_callback_with_several_groups_projects():
    arm = Arm(Method.DAMPED_LEAST_SQUARES, 0.05)
    arm.element.constraints = Constraint.POSITION
    twin = Arm(Method.DAMPED_LEAST_SQUARES, 0.05)
    twin.element.constraints = Constraint.POSITION
    arm.handle(arm.group, arm.elbow, callback=lambda *given: 0)
    twin.handle(twin.group, twin.elbow)
    np.testing.assert_allclose(arm.q, twin.q, atol=1e-12)


@pytest.mark.parametrize("answer", [4, -2, 0.5, "1", True])
def test_wrong_answers_of_a_callback(answer):
    arm = Arm()
    with pytest.raises(CallbackError, match="'hand'"):
        arm.handle(callback=lambda *given: answer)
    np.testing.assert_array_equal(arm.q, HOME)


def test_callbacks_that_fail_change_nothing():
    arm = Arm()

    def write_nan(*given):
        given[6][0] = math.nan
        return 0

    with pytest.raises(CallbackError, match="not finite"):
        arm.handle(callback=write_nan)

    def interrupt(*given):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arm.handle(callback=interrupt)
    np.testing.assert_array_equal(arm.q, HOME)


@pytest.mark.parametrize("answer", [math.nan, None, "far"])
def test_wrong_answers_of_a_dependency(answer):
    environment = Environment()
    first, second = environment.add_joint(JointKind.REVOLUTE), environment.add_joint(JointKind.REVOLUTE, "follower")
    second.parent = first
    tip = environment.add_dummy()
    tip.parent = second
    tip.target = environment.add_dummy()
    group = environment.add_group()
    group.add_element(tip)
    asked = []

    def follow(environment, slave, q):
        asked.append(q)
        return 0.0 if len(asked) < 4 else answer

    second.dependency = Dependency(first, callback=follow)
    first.position = 0.5
    asked.clear()
    with pytest.raises(CallbackError, match="'follower'"):
        handle_groups(environment, [group])
    assert first.position == 0.5
