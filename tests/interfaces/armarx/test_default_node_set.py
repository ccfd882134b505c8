"""The node set of a robot that comes without any."""

import pytest

from kinetree import models
from kinetree.interfaces.armarx import DEFAULT_NODE_SET, FailureReason, RobotIK
from kinetree.kinematics import Skeleton, Srdf
from tests.interfaces.armarx.services import ARM, distance, frame_pose


@pytest.mark.parametrize("robot", ["panda", "ur5", "humanoid"])
def test_a_robot_without_node_sets_can_be_asked_at_once(robot):
    service = RobotIK(models.load(robot))
    tip = service.skeleton.tip.name
    record = service.node_sets[DEFAULT_NODE_SET]
    assert record.tcp == tip
    assert f"'default' (to {tip!r})" in repr(service)
    wanted = frame_pose(service, tip)
    values = service.compute_ik_global_pose(DEFAULT_NODE_SET, wanted)
    assert values
    assert distance(frame_pose(service, tip, values), wanted)[0] < 1.1e-6


def test_it_is_a_node_set_like_others():
    service = RobotIK(models.load("panda"))
    assert service.define_robot_node_set("default", ARM, "panda_hand", "panda_link0") is True
    assert service.define_robot_node_set("default", ARM[1:], "panda_hand", "panda_link0") is False
    assert service.last_outcome.reason is FailureReason.NAME_TAKEN
    assert service.define_robot_node_set("arm", ARM, "panda_hand", "panda_link0") is True
    assert list(service.node_sets) == ["default", "arm"]
    assert not service.skeleton.node_sets.keys() - {"default", "arm"}


def test_robots_with_node_sets_keep_theirs():
    robot = models.load("panda")
    robot.define_node_set("own", ARM, "panda_hand", "panda_link0")
    assert list(RobotIK(robot).node_sets) == ["own"]
    srdf = Srdf.parse(
        '<robot name="panda"><group name="group"><chain base_link="panda_link0" tip_link="panda_hand"/></group></robot>'
    )
    assert list(RobotIK(models.load("panda"), srdf=srdf).node_sets) == ["group"]


def test_what_has_nothing_that_moves_has_none():
    robot = Skeleton("stone")
    robot.add_link("rock")
    service = RobotIK(robot)
    assert not service.node_sets
    assert "node sets: none" in repr(service)
