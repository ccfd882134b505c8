"""Universal joints: two axes that need not be perpendicular."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidValueError, KinetreeError, Skeleton, UniversalJoint
from tests.kinematics.random_trees import normalised, seeds
from tests.kinematics.reference import assert_same_pose, homogeneous, rodrigues

angle = st.floats(-10.0, 10.0)


@given(seed=seeds, first=angle, second=angle)
def test_the_first_axis_carries_the_second(seed, first, second):
    a, b = np.random.default_rng(seed).normal(size=(2, 3))
    found = UniversalJoint("j", (a, b)).transform(np.array([first, second]))
    wanted = rodrigues(normalised(a), first) @ rodrigues(normalised(b), second)
    assert_same_pose(found, homogeneous(wanted, np.zeros(3)), 1e-14)


def test_names_axes_and_limits():
    joint = UniversalJoint("u", ("z", (0, 2, 0)), ((-1, 1), None), velocity_limit=2.0)
    assert [dof.name for dof in joint.dofs] == ["u.1", "u.2"]
    assert [dof.limits for dof in joint.dofs] == [(-1.0, 1.0), (-np.inf, np.inf)]
    assert all(dof.is_angular and dof.velocity_limit == 2.0 and not dof.wraps for dof in joint.dofs)
    np.testing.assert_array_equal(joint.axes, [(0, 0, 1), (0, 1, 0)])
    with pytest.raises(ValueError, match="read-only"):
        joint.axes[0][0] = 9.0
    np.testing.assert_array_equal(joint.axes[0], (0, 0, 1))


def test_it_is_two_numbers_for_pinocchio():
    robot = Skeleton()
    robot.add_link("l", UniversalJoint("u", ((1, 0, 0), (1, 1, 0))))
    assert (robot.model.nq, robot.model.nv) == (2, 2)
    np.testing.assert_array_equal(robot.to_pinocchio([0.1, 7.0]), [0.1, 7.0])


@pytest.mark.parametrize(
    "arguments",
    [
        {"axes": ("x", "x")},
        {"axes": ("x", "-x")},
        {"axes": ((1, 1, 0), (-2, -2, 0))},
        {"axes": ("x",)},
        {"axes": 5},
        {"limits": 5},
        {"axes": ("x", "y", "z")},
        {"axes": ("x", (0, 0, 0))},
        {"axes": ("x", "w")},
        {"limits": ((-1, 1),)},
        {"limits": (-1, 1)},
        {"limits": ((1, -1), None)},
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments):
    with pytest.raises(KinetreeError, match="wrist") as raised:
        UniversalJoint("wrist", **arguments)
    assert isinstance(raised.value, InvalidValueError)
