"""The error methods that need no target: centre of mass, posture, joint limits; and a user's own."""

import numpy as np
import pytest

from kinetree.kinematics import (
    FreeJoint,
    InvalidValueError,
    PlanarJoint,
    RevoluteJoint,
    ShapeError,
    Skeleton,
    SphericalJoint,
    UnknownNameError,
    pose,
)
from kinetree.solvers import (
    CenterOfMassTask,
    ErrorMethod,
    ErrorMethodError,
    InverseKinematics,
    JointLimitTask,
    PostureTask,
)


@pytest.fixture
def curved():
    """Joints of every kind whose coordinates are not simply added."""
    skeleton = Skeleton("curved")
    link = skeleton.add_link("a", FreeJoint("free"))
    link = skeleton.add_link("b", SphericalJoint("ball"), link, pose((0.1, 0.2, 0.3)))
    link = skeleton.add_link("c", PlanarJoint("plane"), link, pose((0.1, 0.2, 0.3), rpy=(0.3, 0.2, 0.1)))
    skeleton.add_link("d", RevoluteJoint("turn"), link, pose((0.1, 0, 0)))
    return skeleton


@pytest.mark.parametrize("goal", [{"over": [0.1, -0.2]}, {"point": [0.1, 0.2, 0.3]}, {"over": [0, 0], "weight": 3.0}])
def test_center_of_mass_jacobian(arm, humanoid, rng, differences, goal):
    for skeleton in (arm, humanoid):
        task = CenterOfMassTask(**goal)
        state = skeleton.state(skeleton.random_positions(rng), range(3, skeleton.num_dofs))
        error, jacobian = task.evaluate(state)
        assert len(error) == task.rows
        np.testing.assert_allclose(jacobian, differences(task, state), atol=1e-8)
    away, turned = task.residual(state)
    point = state.com()[: task.rows] - task.goal
    assert (away, turned) == (pytest.approx(np.linalg.norm(point)), 0.0)


def test_center_of_mass_as_the_error_of_a_module(humanoid):
    ik = InverseKinematics(humanoid.frame("left_arm_end"))
    ik.error_method = CenterOfMassTask(over=[0.02, 0.0])
    ik.use_whole_body()
    solution = ik.solve()
    assert solution
    np.testing.assert_allclose(humanoid.state(solution.q).com()[:2], [0.02, 0.0], atol=1e-6)
    moved = ik.solve([0.05, 0.01])
    assert moved
    np.testing.assert_allclose(humanoid.state(moved.q).com()[:2], [0.05, 0.01], atol=1e-6)
    np.testing.assert_array_equal(ik.error_method.goal, [0.02, 0.0])


def test_center_of_mass_wants_one_goal():
    for wrong in ({}, {"over": [0, 0], "point": [0, 0, 0]}, {"over": [0, 0], "weight": 0.0}):
        with pytest.raises(InvalidValueError):
            CenterOfMassTask(**wrong)
    with pytest.raises(ShapeError):
        CenterOfMassTask(over=[0, 0, 0])


def test_posture_jacobian(arm, curved, humanoid, rng, differences):
    for skeleton in (arm, curved, humanoid):
        goal = skeleton.random_positions(rng)
        task = PostureTask(goal, dofs=[dof.name for dof in skeleton.dofs], weight=2.0)
        state = skeleton.state(skeleton.random_positions(rng))
        _, jacobian = task.evaluate(state)
        np.testing.assert_allclose(jacobian, differences(task, state), atol=1e-6)


def test_posture_is_zero_at_the_posture_and_by_names(arm):
    task = PostureTask({"j1": 0.3, "j3": -1.0})
    state = arm.state({"j1": 0.5, "j3": -1.5})
    error, jacobian = task.evaluate(state)
    np.testing.assert_allclose(error, [0.2, -0.5])
    assert task.rows == 2
    np.testing.assert_array_equal(jacobian.nonzero(), [[0, 1], [1, 3]])
    assert task.residual(state) == (0.0, pytest.approx(np.hypot(0.2, 0.5)))
    assert not PostureTask().evaluate(arm.state(arm.rest_positions))[0].any()
    with pytest.raises(UnknownNameError):
        PostureTask({"elbow": 0.0}).evaluate(state)


def test_posture_leaves_free_joints_alone(humanoid):
    task = PostureTask()
    task.evaluate(humanoid.state())
    assert task.rows == humanoid.num_dofs - 6


def test_posture_of_an_unlimited_angle_takes_the_shorter_way():
    skeleton = Skeleton("wheel")
    base = skeleton.add_link("base")
    skeleton.add_link("wheel", RevoluteJoint("spin"), base)
    error, _ = PostureTask([3.0]).evaluate(skeleton.state([-3.0]))
    np.testing.assert_allclose(error, [2 * np.pi - 6.0])


def test_joint_limit_jacobian_and_margins(arm, rng, differences):
    task = JointLimitTask(margin=0.2)
    state = arm.state(arm.random_positions(rng))
    error, jacobian = task.evaluate(state)
    assert error.any()
    assert len(error) == task.rows == arm.num_dofs
    np.testing.assert_allclose(jacobian, differences(task, state), atol=1e-8)
    width = arm.upper_limits - arm.lower_limits
    error, _ = task.evaluate(arm.state(arm.upper_limits))
    np.testing.assert_allclose(error, 0.2 * width)
    error, _ = task.evaluate(arm.state(arm.lower_limits + 0.5 * width))
    assert not error.any()
    with pytest.raises(InvalidValueError):
        JointLimitTask(margin=0.7)


class Height(ErrorMethod):
    rows = 1

    def __init__(self, height):
        self.height = height

    def evaluate(self, state):
        frame = self.module.frame
        return state.transform(frame).translation[2:] - self.height, state.jacobian(frame)[2:3]


def test_a_users_own_error_method(arm):
    ik = InverseKinematics(arm)
    ik.error_method = Height(0.4)
    solution = ik.solve()
    assert solution
    assert arm.state(solution.q).transform(arm.tip).translation[2] == pytest.approx(0.4, abs=1e-6)
    assert solution.position_error <= 1e-6
    with pytest.raises(InvalidValueError, match="no target"):
        ik.solve(pose((0, 0, 1)))


def test_an_error_method_may_be_the_target_of_one_call(arm):
    ik = InverseKinematics(arm)
    before = ik.error_method
    solution = ik.solve(Height(0.5))
    assert solution
    assert arm.state(solution.q).transform(arm.tip).translation[2] == pytest.approx(0.5, abs=1e-6)
    assert ik.error_method is before


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n: (np.zeros(2), np.zeros((1, n))), "shape"),
        (lambda n: (np.zeros(1), np.zeros((1, n + 1))), "shape"),
        (lambda n: (np.full(1, np.nan), np.zeros((1, n))), "not finite"),
        (lambda n: (np.ones(1), np.full((1, n), np.inf)), "not finite"),
        (lambda n: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_what_a_bad_error_method_gets(arm, answer, says):
    class Bad(ErrorMethod):
        rows = 1

        def evaluate(self, state):
            return answer(len(state.dofs))

    ik = InverseKinematics(arm)
    ik.error_method = Bad()
    before = arm.positions
    with pytest.raises(ErrorMethodError, match="Bad") as caught:
        ik.solve()
    assert says in str(caught.value)
    np.testing.assert_array_equal(arm.positions, before)
