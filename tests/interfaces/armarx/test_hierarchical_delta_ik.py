"""`RobotIK.compute_hierarchical_delta_ik`: one step towards several tasks, the highest priority first."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.interfaces.armarx import CoMIKDescriptor, FailureReason, IKTask, InverseJacobianMethod, RobotIK
from kinetree.interfaces.armarx.delta_step import BoundStep
from kinetree.kinematics import InvalidValueError, pose
from kinetree.solvers import HierarchicalDeltaIK, JacobianDLS
from tests.interfaces.armarx.services import ARM, READY, distance, frame_pose, panda_service, per_metre


def nearby(service, frame="panda_hand", by=(0.02, -0.01, 0.03)):
    moved = frame_pose(service, frame)
    return pin.SE3(moved.rotation, moved.translation + np.array(by) * per_metre(service))


def moved(service, delta):
    return {name: service.joint_values[name] + change for name, change in delta.items()}


@pytest.mark.parametrize("units", ["m", "mm"])
@pytest.mark.parametrize("method", [InverseJacobianMethod.SVD, InverseJacobianMethod.SVD_DAMPED])
def test_added_to_the_joint_values_it_comes_nearer(units, method):
    service = panda_service(units)
    before = service.joint_values
    wanted = nearby(service)
    delta = service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", wanted, method=method)])
    assert list(delta) == ARM
    assert service.joint_values == before
    start = distance(frame_pose(service, "panda_hand"), wanted)[0]
    assert distance(frame_pose(service, "panda_hand", moved(service, delta)), wanted)[0] < 0.2 * start


def test_the_step_is_a_part_of_the_whole_one():
    service = panda_service()
    tasks = [IKTask("panda_hand", nearby(service))]
    whole = service.compute_hierarchical_delta_ik("arm", tasks)
    part = service.compute_hierarchical_delta_ik("arm", tasks, step_size=0.25)
    assert part == pytest.approx({name: 0.25 * value for name, value in whole.items()})


def test_the_pseudo_inverse_is_that_of_numpy():
    service = panda_service()
    wanted = nearby(service)
    task = IKTask("panda_hand", wanted, selection="position", method=InverseJacobianMethod.SVD)
    delta = service.compute_hierarchical_delta_ik("arm", [task])
    robot = service.skeleton
    jacobian = robot.frame("panda_hand").jacobian()[:3, :7]
    step = np.linalg.pinv(jacobian) @ (wanted.translation - frame_pose(service, "panda_hand").translation)
    assert list(delta.values()) == pytest.approx(step, abs=1e-9)


def test_the_transpose_goes_downhill_without_inverting():
    service = panda_service()
    wanted = nearby(service)
    task = IKTask("panda_hand", wanted, selection="position", method=InverseJacobianMethod.TRANSPOSE)
    step = np.array(list(service.compute_hierarchical_delta_ik("arm", [task]).values()))
    jacobian = service.skeleton.frame("panda_hand").jacobian()[:3, :7]
    downhill = jacobian.T @ (wanted.translation - frame_pose(service, "panda_hand").translation)
    assert step @ downhill == pytest.approx(np.linalg.norm(step) * np.linalg.norm(downhill))


def test_the_highest_priority_comes_first_and_is_not_disturbed():
    service = panda_service()
    hand = IKTask("panda_hand", nearby(service), priority=7, method=InverseJacobianMethod.SVD)
    # The elbow cannot go down there while the hand does what it should.
    elbow = IKTask("panda_link4", nearby(service, "panda_link4", (0.0, 0.2, -0.3)), priority=2, selection="position")
    alone = service.compute_hierarchical_delta_ik("arm", [hand])
    both = service.compute_hierarchical_delta_ik("arm", [elbow, hand])
    jacobian = service.skeleton.frame("panda_hand").jacobian()[:, :7]
    leak = jacobian @ (np.array(list(both.values())) - np.array(list(alone.values())))
    assert np.abs(leak).max() < 1e-8
    assert both != pytest.approx(alone, abs=1e-3)
    # The other way round the hand gives way.
    swapped = [IKTask(t.tcp, t.pose, -t.priority, t.selection, t.method) for t in (hand, elbow)]
    other = service.compute_hierarchical_delta_ik("arm", swapped)
    assert np.abs(jacobian @ (np.array(list(other.values())) - np.array(list(alone.values())))).max() > 1e-2


def test_a_pose_in_a_coordinate_system_is_where_that_is_now():
    service = panda_service("mm")
    service.set_robot_pose(pose((100.0, 200.0, 0.0), rpy=(0.0, 0.0, 1.0)))
    wanted = nearby(service)
    inside = frame_pose(service, "panda_link2").actInv(wanted)
    expected = service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", wanted)])
    task = IKTask("panda_hand", inside, coordinate_system="panda_link2")
    assert service.compute_hierarchical_delta_ik("arm", [task]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("units", ["m", "mm"])
def test_the_centre_of_mass_counts_when_it_is_enabled(units):
    service = panda_service(units)
    x, y, _ = service.skeleton.com * per_metre(service)
    com = CoMIKDescriptor(x + 0.01 * per_metre(service), y, priority=1)
    assert set(service.compute_hierarchical_delta_ik("arm", [], com).values()) == {0.0}
    delta = service.compute_hierarchical_delta_ik("arm", [], com, enable_center_of_mass=True)
    service.set_joint_values(moved(service, delta))
    assert service.skeleton.com[:2] * per_metre(service) == pytest.approx(
        [com.gx, com.gy], abs=1e-3 * per_metre(service)
    )


def test_joints_leave_the_margins_along_their_limits_last_of_all():
    service = panda_service()
    service.set_joint_values({"panda_joint1": 2.85})
    tasks = [IKTask("panda_hand", frame_pose(service, "panda_hand"), priority=-3, method=InverseJacobianMethod.SVD)]
    assert service.compute_hierarchical_delta_ik("arm", tasks) == pytest.approx(dict.fromkeys(ARM, 0.0), abs=1e-9)
    delta = service.compute_hierarchical_delta_ik("arm", tasks, avoid_joint_limits=True)
    assert delta["panda_joint1"] < -1e-3
    # One joint may leave its margin with the hand in its place, two may not: they come after the hand.
    service.set_joint_values({"panda_joint7": 2.85})
    task = IKTask("panda_hand", frame_pose(service, "panda_hand"), priority=-3, method=InverseJacobianMethod.SVD)
    delta = service.compute_hierarchical_delta_ik("arm", [task], avoid_joint_limits=True)
    jacobian = service.skeleton.frame("panda_hand").jacobian()[:, :7]
    assert np.abs(jacobian @ np.array(list(delta.values()))).max() < 1e-8
    assert max(map(abs, delta.values())) > 1e-3


def test_limits_are_kept():
    service = panda_service()
    service.set_joint_values({"panda_joint4": -0.08})
    away = nearby(service, by=(0.3, 0.0, 0.1))
    delta = service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", away)])
    robot = service.skeleton
    q = robot.as_configuration(moved(service, delta))
    assert (q >= robot.lower_limits - 1e-12).all()
    assert (q <= robot.upper_limits + 1e-12).all()


def test_changes_of_a_floating_base_may_be_added():
    # Its rotation is a vector of three numbers, which is not moved by adding a velocity to it.
    service = RobotIK(models.load("humanoid"))
    service.define_robot_node_set("all", [joint.name for joint in service.skeleton.joints], "left_hand", "")
    service.set_robot_pose(pose((0.3, 0.2, 0.9), rpy=(0.4, 0.5, 2.0)))
    wanted = nearby(service, "left_hand", (0.02, 0.01, 0.0)) * pose(rpy=(0.0, 0.0, 0.05))
    foot = frame_pose(service, "left_foot")
    tasks = [
        IKTask("left_foot", foot, priority=2, method=InverseJacobianMethod.SVD),
        IKTask("left_hand", wanted, priority=1, method=InverseJacobianMethod.SVD),
    ]
    for _ in range(4):
        service.set_joint_values(moved(service, service.compute_hierarchical_delta_ik("all", tasks)))
    assert max(distance(frame_pose(service, "left_foot"), foot)) < 1e-6
    assert max(distance(frame_pose(service, "left_hand"), wanted)) < 1e-6


def test_damping_keeps_steps_through_a_singular_pose_short():
    # The hand of a stretched arm is drawn outwards and back in: a pseudo-inverse takes the elbow along in leaps.
    largest = {}
    for method in (InverseJacobianMethod.SVD, InverseJacobianMethod.SVD_DAMPED):
        service = panda_service()
        service.set_joint_values(dict(zip(ARM, (0.0, 0.3, 0.0, -0.12, 0.0, 1.6, 0.8), strict=True)))
        start = frame_pose(service, "panda_hand")
        longest = 0.0
        for k in range(15):
            wanted = pin.SE3(start.rotation, start.translation + np.array([0.01 * k, 0.0, 0.0]))
            delta = service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", wanted, method=method)])
            longest = max(longest, *map(abs, delta.values()))
            service.set_joint_values(moved(service, delta))
        largest[method] = longest
    assert largest[InverseJacobianMethod.SVD_DAMPED] < 0.5 * largest[InverseJacobianMethod.SVD]


def test_unknown_names_are_failures():
    service = panda_service()
    for task, reason in (
        (IKTask("hand", np.eye(4)), FailureReason.UNKNOWN_FRAME),
        (IKTask("Global", np.eye(4)), FailureReason.UNKNOWN_FRAME),
        (IKTask("panda_hand", np.eye(4), coordinate_system="table"), FailureReason.UNKNOWN_FRAME),
    ):
        assert service.compute_hierarchical_delta_ik("arm", [task]) == {}
        assert service.last_outcome.reason is reason
    for com, reason in (
        (CoMIKDescriptor(0.0, 0.0, node_set_bodies="legs"), FailureReason.UNKNOWN_NODE_SET),
        (CoMIKDescriptor(0.0, 0.0, coordinate_system="table"), FailureReason.UNKNOWN_FRAME),
    ):
        assert service.compute_hierarchical_delta_ik("arm", [], com, enable_center_of_mass=True) == {}
        assert service.last_outcome.reason is reason


@pytest.mark.parametrize(
    ("tasks", "options", "message"),
    [
        (IKTask("panda_hand", np.eye(4)), {}, "sequence of IKTasks"),
        ([("panda_hand", np.eye(4))], {}, "IKTasks"),
        ([], {"step_size": 0.0}, "step_size"),
        ([], {"step_size": 1.5}, "step_size"),
        ([], {"step_size": np.nan}, "step_size"),
        ([], {"enable_center_of_mass": True}, "com="),
        ([], {"com": (0.0, 0.0)}, "CoMIKDescriptor"),
        ([], {"avoid_joint_limits": 1}, "avoid_joint_limits"),
        ([], {"com": CoMIKDescriptor(0, 0, holding=("panda_hand",)), "enable_center_of_mass": True}, "IKTask"),
        (
            [IKTask("panda_hand", np.eye(4)), IKTask("panda_link4", np.eye(4), method=InverseJacobianMethod.SVD)],
            {},
            "different priorities",
        ),
    ],
)
def test_what_makes_no_sense_raises(tasks, options, message):
    with pytest.raises(InvalidValueError, match=message):
        panda_service().compute_hierarchical_delta_ik("arm", tasks, **options)


def test_the_present_joint_values_are_those_of_the_service():
    service = panda_service()
    assert {name: service.joint_values[name] for name in ARM} == READY


# What is kept between requests.


def body_service():
    service = RobotIK(models.load("humanoid"))
    assert service.define_robot_node_set("body", [j.name for j in service.skeleton.joints], "left_hand", "")
    return service


def requests_of(service, rng, size):
    """Random tasks of one structure, with their options."""
    at = {name: frame_pose(service, name) for name in ("left_foot", "left_hand", "pelvis")}
    for name in ("left_hand", "pelvis"):
        at[name].translation += rng.uniform(-size, size, 3)
    tasks = [
        IKTask("left_foot", at["left_foot"], 4),
        IKTask("left_hand", at["pelvis"].actInv(at["left_hand"]), 2, "position", coordinate_system="pelvis"),
        IKTask("pelvis", at["pelvis"], 1, "z|orientation"),
    ]
    x, y, _ = service.skeleton.com
    return tasks, CoMIKDescriptor(x + rng.uniform(-size, size), y, 3)


@pytest.mark.parametrize("avoid", [False, True])
def test_later_requests_are_answered_as_by_a_service_that_was_never_asked(avoid):
    service, rng = body_service(), np.random.default_rng(8)
    robot = service.skeleton
    for k in range(12):
        service.set_joint_values(
            dict(zip([dof.name for dof in robot.dofs], robot.random_positions(rng), strict=True)) if k % 3 else {}
        )
        if k == 6:
            service.set_robot_pose(pose((1.0, 2.0, 0.9), rpy=(0.1, 0.2, 0.3)))
        tasks, com = requests_of(service, rng, 0.05 if k % 2 else 5.0)
        options = {"step_size": (1.0, 0.5)[k % 2], "avoid_joint_limits": avoid, "enable_center_of_mass": True}
        fresh = body_service()
        fresh.set_joint_values(service.joint_values)
        expected = fresh.compute_hierarchical_delta_ik("body", tasks, com, **options)
        assert service.compute_hierarchical_delta_ik("body", tasks, com, **options) == expected
        assert service.compute_hierarchical_delta_ik("body", tasks, com, **options) == expected


def test_steps_are_those_of_a_hierarchy_that_was_made_for_them():
    service, rng = panda_service("mm"), np.random.default_rng(9)
    for _ in range(6):
        robot = service.skeleton
        at = {name: frame_pose(service, name) for name in ("panda_hand", "panda_link4")}
        for each in at.values():
            each.translation += rng.uniform(-100.0, 100.0, 3)
        tasks = [IKTask("panda_hand", at["panda_hand"], 1), IKTask("panda_link4", at["panda_link4"], 0, "position")]
        delta = service.compute_hierarchical_delta_ik("arm", tasks)
        hierarchy = HierarchicalDeltaIK(robot, "arm")
        for task in tasks:
            target = pin.SE3(task.pose.rotation, task.pose.translation / 1000.0)
            module = hierarchy.add_frame(task.tcp, target, task.selection, priority=task.priority)
            module.gradient_method = JacobianDLS()
        assert list(delta.values()) == pytest.approx(hierarchy.step()[:7].tolist(), abs=1e-9)
        service.set_joint_values(moved(service, delta))


def test_targets_that_change_places_are_told_apart():
    service = panda_service()
    first, second = nearby(service), nearby(service, by=(-0.05, 0.04, 0.0))
    for targets in ((first, second), (second, first), (second, second), (first, first)):
        tasks = [IKTask("panda_hand", targets[0], 1), IKTask("panda_link7", targets[1], 0)]
        expected = panda_service().compute_hierarchical_delta_ik("arm", tasks)
        assert service.compute_hierarchical_delta_ik("arm", tasks) == expected


def test_a_robot_on_a_table_that_is_moved_is_seen_where_it_is():
    service = panda_service()
    step = service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", nearby(service))])
    service.set_robot_pose(pose((1.0, 2.0, 3.0), rpy=(0.3, 0.0, 0.0)))
    service.set_robot_pose(pose((1.0, 2.0, 3.0)))
    again = service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", nearby(service))])
    assert again == pytest.approx(step, abs=1e-9)


def test_hierarchies_are_made_once_for_requests_that_differ_in_targets(monkeypatch):
    made = []
    whole = BoundStep.__init__
    monkeypatch.setattr(BoundStep, "__init__", lambda self, *given: (made.append(given), whole(self, *given))[1])
    service = panda_service()

    def ask(**changes):
        return service.compute_hierarchical_delta_ik(
            "arm", [IKTask(**({"tcp": "panda_hand", "pose": nearby(service)} | changes))]
        )

    ask()
    service.set_joint_values({"panda_joint2": -0.3})
    ask(pose=nearby(service, by=(0.0, 0.0, 0.1)))
    ask(coordinate_system="panda_link0", pose=frame_pose(service, "panda_hand"))
    assert len(made) == 1
    for changes in ({"selection": "position"}, {"method": InverseJacobianMethod.SVD}, {"tcp": "panda_link7"}):
        ask(**changes)
    assert len(made) == 4
    ask()
    assert len(made) == 4
    service.set_robot_pose(pose((1.0, 0.0, 0.0)))
    ask()
    assert len(made) == 5


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", InverseJacobianMethod)
@pytest.mark.parametrize("size", [1.0, 1e-308, 5e-324])
@pytest.mark.parametrize("away", [0.5, 1e9])
def test_tiny_parts_of_steps_and_far_targets_are_no_reason_for_warnings(method, size, away):
    service = panda_service()
    tasks = [IKTask("panda_hand", pose((away, 0.0, 0.0)), method=method)]
    delta = service.compute_hierarchical_delta_ik("arm", tasks, step_size=size, avoid_joint_limits=True)
    assert np.isfinite(list(delta.values())).all()
    robot, now = service.skeleton, moved(service, delta)
    for name, value in now.items():
        assert robot.dof(name).lower - 1e-12 <= value <= robot.dof(name).upper + 1e-12
