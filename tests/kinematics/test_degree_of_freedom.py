"""Positions, limits and the other numbers of a degree of freedom."""

import math

import pytest

from kinetree.kinematics import InvalidValueError, KinetreeError, PrismaticJoint, RevoluteJoint, Skeleton
from tests.kinematics.reference import refused


def arm():
    robot = Skeleton("arm")
    robot.add_link("base")
    robot.add_link("upper", RevoluteJoint("shoulder", "z", (-2.0, 1.0)), "base")
    robot.add_link("lower", PrismaticJoint("elbow", "x"), "upper")
    return robot


def test_index_and_position_follow_the_skeleton():
    robot = arm()
    assert [dof.index for dof in robot.dofs] == [0, 1]
    robot.dof("elbow").position = 0.5
    assert robot.positions.tolist() == [0.0, 0.5]
    robot.positions = [0.1, 0.2]
    assert robot.dof("shoulder").position == 0.1
    assert robot.dof("shoulder").joint is robot.joint("shoulder")


def test_a_position_outside_the_limits_is_kept():
    robot = arm()
    robot.dof("shoulder").position = 9.0
    assert robot.positions[0] == 9.0


def test_limits_are_a_pair_or_none():
    dof = arm().dof("shoulder")
    assert (dof.lower, dof.upper, dof.limits, dof.is_limited) == (-2.0, 1.0, (-2.0, 1.0), True)
    dof.limits = (0, math.inf)
    assert (dof.limits, dof.is_limited) == ((0.0, math.inf), True)
    dof.limits = None
    assert (dof.limits, dof.is_limited) == ((-math.inf, math.inf), False)
    dof.limits = (0.5, 0.5)
    assert dof.limits == (0.5, 0.5)


@pytest.mark.parametrize(
    "limits",
    [(1, -1), (math.nan, 1), (0, math.nan), (math.inf, math.inf), (-math.inf, -math.inf), 3.0, (1,), (1, 2, 3),
     "ab", ("a", "b"), (None, 1), (0, 10**400), object()],
)  # fmt: skip
def test_wrong_limits_are_refused_by_name(limits):
    robot = arm()
    message = refused(robot, InvalidValueError, lambda: setattr(robot.dof("shoulder"), "limits", limits))
    assert "limits of 'shoulder'" in message
    with pytest.raises(InvalidValueError, match="limits of 'j'"):
        RevoluteJoint("j", limits=limits)


def test_rest_is_given_or_the_nearest_to_zero_inside():
    assert RevoluteJoint("j").dofs[0].rest == 0.0
    assert RevoluteJoint("j", limits=(1, 2)).dofs[0].rest == 1.0
    assert RevoluteJoint("j", limits=(-2, -1)).dofs[0].rest == -1.0
    assert RevoluteJoint("j", limits=(-2, -1)).dofs[0].position == -1.0
    dof = RevoluteJoint("j", limits=(-2, 2), rest=0.3).dofs[0]
    assert dof.rest == dof.position == 0.3
    dof.rest = 0.4
    assert dof.rest == 0.4
    dof.rest = None
    assert dof.rest == 0.0


NUMBERS = {
    "position": "position",
    "velocity_limit": "velocity limit",
    "effort_limit": "effort limit",
    "weight": "weight",
    "max_step": "maximum step",
    "rest": "rest position",
}


@pytest.mark.parametrize("attribute", NUMBERS)
@pytest.mark.parametrize("value", [math.nan, "fast", "1", [1], object(), 10**400, 1j])
def test_other_numbers_must_be_numbers(attribute, value):
    robot = arm()
    dof = robot.dof("shoulder")
    before = getattr(dof, attribute)
    message = refused(robot, InvalidValueError, lambda: setattr(dof, attribute, value))
    assert f"{NUMBERS[attribute]} of 'shoulder'" in message
    assert getattr(dof, attribute) == before


@pytest.mark.parametrize("attribute", ["velocity_limit", "effort_limit", "weight", "max_step"])
def test_these_cannot_be_negative(attribute):
    dof = arm().dof("shoulder")
    with pytest.raises(InvalidValueError, match="zero or more, not -1"):
        setattr(dof, attribute, -1)
    setattr(dof, attribute, 0.0)
    assert getattr(dof, attribute) == 0.0


@pytest.mark.parametrize("attribute", ["position", "rest"])
def test_these_must_be_finite(attribute):
    with pytest.raises(InvalidValueError, match=r"must be finite, not inf"):
        setattr(arm().dof("shoulder"), attribute, math.inf)


@pytest.mark.parametrize("attribute", ["limits", "velocity_limit", "effort_limit", "weight", "rest", "max_step"])
def test_every_change_raises_the_version(attribute):
    robot = arm()
    version = robot.version
    setattr(robot.dof("shoulder"), attribute, (-0.5, 0.5) if attribute == "limits" else 0.25)
    assert robot.version > version


def test_limits_reach_arrays_and_pinocchio_at_once():
    robot = arm()
    assert robot.model.upperPositionLimit[0] == 1.0
    robot.dof("shoulder").limits = (-0.25, 0.75)
    robot.dof("shoulder").velocity_limit = 2.5
    robot.dof("elbow").effort_limit = 7.0
    assert robot.lower_limits.tolist() == [-0.25, -math.inf]
    assert robot.upper_limits.tolist() == [0.75, math.inf]
    assert robot.velocity_limits.tolist() == [2.5, math.inf]
    assert robot.model.lowerPositionLimit[0] == -0.25
    assert robot.model.upperPositionLimit[0] == 0.75
    assert robot.model.velocityLimit[0] == 2.5
    assert robot.model.effortLimit[1] == 7.0


def test_repr_has_value_limits_and_unit():
    robot = arm()
    assert repr(robot.dof("shoulder")) == "<DegreeOfFreedom 'shoulder' = 0, [-2, 1] rad>"
    assert repr(robot.dof("elbow")) == "<DegreeOfFreedom 'elbow' = 0, unlimited, m>"


def test_errors_are_ours():
    with pytest.raises(KinetreeError):
        RevoluteJoint("j", weight=-1)
    with pytest.raises(KinetreeError):
        RevoluteJoint("j", max_step="a")
