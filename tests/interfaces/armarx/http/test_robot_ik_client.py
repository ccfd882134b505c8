"""All twelve operations through the client, against a server that really listens, compared with the service itself."""

import math

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.armarx import (
    CartesianSelection,
    CoMIKDescriptor,
    FailureReason,
    FramedPose,
    IKTask,
    InverseJacobianMethod,
    RobotIK,
    RobotIKInterface,
    WorkspaceBounds,
)
from kinetree.interfaces.armarx.http import RobotIKClient
from kinetree.kinematics import InvalidPoseError, InvalidValueError, pose

READY = {"panda_joint2": -0.5, "panda_joint4": -2.0, "panda_joint6": 1.6}
TARGET = pose((0.4, 0.2, 0.4), quaternion=(1, 0, 0, 0))
FAR = pose((3.0, 0.0, 0.0))
CORNERS = (
    WorkspaceBounds(-1, -1, -0.5, -math.pi, -math.pi / 2, -math.pi),
    WorkspaceBounds(1, 1, 1.5, math.pi, math.pi / 2, math.pi),
)
CELLS = {"step_translation": 0.25, "step_rotation": math.pi / 3, "min_bounds": CORNERS[0], "max_bounds": CORNERS[1]}


def reached(values, frame="panda_hand", name="panda"):
    """Where a frame is for joint values, from a robot of our own."""
    robot = models.load(name)
    robot.positions = values
    return robot.frame(frame).transform()


@pytest.fixture
def ready(client):
    client.set_joint_values(READY)
    return client


def test_it_is_the_interface(client):
    assert isinstance(client, RobotIKInterface)
    assert repr(client).startswith("RobotIKClient('http://127.0.0.1:")


def test_compute_ik_framed_pose(ready, service):
    base = pose((1.0, 2.0, 0.0), rpy=(0, 0, 0.5))
    ready.set_robot_pose(base)
    found = ready.compute_ik_framed_pose("arm", FramedPose(TARGET, "panda_link0"))
    assert found == service.compute_ik_framed_pose("arm", FramedPose(TARGET, "panda_link0"))
    assert reached(found).isApprox(TARGET, 1e-5)
    in_world = ready.compute_ik_framed_pose("arm", FramedPose(base * TARGET, "armarx::Global"))
    assert reached(in_world).isApprox(TARGET, 1e-5)
    assert ready.compute_ik_framed_pose("arm", FramedPose(TARGET, "nowhere")) == {}
    assert ready.last_outcome.reason is FailureReason.UNKNOWN_FRAME
    assert ready.compute_ik_framed_pose("arm", FramedPose(TARGET, "panda_link0", agent="other")) == {}
    assert ready.last_outcome.reason is FailureReason.UNKNOWN_AGENT


@pytest.mark.parametrize("selection", ["position", "x|orientation", CartesianSelection.ALL, CartesianSelection.Z])
def test_compute_ik_global_pose(ready, service, selection):
    found = ready.compute_ik_global_pose("arm", TARGET, selection)
    assert found == service.compute_ik_global_pose("arm", TARGET, selection)
    assert sorted(found) == [f"panda_joint{k}" for k in range(1, 8)]
    difference = np.array([*(reached(found).translation - TARGET.translation)])
    meant = np.array(CartesianSelection.of(selection).rows[:3])
    assert np.abs(difference[meant]).max() < 2e-6
    assert bool(ready.last_outcome)


def test_why_there_is_no_solution(ready):
    assert ready.compute_ik_global_pose("arm", FAR) == {}
    assert ready.last_outcome.reason is FailureReason.UNREACHABLE
    assert "m" in ready.last_outcome.detail
    assert ready.compute_ik_global_pose("leg", TARGET) == {}
    assert ready.last_outcome.reason is FailureReason.UNKNOWN_NODE_SET


def test_compute_extended_ik_global_pose(ready, service):
    found = ready.compute_extended_ik_global_pose("arm", TARGET)
    assert found == service.compute_extended_ik_global_pose("arm", TARGET)
    assert found.reachable
    assert found.position_error < 1e-6
    far = ready.compute_extended_ik_global_pose("arm", FAR)
    assert not far
    assert far == service.compute_extended_ik_global_pose("arm", FAR)
    assert far.position_error > 1.0
    unknown = ready.compute_extended_ik_global_pose("leg", TARGET)
    assert math.isinf(unknown.position_error)


