"""Collisions: reports of users, and what they should have got."""

import logging

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import Box, Capsule, CollisionDetector, RevoluteJoint, Shape, Skeleton, Sphere, pose

SRDF = """
<robot name="fingers">
  <group name="finger"><joint name="tip_joint"/></group>
  <disable_collisions link1="palm" link2="tip" reason="Default"/>
  <disable_collisions link1="palm" link2="tipp" reason="Never"/>
</robot>
"""


def fingers(fat=0.1) -> Skeleton:
    """Three links in a row whose neighbours overlap, and a tip that can fold back onto the palm."""
    robot = Skeleton("fingers")
    robot.add_link("palm", collisions=[Shape(Capsule(fat, 0.1))])
    robot.add_link("phalanx", RevoluteJoint("phalanx_joint", "z", limits=(-3, 3)), "palm", pose([0.15, 0, 0]),
                   collisions=[Shape(Capsule(fat, 0.1))])  # fmt: skip
    robot.add_link("tip", RevoluteJoint("tip_joint", "z", limits=(-3, 3)), "phalanx", pose([0.15, 0, 0]),
                   collisions=[Shape(Capsule(fat, 0.1))])  # fmt: skip
    return robot


@pytest.mark.parametrize("name", [info.name for info in models.robots()])
def test_example_robot_data_42_a_robot_is_not_always_in_self_collision(name):
    """Neighbours overlap, so robots collided wherever they stood -> such pairs are left out and listed."""
    robot = models.load(name)
    detector = CollisionDetector(robot)
    rng = np.random.default_rng(0)
    hits = detector.in_collision_many([robot.random_positions(rng) for _ in range(200)])
    # A humanoid's arms and legs seldom miss each other when drawn at random.
    assert hits.mean() < (0.97 if name == "humanoid" else 0.7)
    excluded = {frozenset(each[:2]): each.reason for each in detector.excluded}
    assert all(excluded.values())
    for joint in robot.joints:
        pair = {joint.parent_link, joint.child_link}
        if None not in pair and all(link.collisions for link in pair):
            assert frozenset(link.name for link in pair) in excluded
    assert not {frozenset(pair) for pair in detector.pairs} & excluded.keys()


def test_roboplan_337_what_always_touches_is_found_and_listed():
    """Links that are no neighbours overlapped by design -> they are found by sampling; those that may part are kept."""
    robot = fingers(fat=0.29)
    detector = CollisionDetector(robot)
    assert not detector.in_collision([0, 0])
    reasons = {(each.first, each.second): each.reason for each in detector.excluded}
    assert "wherever the robot stands" in reasons["palm", "tip"]
    slim = CollisionDetector(fingers(fat=0.1))
    assert ("palm", "tip") in slim.pairs
    assert not slim.in_collision([0, 0])
    assert slim.check([2.5, 0]).pair == ("palm", "tip")


def test_genesis_world_pr_2251_what_was_left_out_can_be_put_back():
    """Nobody could say that a pair matters after all -> `include`."""
    detector = CollisionDetector(fingers())
    detector.include("palm", "phalanx")
    assert detector.check([0, 0]).pair == ("palm", "phalanx")


def test_maniskill_772_the_srdf_file_is_applied_and_unknown_names_are_told(tmp_path, caplog):
    """Disabled pairs were not applied, and nobody was told -> applied, listed, and a warning for what is unknown."""
    path = tmp_path / "fingers.srdf"
    path.write_text(SRDF, encoding="utf-8")
    robot = fingers()
    assert CollisionDetector(robot).in_collision([2.5, 0])
    with caplog.at_level(logging.WARNING):
        detector = CollisionDetector(robot, srdf=path)
    assert not detector.in_collision([2.5, 0])
    (reason,) = [each.reason for each in detector.excluded if set(each[:2]) == {"palm", "tip"}]
    assert "SRDF" in reason
    assert "Default" in reason
    assert "tipp" in caplog.text


def test_pyroboplan_pr_50_groups_choose_what_is_checked(tmp_path):
    """All links were checked although one arm was asked for -> pairs with a link that the group moves."""
    path = tmp_path / "fingers.srdf"
    path.write_text(SRDF, encoding="utf-8")
    detector = CollisionDetector(fingers(), srdf=path, groups=["finger"])
    detector.add("at_phalanx", Sphere(0.05), pose([0.15, 0.12, 0]))
    assert ("palm", "phalanx") not in detector.pairs
    assert not detector.in_collision([0, 0])
    detector.add("at_tip", Sphere(0.05), pose([0.3, 0, 0]))
    assert detector.check([0, 0]).pair == ("tip", "at_tip")


def test_compas_fab_170_an_attached_tool_is_checked():
    """The tool went through the table unnoticed -> attached objects are part of the robot."""
    robot = models.load("ur5")
    home = [0.0, -1.2, 1.6, -1.97, -1.57, 0.0]
    tip = robot.state(home).transform(robot.tip).translation
    detector = CollisionDetector(robot)
    detector.add("table", Box(0.4, 0.4, 0.1), pose([tip[0], tip[1], tip[2] - 0.3]))
    assert not detector.in_collision(home)
    detector.attach("spindle", Capsule(0.03, 0.3), "tool0", pose([0, 0, 0.2]))
    assert detector.check(home).pair == ("spindle", "table")
    assert "touches 'table'" in detector.constraint.explain(np.array(home))
