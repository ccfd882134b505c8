"""Closed forms where they were broken once: shared objects, odd arrays, poses at the edge of what an arm can do."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, ShapeError
from kinetree.solvers import InverseKinematics, Validity


def arm(name):
    robot = models.load(name)
    module = InverseKinematics(robot)
    return robot, module, module.analytical()


def pose_at(robot, q):
    return np.ascontiguousarray(robot.state(q).transform(robot.tip).homogeneous)


@pytest.fixture(scope="module")
def kuka():
    return arm("kr6_r900")


def test_one_object_may_serve_two_robots_in_turn():
    robot, module, closed = arm("kr6_r900")
    other, second, _ = arm("irb120")
    second.gradient_method = closed
    module.gradient_method = module.analytical()
    q = np.array([0.3, -0.4, 0.5, 0.6, 0.7, 0.8])
    for _ in range(2):
        solution = second.solve(pose_at(other, q), seed=q + 0.1)
        np.testing.assert_allclose(solution.q, q, atol=1e-6)
        np.testing.assert_allclose(second.gradient_method.solve_all(pose_at(other, q), q)[0][0], q, atol=1e-6)
    module.gradient_method = closed  # and back again
    inside = robot.clamp(q - [0, 0.8, 0, 0, 0, 0])
    np.testing.assert_allclose(module.solve(pose_at(robot, inside), seed=inside + 0.1).q, inside, atol=1e-6)
    np.testing.assert_allclose(second.solve(pose_at(other, q), seed=q + 0.1).q, q, atol=1e-6)


def test_an_arm_that_is_nearly_of_its_family_reaches_when_stretched():
    """Its axes miss one another by 0.18 mm, so that the exact arm of the family does not reach."""
    robot, _, closed = arm("gen3")
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(200):
        q = robot.random_positions(rng)
        q[3] = rng.uniform(-0.05, 0.05)
        _, validity = closed.solve_all(pose_at(robot, q), q)
        missed += not (validity & Validity.OUT_OF_REACH == 0).any()
    assert missed <= 8


def test_joints_exactly_at_their_limits_are_inside(kuka):
    robot, _, closed = kuka
    rng = np.random.default_rng(4)
    for _ in range(200):
        q = robot.random_positions(rng)
        at = rng.random(6) < 0.5
        q = np.where(at, np.where(rng.random(6) < 0.5, robot.lower_limits, robot.upper_limits), q)
        found, validity = closed.solve_all(pose_at(robot, q), q)
        away = np.abs(found - q).max(axis=1)
        assert (validity[away < 1e-5] == Validity.VALID).any()


@pytest.mark.parametrize(
    "change",
    [
        lambda pose: np.broadcast_to(pose, (4, 4)),
        np.asfortranarray,
        lambda pose: pose.astype(np.float32).astype(float) * 0 + pose,
        lambda pose: np.stack([pose, pose])[::-1][0],
    ],
)
def test_arrays_of_any_layout(kuka, change):
    robot, _, closed = kuka
    q = np.array([0.5, -1.0, 1.0, 0.4, 0.8, 0.2])
    pose, seed = change(pose_at(robot, q)), q.copy()
    seed.flags.writeable = False
    read_only = pose.view()
    read_only.flags.writeable = False
    for each in (pose, read_only):
        np.testing.assert_allclose(closed.solve_all(each, seed)[0][0], q, atol=1e-6)


def test_many_poses_of_any_form_and_bad_ones_among_them(kuka):
    robot, _, closed = kuka
    q = np.array([0.5, -1.0, 1.0, 0.4, 0.8, 0.2])
    pose = pose_at(robot, q)
    rough = pose.copy()
    rough[:3, :3] *= 1.0 + 1e-8
    counts = closed.solve_many(np.array([pose, rough, pose * np.nan, 2.0 * pose]), q)[2]
    assert counts.tolist() == [8, 8, -1, -1]
    solutions, _, counts = closed.solve_many([pose, robot.state(q).transform(robot.tip), "nonsense"], q)
    assert counts.tolist() == [8, 8, -1]
    np.testing.assert_allclose(solutions[0, 0], q, atol=1e-6)
    names = dict(zip((dof.name for dof in robot.dofs), q, strict=True))
    np.testing.assert_allclose(closed.solve_many(pose[None], names)[0][0, 0], q, atol=1e-6)
    assert closed.solve_many([])[0].shape == (0, 8, 6)
    for wrong in (3, None, iter([pose])):
        with pytest.raises(ShapeError):
            closed.solve_many(wrong)
    with pytest.raises(InvalidValueError):
        closed.solve_many(pose[None], "abc")


def test_a_comparison_that_writes_changes_nothing(kuka):
    robot, module, _ = kuka
    closed = module.analytical()
    q = np.array([0.5, -1.0, 1.0, 0.4, 0.8, 0.2])

    def better(a, b, ik):
        a[0] = 99.0
        return True

    closed.quality_comparison = better
    with pytest.raises(Exception, match="read-only"):
        closed.solve_all(pose_at(robot, q), q)


def test_without_compiling_there_is_none_and_it_is_said_why():
    code = "from kinetree import models; from kinetree.solvers import InverseKinematics as I; "
    code += "ik = I(models.load('ur5')); print(ik.analytical(), ik.analytical_report)"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("None")
    assert "NUMBA_DISABLE_JIT" in done.stdout
