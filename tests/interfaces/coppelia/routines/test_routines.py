"""What each routine does, by the text of the API and beside the object layer."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.coppelia import routines as ik
from tests.interfaces.coppelia.routines.scenes import planar_arm
from tests.interfaces.coppelia.scenes import random_pose


def present():
    """The present environment as objects."""
    return ik.present()


@pytest.fixture
def arm():
    return planar_arm()


@pytest.fixture
def joints():
    """A revolute, a prismatic and a spherical joint."""
    ik.ikCreateEnvironment()
    kinds = (ik.ik_jointtype_revolute, ik.ik_jointtype_prismatic, ik.ik_jointtype_spherical)
    return [ik.ikCreateJoint(None, kind).jointHandle for kind in kinds]


# Objects.


def test_names_are_found_exactly():
    ik.ikCreateEnvironment()
    made = ik.ikCreateDummy("tip")
    assert made.success
    assert ik.ikGetObjectHandle("tip") == made
    assert ik.ikDoesObjectExist("tip")
    assert not ik.ikDoesObjectExist("Tip")
    assert ik.ikGetLastError() == ""  # that there is none is no error
    assert ik.ikGetObjectHandle("Tip") == (False, None)
    error = ik.ikGetLastError()
    assert "ikGetObjectHandle" in error
    assert "did you mean 'tip'" in error
    assert present().object(ik.ikCreateDummy().dummyHandle).name == "dummy0"
    assert present().object(ik.ikCreateJoint(None, ik.ik_jointtype_revolute).jointHandle).name == "joint0"


def test_looping_over_objects_ends_without_an_error(joints):
    dummy = ik.ikCreateDummy("last").dummyHandle
    seen, index = [], 0
    while (found := ik.ikGetObjects(index)).success:
        seen.append(found[1:])
        index += 1
    assert seen == [
        (joints[0], "joint0", True, ik.ik_jointtype_revolute),
        (joints[1], "joint1", True, ik.ik_jointtype_prismatic),
        (joints[2], "joint2", True, ik.ik_jointtype_spherical),
        (dummy, "last", False, None),
    ]
    assert found == (False, None, None, None, None)
    assert ik.ikGetLastError() == ""
    ik.ikEraseObject(joints[1])
    assert ik.ikGetObjects(1).objectHandle == joints[2]  # erased ones drop out
    assert not ik.ikGetObjects(-1).success
    assert "index" in ik.ikGetLastError()


def test_types(joints):
    dummy = ik.ikCreateDummy().dummyHandle
    assert ik.ikGetObjectType(dummy).objectType == ik.ik_objecttype_dummy == 4
    assert ik.ikGetObjectType(joints[0]).objectType == ik.ik_objecttype_joint == 1
    assert [ik.ikGetJointType(each).jointType for each in joints] == [10, 11, 12]
    assert not ik.ikGetJointType(dummy).success
    assert "no joint" in ik.ikGetLastError()


@pytest.mark.parametrize("keep", [True, False])
def test_parents(arm, keep):
    tip, joint = arm["tip"], arm["joint1"]
    assert ik.ikGetObjectParent(arm["base"]).parentObjectHandle == -1
    assert ik.ikGetObjectParent(tip).parentObjectHandle == arm["joint3"]
    world = ik.ikGetObjectTransformation(tip, ik.ik_handle_world).transf
    local = ik.ikGetObjectTransformation(tip, ik.ik_handle_parent).transf
    assert ik.ikSetObjectParent(tip, joint, keep)
    assert ik.ikGetObjectParent(tip).parentObjectHandle == joint
    which, kept = (ik.ik_handle_world, world) if keep else (ik.ik_handle_parent, local)
    np.testing.assert_allclose(ik.ikGetObjectTransformation(tip, which).transf, kept, atol=1e-12)
    assert ik.ikSetObjectParent(tip, -1, True)
    assert ik.ikGetObjectParent(tip).parentObjectHandle == -1
    assert not ik.ikSetObjectParent(arm["joint1"], arm["joint3"], keep)
    assert "'joint1'" in ik.ikGetLastError()


def test_transformations_are_position_and_quaternion_xyzw(arm):
    """Relative to the world, the parent, or the full frame of an object; a joint's own motion is not in its pose."""
    tip, joint = arm["tip"], arm["joint2"]
    half = 0.5 * math.pi / 2
    assert ik.ikSetObjectTransformation(tip, ik.ik_handle_world, [1, 2, 3, 0, 0, math.sin(half), math.cos(half)])
    found = ik.ikGetObjectTransformation(tip, ik.ik_handle_world).transf
    np.testing.assert_allclose(found, [1, 2, 3, 0, 0, math.sin(half), math.cos(half)], atol=1e-12)
    matrix = ik.ikGetObjectMatrix(tip, ik.ik_handle_world).matrix
    np.testing.assert_allclose(matrix, [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3], atol=1e-12)
    before = ik.ikGetObjectTransformation(joint, ik.ik_handle_world).transf
    assert ik.ikSetJointPosition(joint, 1.2)
    np.testing.assert_array_equal(ik.ikGetObjectTransformation(joint, ik.ik_handle_world).transf, before)
    # Relative to the joint is relative to its full frame.
    full = present().object(joint).full_pose()
    expected = full.actInv(present().object(tip).world_pose())
    np.testing.assert_allclose(ik.ikGetObjectMatrix(tip, joint).matrix, expected.homogeneous[:3].ravel(), atol=1e-12)


