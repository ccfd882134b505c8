"""Node sets that a skeleton knows by name."""

import logging

import pytest

from kinetree.kinematics import (
    Chain,
    DuplicateNameError,
    FreeJoint,
    InvalidValueError,
    RevoluteJoint,
    SimpleFrame,
    Srdf,
    StructureError,
    UnknownNameError,
    World,
)
from tests.kinematics.random_trees import build


def robot():
    """Links link0 to link4 in a row, moved by joint0 to joint4."""
    return build(["fixed", "revolute", "spherical", "prismatic", "revolute"], None)


def test_the_same_again_is_true_and_another_of_that_name_false():
    arm = robot()
    assert arm.define_node_set("arm", ["joint1", "joint2"], "link2", "link0")
    assert arm.define_node_set("arm", [arm.joint("joint2"), "joint1"], arm.link("link2"), arm.link("link0"))
    kept = arm.node_set("arm")
    for joints, tcp, root in (
        (["joint1"], "link2", "link0"),
        (["joint1", "joint2"], "link3", "link0"),
        (["joint1", "joint2"], "link2", None),
    ):
        assert not arm.define_node_set("arm", joints, tcp, root)
        assert arm.node_set("arm") is kept
    assert list(arm.node_sets) == ["arm"]
    assert [joint.name for joint in kept.joints] == ["joint1", "joint2"]
    assert (kept.base, kept.tip) == (arm.link("link0"), arm.link("link2"))
    assert arm.define_node_set("world", ["joint1"], "link4")
    assert arm.node_set("world").base is World()


def test_names_that_are_not_there_get_a_suggestion():
    arm = robot()
    with pytest.raises(UnknownNameError, match="no node set 'arm'; there are none"):
        arm.node_set("arm")
    arm.define_node_set("left_arm", ["joint1"], "link2")
    with pytest.raises(UnknownNameError, match="no node set 'left_amr'; did you mean 'left_arm'"):
        arm.node_set("left_amr")
    with pytest.raises(UnknownNameError, match="no node set 5"):
        arm.node_set(5)
    with pytest.raises(UnknownNameError, match="no node set 'x'"):
        arm.remove_node_set("x")
    arm.remove_node_set("left_arm")
    assert not arm.node_sets


@pytest.mark.parametrize(
    ("name", "joints", "tcp", "root", "error", "says"),
    [
        ("", ["joint1"], "link2", None, InvalidValueError, "non-empty string"),
        (None, ["joint1"], "link2", None, InvalidValueError, "non-empty string"),
        ("a", [], "link2", None, InvalidValueError, "at least one joint"),
        ("a", "joint1", "link2", None, InvalidValueError, "list of joints"),
        ("a", ["joint1", "joint1"], "link2", None, InvalidValueError, "'joint1' twice"),
        ("a", ["joint9"], "link2", None, UnknownNameError, "no joint 'joint9'; did you mean"),
        ("a", ["joint1"], "link9", None, UnknownNameError, "no frame 'link9'"),
        ("a", ["joint1"], "link2", "lnk0", UnknownNameError, "did you mean 'link0'"),
        ("a", ["joint1"], 5, None, InvalidValueError, "tcp of node set 'a' must be a frame"),
        ("a", ["joint1"], SimpleFrame("off"), None, InvalidValueError, "must hang on skeleton"),
        ("a", [5], "link2", None, InvalidValueError, "joints or their names"),
    ],
)
def test_what_is_wrong_changes_nothing(name, joints, tcp, root, error, says):
    arm = robot()
    with pytest.raises(error, match=says):
        arm.define_node_set(name, joints, tcp, root)
    assert not arm.node_sets


def test_frames_of_another_robot_are_refused():
    arm, other = robot(), robot()
    with pytest.raises(UnknownNameError, match="no frame 'link2'"):
        arm.define_node_set("a", ["joint1"], other.link("link2"))
    with pytest.raises(UnknownNameError, match="no frame 'link0'"):
        arm.define_node_set("a", ["joint1"], "link2", other.link("link0"))


def test_a_set_that_lost_something_says_so():
    arm = robot()
    arm.define_node_set("arm", ["joint1", "joint4"], "link3", "link0")
    arm.define_node_set("hand", ["joint1"], "link4")
    arm.define_node_set("rest", ["joint1"], "link3", "link4")
    held = arm.node_set("arm")
    arm.remove_link("link4")
    for use in (lambda: arm.node_set("arm"), lambda: held.joints, lambda: held.dof_indices):
        with pytest.raises(StructureError, match=r"'arm' is no longer whole: skeleton .* has lost joint 'joint4'"):
            use()
    for name in ("hand", "rest"):
        with pytest.raises(StructureError, match="lost frame 'link4'"):
            arm.node_set(name)
    assert repr(held) == "<NodeSet 'arm': without joint 'joint4'>"
    assert list(arm.node_sets) == ["arm", "hand", "rest"]
    # The name is free again, and clones leave broken sets behind.
    assert not arm.clone().node_sets
    assert arm.define_node_set("arm", ["joint1"], "link3", "link0")
    assert len(arm.node_set("arm")) == 1


def test_sets_follow_edits():
    arm = robot()
    arm.define_node_set("arm", ["joint1", "joint3"], "link4", "link0")
    before = arm.node_set("arm").dof_indices.tolist()
    arm.add_link("side", RevoluteJoint("first"), "link0")
    arm.move_link("link1", "side")
    assert arm.node_set("arm").dof_indices.tolist() == [each + 1 for each in before]
    arm.replace_joint("link3", FreeJoint("loose"))
    assert [joint.name for joint in arm.node_set("arm").joints] == ["joint1", "loose"]
    assert not arm.define_node_set("arm", ["joint1"], "link4", "link0")


def test_a_clone_has_its_own():
    arm = robot()
    arm.add_frame("tool", "link4")
    bench = SimpleFrame("bench")
    arm.define_node_set("arm", ["joint1", "joint2"], "tool", bench)
    arm._node_sets["line"] = Chain("line", ["joint1", "joint2"], arm.link("link0"), arm.link("link2"))
    twin = arm.clone()
    own = twin.node_set("arm")
    assert own.skeleton is twin
    assert all(joint.skeleton is twin for joint in own.joints)
    assert (own.tip, own.base) == (twin.frame("tool"), bench)
    assert isinstance(twin.node_set("line"), Chain)
    twin.remove_node_set("arm")
    assert "arm" in arm.node_sets
    with pytest.raises(TypeError):
        arm.node_sets["b"] = own


SRDF = """<robot name="r">
  <group name="arm"><chain base_link="link0" tip_link="link3"/></group>
  <group name="two"><joint name="joint1"/><joint name="joint4"/></group>
  <group name="nothing"><joint name="elsewhere"/></group>
</robot>"""


def test_groups_of_an_srdf_file(caplog):
    arm, srdf = robot(), Srdf.parse(SRDF)
    with caplog.at_level(logging.WARNING):
        assert arm.add_node_sets(srdf) == ("arm", "two")
    assert any("'nothing'" in record.getMessage() for record in caplog.records)
    assert isinstance(arm.node_set("arm"), Chain)
    assert [joint.name for joint in arm.node_set("two").joints] == ["joint1", "joint4"]
    assert arm.define_node_set("arm", ["joint1", "joint2", "joint3"], "link3", "link0")
    assert arm.add_node_sets(srdf) == ("arm", "two")
    other = robot()
    other.define_node_set("two", ["joint1"], "link4")
    with pytest.raises(DuplicateNameError, match="another node set 'two'"):
        other.add_node_sets(srdf)
    assert list(other.node_sets) == ["two"]
