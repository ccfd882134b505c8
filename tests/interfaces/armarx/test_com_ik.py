"""`RobotIK.compute_com_ik`: the centre of mass over a point."""

import dataclasses
import re

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.armarx import CoMIKDescriptor, FailureReason, RobotIK
from kinetree.kinematics import InvalidValueError, SupportArea, pose
from tests.interfaces.armarx.services import ARM, distance, frame_pose, panda_service, per_metre

BENT = {f"{side}_{name}_joint": value for side in ("left", "right")
        for name, value in {"hip_pitch": -0.3, "knee": 0.6, "ankle_pitch": -0.3, "elbow": -1.0}.items()}  # fmt: skip
#: Out of the reach of any centre of mass of panda (mm).
FAR = CoMIKDescriptor(2000.0, 0.0)


def humanoid_service(units="m"):
    service = RobotIK(models.load("humanoid"), units=units)
    robot = service.skeleton
    assert service.define_robot_node_set("body", [joint.name for joint in robot.joints], "left_hand", "")
    service.set_joint_values(BENT)
    return service


def mass_centre(service, values, bodies=None):
    """Centre of mass (units) by summing up links where Pinocchio has them."""
    robot = service.skeleton
    links = robot.links if bodies is None else [robot.link(name) for name in bodies]
    moment = np.zeros(3)
    for link in links:
        if link.mass > 0.0:
            place = frame_pose(service, link.name, values)
            moment += link.mass * place.act(link.inertia.lever * per_metre(service))
    return moment / sum(link.mass for link in links)


@pytest.mark.parametrize("units", ["m", "mm"])
def test_the_centre_of_mass_comes_over_the_point_while_feet_are_held(units):
    service = humanoid_service(units)
    scale = per_metre(service)
    feet = {name: frame_pose(service, name) for name in ("left_foot", "right_foot")}
    middle = np.mean([each.translation for each in feet.values()], axis=0)
    goal = CoMIKDescriptor(middle[0] + 0.03 * scale, middle[1] + 0.02 * scale, holding=tuple(feet))
    values = service.compute_com_ik("body", goal)
    assert mass_centre(service, values)[:2] == pytest.approx([goal.gx, goal.gy], abs=1.1e-6 * scale)
    for name, before in feet.items():
        away, turned = distance(frame_pose(service, name, values), before)
        assert away < 1.1e-6 * scale
        assert turned < 1.1e-6


def test_bodies_axes_and_tolerance_are_those_of_the_descriptor():
    service = panda_service("mm")
    service.set_robot_pose(pose((500.0, 100.0, 0.0), rpy=(0.0, 0.0, 0.7)))
    service.define_robot_node_set("fore", ["panda_link5", "panda_link6", "panda_link7"], "panda_hand", "")
    bodies = ["panda_link5", "panda_link6", "panda_link7"]
    now = frame_pose(service, "panda_link0").actInv(mass_centre(service, {}, bodies))
    goal = CoMIKDescriptor(
        now[0] - 60.0, now[1] + 90.0, node_set_bodies="fore", coordinate_system="panda_link0", tolerance=0.5
    )
    values = service.compute_com_ik("arm", goal)
    assert set(values) == set(ARM)
    reached = frame_pose(service, "panda_link0").actInv(mass_centre(service, values, bodies))
    assert np.linalg.norm(reached[:2] - [goal.gx, goal.gy]) < 0.5


def test_the_priority_does_not_matter():
    service = panda_service()
    x, y, _ = mass_centre(service, {})
    values = [service.compute_com_ik("arm", CoMIKDescriptor(x + 0.02, y, priority=k)) for k in (-5, 5)]
    assert values[0] == values[1] != {}


def test_a_point_out_of_reach_gives_an_empty_map():
    service = panda_service(attempts=3)
    before = service.joint_values
    assert service.compute_com_ik("arm", CoMIKDescriptor(2.0, 0.0)) == {}
    assert service.last_outcome.reason is FailureReason.UNREACHABLE
    assert "m away from x, y = 2 m, 0 m" in service.last_outcome.detail
    assert service.joint_values == before


def test_the_tolerance_is_in_the_units():
    service = panda_service("mm", attempts=3)
    away = float(re.search(r"stays (.*) mm away", service.explained.compute_com_ik("arm", FAR).detail)[1])
    assert 1000.0 < away < 2000.0
    assert service.compute_com_ik("arm", dataclasses.replace(FAR, tolerance=away + 50.0))
    assert service.compute_com_ik("arm", dataclasses.replace(FAR, tolerance=away - 50.0)) == {}