@pytest.mark.parametrize("relative_to", ["world", "parent", "base", "target"])
def test_what_is_set_is_what_is_got(arm, relative_to):
    handles = {"world": ik.ik_handle_world, "parent": ik.ik_handle_parent, **arm}
    pose = random_pose(np.random.default_rng(3))
    numbers = pin.SE3ToXYZQUAT(pose)
    assert ik.ikSetObjectTransformation(arm["joint2"], handles[relative_to], numbers)
    matrix = ik.ikGetObjectMatrix(arm["joint2"], handles[relative_to]).matrix
    assert matrix.shape == (12,)
    np.testing.assert_allclose(matrix, pose.homogeneous[:3].ravel(), atol=1e-12)
    other = random_pose(np.random.default_rng(4))
    for form in (other.homogeneous[:3].ravel(), other.homogeneous[:3], other.homogeneous, other.homogeneous.tolist()):
        assert ik.ikSetObjectMatrix(arm["joint2"], handles[relative_to], form)
        found = ik.ikGetObjectTransformation(arm["joint2"], handles[relative_to]).transf
        np.testing.assert_allclose(found, pin.SE3ToXYZQUAT(other), atol=1e-12)


def test_relative_to_the_parent_of_what_has_none_is_relative_to_the_world():
    ik.ikCreateEnvironment()
    dummy = ik.ikCreateDummy().dummyHandle
    assert ik.ikSetObjectTransformation(dummy, ik.ik_handle_parent, [1, 0, 0, 0, 0, 0, 1])
    assert ik.ikGetObjectTransformation(dummy, ik.ik_handle_world).transf[0] == 1.0


def test_a_target_is_taken_away_before_another_is_given(arm):
    tip, target, other = arm["tip"], arm["target"], ik.ikCreateDummy("other").dummyHandle
    assert ik.ikGetTargetDummy(tip) == (True, target)
    assert ik.ikGetTargetDummy(target) == (True, -1)
    assert ik.ikSetTargetDummy(tip, target)  # the same again
    assert not ik.ikSetTargetDummy(tip, other)
    error = ik.ikGetLastError()
    assert all(word in error for word in ("ikSetTargetDummy", "'tip'", "'target'"))
    assert ik.ikGetTargetDummy(tip).targetDummyHandle == target
    assert ik.ikSetTargetDummy(tip, -1)
    assert ik.ikSetTargetDummy(tip, other)
    assert ik.ikGetLinkedDummy(tip) == (True, other)
    assert ik.ikSetLinkedDummy(tip, -1)
    assert ik.ikSetLinkedDummy(tip, target)
    assert ik.ikGetTargetDummy(tip).targetDummyHandle == target


