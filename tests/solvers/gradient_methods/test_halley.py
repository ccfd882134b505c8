"""Halley's method: its order of convergence, what it does where it knows too little, and whole solves."""

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, RevoluteJoint, Skeleton, SphericalJoint, UniversalJoint, pose
from kinetree.solvers import InverseKinematics, LevenbergMarquardt, TaskSpaceRegion
from kinetree.solvers.gradient_methods.halley import Halley


def left_over(ik, method, target, q, direction, size):
    """Length of the error after one step from a configuration ``size`` away from the goal at q."""
    robot = ik.skeleton
    task = ik.error_method.aimed_at(target)
    state = robot.state(q)
    state.set(state.moved(size * direction))
    error, jacobian, _, _ = task.measure(state)
    step = method.checked_gradient(jacobian, error, state, ik)
    state.set(state.moved(-step))
    return np.linalg.norm(task.measure(state)[0])


def order(ik, method, rng, goal=None):
    """By how many powers of two the left-over error falls when the error before is halved; the median of some."""
    robot = ik.skeleton
    found = []
    for _ in range(25):
        q = robot.random_positions(rng)
        direction = rng.normal(size=robot.num_dofs)
        target = robot.state(q).transform(ik.frame) if goal is None else goal(q)
        errors = [left_over(ik, method, target, q, direction, size) for size in (0.02, 0.01)]
        if min(errors) > 1e-11:
            found.append(np.log2(errors[0] / errors[1]))
    assert len(found) > 15
    return np.median(found)


@pytest.fixture
def knotted():
    """Two universal joints, a ball and a joint that depends on another."""
    rng = np.random.default_rng(3)
    robot = Skeleton("knotted")
    link = robot.add_link("base")
    joints = [
        UniversalJoint("u1", axes=((1, 0, 0.3), (0, 1, 0))),
        RevoluteJoint("r1", axis="y"),
        RevoluteJoint("d1", axis="x"),
        SphericalJoint("b1"),
        UniversalJoint("u2"),
    ]
    for joint in joints:
        link = robot.add_link(
            f"after_{joint.name}", joint, link, pose(rng.uniform(-0.5, 0.5, 3), rpy=rng.normal(size=3))
        )
    robot.joint("d1").depend_on(robot.joint("r1"), -1.5)
    robot.tip = robot.add_link("tool", None, link, pose((0.1, 0.0, 0.2)))
    return robot


@pytest.mark.parametrize("name", ["six", "arm", "knotted"])
@pytest.mark.parametrize("offset", [None, (0.1, -0.2, 0.05)])
def test_it_converges_cubically_to_a_pose(request, rng, name, offset):
    ik = InverseKinematics(request.getfixturevalue(name))
    ik.offset = offset

    def goal(q):
        at = ik.skeleton.state(q).transform(ik.frame)
        return at if offset is None else at * pose(offset)

    assert order(ik, LevenbergMarquardt(), rng, goal) == pytest.approx(2.0, abs=0.3)
    assert order(ik, Halley(), rng, goal) > 2.75


def test_it_converges_cubically_to_a_position(arm, rng):
    ik = InverseKinematics(arm)
    ik.error_method = TaskSpaceRegion.position_only()
    assert order(ik, LevenbergMarquardt(), rng) == pytest.approx(2.0, abs=0.3)
    assert order(ik, Halley(), rng) > 2.75


@pytest.mark.parametrize(
    "region",
    [
        TaskSpaceRegion(weights=[1.0, 2.0, 1.0, 0.5, 0.7, 0.5]),
        TaskSpaceRegion(bounds=([0, 0, 0, 0, 0, -np.inf], [0, 0, 0, 0, 0, np.inf])),
    ],
    ids=["weights", "free about z"],
)
def test_it_converges_cubically_for_other_errors(arm, rng, region):
    ik = InverseKinematics(arm)
    ik.error_method = region

    def goal(q):
        # Errors that depend on more than the Jacobian are asked of the module, which has to know the target.
        ik.target = arm.state(q).transform(ik.frame)
        return None

    assert order(ik, LevenbergMarquardt(), rng, goal) == pytest.approx(2.0, abs=0.3)
    assert order(ik, Halley(), rng, goal) > 2.6


def test_the_state_is_left_where_it_was(arm, rng):
    ik = InverseKinematics(arm)
    state = arm.state(arm.random_positions(rng))
    q, jacobian = state.q.copy(), state.jacobian(arm.tip)
    step = Halley().checked_gradient(jacobian, rng.normal(size=6), state, ik)
    assert step.any()
    np.testing.assert_array_equal(state.q, q)
    np.testing.assert_array_equal(state.jacobian(arm.tip), jacobian)


