"""The types of the service refuse what makes no sense, and read well."""

import dataclasses

import numpy as np
import pinocchio as pin
import pytest

from kinetree.interfaces.armarx import (
    CartesianSelection,
    CoMIKDescriptor,
    ExtendedIKResult,
    FailureReason,
    FramedPose,
    IKTask,
    Outcome,
    WorkspaceBounds,
)
from kinetree.kinematics import InvalidPoseError, InvalidValueError
from tests.interfaces.armarx.services import panda_service


def test_selections_have_the_values_of_simox():
    assert {each.name: each.value for each in CartesianSelection.__members__.values()} == {
        "X": 1, "Y": 2, "Z": 4, "POSITION": 7, "ORIENTATION": 8, "ALL": 15,
    }  # fmt: skip


def test_a_framed_pose_takes_any_form_and_gives_numbers():
    turned = pin.SE3(pin.Quaternion(0.5, 0.5, 0.5, 0.5), np.array([1.0, 2.0, 3.0]))
    for form in (turned, turned.homogeneous, ((1, 2, 3), (0.5, 0.5, 0.5, 0.5)), [1, 2, 3, 0.5, 0.5, 0.5, 0.5]):
        made = FramedPose(form, "tool")
        assert made.pose.isApprox(turned)
        assert made.position == (1.0, 2.0, 3.0)
        assert made.quaternion == pytest.approx((0.5, 0.5, 0.5, 0.5))
    turned.translation[0] = 9.0
    assert made.position[0] == 1.0
    assert FramedPose(np.eye(4)).frame == "Global"


@pytest.mark.parametrize("make", [lambda: FramedPose((1, 2, 3)), lambda: IKTask("a", np.full((4, 4), np.nan))])
def test_poses_are_checked(make):
    with pytest.raises(InvalidPoseError):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: FramedPose(np.eye(4), None),
        lambda: FramedPose(np.eye(4), "a", 3),
        lambda: IKTask(3, np.eye(4)),
        lambda: IKTask("a", np.eye(4), priority=1.5),
        lambda: IKTask("a", np.eye(4), selection="w"),
        lambda: IKTask("a", np.eye(4), method="svd"),
        lambda: IKTask("a", np.eye(4), coordinate_system=None),
        lambda: WorkspaceBounds(0, 0, np.inf, 0, 0, 0),
        lambda: WorkspaceBounds("0", 0, 0, 0, 0, 0),
    ],
)
def test_other_fields_are_checked(make):
    with pytest.raises(InvalidValueError):
        make()


def test_an_outcome_is_true_on_success_whatever_its_value():
    assert Outcome({})
    assert Outcome(True)
    failed = Outcome(False, FailureReason.NOT_REACHABLE, "too far")
    assert not failed
    assert str(failed) == "not reachable: too far"
    assert str(Outcome(True)) == "done"
    with pytest.raises(dataclasses.FrozenInstanceError):
        failed.value = True


def test_an_extended_result_is_true_when_reachable():
    assert not ExtendedIKResult()
    assert ExtendedIKResult({"a": 1.0}, True, 0.0, 0.0, {"a": 1.0})


@pytest.mark.parametrize(
    "number", [10**400, -(10**400), 10**5000, np.longdouble("1e4000"), np.complex128(1.0)], ids=[*"abcde"]
)
@pytest.mark.parametrize(
    "make",
    [
        lambda number: CoMIKDescriptor(number, 0),
        lambda number: CoMIKDescriptor(0, 0, tolerance=number),
        lambda number: CoMIKDescriptor(0, 0, priority=number),
        lambda number: IKTask("a", np.eye(4), priority=number),
        lambda number: panda_service(seed=number),
        lambda number: panda_service(attempts=number),
        lambda number: panda_service(timeout=number),
        lambda number: panda_service().set_joint_values({"panda_joint1": number}),
        lambda number: panda_service().create_reachability_space("arm", "", number),
        lambda number: panda_service().create_reachability_space("arm", samples=number),
        lambda number: panda_service().compute_hierarchical_delta_ik("arm", [], step_size=number),
        lambda number: WorkspaceBounds(0, 0, number, 0, 0, 0),
    ],
)
def test_numbers_that_are_too_large_are_refused_in_a_short_text(make, number):
    with pytest.raises(InvalidValueError) as raised:
        make(number)
    assert len(str(raised.value)) < 200