def test_erasing_leaves_the_rest(arm):
    empty = ik.ikCreateGroup("empty").ikGroupHandle
    place = ik.ikGetObjectTransformation(arm["tip"], ik.ik_handle_world).transf
    assert ik.ikEraseObject(arm["joint3"])
    assert ik.ikGetObjectParent(arm["tip"]).parentObjectHandle == arm["joint2"]
    np.testing.assert_allclose(ik.ikGetObjectTransformation(arm["tip"], ik.ik_handle_world).transf, place, atol=1e-12)
    assert ik.ikEraseObject(arm["target"])
    assert ik.ikGetTargetDummy(arm["tip"]).targetDummyHandle == -1
    assert ik.ikEraseObject(arm["tip"])
    assert not ik.ikGetElementFlags(arm["group"], arm["element"]).success
    assert ik.ikDoesGroupExist("arm")
    assert ik.ikGetGroupHandle("empty").ikGroupHandle == empty
    assert not ik.ikEraseObject(arm["tip"])
    assert "erased" in ik.ikGetLastError()


# Joints.


def test_positions_are_wrapped_or_kept_between_limits(joints):
    revolute, prismatic, ball = joints
    assert ik.ikSetJointPosition(revolute, 4.0)
    assert ik.ikGetJointPosition(revolute).position == pytest.approx(4.0 - math.tau)
    assert ik.ikSetJointPosition(prismatic, 4.0)
    assert ik.ikGetJointPosition(prismatic) == (True, 0.5)
    for call in (lambda: ik.ikGetJointPosition(ball), lambda: ik.ikSetJointPosition(ball, 0.0)):
        call()
        assert "spherical" in ik.ikGetLastError()


def test_intervals(joints):
    revolute, prismatic, _ = joints
    success, cyclic, interval = ik.ikGetJointInterval(revolute)
    assert success
    assert cyclic is True
    np.testing.assert_array_equal(interval, [-math.pi, math.tau])
    assert ik.ikSetJointInterval(revolute, False, [-1.0, 3.0])
    _, cyclic, interval = ik.ikGetJointInterval(revolute)
    assert cyclic is False
    np.testing.assert_array_equal(interval, [-1.0, 3.0])
    assert ik.ikSetJointPosition(revolute, 5.0)
    assert ik.ikGetJointPosition(revolute).position == 2.0
    assert ik.ikSetJointInterval(revolute, False)  # no interval: as it was
    np.testing.assert_array_equal(ik.ikGetJointInterval(revolute).intervalMinAndRange, [-1.0, 3.0])
    assert ik.ikSetJointInterval(revolute, True, [-1.0, 3.0])
    np.testing.assert_array_equal(ik.ikGetJointInterval(revolute).intervalMinAndRange, [-math.pi, math.tau])
    assert ik.ikSetJointInterval(prismatic, False, np.array([0.0, 0.25]))
    assert not ik.ikSetJointInterval(prismatic, True)
    assert "prismatic" in ik.ikGetLastError()


@pytest.mark.parametrize(
    "interval", [[0.0, -1.0], [math.nan, 1.0], [0.0], [0.0, 1.0, 2.0], [0.0, math.inf], "ab", 3, [1e308, 1e308]]
)
@pytest.mark.parametrize("cyclic", [True, False])
def test_a_bad_interval_does_not_change_half_of_it(joints, cyclic, interval):
    ik.ikSetJointInterval(joints[0], not cyclic)
    before, version = ik.ikSave().data, present().structure_version
    if ik.ikSetJointInterval(joints[0], cyclic, interval):
        assert (cyclic, interval) == (True, [1e308, 1e308])  # which does not count then
        return
    assert ik.ikGetLastError().startswith("ikSetJointInterval: ")
    assert (ik.ikSave().data, present().structure_version) == (before, version)


def test_settings_of_joints(joints):
    for setter, getter, value, default in (
        (ik.ikSetJointMode, ik.ikGetJointMode, ik.ik_jointmode_passive, ik.ik_jointmode_ik),
        (ik.ikSetJointWeight, ik.ikGetJointWeight, 0.25, 1.0),
        (ik.ikSetJointLimitMargin, ik.ikGetJointLimitMargin, 0.125, math.radians(5)),
        (ik.ikSetJointMaxStepSize, ik.ikGetJointMaxStepSize, 0.5, math.radians(10)),
        (ik.ikSetJointScrewLead, ik.ikGetJointScrewLead, 0.75, 0.0),
    ):
        assert getter(joints[0]) == (True, default)
        assert setter(joints[0], value)
        assert getter(joints[0]) == (True, value)
    assert not ik.ikSetJointMode(joints[0], 1)
    assert "PASSIVE (0) or IK (2)" in ik.ikGetLastError()
    assert not ik.ikSetJointScrewLead(joints[1], 0.1)
    assert "prismatic" in ik.ikGetLastError()


