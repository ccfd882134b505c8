"""Routines for objects and dummies, by the text of the API and beside the object layer."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.coppelia import routines as ik
from tests.interfaces.coppelia.scenes import random_pose


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
    assert ik.present().object(ik.ikCreateDummy().dummyHandle).name == "dummy0"
    assert ik.present().object(ik.ikCreateJoint(None, ik.ik_jointtype_revolute).jointHandle).name == "joint0"


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
    full = ik.present().object(joint).full_pose()
    expected = full.actInv(ik.present().object(tip).world_pose())
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
