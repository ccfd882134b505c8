"""Jacobians against central differences of the full poses, for trees with everything in them."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.interfaces.coppelia import Constraint, Environment, Joint, JointKind, JointMode
from kinetree.interfaces.coppelia.from_skeleton import environment_from_skeleton
from kinetree.interfaces.coppelia.solving import compute_group_jacobian, compute_jacobian, group_joints, handle_groups
from kinetree.kinematics.errors import InvalidValueError, StructureError
from tests.interfaces.coppelia.scenes import random_environment, random_pose

STEP = 1e-5
SEEDS = st.integers(0, 2**32 - 1)


def frame_of_base(element):
    base = element.base if element.constraints_base is None else element.constraints_base
    return pin.SE3.Identity() if base is None else base.world_pose()


def position(element):
    return frame_of_base(element).actInv(element.tip.full_pose()).translation


def rotation(element):
    base = pin.SE3.Identity() if element.base is None else element.base.world_pose()
    return base.actInv(element.tip.full_pose()).rotation


def moved(joint, axis, by):
    """Moves a joint, spherical ones about an axis of the side that they carry; returns how to take it back."""
    if joint.kind is JointKind.SPHERICAL:
        before = joint.rotation
        turn = pin.Quaternion(pin.exp3(by * np.eye(3)[axis]))
        joint.rotation = (pin.Quaternion(*np.roll(before, 1)) * turn).coeffs()
        return lambda: setattr(joint, "rotation", before)
    before = joint.position
    joint.position = before + by
    return lambda: setattr(joint, "position", before)


def column(element, joint, axis):
    """(6,) central differences: position seen from the constraints base, rotation in the axes of the tip."""
    restore = moved(joint, axis, STEP)
    ahead, turned_ahead = position(element), rotation(element)
    restore()
    restore = moved(joint, axis, -STEP)
    behind, turned_behind = position(element), rotation(element)
    restore()
    turn = pin.log3(turned_behind.T @ turned_ahead)
    return np.concatenate([ahead - behind, turn]) / (2 * STEP)


def rows_of(element):
    bits = int(element.constraints)
    turning = ([3, 4] if bits & Constraint.ALPHA_BETA else []) + ([5] if bits & Constraint.GAMMA else [])
    return [axis for axis in range(3) if bits >> axis & 1] + turning


def expected_jacobian(element):
    columns = [
        column(element, joint, axis)
        for joint in element.group.joints
        for axis in range(3 if joint.kind is JointKind.SPHERICAL else 1)
    ]
    return np.array(columns).T[rows_of(element)]


@pytest.mark.parametrize("callbacks", [False, True])
@settings(max_examples=60)
@given(seed=SEEDS)
def test_random_trees_agree_with_central_differences(seed, callbacks):
    _, element = random_environment(np.random.default_rng(seed), callbacks)
    if not element.group.joints:
        return
    found = compute_group_jacobian(element.group).jacobian
    np.testing.assert_allclose(found, expected_jacobian(element), rtol=0, atol=1e-8)


@settings(max_examples=40)
@given(seed=SEEDS)
def test_error_of_a_pose_leads_to_the_target(seed):
    _, element = random_environment(np.random.default_rng(seed))
    element.constraints = Constraint.POSE
    if not element.group.joints:
        return
    error = compute_group_jacobian(element.group).error
    tip, target = element.tip.full_pose(), element.tip.target.full_pose()
    np.testing.assert_allclose(tip.translation + frame_of_base(element).rotation @ error[:3], target.translation)
    np.testing.assert_allclose(tip.rotation @ pin.exp3(error[3:]), target.rotation, atol=1e-9)


@settings(max_examples=40)
@given(seed=SEEDS)
def test_error_of_alpha_and_beta_or_gamma_alone(seed):
    rng = np.random.default_rng(seed)
    environment = Environment()
    joint = environment.add_joint(JointKind.REVOLUTE)
    tip, target = environment.add_dummy(), environment.add_dummy()
    tip.parent = joint
    tip.target = target
    target.pose = random_pose(rng)
    element = environment.add_group().add_element(tip)
    relative = tip.full_pose().rotation.T @ target.full_pose().rotation

    element.constraints = Constraint.ALPHA_BETA
    alpha, beta = compute_group_jacobian(element.group).error
    spun = max(
        (relative @ pin.exp3(np.array([0.0, 0.0, angle])) for angle in np.linspace(-math.pi, math.pi, 20_001)),
        key=lambda turned: turned[0, 0],
    )
    np.testing.assert_allclose([alpha, beta], pin.log3(spun)[:2], atol=2e-3)

    element.constraints = Constraint.GAMMA
    (gamma,) = compute_group_jacobian(element.group).error
    axis = np.cross(relative[:, 2], [0.0, 0.0, 1.0])
    angle = math.atan2(np.linalg.norm(axis), relative[2, 2])
    aligned = pin.exp3(axis / np.linalg.norm(axis) * angle) @ relative
    np.testing.assert_allclose(pin.log3(aligned), [0.0, 0.0, gamma], atol=1e-9)


@pytest.mark.parametrize("name", ["panda", "ur5", "gantry_wrist"])
def test_robots_agree_with_their_own_jacobian(name):
    robot = models.load(name)
    rng = np.random.default_rng(3)
    robot.positions = robot.random_positions(rng)
    environment = environment_from_skeleton(robot)
    tip = environment.object(robot.tip.name)
    np.testing.assert_allclose(tip.full_pose(), robot.tip.transform(), atol=1e-12)
    element = environment.add_group().add_element(tip)
    element.constraints = Constraint.POSE
    found = compute_group_jacobian(element.group).jacobian
    chain = robot.tip.chain()
    expected = robot.tip.jacobian()[:, chain.dof_indices]
    expected[3:] = robot.tip.transform().rotation.T @ expected[3:]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_joint_at_its_upper_limit_keeps_its_column():
    environment = Environment()
    joint = environment.add_joint(JointKind.PRISMATIC)
    tip = environment.add_dummy()
    tip.parent = joint
    tip.target = environment.add_dummy()
    joint.position = joint.maximum
    element = environment.add_group().add_element(tip)
    assert compute_group_jacobian(element.group).jacobian.tolist() == [[0.0], [0.0], [1.0]]
    element.group.max_iterations = 1
    handle_groups(environment, [element.group])
    assert joint.position == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=30)
@given(seed=SEEDS)
def test_chain_of_no_group(seed):
    rng = np.random.default_rng(seed)
    environment, element = random_environment(rng)
    joints = [each for each in ancestors(element.tip) if isinstance(each, Joint)]
    if not joints or not element.group.joints:
        return
    element.constraints_base = None
    group = compute_group_jacobian(element.group)
    objects = len(environment.objects)
    found = compute_jacobian(
        environment, element.base, joints[0], int(element.constraints), element.tip.full_pose(),
        element.tip.target.full_pose(),
    )  # fmt: skip
    np.testing.assert_allclose(found.jacobian, group.jacobian, atol=1e-12)
    np.testing.assert_allclose(found.error, group.error, atol=1e-12)
    assert len(environment.objects) == objects


def test_chain_seen_from_a_pose():
    environment = Environment()
    joint = environment.add_joint(JointKind.REVOLUTE)
    view = random_pose(np.random.default_rng(5))
    tip = pin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0]))
    found = compute_jacobian(environment, None, joint, 7, tip, None, view)
    np.testing.assert_allclose(found.jacobian[:, 0], view.rotation.T @ [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found.error, 0.0, atol=1e-12)


def test_wrong_chains_are_refused():
    environment, other = Environment(), Environment()
    joint, stranger = environment.add_joint(JointKind.REVOLUTE), other.add_joint(JointKind.REVOLUTE)
    beside = environment.add_dummy("beside")
    pose = pin.SE3.Identity()
    with pytest.raises(StructureError, match="another environment"):
        compute_jacobian(environment, None, stranger, 7, pose)
    with pytest.raises(InvalidValueError, match=r"constraints .* not 0"):
        compute_jacobian(environment, None, joint, 0, pose)
    with pytest.raises(InvalidValueError, match="beside"):
        compute_jacobian(environment, beside, joint, 7, pose)
    joint.mode = JointMode.PASSIVE
    with pytest.raises(InvalidValueError, match="passive"):
        compute_jacobian(environment, None, joint, 7, pose)


def test_group_that_cannot_move():
    environment = Environment()
    tip = environment.add_dummy()
    group = environment.add_group("lame")
    group.add_element(tip)
    assert group_joints(group) == []
    with pytest.raises(InvalidValueError, match="'lame'"):
        compute_group_jacobian(group)


def ancestors(scene_object):
    found = []
    while scene_object is not None:
        found.append(scene_object)
        scene_object = scene_object.parent
    return found