def test_it_takes_the_first_step_alone_where_it_does_not_know_whose_jacobian_it_is(arm, rng):
    ik, method = InverseKinematics(arm), Halley()
    state = arm.state(arm.random_positions(rng))
    error = 0.3 * rng.normal(size=6)
    known = state.jacobian(arm.tip)
    assert np.abs(method.checked_gradient(known, error, state, ik) - method.gradient(known, error)).max() > 1e-3
    for unknown in (rng.normal(size=(6, 7)), rng.normal(size=(6, 4)), 1.1 * known):
        np.testing.assert_array_equal(
            method.checked_gradient(unknown, error, state, ik), method.gradient(unknown, error)
        )
    np.testing.assert_array_equal(method.checked_gradient(known, error), method.gradient(known, error))
    np.testing.assert_array_equal(method.checked_gradient(known, 0.0 * error, state, ik), np.zeros(7))


def test_joints_that_are_held_stay_and_the_others_are_corrected(six, rng):
    """A joint at its limit has a column of zeros: the step is that of the robot without this joint."""
    state = six.state(six.random_positions(rng))
    error = 0.2 * rng.normal(size=6)
    free = [0, 1, 3, 4, 5]
    jacobian = state.jacobian(six.tip)
    jacobian[:, 2] = 0.0
    step = Halley().checked_gradient(jacobian, error, state, InverseKinematics(six))
    fewer = InverseKinematics(six, dofs=free)
    there = six.state(state.q, free)
    expected = Halley().checked_gradient(there.jacobian(six.tip), error, there, fewer)
    assert step[2] == 0.0
    np.testing.assert_allclose(step[free], expected, rtol=1e-6, atol=1e-7)


def test_columns_scaled_by_the_weights_of_joints_are_recognised(six, rng):
    q, error = six.random_positions(rng), 0.1 * rng.normal(size=6)
    # A square Jacobian without damping leads to the same motion whatever the weights.
    method = Halley(damping=0.0, floor=1e-14)
    state = six.state(q)
    jacobian = state.jacobian(six.tip)
    plain = method.checked_gradient(jacobian, error, state, InverseKinematics(six))
    six.joint("j1").dofs[0].weight = 0.25
    roots = np.array([1.0, 0.5, 1.0, 1.0, 1.0, 1.0])
    weighted = roots * method.checked_gradient(jacobian * roots, error, six.state(q), InverseKinematics(six))
    assert np.abs(plain - method.gradient(jacobian, error)).max() > 1e-3
    np.testing.assert_allclose(weighted, plain, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["six", "arm"])
def test_it_solves_in_fewer_iterations_than_levenberg_marquardt(request, rng, name, misses):
    robot = request.getfixturevalue(name)
    iterations = {}
    tasks = [(robot.random_positions(rng), robot.random_positions(rng)) for _ in range(25)]
    for method in (LevenbergMarquardt(), Halley()):
        ik = InverseKinematics(robot)
        ik.gradient_method = method
        ik.problem.engine = "object"
        taken = iterations[type(method)] = []
        for q, seed in tasks:
            target = robot.state(q).transform(robot.tip)
            solution = ik.solve(target, seed=seed)
            assert solution
            assert max(misses(robot, solution.q, robot.tip, target)) < 1.1e-6
            taken.append(solution.iterations)
    assert np.mean(iterations[Halley]) < 0.85 * np.mean(iterations[LevenbergMarquardt])


def test_near_the_goal_it_finds_the_same_solution(six, rng):
    ik = InverseKinematics(six)
    ik.problem.engine = "object"
    for _ in range(10):
        q = 0.5 * six.random_positions(rng)
        seed = q + 0.02 * rng.normal(size=6)
        target = six.state(q).transform(six.tip)
        solutions = []
        for method in (LevenbergMarquardt(), Halley()):
            ik.gradient_method = method
            solutions.append(ik.solve(target, seed=seed, tolerance=1e-9))
        assert all(solutions)
        np.testing.assert_allclose(solutions[0].q, solutions[1].q, rtol=0, atol=1e-6)
        assert solutions[1].iterations <= solutions[0].iterations


def test_options():
    assert Halley(0.5, 1e-3).parameters == (0.5, 1e-3)
    for wrong in (
        lambda: Halley(-1.0),
        lambda: Halley(np.nan),
        lambda: Halley(floor=0.0),
        lambda: Halley(floor=np.inf),
    ):
        with pytest.raises(InvalidValueError):
            wrong()
    rng = np.random.default_rng(0)
    jacobian, error = rng.normal(size=(6, 7)), rng.normal(size=6)
    np.testing.assert_allclose(Halley().gradient(jacobian, error), Halley().reference(jacobian, error), atol=1e-8)
