"""Requests as JSON: strict, finite, small; errors are problems without a traceback."""

import json
import time
import typing

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.interfaces.armarx import (
    CartesianSelection,
    CoMIKDescriptor,
    FramedPose,
    IKTask,
    InverseJacobianMethod,
    WorkspaceBounds,
)
from kinetree.interfaces.armarx.http import encoding, messages, requests

POSE = {"position": [0.4, 0.1, 0.4], "quaternion": [1, 0, 0, 0]}
JSON = {"Content-Type": "application/json"}
names = st.text(max_size=20)
numbers = st.floats(-1e6, 1e6)
selections = st.integers(1, 15).map(CartesianSelection)
poses = st.tuples(numbers, numbers, numbers, *[st.floats(0.1, 1.0)] * 4)


@given(st.builds(IKTask, names, poses, st.integers(-99, 99), selections, st.sampled_from(InverseJacobianMethod), names))
def test_tasks_come_back_as_they_were(task):
    again = messages.TaskMessage.model_validate(json.loads(json.dumps(encoding.task_json(task)))).task()
    assert again.pose.isApprox(task.pose, 1e-12)
    assert (again.tcp, again.priority, again.selection, again.method, again.coordinate_system) == (
        task.tcp, task.priority, task.selection, task.method, task.coordinate_system,
    )  # fmt: skip


@given(
    st.builds(
        CoMIKDescriptor,
        numbers, numbers, st.integers(-99, 99), names, st.none() | st.floats(1e-6, 1e3), names, st.lists(names),
    )
)  # fmt: skip
def test_descriptors_come_back_as_they_were(descriptor):
    sent = json.loads(json.dumps(encoding.descriptor_json(descriptor)))
    assert messages.CoMMessage.model_validate(sent).descriptor() == descriptor


@given(st.builds(FramedPose, poses, names, names), st.builds(WorkspaceBounds, *[numbers] * 6))
def test_poses_and_bounds_come_back_as_they_were(pose, bounds):
    sent = json.loads(json.dumps(encoding.framed_pose_json(pose)))
    again = messages.FramedPoseMessage.model_validate(sent).framed_pose()
    assert (again.frame, again.agent) == (pose.frame, pose.agent)
    assert again.pose.isApprox(pose.pose, 1e-12)
    sent = json.loads(json.dumps(encoding.bounds_json("bounds", bounds)))
    assert messages.BoundsMessage.model_validate(sent).bounds() == bounds


@pytest.mark.parametrize(
    ("selection", "text"), [("z|y|x", "position"), (CartesianSelection.ALL, "all"), ("orientation|x", "orientation|x")]
)
def test_selections_are_short(selection, text):
    assert encoding.selection_json(selection) == text


def test_the_methods_are_those_of_the_service():
    annotation = messages.TaskMessage.model_fields["method"].annotation
    assert set(typing.get_args(annotation)) == {each.value for each in InverseJacobianMethod}


def test_defaults_are_those_of_the_service():
    com = {"gx": 1.0, "gy": 2.0}
    assert messages.CoMMessage.model_validate(com).descriptor() == CoMIKDescriptor(**com)
    task = messages.TaskMessage.model_validate({"tcp": "hand", "pose": POSE}).task()
    assert (task.priority, task.selection, task.method, task.coordinate_system) == (
        0, CartesianSelection.ALL, InverseJacobianMethod.SVD_DAMPED, "",
    )  # fmt: skip
    space = requests.CreateSpaceRequest(node_set="arm")
    assert (space.samples, space.step_translation) == (1_000_000, None)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"null", b"[]", b"7", b'"arm"', b"{}", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 20_000,
        b'{"node_set": "arm", "pose": {"position": [NaN, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [Infinity, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [1e999, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [1e30, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [' + b"9" * 5000 + b", 0, 0]}}",
        b'{"node_set": "arm", "pose": {"position": ["0", 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [true, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [0, 0, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [0, 0, 0], "quaternion": [0, 0, 0, 0]}}',
        b'{"node_set": "arm", "pose": {"position": [0, 0, 0], "more": 1}}',
        b'{"node_set": "arm", "pose": {"position": [0, 0, 0]}, "selection": ""}',
        b'{"node_set": "arm", "pose": {"position": [0, 0, 0]}, "selection": "all|sideways"}',
        b'{"node_set": "arm", "pose": {"position": [0, 0, 0]}, "selection": "all\\n"}',
        b'{"node_set": "\\ud800", "pose": {"position": [0, 0, 0]}}',
        b'{"\\ud800": 1}',
        b'{"node_set": 7, "pose": {"position": [0, 0, 0]}}',
        b'{"node_set": "' + b"a" * 201 + b'", "pose": {"position": [0, 0, 0]}}',
    ],
)  # fmt: skip
def test_what_is_no_request(ask, body):
    response = ask("compute_ik_global_pose", content=body, headers=JSON)
    assert response.status_code in (400, 422), response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert set(problem) == {"title", "status", "reason", "detail"}
    assert len(response.content) < 2000
    for word in ("Traceback", "File ", "pydantic", ".py"):
        assert word not in response.text


def test_a_problem_names_what_is_wrong(ask):
    response = ask("compute_ik_global_pose", {"node_set": "arm", "pose": {"position": [0, "x", 0]}})
    assert "pose.position.1" in response.json()["detail"]


@pytest.mark.parametrize(
    ("operation", "content"),
    [
        ("compute_hierarchical_delta_ik", {"node_set": "arm", "tasks": [{"tcp": "panda_hand", "pose": POSE}] * 51}),
        ("define_robot_node_set", {"name": "x", "nodes": ["a"] * 501, "tcp": "a", "root": ""}),
        ("create_reachability_space", {"node_set": "arm", "samples": 1.5}),
        ("create_reachability_space", {"node_set": "arm", "samples": True}),
        ("compute_hierarchical_delta_ik", {"node_set": "arm", "tasks": [], "enable_center_of_mass": 1}),
    ],
)
def test_lists_and_kinds(ask, operation, content):
    assert ask(operation, content).status_code == 422


def test_other_addresses_and_methods(shared_server, ask):
    response = ask("nothing", {})
    assert (response.status_code, response.json()["reason"]) == (404, "not_found")
    response = httpx.get(f"{shared_server.url}/v1/compute_com_ik", trust_env=False)
    assert (response.status_code, response.json()["reason"]) == (405, "method_not_allowed")
    assert response.headers["allow"] == "POST"


def test_a_failure_of_ours_tells_nothing_but_that(start, service, caplog):
    def broken(*_):
        raise RuntimeError("secret path /etc/shadow")

    service.explained.has_reachability_space = broken
    response = httpx.post(f"{start(service).url}/v1/has_reachability_space", json={"node_set": "arm"}, trust_env=False)
    assert response.status_code == 500
    assert response.headers["content-type"] == "application/problem+json"
    assert "secret" not in response.text
    until = time.monotonic() + 10.0
    while "secret path" not in caplog.text:  # the log has it once the answer is out
        assert time.monotonic() < until