def test_dependencies(joints):
    master, slave, ball = joints
    assert ik.ikGetJointDependency(slave) == (True, -1, 0.0, 1.0)
    assert ik.ikSetJointDependency(slave, master)
    assert ik.ikGetJointDependency(slave) == (True, master, 0.0, 1.0)
    assert ik.ikSetJointDependency(slave, master, 0.125, -2.0)
    assert ik.ikGetJointDependency(slave) == (True, master, 0.125, -2.0)
    ik.ikSetJointPosition(master, 0.5)
    assert ik.ikGetJointPosition(slave).position == -0.875
    assert not ik.ikSetJointPosition(slave, 0.0)
    assert "follows" in ik.ikGetLastError()
    assert not ik.ikSetJointDependency(master, slave)
    assert "'joint0'" in ik.ikGetLastError()
    assert not ik.ikSetJointDependency(slave, ball)
    assert "'joint2'" in ik.ikGetLastError()
    seen = []
    assert ik.ikSetJointDependency(slave, master, cb=lambda *args: seen.append(args) or 0.25)
    assert ik.ikGetJointPosition(slave).position == 0.25
    assert seen[-1] == (ik.present_handle(), slave, 0.5)
    assert ik.ikSetJointDependency(slave, -1)
    assert ik.ikGetJointPosition(slave).position == 0.25
    assert ik.ikGetJointDependency(slave).dependencyJointHandle == -1


def test_motions(joints):
    revolute, prismatic, ball = joints
    ik.ikSetJointInterval(revolute, False)
    ik.ikSetJointScrewLead(revolute, 0.4)
    ik.ikSetJointPosition(revolute, math.pi / 2)
    expected = [0, 0, 0.1, 0, 0, math.sin(math.pi / 4), math.cos(math.pi / 4)]
    np.testing.assert_allclose(ik.ikGetJointTransformation(revolute).transf, expected, atol=1e-15)
    ik.ikSetJointPosition(prismatic, 0.3)
    expected = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.3]
    np.testing.assert_allclose(ik.ikGetJointMatrix(prismatic).matrix, expected, atol=1e-15)
    turn = random_pose(np.random.default_rng(1)).rotation
    quaternion = pin.Quaternion(turn).coeffs()
    assert ik.ikSetSphericalJointQuaternion(ball, 2.0 * quaternion)
    found = ik.ikGetJointTransformation(ball).transf
    np.testing.assert_allclose(found[3:] * np.sign(found[6] * quaternion[3]), quaternion, atol=1e-12)
    assert ik.ikSetSphericalJointMatrix(ball, np.eye(3))
    np.testing.assert_array_equal(ik.ikGetJointMatrix(ball).matrix.reshape(3, 4)[:, :3], np.eye(3))
    for form in (turn, turn.ravel(), turn.tolist()):
        assert ik.ikSetSphericalJointMatrix(ball, form)
        np.testing.assert_allclose(ik.ikGetJointMatrix(ball).matrix.reshape(3, 4)[:, :3], turn, atol=1e-12)
    for setter, value in ((ik.ikSetSphericalJointQuaternion, quaternion), (ik.ikSetSphericalJointMatrix, turn)):
        assert not setter(revolute, value)
        assert "revolute" in ik.ikGetLastError()


# Groups.


