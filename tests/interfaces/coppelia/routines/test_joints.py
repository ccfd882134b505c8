"""Routines for joints, by the text of the API and beside the object layer."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.coppelia import routines as ik
from tests.interfaces.coppelia.scenes import random_pose


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
    before, version = ik.ikSave().data, ik.present().structure_version
    if ik.ikSetJointInterval(joints[0], cyclic, interval):
        assert (cyclic, interval) == (True, [1e308, 1e308])  # which does not count then
        return
    assert ik.ikGetLastError().startswith("ikSetJointInterval: ")
    assert (ik.ikSave().data, ik.present().structure_version) == (before, version)


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