def test_compute_com_ik(start):
    robot = models.load("humanoid")
    joints = [each.name for each in robot.joints if each.is_moving]
    service = RobotIK(robot, timeout=60.0, attempts=20)
    with RobotIKClient(start(service).url, timeout=150.0) as client:
        service.define_robot_node_set("body", joints, robot.tip.name, "")
        x, y, _ = robot.com
        feet = tuple(each.name for each in robot.links if "foot" in each.name)
        assert len(feet) == 2
        wanted = CoMIKDescriptor(float(x) + 0.01, float(y) + 0.01, tolerance=1e-4, holding=feet)
        found = client.compute_com_ik("body", wanted)
        assert found == service.compute_com_ik("body", wanted)
        before = [robot.frame(foot).transform() for foot in feet]
        robot.positions = found
        assert robot.com[:2] == pytest.approx([x + 0.01, y + 0.01], abs=2e-4)
        for foot, pose_before in zip(feet, before, strict=True):
            assert robot.frame(foot).transform().isApprox(pose_before, 1e-5)
        assert client.compute_com_ik("body", CoMIKDescriptor(50.0, 0.0, holding=feet)) == {}
        beyond = CoMIKDescriptor(float(x) + 0.5, float(y), tolerance=1.0, holding=feet, check_support=True)
        assert client.compute_com_ik("body", beyond) == {}
        assert "outside the support area" in client.last_outcome.detail
        assert not client.last_outcome


def test_compute_hierarchical_delta_ik(ready, service):
    tasks = [
        IKTask("panda_hand", TARGET, 2, CartesianSelection.POSITION, InverseJacobianMethod.SVD),
        IKTask("panda_link4", TARGET, 1, "z", InverseJacobianMethod.TRANSPOSE, coordinate_system="panda_link0"),
    ]
    com = CoMIKDescriptor(0.1, 0.0, priority=0)
    options = {"com": com, "step_size": 0.5, "avoid_joint_limits": True, "enable_center_of_mass": True}
    step = ready.compute_hierarchical_delta_ik("arm", tasks, **options)
    assert step == service.compute_hierarchical_delta_ik("arm", tasks, **options)
    assert step != ready.compute_hierarchical_delta_ik("arm", tasks)
    before = reached(ready.joint_values).translation
    after = reached({name: ready.joint_values[name] + change for name, change in step.items()}).translation
    assert np.linalg.norm(after - TARGET.translation) < 0.8 * np.linalg.norm(before - TARGET.translation)
    assert ready.compute_hierarchical_delta_ik("leg", tasks) == {}


def test_define_robot_node_set(client):
    nodes = ["panda_joint1", "panda_joint2"]
    assert client.define_robot_node_set("shoulder", nodes, "panda_link2", "panda_link0")
    assert client.define_robot_node_set("shoulder", nodes, "panda_link2", "panda_link0")
    assert not client.define_robot_node_set("shoulder", nodes[:1], "panda_link1", "panda_link0")
    assert client.last_outcome.reason is FailureReason.NAME_TAKEN
    record = client.node_sets["shoulder"]
    assert (record.joints, record.tcp, record.root) == (tuple(nodes), "panda_link2", "panda_link0")
    with pytest.raises(InvalidValueError, match="sequence"):
        client.define_robot_node_set("wrong", "panda_joint1", "panda_link1", "")


