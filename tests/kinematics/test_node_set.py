"""Named selections of joints."""

import numpy as np
import pytest

from kinetree.kinematics import (
    InvalidValueError,
    NodeSet,
    RevoluteJoint,
    SimpleFrame,
    StructureError,
    UnknownNameError,
    World,
)
from tests.kinematics.random_trees import build


def robot():
    return build(["fixed", "revolute", "spherical", "prismatic", "fixed"], None, [(3, 1, "linear")])


def test_joints_come_in_the_skeletons_order():
    arm = robot()
    chosen = NodeSet("some", ["joint4", "joint3", arm.joint("joint2"), "joint1"], World(), arm.link("link4"))
    assert [joint.name for joint in chosen.joints] == ["joint1", "joint2", "joint3", "joint4"]
    assert [dof.name for dof in chosen.dofs] == ["joint1", "joint2.rx", "joint2.ry", "joint2.rz"]
    assert chosen.dof_indices.tolist() == [0, 1, 2, 3]
    assert len(chosen) == 4
    assert chosen.skeleton is arm
    assert (chosen.base, chosen.tip) == (World(), arm.link("link4"))
    np.testing.assert_array_equal(chosen.positions, arm.positions)
    assert repr(chosen) == "<NodeSet 'some': 4 degrees of freedom, 'world' to 'link4'>"


def test_it_follows_edits():
    arm = robot()
    chosen = NodeSet("some", ["joint2", "joint3"], World(), arm.link("link4"))
    arm.joint("joint3").make_independent()
    assert chosen.dof_indices.tolist() == [1, 2, 3, 4]
    arm.add_link("side", RevoluteJoint("first"), "link0")
    arm.move_link("link1", "side")
    assert chosen.dof_indices.tolist() == [2, 3, 4, 5]


def test_an_empty_selection():
    arm = robot()
    chosen = NodeSet("none", [], World(), arm.link("link4"))
    assert (len(chosen), chosen.joints, chosen.dofs, chosen.dof_indices.shape) == (0, (), (), (0,))


def test_joints_must_be_of_the_tips_skeleton():
    arm, other = robot(), robot()
    with pytest.raises(UnknownNameError, match="no joint 'joint9'; did you mean"):
        NodeSet("some", ["joint9"], World(), arm.link("link4"))
    with pytest.raises(UnknownNameError, match="no joint 'joint1'"):
        NodeSet("some", [other.joint("joint1")], World(), arm.link("link4"))
    with pytest.raises(InvalidValueError, match="'some' needs joints or their names, not 5"):
        NodeSet("some", [5], World(), arm.link("link4"))
    with pytest.raises(StructureError, match="tip 'away' of 'some' hangs on no skeleton"):
        NodeSet("some", [], World(), SimpleFrame("away"))
