"""The natural tip: named, or the end of the longest chain."""

import pytest

from kinetree.kinematics import FixedJoint, RevoluteJoint, SimpleFrame, Skeleton, StructureError, UnknownNameError
from tests.kinematics.random_trees import build
from tests.kinematics.reference import refused


def test_most_degrees_of_freedom_win_over_most_links():
    robot = build(["fixed", "revolute", "revolute", "fixed", "fixed", "fixed"], [0, 1, 0, 3, 4])
    assert robot.tip.name == "link2"
    assert robot.tip_source == "end of the longest chain"


def test_of_equal_freedom_the_most_links_win_and_of_equal_links_the_first():
    robot = build(["fixed", "revolute", "revolute", "fixed"], [0, 0, 2])
    assert robot.tip.name == "link3"
    robot = build(["fixed", "revolute", "revolute"], [0, 0])
    assert robot.tip.name == "link1"


def test_dependent_joints_count_nothing():
    robot = build(["fixed", "revolute", "revolute", "revolute"], [0, 1, 0], [(2, 1, "linear")])
    assert robot.tip.name == "link2"
    robot = build(
        ["fixed", "revolute", "revolute", "prismatic", "prismatic"], [0, 0, 2, 3], [(3, 2, "linear"), (4, 2, "linear")]
    )
    assert robot.tip.name == "link4"


def test_a_named_tip_stays_through_edits():
    robot = build(["fixed", "revolute", "revolute"])
    robot.add_frame("tool", "link1")
    robot.tip = "tool"
    assert (robot.tip, robot.tip_source) == (robot.frame("tool"), "set by hand")
    robot.add_link("more", RevoluteJoint("j"), "link2")
    assert robot.tip is robot.frame("tool")
    robot.tip = robot.link("link2")
    assert robot.tip is robot.link("link2")
    robot.tip = None
    assert robot.tip is robot.link("more")


def test_the_tip_follows_the_tree_when_nobody_names_it():
    robot = Skeleton()
    base = robot.add_link("base")
    assert robot.tip is base
    end = robot.add_link("end", FixedJoint("weld"), base)
    assert robot.tip is end
    robot.remove_link(end)
    assert robot.tip is base


def test_a_frame_that_the_skeleton_does_not_name_can_be_the_tip():
    robot = build(["fixed", "revolute"])
    frame = SimpleFrame("pen", robot.link("link1"))
    robot.tip = frame
    assert robot.tip is frame
    twin = robot.clone()
    assert twin.tip.name == "pen"
    assert twin.tip.link is twin.link("link1")


def test_an_empty_skeleton_has_none():
    with pytest.raises(StructureError, match="skeleton 'nobody' has no links"):
        _ = Skeleton("nobody").tip


@pytest.mark.parametrize("tip", ["tol", 3, SimpleFrame("away")])
def test_a_wrong_tip_is_refused(tip):
    robot = build(["fixed", "revolute"])
    robot.add_frame("tool", "link1")
    message = refused(robot, UnknownNameError, lambda: setattr(robot, "tip", tip))
    assert str(getattr(tip, "name", tip)) in message
    if tip == "tol":
        assert "did you mean 'tool'?" in message


def test_what_carries_the_tip_is_not_removed():
    robot = build(["fixed", "revolute", "revolute"])
    robot.tip = "link2"
    message = refused(robot, StructureError, lambda: robot.remove_link("link1"))
    assert "carries the tip 'link2'" in message
    robot.add_frame("tool", "link2")
    robot.tip = "tool"
    assert "it is the tip" in refused(robot, StructureError, lambda: robot.remove_frame("tool"))