def test_reachability_spaces_are_made_saved_loaded_and_asked(ready, service, start, make_service, folder):
    assert not ready.has_reachability_space("arm")
    assert not ready.is_pose_reachable("arm", TARGET)
    assert ready.last_outcome.reason is FailureReason.NO_REACHABILITY_SPACE
    assert ready.create_reachability_space("arm", "panda_link0", **CELLS, samples=300_000)
    assert ready.create_reachability_space("arm", "panda_link0", **CELLS, samples=300_000)
    assert ready.has_reachability_space("arm")
    assert ready.is_pose_reachable("arm", TARGET)
    assert not ready.is_pose_reachable("arm", FAR)
    assert ready.last_outcome.reason is FailureReason.NOT_REACHABLE
    assert ready.is_framed_pose_reachable("arm", FramedPose(TARGET, "panda_link0"))
    assert not ready.is_framed_pose_reachable("arm", FramedPose(FAR, "panda_link0"))
    assert service.is_pose_reachable("arm", TARGET)

    assert ready.save_reachability_space("arm", "arm.h5")
    assert [each.name for each in folder.iterdir()] == ["arm.h5"]
    assert not ready.load_reachability_space("arm.h5")
    assert ready.last_outcome.reason is FailureReason.EXISTS_ALREADY
    again = start(make_service(), folder=folder)
    with RobotIKClient(again.url) as other:
        other.set_joint_values(READY)
        assert other.load_reachability_space("arm.h5")
        assert other.is_pose_reachable("arm", TARGET)
        assert not other.save_reachability_space("leg", "leg.h5")
        assert other.last_outcome.reason is FailureReason.UNKNOWN_NODE_SET


def test_a_space_in_the_world_is_stale_once_the_robot_moves(ready):
    assert ready.create_reachability_space("arm", "", **CELLS, samples=10_000)
    ready.set_robot_pose(pose((0.0, 1.0, 0.0)))
    assert not ready.is_pose_reachable("arm", TARGET)
    assert ready.last_outcome.reason is FailureReason.STALE_REACHABILITY_SPACE


def test_the_state(client, service):
    assert client.robot_name == "panda"
    assert client.units == "m"
    client.set_joint_values(READY)
    assert client.joint_values == service.joint_values
    assert client.joint_values["panda_joint4"] == -2.0
    with pytest.raises(InvalidValueError, match="did you mean"):
        client.set_joint_values({"panda_joint1": 1.0, "panda_joint_9": 1.0})
    assert client.joint_values["panda_joint1"] == 0.0
    place = pose((1.0, 0.0, 0.5), rpy=(0.1, 0.2, 0.3))
    client.set_robot_pose(place)
    assert client.robot_pose.isApprox(place, 1e-12)


def test_millimetres(start, make_service):
    with RobotIKClient(start(make_service(units="mm")).url) as client:
        assert client.units == "mm"
        client.set_joint_values(READY)
        found = client.compute_ik_global_pose("arm", pose((400, 200, 400), quaternion=(1, 0, 0, 0)))
        assert reached(found).isApprox(TARGET, 1e-5)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda c: c.compute_ik_global_pose("arm", (0, 0, math.nan, 0, 0, 0, 1)), InvalidPoseError),
        (lambda c: c.compute_ik_global_pose("arm", TARGET, "sideways"), InvalidValueError),
        (lambda c: c.compute_ik_framed_pose("arm", TARGET), InvalidValueError),
        (lambda c: c.compute_com_ik("arm", (0.0, 0.0)), InvalidValueError),
        (lambda c: c.compute_hierarchical_delta_ik("arm", [TARGET]), InvalidValueError),
        (lambda c: c.compute_hierarchical_delta_ik("arm", [], step_size=2.0), InvalidValueError),
        (lambda c: c.create_reachability_space("arm", samples=0), InvalidValueError),
        (lambda c: c.create_reachability_space("arm", min_bounds=CORNERS[0]), InvalidValueError),
        (lambda c: c.create_reachability_space("arm", min_bounds=(0,) * 6, max_bounds=(1,) * 6), InvalidValueError),
        (lambda c: c.set_joint_values({"panda_joint1": math.inf}), InvalidValueError),
        (lambda c: c.has_reachability_space(7), InvalidValueError),
        (lambda c: c.is_framed_pose_reachable("arm", TARGET), InvalidValueError),
    ],
)
def test_what_makes_no_sense_is_an_error(client, call, error):
    with pytest.raises(error):
        call(client)


def test_outcomes_belong_to_requests_and_to_threads(ready):
    fine = ready.explained.compute_ik_global_pose("arm", TARGET)
    wrong = ready.explained.compute_ik_global_pose("arm", FAR)
    assert ready.last_outcome is None
    assert bool(fine)
    assert wrong.reason is FailureReason.UNREACHABLE
    assert wrong.value == {}