def test_groups():
    ik.ikCreateEnvironment()
    first = ik.ikCreateGroup().ikGroupHandle
    second = ik.ikCreateGroup("arm").ikGroupHandle
    assert ik.ikGetGroupHandle("ikGroup0").ikGroupHandle == first
    assert (ik.ikDoesGroupExist("arm"), ik.ikDoesGroupExist("Arm")) == (True, False)
    assert not ik.ikCreateGroup("arm").success
    assert "'arm'" in ik.ikGetLastError()
    assert ik.ikGetGroupCalculation(second) == (True, ik.ik_method_pseudo_inverse, 0.1, 3)
    assert ik.ikSetGroupCalculation(second, ik.ik_method_jacobian_transpose, 0.25, 17)
    assert ik.ikGetGroupCalculation(second) == (True, 2, 0.25, 17)
    assert ik.ikGetGroupFlags(second).flags == ik.ik_group_enabled | ik.ik_group_ignoremaxsteps
    every = 1 | 2 | 4 | 8 | 16 | 64
    assert ik.ikSetGroupFlags(second, every)
    assert ik.ikGetGroupFlags(second).flags == every
    for flags in (32, 128, -1):
        assert not ik.ikSetGroupFlags(second, flags)
        assert "'arm'" in ik.ikGetLastError()
    assert ik.ikGetGroupFlags(second).flags == every
    assert ik.ikEraseGroup(first)
    assert not ik.ikGetGroupFlags(first).success
    assert "erased" in ik.ikGetLastError()


@pytest.mark.parametrize(
    ("method", "damping", "iterations"),
    [(4, 0.1, 3), (0, -1.0, 3), (0, math.nan, 3), (0, 0.1, -1), (0, 0.1, 2**31)],
)
def test_a_bad_calculation_changes_nothing(arm, method, damping, iterations):
    before, version = ik.ikSave().data, present().structure_version
    assert not ik.ikSetGroupCalculation(arm["group"], method, damping, iterations)
    assert "'arm'" in ik.ikGetLastError()
    assert (ik.ikSave().data, present().structure_version) == (before, version)


def test_joints_of_a_group(arm):
    assert ik.ikGetGroupJoints(arm["group"]).jointHandles == [arm[f"joint{k}"] for k in (1, 2, 3)]
    ik.ikSetJointMode(arm["joint2"], ik.ik_jointmode_passive)
    assert ik.ikGetGroupJoints(arm["group"]).jointHandles == [arm["joint1"], arm["joint3"]]
    ik.ikSetElementFlags(arm["group"], arm["element"], 0)
    assert ik.ikGetGroupJoints(arm["group"]) == (True, [])


# Elements.


def test_elements(arm):
    group, element, base = arm["group"], arm["element"], arm["base"]
    second = ik.ikAddElement(group, arm["tip"]).ikElementHandle
    assert second == element + 1
    assert ik.ikGetElementBase(group, second) == (True, -1, -1)
    assert ik.ikSetElementBase(group, second, base)
    assert ik.ikGetElementBase(group, second) == (True, base, -1)
    assert ik.ikSetElementBase(group, second, base, arm["target"])
    assert ik.ikGetElementBase(group, second) == (True, base, arm["target"])
    assert ik.ikSetElementBase(group, second, -1)
    assert ik.ikGetElementBase(group, second) == (True, -1, -1)
    assert ik.ikGetElementConstraints(group, second).constraints == ik.ik_constraint_position
    assert ik.ikSetElementConstraints(group, second, ik.ik_constraint_pose)
    assert ik.ikGetElementConstraints(group, second).constraints == 31
    assert ik.ikGetElementPrecision(group, second) == (True, 0.0005, math.radians(0.1))
    assert ik.ikSetElementPrecision(group, second, 1e-5, 1e-4)
    assert ik.ikGetElementPrecision(group, second) == (True, 1e-5, 1e-4)
    assert ik.ikGetElementWeights(group, second) == (True, 1.0, 1.0, 1.0)
    assert ik.ikSetElementWeights(group, second, 0.5, 0.25, 2.0)
    assert ik.ikGetElementWeights(group, second) == (True, 0.5, 0.25, 2.0)
    assert ik.ikSetElementFlags(group, second, 0)
    assert ik.ikGetElementFlags(group, second).flags == 0
    assert ik.ikEraseElement(group, second)
    assert not ik.ikGetElementFlags(group, second).success
    assert ik.ikGetElementFlags(group, element).flags == 1


@pytest.mark.parametrize(("linear", "angular"), [(1e-5, math.nan), (math.nan, 1e-5), (1e-5, -1.0), (1e-5, "small")])
def test_a_bad_precision_does_not_change_half_of_it(arm, linear, angular):
    before, version = ik.ikSave().data, present().structure_version
    assert not ik.ikSetElementPrecision(arm["group"], arm["element"], linear, angular)
    assert ik.ikGetLastError().startswith("ikSetElementPrecision: ")
    assert (ik.ikSave().data, present().structure_version) == (before, version)