def test_names_that_are_not_there_are_failures():
    service = panda_service()
    for options, reason in (
        ({"node_set_bodies": "legs"}, FailureReason.UNKNOWN_NODE_SET),
        ({"coordinate_system": "table"}, FailureReason.UNKNOWN_FRAME),
        ({"holding": ("foot",)}, FailureReason.UNKNOWN_FRAME),
    ):
        assert service.compute_com_ik("arm", CoMIKDescriptor(0.1, 0.0, **options)) == {}
        assert service.last_outcome.reason is reason


def test_what_weighs_nothing_has_no_centre_of_mass():
    service = panda_service()
    service.define_robot_node_set("frames", ["panda_hand_tcp_joint"], "panda_hand", "")
    assert service.compute_com_ik("arm", CoMIKDescriptor(0.1, 0.0, node_set_bodies="frames")) == {}
    assert service.last_outcome.reason is FailureReason.NO_MASS
    light = RobotIK(models.from_dh([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]))
    light.define_robot_node_set("all", [joint.name for joint in light.skeleton.joints], light.skeleton.tip.name, "")
    assert light.compute_com_ik("all", CoMIKDescriptor(0.1, 0.0)) == {}
    assert light.last_outcome.reason is FailureReason.NO_MASS


@pytest.mark.parametrize(
    "options", [{"gx": np.nan}, {"gy": "1"}, {"tolerance": 0.0}, {"priority": 0.5}, {"holding": "left_foot"},
                {"node_set_bodies": None}],
)  # fmt: skip
def test_descriptors_that_make_no_sense_are_refused(options):
    with pytest.raises(InvalidValueError, match=next(iter(options))):
        CoMIKDescriptor(**{"gx": 0.0, "gy": 0.0, **options})


# The support.


@pytest.mark.parametrize("units", ["m", "mm"])
def test_with_the_support_checked_no_point_beyond_the_feet_is_reached(units):
    service = humanoid_service(units)
    scale, feet = per_metre(service), ("left_foot", "right_foot")
    robot = service.skeleton
    area = SupportArea.of([robot.frame(name) for name in feet])
    _, y, _ = mass_centre(service, {})
    front = max(area.corners[:, 0]) * scale
    for gx, inside in ((front - 0.02 * scale, True), (front + 0.02 * scale, False)):
        lean = service.explained.compute_com_ik("body", CoMIKDescriptor(gx, y, holding=feet))
        checked = service.explained.compute_com_ik("body", CoMIKDescriptor(gx, y, holding=feet, check_support=True))
        assert lean.reason is FailureReason.NONE  # a lean that a robot does not survive when it is beyond its toes
        assert bool(checked) is inside
        if inside:
            assert checked.value == lean.value
        else:
            assert checked.reason is FailureReason.UNREACHABLE
            assert f"{0.02 * scale:g} {units} outside the support area" in checked.detail
            assert checked.value == {}


def test_the_support_moves_with_the_robot():
    service = humanoid_service()
    x, y, _ = mass_centre(service, {})
    there = CoMIKDescriptor(x + 5.0, y, holding=("left_foot", "right_foot"), check_support=True)
    assert service.explained.compute_com_ik("body", there).reason is FailureReason.UNREACHABLE
    floating = service.robot_pose
    floating.translation[0] += 5.0
    service.set_robot_pose(floating)
    assert service.compute_com_ik("body", there)


def test_a_support_without_shapes_or_on_a_moving_frame_is_refused():
    bare = models.load("humanoid")
    for link in bare.links:
        link.collisions = ()
    for robot, options, message in (
        (models.load("humanoid"), {"coordinate_system": "left_hand"}, "stands still"),
        (bare, {}, "no collision shapes"),
    ):
        goal = CoMIKDescriptor(0.0, 0.0, holding=("left_foot",), check_support=True, **options)
        outcome = RobotIK(robot).explained.compute_com_ik("default", goal)
        assert outcome.reason is FailureReason.INVALID_INPUT
        assert message in outcome.detail


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"check_support": True}, "holding"),
        ({"check_support": True, "holding": ("a",), "node_set_bodies": "arms"}, "node_set_bodies"),
        ({"check_support": 1, "holding": ("a",)}, "check_support"),
    ],
)
def test_checks_of_the_support_that_make_no_sense_raise(options, message):
    with pytest.raises(InvalidValueError, match=message):
        CoMIKDescriptor(0.0, 0.0, **options)
