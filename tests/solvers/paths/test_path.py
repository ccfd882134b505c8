"""Following a path."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, pose
from kinetree.solvers import GradientMethod, InverseKinematics, Reason


@pytest.fixture(scope="module")
def ur5():
    return models.load("ur5")


def poses(robot, configurations):
    state = robot.state()
    found = []
    for q in configurations:
        state.set(q)
        found.append(state.transform(robot.tip).homogeneous.copy())
    return np.array(found)


def way(robot, points, seed=2):
    """Configurations along a smooth way, away from singular poses."""
    rng = np.random.default_rng(seed)
    start = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])
    phases = rng.uniform(0.0, 2.0 * np.pi, 6)
    s = np.linspace(0.0, 2.0 * np.pi, points)[:, None]
    return start + 0.35 * (np.sin(s + phases) - np.sin(phases))


class InPython(GradientMethod):
    def gradient(self, jacobian, error):
        return jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-9 * np.eye(len(error)), error)


@pytest.mark.parametrize("engine", ["compiled", "object"])
@pytest.mark.parametrize("points", [400, 40, 13])
def test_a_path_is_followed_on_its_branch(ur5, points, engine):
    ik = InverseKinematics(ur5)
    if engine == "object":
        ik.gradient_method = InPython()
    truth = way(ur5, points)
    path = ik.solve_path(poses(ur5, truth), seed=truth[0])
    assert path
    assert path.engine == engine
    assert path.jumps == ()
    assert "no jumps" in repr(path)
    # A branch of a six-joint arm is isolated, so following it means being where the path came from.
    np.testing.assert_allclose(path.q, truth, atol=1e-4)
    assert path.position_error.max() <= 1e-6


def test_a_jump_is_told(ur5):
    """The last joint would have to go on beyond its limit: the arm has to get to another branch there."""
    truth = np.tile([0.3, -1.2, 1.4, -0.7, 1.1, 0.0], (300, 1))
    truth[:, 5] = np.linspace(0.0, 9.0, 300)
    path = InverseKinematics(ur5).solve_path(poses(ur5, truth), seed=truth[0])
    assert path
    first = path.jumps[0]
    assert truth[first - 1, 5] <= 2 * np.pi < truth[first, 5] + 0.1
    steps = np.abs(np.diff(path.q, axis=0)).max(axis=1)
    assert tuple(np.flatnonzero(steps > 0.2) + 1) == path.jumps
    np.testing.assert_allclose(path.q[:first], truth[:first], atol=1e-4)
    assert f"jumps at {first}" in repr(path)


def test_points_out_of_reach_and_bad_points(ur5):
    truth = way(ur5, 60)
    targets = poses(ur5, truth)
    targets[20:23, :3, 3] *= 10.0
    targets[40, 0, 0] = np.nan
    path = InverseKinematics(ur5).solve_path(targets, seed=truth[0], attempts=20)
    assert list(np.flatnonzero(~path.success)) == [20, 21, 22, 40]
    assert path.reason[40] is Reason.INVALID_INPUT
    assert path.reason[21] is not Reason.CONVERGED
    good = path.success
    np.testing.assert_allclose(path.q[good], truth[good], atol=1e-4)
    assert path.jumps == ()
    # What is not reached is stretched out for, not answered from somewhere else.
    assert np.abs(np.diff(path.q[19:24], axis=0)).max() < 2.0


def test_short_paths_and_bad_options(ur5):
    ik = InverseKinematics(ur5)
    assert len(ik.solve_path([])) == 0
    single = ik.solve_path([pose([0.4, 0.1, 0.4], rpy=[np.pi, 0.0, 0.0])])
    assert single
    assert single.jumps == ()
    with pytest.raises(InvalidValueError, match="continuity"):
        ik.solve_path([], continuity=0.0)
    with pytest.raises(InvalidValueError):
        ik.solve_path([], seed=[np.nan] * 6)


def test_a_redundant_arm_stays_inside_its_limits():
    robot = models.load("panda")
    robot.positions = [0.0, -0.8, 0.0, -2.4, 0.0, 1.6, 0.8, 0.0]
    ik = InverseKinematics(robot)
    start = robot.state().transform(robot.tip).homogeneous
    angle = np.linspace(0.0, 2 * np.pi, 500)
    targets = np.tile(start, (500, 1, 1))
    targets[:, 1, 3] += 0.1 * np.sin(angle)
    targets[:, 2, 3] += 0.1 * (np.cos(angle) - 1.0)
    path = ik.solve_path(targets)
    assert path
    assert path.jumps == ()
    assert np.abs(np.diff(path.q, axis=0)).max() < 0.1
    assert (path.q >= robot.lower_limits).all()
    assert (path.q <= robot.upper_limits).all()