def test_elements_by_their_tip(arm):
    """The tip with a bit in place of the handle; the first element with that tip."""
    group, by_tip = arm["group"], arm["tip"] | ik.ik_handleflag_tipdummy
    ik.ikSetElementConstraints(group, ik.ikAddElement(group, arm["tip"]).ikElementHandle, ik.ik_constraint_z)
    assert ik.ikGetElementConstraints(group, by_tip).constraints == 3
    assert ik.ikSetElementWeights(group, by_tip, 0.5, 1.0, 1.0)
    assert ik.ikGetElementWeights(group, arm["element"]).linearWeight == 0.5
    assert not ik.ikGetElementFlags(group, arm["target"] | ik.ik_handleflag_tipdummy).success
    assert "'target'" in ik.ikGetLastError()
    assert not ik.ikGetElementFlags(group, arm["joint1"] | ik.ik_handleflag_tipdummy).success
    assert "no dummy" in ik.ikGetLastError()
    assert ik.ikEraseElement(group, by_tip)
    assert ik.ikGetElementConstraints(group, by_tip).constraints == ik.ik_constraint_z


# Solving.


def test_handling_groups(arm):
    twin = present().duplicate()
    done = ik.ikHandleGroups([arm["group"]])
    assert done.success
    assert done.result == ik.ik_calc_stepstoobig  # told also where largest steps do not count
    assert 0.0 < done.precision[0] < 0.0005
    assert done.precision[1] == 0.0
    ours = twin.group("arm").solve()
    assert (ours.result, ours.precision) == done[1:]
    for joint in twin.joints:
        assert ik.ikGetJointPosition(joint.handle).position == joint.position


@pytest.mark.parametrize("which", [None, [], [ik.ik_handle_all], ()])
def test_handling_all_groups(arm, which):
    assert not ik.ikHandleGroups(which).result & ik.ik_calc_notwithintolerance
    tip, target = (ik.ikGetObjectTransformation(arm[name], -1).transf for name in ("tip", "target"))
    np.testing.assert_allclose(tip[:2], target[:2], atol=0.0005)


def test_handling_nothing(arm):
    ik.ikSetGroupFlags(arm["group"], ik.ik_group_ignoremaxsteps)
    assert ik.ikHandleGroups([arm["group"]]) == (True, ik.ik_calc_notperformed | ik.ik_calc_notwithintolerance, (0, 0))


@pytest.mark.parametrize("method", range(4))
def test_numbers_without_measure(arm, method):
    """What is finite is taken; squares that are not are no exception."""
    for damping, place in ((1e308, 0.5), (0.0, 1e308), (0.1, 1e200)):
        assert ik.ikSetGroupCalculation(arm["group"], method, damping, 5)
        assert ik.ikSetObjectTransformation(arm["target"], -1, [place, 0, 0, 0, 0, 0, 1])
        assert ik.ikHandleGroups([arm["group"]]).result & ik.ik_calc_notwithintolerance
        assert np.isfinite(positions(handles_of(arm))).all()


def test_limits_that_were_hit(arm):
    ik.ikSetJointInterval(arm["joint2"], False, [0.0, 0.4])
    assert ik.ikGetGroupJointLimitHits(arm["group"]).jointHandles == []
    assert ik.ikHandleGroups([arm["group"]]).result & ik.ik_calc_limithit
    success, handles, overshots = ik.ikGetGroupJointLimitHits(arm["group"])
    assert success
    assert handles == [arm["joint2"]]
    assert overshots.shape == (1,)


