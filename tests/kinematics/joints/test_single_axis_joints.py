"""Revolute, prismatic and screw joints against their textbook formulas, on any axis."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import (
    InvalidValueError,
    KinetreeError,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Skeleton,
)
from tests.kinematics.random_trees import normalised, seeds
from tests.kinematics.reference import assert_same_pose, homogeneous, rodrigues

KINDS = (RevoluteJoint, PrismaticJoint, ScrewJoint)
angles = st.floats(-20.0, 20.0)


@given(seed=seeds, q=angles)
def test_a_revolute_joint_turns(seed, q):
    axis = np.random.default_rng(seed).normal(size=3)
    found = RevoluteJoint("j", axis).transform(np.array([q]))
    assert_same_pose(found, homogeneous(rodrigues(normalised(axis), q), np.zeros(3)), 1e-14)


@given(seed=seeds, q=angles)
def test_a_prismatic_joint_slides(seed, q):
    axis = np.random.default_rng(seed).normal(size=3)
    found = PrismaticJoint("j", axis).transform(np.array([q]))
    assert_same_pose(found, homogeneous(np.eye(3), q * normalised(axis)), 1e-14)


@given(seed=seeds, q=angles, lead=st.floats(-2.0, 2.0))
def test_a_screw_joint_advances_by_its_lead_in_a_turn(seed, q, lead):
    axis = np.random.default_rng(seed).normal(size=3)
    joint = ScrewJoint("j", axis, lead)
    unit = normalised(axis)
    assert_same_pose(
        joint.transform(np.array([q])), homogeneous(rodrigues(unit, q), lead * q / (2 * math.pi) * unit), 1e-13
    )
    turned = joint.transform(np.array([q + 2.0 * math.pi])).translation - joint.transform(np.array([q])).translation
    np.testing.assert_allclose(turned, lead * unit, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
class TestAll:
    def test_a_letter_is_its_vector(self, kind):
        for letter, vector in (("x", (1, 0, 0)), ("-y", (0, -1, 0)), ("z", (0, 0, 1))):
            np.testing.assert_array_equal(kind("j", letter).axis, vector)

    def test_the_axis_is_normalised_copied_and_settable(self, kind):
        joint = kind("j", (0.0, 3.0, 4.0))
        np.testing.assert_allclose(joint.axis, (0.0, 0.6, 0.8), rtol=1e-15)
        with pytest.raises(ValueError, match="read-only"):
            joint.axis[0] = 7.0
        np.testing.assert_allclose(joint.axis, (0.0, 0.6, 0.8), rtol=1e-15)
        joint.axis = "-x"
        np.testing.assert_array_equal(joint.axis, (-1, 0, 0))

    @pytest.mark.parametrize("axis", [(0, 0, 0), "w", (1, 0), (math.nan, 0, 0), None])
    def test_a_wrong_axis_is_refused_and_the_old_one_kept(self, kind, axis):
        with pytest.raises(KinetreeError, match="axis of joint 'elbow'"):
            kind("elbow", axis)
        joint = kind("elbow", "y")
        with pytest.raises(KinetreeError, match="axis of joint 'elbow'"):
            joint.axis = axis
        np.testing.assert_array_equal(joint.axis, (0, 1, 0))

    def test_the_degree_of_freedom_has_the_joints_name_and_options(self, kind):
        joint = kind("j", limits=(-1, 2), velocity_limit=3.0, effort_limit=4.0, rest=0.5, weight=0.25, max_step=0.1)
        (dof,) = joint.dofs
        assert (dof.name, dof.joint, dof.limits) == ("j", joint, (-1.0, 2.0))
        assert (dof.velocity_limit, dof.effort_limit, dof.rest, dof.weight, dof.max_step) == (3.0, 4.0, 0.5, 0.25, 0.1)
        assert dof.is_angular is (kind is not PrismaticJoint)
        assert dof.position == 0.5

    def test_velocity_is_the_rate_of_the_coordinate(self, kind):
        robot = Skeleton()
        robot.add_link("l", kind("j", (1, 2, 3)))
        np.testing.assert_array_equal(robot.integrate([0.5], [7.0]), [7.5])
        np.testing.assert_array_equal(robot.difference([0.5], [7.5]), [7.0])

    def test_numbers_of_pinocchio_are_ours_on_every_axis(self, kind):
        for axis in ("x", "y", "z", "-z", (1, 1, 0)):
            robot = Skeleton()
            robot.add_link("l", kind("j", axis))
            assert (robot.model.nq, robot.model.nv) == (1, 1)
            np.testing.assert_array_equal(robot.to_pinocchio([9.0]), [9.0])


def test_a_revolute_joint_without_limits_is_continuous():
    assert RevoluteJoint("j").is_continuous
    assert not RevoluteJoint("j", limits=(-1, 1)).is_continuous
    assert not RevoluteJoint("j", limits=(-1, math.inf)).is_continuous


def test_only_a_full_turn_of_a_revolute_joint_changes_nothing():
    assert RevoluteJoint("j").dofs[0].wraps
    assert not ScrewJoint("j", lead=0.1).dofs[0].wraps
    assert not PrismaticJoint("j").dofs[0].wraps


class TestLead:
    def test_it_moves_the_skeleton_at_once(self):
        robot = Skeleton()
        link = robot.add_link("l", ScrewJoint("j", "z", 0.1))
        robot.positions = [2.0 * math.pi]
        version = robot.version
        robot.joint("j").lead = -0.3
        assert robot.version > version
        np.testing.assert_allclose(link.transform().translation, (0, 0, -0.3), atol=1e-15)
        np.testing.assert_allclose(robot.state().transform(link).translation, (0, 0, -0.3), atol=1e-15)

    @pytest.mark.parametrize("lead", [math.nan, math.inf, "0.1", None])
    def test_it_must_be_finite(self, lead):
        with pytest.raises(InvalidValueError, match="lead of joint 'drive'"):
            ScrewJoint("drive", lead=lead)
        joint = ScrewJoint("drive", lead=0.5)
        with pytest.raises(InvalidValueError, match="lead of joint 'drive'"):
            joint.lead = lead
        assert joint.lead == 0.5
