"""`RobotIK`: poses of a tcp, states, and what happens when something cannot be done."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.interfaces.armarx import (
    CartesianSelection,
    CoMIKDescriptor,
    FailureReason,
    FramedPose,
    IKTask,
    RobotIK,
    RobotIKInterface,
)
from kinetree.kinematics import (
    Box,
    CollisionDetector,
    InvalidPoseError,
    InvalidValueError,
    SimpleFrame,
    Srdf,
    StructureError,
    UnknownNameError,
    pose,
)
from tests.interfaces.armarx.services import ARM, READY, distance, frame_pose, panda_service, per_metre

UNITS = pytest.mark.parametrize("units", ["m", "mm"])
OPERATIONS = {
    "compute_ik_framed_pose": ("arm", FramedPose(pose((0.4, 0.1, 0.5)))),
    "compute_ik_global_pose": ("arm", pose((0.4, 0.1, 0.5))),
    "compute_extended_ik_global_pose": ("arm", pose((0.4, 0.1, 0.5))),
    "compute_com_ik": ("arm", CoMIKDescriptor(0.1, 0.0)),
    "compute_hierarchical_delta_ik": ("arm", [IKTask("panda_hand", pose((0.4, 0.1, 0.5)))]),
    "create_reachability_space": ("arm",),
    "has_reachability_space": ("arm",),
    "save_reachability_space": ("arm", "map.h5"),
    "is_framed_pose_reachable": ("arm", FramedPose(pose((0.4, 0.1, 0.5)))),
    "is_pose_reachable": ("arm", pose((0.4, 0.1, 0.5))),
}


def goal(service, x=0.4, y=0.1, z=0.5):
    return pose(np.array([x, y, z]) * per_metre(service), rpy=(np.pi, 0.1, 0.2))


def test_the_interface_has_the_twelve_operations_of_armarx():
    assert len(RobotIKInterface.__abstractmethods__ - {"last_outcome"}) == 12
    assert {*OPERATIONS, "define_robot_node_set", "load_reachability_space"} == (
        RobotIKInterface.__abstractmethods__ - {"last_outcome"}
    )


@UNITS
def test_a_global_pose_is_reached_in_the_units_of_the_service(units):
    service = panda_service(units)
    values = service.compute_ik_global_pose("arm", goal(service))
    assert list(values) == ARM
    away, turned = distance(frame_pose(service, "panda_hand", values), goal(service))
    assert away < 1.1e-6 * per_metre(service)
    assert turned < 1.1e-6
    assert service.last_outcome
    assert service.last_outcome.reason is FailureReason.NONE


def test_millimetres_change_nothing_but_numbers():
    # Also where metres and radians are weighed against each other: out of reach, and in a damped step.
    for target in ((0.4, 0.1, 0.5), (3.0, 0.0, 0.5)):
        found = [
            service.compute_extended_ik_global_pose("arm", goal(service, *target))
            for service in (panda_service("m"), panda_service("mm"))
        ]
        assert found[0].nearest == pytest.approx(found[1].nearest, abs=1e-9)
        assert 1000.0 * found[0].position_error == pytest.approx(found[1].position_error)
        assert found[0].orientation_error == pytest.approx(found[1].orientation_error)
    steps = [
        service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", goal(service))])
        for service in (panda_service("m"), panda_service("mm"))
    ]
    assert steps[0] == pytest.approx(steps[1], abs=1e-12)


@UNITS
@pytest.mark.parametrize("frame", ["Global", "armarx::Global", "", "panda_link0", "panda_link4"])
def test_a_framed_pose_is_where_its_frame_is_now(units, frame):
    service = panda_service(units)
    service.set_robot_pose(pose(np.array([0.3, -0.2, 0.1]) * per_metre(service), rpy=(0.1, 0.2, 0.3)))
    wanted = service.robot_pose * goal(service)
    place = pin.SE3.Identity() if "lobal" in frame or not frame else frame_pose(service, frame)
    values = service.compute_ik_framed_pose("arm", FramedPose(place.actInv(wanted), frame))
    away, turned = distance(frame_pose(service, "panda_hand", values), wanted)
    assert away < 1.1e-6 * per_metre(service)
    assert turned < 1.1e-6


@pytest.mark.parametrize(
    ("selection", "rows"),
    [
        (CartesianSelection.X, [0]),
        ("y", [1]),
        (CartesianSelection.Z, [2]),
        ("position", [0, 1, 2]),
        (CartesianSelection.X | CartesianSelection.Z, [0, 2]),
        ("orientation", []),
    ],
)
def test_only_the_selected_part_of_a_pose_counts(selection, rows):
    service = panda_service()
    service.set_robot_pose(pose((0.3, -0.2, 0.1), rpy=(0.0, 0.0, 0.5)))
    wanted = service.robot_pose * goal(service)
    found = service.compute_extended_ik_global_pose("arm", wanted, selection)
    reached = frame_pose(service, "panda_hand", found.joint_values)
    off = np.abs(reached.translation - wanted.translation)
    assert off[rows].max(initial=0.0) < 1.1e-6
    # The rest is free, and was not reached by chance.
    free = [k for k in range(3) if k not in rows]
    assert off[free].min(initial=1.0) > 1e-3
    turned = distance(reached, wanted)[1]
    assert turned < 1.1e-6 if selection == "orientation" else turned > 1e-3
    assert found.position_error < 1.1e-6
    assert found.orientation_error < 1.1e-6


def test_a_pose_out_of_reach_gives_an_empty_map_and_moves_nothing():
    service = panda_service()
    before = service.joint_values
    assert service.compute_ik_global_pose("arm", goal(service, x=2.0)) == {}
    assert not service.last_outcome
    assert service.last_outcome.reason is FailureReason.UNREACHABLE
    assert "panda_hand" in service.last_outcome.detail
    assert service.joint_values == before


@UNITS
def test_the_extended_result_measures_the_configuration_that_it_gives(units):
    service = panda_service(units)
    wanted = goal(service, x=1.2)
    found = service.compute_extended_ik_global_pose("arm", wanted)
    assert not found
    assert found.joint_values == {}
    away, turned = distance(frame_pose(service, "panda_hand", found.nearest), wanted)
    assert found.position_error == pytest.approx(away)
    assert found.orientation_error == pytest.approx(turned)
    assert 0.2 * per_metre(service) < away < 1.0 * per_metre(service)


def test_a_search_begins_where_the_robot_stands():
    service = panda_service()
    here = frame_pose(service, "panda_hand")
    values = service.compute_ik_global_pose("arm", here)
    assert values == pytest.approx(READY, abs=1e-9)


def test_joints_outside_the_set_stay():
    service = panda_service()
    assert service.define_robot_node_set("wrist", ARM[2:], "panda_hand", "panda_link0")
    there = frame_pose(service, "panda_hand", {"panda_joint4": -1.9, "panda_joint6": 1.2})
    values = service.compute_ik_global_pose("wrist", there, "position")
    assert set(values) == set(ARM[2:])
    assert distance(frame_pose(service, "panda_hand", values), there)[0] < 1.1e-6


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_unknown_node_set_is_a_failure_that_names_those_that_there_are(name):
    service = panda_service()
    _, *others = OPERATIONS[name]
    value = getattr(service, name)("amr", *others)
    assert not value
    assert service.last_outcome.reason is FailureReason.UNKNOWN_NODE_SET
    assert "did you mean 'arm'" in service.last_outcome.detail
    outcome = getattr(service.explained, name)("amr", *others)
    assert outcome == service.last_outcome


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_name_that_is_no_text_is_a_mistake(name):
    _, *others = OPERATIONS[name]
    with pytest.raises(InvalidValueError, match="must be a text"):
        getattr(panda_service(), name)(7, *others)


def test_unknown_frames_and_agents_are_failures():
    service = panda_service()
    assert service.compute_ik_framed_pose("arm", FramedPose(np.eye(4), "panda_link44")) == {}
    assert service.last_outcome.reason is FailureReason.UNKNOWN_FRAME
    assert service.compute_ik_framed_pose("arm", FramedPose(np.eye(4), "panda_link4", "ur5")) == {}
    assert service.last_outcome.reason is FailureReason.UNKNOWN_AGENT
    assert service.compute_ik_framed_pose("arm", FramedPose(goal(service), "Global", "ur5"))
    assert service.compute_ik_framed_pose("arm", FramedPose(np.eye(4), "panda_hand", "panda")) != {}


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s: s.compute_ik_global_pose("arm", (1, 2, 3)), InvalidPoseError),
        (lambda s: s.compute_ik_global_pose("arm", np.full((4, 4), np.nan)), InvalidPoseError),
        (lambda s: s.compute_ik_framed_pose("arm", np.eye(4)), InvalidValueError),
        (lambda s: s.compute_ik_global_pose("arm", np.eye(4), "xyz"), InvalidValueError),
        (lambda s: s.compute_com_ik("arm", (0.1, 0.2)), InvalidValueError),
        (lambda s: s.set_joint_values({"panda_joint1": np.nan}), InvalidValueError),
        (lambda s: s.set_joint_values([1.0]), InvalidValueError),
        (lambda s: s.set_joint_values({"panda_joint1": 0.5, "panda_joint9": 0.0}), UnknownNameError),
        (lambda s: s.set_robot_pose((0.0, 0.0, np.inf, 0, 0, 0, 1)), InvalidPoseError),
        (lambda s: s.load_reachability_space(None), InvalidValueError),
    ],
)
def test_what_makes_no_sense_raises_and_changes_nothing(call, error):
    service = panda_service()
    before = service.joint_values, service.robot_pose
    with pytest.raises(error):
        call(service)
    assert (service.joint_values, service.robot_pose) == before


@pytest.mark.parametrize(
    "options",
    [{"units": "cm"}, {"attempts": 0}, {"timeout": 0.0}, {"seed": -1}, {"seed": 0.5}, {"max_memory": 0},
     {"collision_detector": 3}],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(InvalidValueError, match=next(iter(options))):
        RobotIK(models.load("panda"), **options)


def test_it_needs_a_robot():
    with pytest.raises(InvalidValueError, match="Skeleton"):
        RobotIK("panda")


def test_the_time_for_a_search_is_bounded():
    # All that gets there collides, so without a bound the search would go on for a million attempts.
    detector = CollisionDetector(models.load("panda"))
    service = panda_service(collision_detector=detector, timeout=0.02, attempts=1_000_000)
    detector.add("box", Box(0.3, 0.3, 0.3), goal(service))
    assert service.compute_ik_global_pose("arm", goal(service)) == {}
    assert service.last_outcome.reason in (FailureReason.TIMEOUT, FailureReason.COLLISION)


# The state.


def test_the_robot_that_was_given_stays_as_it_is():
    robot = models.load("panda")
    before = robot.positions
    service = RobotIK(robot)
    service.set_joint_values(READY)
    service.set_robot_pose(pose((1.0, 0.0, 0.0)))
    service.define_robot_node_set("arm", ARM, "panda_hand", "panda_link0")
    assert (robot.positions == before).all()
    assert not robot.node_sets
    assert robot.root.transform().translation[0] == 0.0
    robot.positions = robot.random_positions()
    assert {name: service.joint_values[name] for name in ARM} == READY
    service.skeleton.positions = before
    assert {name: service.joint_values[name] for name in ARM} == READY


def test_prismatic_values_are_in_the_units():
    service = panda_service("mm")
    service.set_joint_values({"panda_finger_joint1": 30.0})
    assert service.joint_values["panda_finger_joint1"] == pytest.approx(30.0)
    assert service.skeleton.dof("panda_finger_joint1").position == pytest.approx(0.03)
    service.define_robot_node_set("finger", ["panda_finger_joint1"], "panda_leftfinger", "panda_hand")
    there = frame_pose(service, "panda_leftfinger", {"panda_finger_joint1": 12.5})
    assert service.compute_ik_global_pose("finger", there) == pytest.approx({"panda_finger_joint1": 12.5}, abs=1e-2)


@UNITS
@pytest.mark.parametrize("start", [pose(), pose((0.1, 0.2, 0.3), rpy=(0.4, 0.5, 0.6))], ids=["origin", "elsewhere"])
@pytest.mark.parametrize("options", [{}, {"floating_base": True}], ids=["fixed", "floating"])
def test_the_base_stands_where_it_is_put(units, options, start):
    service = RobotIK(models.load("panda", placement=start, **options), units=units)
    scale = per_metre(service)
    assert service.robot_pose.isApprox(pose(start.translation * scale, matrix=start.rotation))
    for place in (pose(np.array([0.4, 0.5, 0.6]) * scale, rpy=(0.3, 0.2, 0.1)), pose((scale, 0.0, 0.0))):
        service.set_robot_pose(place)
        assert service.robot_pose.isApprox(place, 1e-9)
        assert frame_pose(service, "panda_link0").isApprox(place, 1e-9)
    if options:
        floating = start.actInv(pose((1.0, 0.0, 0.0))).translation * scale
        assert [service.joint_values[f"root_joint.{axis}"] for axis in "xyz"] == pytest.approx(floating.tolist())


def test_the_humanoid_stands_where_its_floating_link_is_put():
    service = RobotIK(models.load("humanoid"), units="mm")
    base = service.skeleton.joint("floating_base_joint").child_link.name
    service.set_robot_pose(pose((100.0, 200.0, 900.0), rpy=(0.0, 0.0, 1.0)))
    assert frame_pose(service, base).isApprox(pose((100.0, 200.0, 900.0), rpy=(0.0, 0.0, 1.0)), 1e-9)
    assert service.joint_values["floating_base_joint.y"] == pytest.approx(200.0)


# Node sets.


def test_a_node_set_is_defined_once():
    service = panda_service()
    assert service.define_robot_node_set("arm", ARM[::-1], "panda_hand", "panda_link0") is True
    assert service.define_robot_node_set("arm", ARM[1:], "panda_hand", "panda_link0") is False
    assert service.last_outcome.reason is FailureReason.NAME_TAKEN
    assert service.define_robot_node_set("arm", ARM, "panda_link8", "panda_link0") is False
    assert service.define_robot_node_set("arm", ARM, "panda_hand", "Global") is False
    assert service.node_sets["arm"].tcp == "panda_hand"
    assert service.node_sets["arm"].root == "panda_link0"


def test_links_stand_for_the_joints_that_move_them():
    service = panda_service()
    links = [f"panda_link{k}" for k in range(1, 8)]
    assert service.define_robot_node_set("arm", links, "panda_hand", "panda_link0") is True
    assert service.node_sets["arm"].joints == tuple(ARM)


def test_node_sets_of_unknown_names_are_not_defined():
    service = panda_service()
    assert service.define_robot_node_set("new", ["panda_joint1", "panda_joint17"], "panda_hand", "") is False
    assert service.last_outcome.reason is FailureReason.UNKNOWN_NODE
    assert "panda_joint7" in service.last_outcome.detail
    assert service.define_robot_node_set("new", ARM, "hand", "") is False
    assert service.last_outcome.reason is FailureReason.UNKNOWN_FRAME
    assert service.define_robot_node_set("new", ARM, "panda_hand", "root") is False
    assert service.last_outcome.reason is FailureReason.UNKNOWN_FRAME
    assert list(service.node_sets) == ["default", "arm"]


@pytest.mark.parametrize("nodes", [[], ["panda_joint1"] * 2, "panda_joint1", [3]])
def test_nodes_that_make_no_set_raise(nodes):
    with pytest.raises(InvalidValueError):
        panda_service().define_robot_node_set("new", nodes, "panda_hand", "")


def test_sets_of_the_robot_and_of_an_srdf_file_are_there():
    robot = models.load("panda")
    robot.define_node_set("own", ARM, "panda_hand", "panda_link0")
    text = """<robot name="panda"><group name="group">
      <chain base_link="panda_link0" tip_link="panda_link8"/></group></robot>"""
    service = RobotIK(robot, srdf=Srdf.parse(text))
    assert set(service.node_sets) == {"own", "group"}
    assert service.compute_ik_global_pose("group", goal(service))
    assert service.define_robot_node_set("own", ARM, "panda_hand", "panda_link0") is True


def test_a_set_that_nothing_moves_has_no_solution():
    service = panda_service()
    service.define_robot_node_set("fixed", ["panda_joint8"], "panda_hand", "")
    assert service.compute_ik_global_pose("fixed", goal(service)) == {}
    assert service.last_outcome.reason is FailureReason.NO_DEGREES_OF_FREEDOM


# Collisions.


def test_solutions_in_collision_are_refused():
    robot = models.load("panda")
    detector = CollisionDetector(robot)
    service = panda_service(collision_detector=detector)
    values = service.compute_ik_global_pose("arm", goal(service))
    assert not detector.in_collision(service.skeleton.as_configuration(values))
    detector.add("box", Box(0.3, 0.3, 0.3), goal(service))
    assert service.compute_ik_global_pose("arm", goal(service)) == {}
    assert service.last_outcome.reason is FailureReason.COLLISION
    assert "box" in service.last_outcome.detail


def test_obstacles_stay_when_the_base_moves():
    detector = CollisionDetector(models.load("panda"))
    service = panda_service(collision_detector=detector)
    table = SimpleFrame("table", relative_transform=pose((1.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.4)))
    there = pose((2.0, 0.0, 0.0)) * goal(service)
    detector.add("box", Box(0.3, 0.3, 0.3), table.transform().actInv(there), parent=table)
    assert service.compute_ik_global_pose("arm", goal(service))
    service.set_robot_pose(pose((2.0, 0.0, 0.0)))
    assert service.compute_ik_global_pose("arm", there) == {}
    assert service.last_outcome.reason is FailureReason.COLLISION
    table.set_transform(pose((5.0, 0.0, 0.0)))
    assert service.compute_ik_global_pose("arm", there)


def test_a_detector_of_another_robot_is_refused():
    with pytest.raises(StructureError, match="ur5e"):
        RobotIK(models.load("panda"), collision_detector=CollisionDetector(models.load("ur5e")))