def test_jacobians(arm):
    jacobian, error = ik.ikComputeGroupJacobian(arm["group"])[1:]
    assert (jacobian.shape, error.shape) == ((2, 3), (2,))
    tip, target = (ik.ikGetObjectTransformation(arm[name], -1).transf for name in ("tip", "target"))
    np.testing.assert_allclose(error, (target - tip)[:2], atol=1e-12)
    position = ik.ik_constraint_x | ik.ik_constraint_y
    by_chain = ik.ikComputeJacobian(-1, arm["joint3"], position, tip, target)
    np.testing.assert_allclose(by_chain.jacobian, jacobian, atol=1e-12)
    np.testing.assert_allclose(by_chain.errorVect, error, atol=1e-12)
    # The target is the tip when there is none.
    np.testing.assert_allclose(ik.ikComputeJacobian(-1, arm["joint3"], position, tip).errorVect, 0.0, atol=1e-12)
    turned = ik.ikComputeJacobian(-1, arm["joint3"], position, tip, target, [0, 0, 0, 0, 0, 1, 0])
    np.testing.assert_allclose(turned.errorVect, -error, atol=1e-12)
    count = len(present().objects)
    assert not ik.ikComputeJacobian(-1, arm["joint3"], 0, tip).success
    assert "constraints" in ik.ikGetLastError()
    assert not ik.ikComputeJacobian(arm["joint3"], arm["joint1"], position, tip).success
    assert "'joint1'" in ik.ikGetLastError()
    assert len(present().objects) == count


def handles_of(arm):
    return [arm[f"joint{k}"] for k in (1, 2, 3)]


def positions(handles):
    return [ik.ikGetJointPosition(each).position for each in handles]


def test_finding_a_configuration(arm):
    handles = handles_of(arm)
    before = positions(handles)
    result, found = ik.ikFindConfig(arm["group"], 3, handles, 0.3, 500)
    assert result == 1
    assert positions(handles) == before
    for handle, value in zip(handles, found, strict=True):
        ik.ikSetJointPosition(handle, value)
    tip, target = (ik.ikGetObjectTransformation(arm[name], -1).transf for name in ("tip", "target"))
    np.testing.assert_allclose(tip[:2], target[:2], atol=1e-6)


def test_finding_several_the_nearest_first(arm):
    handles = handles_of(arm)
    result, found = ik.ikFindConfig(arm["group"], 3, handles, 0.3, 500, seed=3, count=4)
    assert result == 1
    assert found.shape == (4, 3)
    away = np.linalg.norm(np.remainder(found - positions(handles) + np.pi, math.tau) - np.pi, axis=1)
    assert (np.diff(away) >= 0.0).all()


def test_finding_nothing_is_no_error(arm):
    ik.ikSetObjectTransformation(arm["target"], -1, [9, 0, 0, 0, 0, 0, 1])
    assert ik.ikFindConfig(arm["group"], 3, handles_of(arm), 0.3, 5) == (0, None)
    assert ik.ikFindConfig(arm["group"], 3, handles_of(arm), 0.3, 0) == (0, None)
    assert ik.ikGetLastError() == ""


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"jointCnt": 2}, "jointCnt"),
        ({"jointHandles": [], "jointCnt": 0}, "jointCnt"),
        ({"jointHandles": "abc"}, "jointHandles"),
        ({"thresholdDist": math.nan}, "thresholdDist"),
        ({"maxSearchTimeInMs": -1}, "maxSearchTimeInMs"),
        ({"metric": [1, 1, 1]}, "metric"),
        ({"metric": [1, 1, 1, -1]}, "metric"),
        ({"validationCallback": 3}, "validationCallback"),
        ({"seed": "lucky"}, "seed"),
        ({"count": 0}, "count"),
        ({"count": 1.5}, "count"),
    ],
)
def test_bad_arguments_of_a_search(arm, change, word):
    arguments = {
        "ikGroupHandle": arm["group"],
        "jointCnt": 3,
        "jointHandles": handles_of(arm),
        "thresholdDist": 0.3,
        "maxSearchTimeInMs": 5,
    }
    assert ik.ikFindConfig(**(arguments | change)) == (-1, None)
    assert word in ik.ikGetLastError()


def test_a_callback_refuses_configurations(arm):
    handles, seen = handles_of(arm), []
    accepted = ik.ikFindConfig(arm["group"], 3, handles, 0.3, 500, None, lambda q: seen.append(q) or bool(q[1] < 0.0))
    assert accepted.result == 1
    assert accepted.retConfig[1] < 0.0
    assert seen[0].shape == (3,)


