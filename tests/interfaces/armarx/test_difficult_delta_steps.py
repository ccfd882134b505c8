"""Delta steps where joints are beyond their limits, and where tasks leave next to nothing of each other."""

import numpy as np
import pytest
from scipy.optimize import linprog

from kinetree import models
from kinetree.interfaces.armarx import IKTask, InverseJacobianMethod, RobotIK
from kinetree.kinematics import pose
from tests.interfaces.armarx.services import ARM, frame_pose, panda_service


def nearby(service, by):
    target = frame_pose(service, "panda_hand")
    target.translation += by
    return target


def moved(service, delta):
    now = service.joint_values
    return {name: now[name] + change for name, change in delta.items()}


def beyond(sign, by=0.15, trials=12):
    """Configurations of panda with one joint beyond a limit, the others inside."""
    robot, rng = panda_service().skeleton, np.random.default_rng(3)
    lower, upper = robot.lower_limits[:7], robot.upper_limits[:7]
    for _ in range(trials):
        q, joint = rng.uniform(lower, upper), rng.integers(7)
        q[joint] = upper[joint] + by if sign > 0 else lower[joint] - by
        yield q, joint


def excess_of(service):
    robot = service.skeleton
    return np.maximum(robot.positions - robot.upper_limits, robot.lower_limits - robot.positions)[:7]


@pytest.mark.parametrize("avoid", [False, True])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_joint_beyond_its_limit_never_goes_further(sign, avoid):
    for trial, (q, joint) in enumerate(beyond(sign)):
        service = panda_service()
        service.set_joint_values(dict(zip(ARM, q, strict=True)))
        task = IKTask("panda_hand", nearby(service, by=(0.1, -0.1, 0.1)), method=list(InverseJacobianMethod)[trial % 3])
        for _ in range(5):
            before = np.maximum(excess_of(service), 0.0)
            delta = service.compute_hierarchical_delta_ik("arm", [task], avoid_joint_limits=avoid)
            service.set_joint_values(moved(service, delta))
            assert (excess_of(service) <= before + 1e-12).all(), joint


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_joint_beyond_its_limit_comes_back_as_far_as_the_hand_allows(sign):
    # Whether it could come back further is for a linear program to say: joints inside their limits, the hand in place.
    returned = 0
    for q, joint in beyond(sign):
        service = panda_service()
        service.set_joint_values(dict(zip(ARM, q, strict=True)))
        hold = IKTask("panda_hand", frame_pose(service, "panda_hand"), method=InverseJacobianMethod.SVD)
        for _ in range(150):
            delta = service.compute_hierarchical_delta_ik("arm", [hold], step_size=0.3, avoid_joint_limits=True)
            service.set_joint_values(moved(service, delta))
        if excess_of(service)[joint] <= 0.0:
            returned += 1
            continue
        robot, cost = service.skeleton, np.zeros(7)
        cost[joint] = sign
        room = np.minimum(np.stack([robot.positions - robot.lower_limits, robot.upper_limits - robot.positions]), 0.1)
        bounds = [(-max(low, 0.0), max(high, 0.0)) for low, high in room[:, :7].T]
        bounds[joint] = (-0.1, 0.0) if sign > 0 else (0.0, 0.1)
        jacobian = robot.frame("panda_hand").jacobian()[:, :7]
        best = linprog(cost, A_eq=jacobian, b_eq=np.zeros(6), bounds=bounds)
        assert best.success
        assert best.fun > -2e-3, (q, joint)  # it stands still where it could come nearer by so much (rad)
    assert returned >= 6


@pytest.mark.parametrize("lower", [InverseJacobianMethod.SVD, InverseJacobianMethod.SVD_DAMPED])
@pytest.mark.parametrize("method", list(InverseJacobianMethod))
def test_what_moves_a_frame_by_rounding_only_does_not_move_the_robot(method, lower):
    # The origin of link_2 is on the axis of joint_1: its x cannot be moved, but by 1e-17 m/rad.
    deltas = []
    for places in np.eye(4)[:3, :3] * 1e-16:
        service = RobotIK(models.load("stanford_arm"))
        joints = [joint.name for joint in service.skeleton.joints]
        service.define_robot_node_set("all", joints, "tool0", "")
        service.set_joint_values({"joint_1": 0.4, "joint_2": 0.3, "joint_3": 0.5, "joint_4": 0.2})
        service.set_robot_pose(pose(np.array([0.3, 0.7, 0.1]) + places, rpy=(0.4, 1.1, 0.9)))
        link = frame_pose(service, "link_2")
        link.translation += (0.05, 0.0, 0.0)
        turned = frame_pose(service, "link_4") * pose(rpy=(0.0, 0.1, 0.0))
        tasks = [
            IKTask("link_2", link, priority=2, selection="x", method=method),
            IKTask("link_4", turned, priority=1, selection="orientation", method=lower),
        ]
        alone = service.compute_hierarchical_delta_ik("all", tasks[1:])
        both = service.compute_hierarchical_delta_ik("all", tasks)
        assert both == pytest.approx(alone, abs=1e-9)
        deltas.append(list(both.values()))
    assert np.ptp(deltas, axis=0).max() < 1e-9


@pytest.mark.parametrize("method", [InverseJacobianMethod.SVD, InverseJacobianMethod.TRANSPOSE])
def test_next_to_nothing_left_by_the_tasks_above_makes_no_long_step(method):
    # Two heights of nearly the same point: the lower one has 1e-5 of its Jacobian left.
    robot = models.load("panda")
    robot.add_frame("beside", "panda_hand", pose((0.0, 1e-5, 0.0)))
    service = RobotIK(robot)
    service.define_robot_node_set("arm", ARM, "panda_hand", "panda_link0")
    service.set_joint_values(panda_service().joint_values)
    hand, beside = (frame_pose(service, name) for name in ("panda_hand", "panda_hand"))
    beside.translation += (0.0, 0.0, 0.05)
    tasks = [
        IKTask("panda_hand", hand, priority=2, selection="z", method=InverseJacobianMethod.SVD),
        IKTask("beside", beside, priority=1, selection="z", method=method),
    ]
    delta = service.compute_hierarchical_delta_ik("arm", tasks)
    assert max(map(abs, delta.values())) < 0.1


def test_priorities_may_be_any_whole_numbers():
    # As floats, the two are the same.
    service = panda_service()
    here, high = frame_pose(service, "panda_hand"), nearby(service, by=(0.0, 0.0, 0.1))
    for first in (2**53 + 1, 2**62 + 1, -(2**62) + 1):
        tasks = [IKTask("panda_hand", each, priority=first - k) for k, each in enumerate((here, high))]
        delta = service.compute_hierarchical_delta_ik("arm", tasks, avoid_joint_limits=True)
        assert max(map(abs, delta.values())) < 1e-6