@pytest.mark.parametrize("limit", [20_000, -500])
def test_the_deprecated_search(arm, limit):
    """By samples, or by milliseconds when it is negative."""
    result, found = ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, limit)
    assert result == 1
    assert found.shape == (3,)
    assert ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, 0) == (0, None)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_ranges_choose_among_solutions(arm, side):
    """With its rotation fixed, the arm has two solutions; the elbow bends to the side that is drawn from."""
    ik.ikSetElementConstraints(arm["group"], arm["element"], 3 | ik.ik_constraint_orientation)
    low = 0.5 if side > 0.0 else -2.5
    found = ik.ikGetConfigForTipPose(
        *(arm["group"], 3, handles_of(arm), 0.3, 100_000),
        lowLimits=[0.0, low, 0.0],
        ranges=[0.0, 2.0, 0.0],
    )
    assert found.result == 1
    assert side * found.retConfig[1] > 0.3


def test_what_is_drawn_from(arm, monkeypatch):
    """Low limit and range; the joint's own limits when the range is 0; about where it is when that is negative."""
    drawn = {}

    def look(group, joints, *, intervals, **options):
        drawn.update({joint.name: interval for joint, interval in intervals.items()})
        return ()

    monkeypatch.setattr(ik.solving, "find_config", look)
    ik.ikSetJointInterval(arm["joint2"], False, [-2.0, 4.0])
    ik.ikSetJointInterval(arm["joint3"], False, [-2.0, 4.0])

    def intervals(options, low_limits, ranges):
        drawn.clear()
        found = ik.ikGetConfigForTipPose(
            arm["group"], 3, handles_of(arm), 0.3, 1, None, None, options, low_limits, ranges
        )
        assert found.result == 0, ik.ikGetLastError()
        return {name: tuple(np.round(interval, 12)) for name, interval in drawn.items()}

    assert intervals(None, [1.0, 1.0, 1.0], None) == {}
    assert intervals(None, [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]) == {}
    assert intervals(None, [0.5, 7.0, -0.5], [0.25, 0.0, 9.0]) == {"joint1": (0.5, 0.75), "joint3": (-0.5, 2.0)}
    assert intervals(None, None, [-0.5, 1.0, -9.0]) == {
        "joint1": (0.05, 0.55),
        "joint2": (-2.0, -1.0),
        "joint3": (-2.0, 2.0),
    }
    assert intervals([0, 1, 2], [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]) == {"joint1": (0.0, 0.5), "joint3": (0.0, 0.5)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jointOptions", [0, 0]),
        ("jointOptions", [0, 0, 0.5]),
        ("lowLimits", [0.0, math.nan, 0.0]),
        ("lowLimits", 3),
        ("ranges", [1.0, 1.0]),
        ("ranges", [1.0, math.inf, 1.0]),
        ("maxIterations", 1.5),
    ],
)
def test_bad_arguments_of_the_deprecated_search(arm, name, value):
    arguments = {"maxIterations": 10, "lowLimits": [0.0] * 3, "ranges": [1.0] * 3} | {name: value}
    assert ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, **arguments) == (-1, None)
    assert name in ik.ikGetLastError()
    if name in ("jointOptions", "lowLimits"):  # looked at also where there is nothing to do with them
        assert ik.ikGetConfigForTipPose(arm["group"], 3, handles_of(arm), 0.3, 10, **{name: value}).result == -1


def test_what_ranges_leave_nothing_of(arm):
    ik.ikSetJointInterval(arm["joint2"], False, [-1.0, 2.0])
    found = ik.ikGetConfigForTipPose(
        arm["group"], 3, handles_of(arm), 0.3, 100, None, None, None, [0.0, 5.0, 0.0], [1.0, 1.0, 1.0]
    )
    assert found == (-1, None)
    assert "'joint2'" in ik.ikGetLastError()


# Files.


def test_saving_and_loading(arm):
    data, length = ik.ikSave()
    assert length == len(data)
    ik.ikCreateEnvironment()
    assert ik.ikSave() == (None, 0)
    assert "empty" in ik.ikGetLastError()
    assert ik.ikLoad(data + b"more", length)
    assert ik.ikSave().data == data
    assert not ik.ikHandleGroups([arm["group"]]).result & ik.ik_calc_notwithintolerance
    assert not ik.ikLoad(data)
    assert "must be empty" in ik.ikGetLastError()
    assert ik.ikReleaseBuffer(data) is None
