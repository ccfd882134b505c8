"""Going along a path in time."""

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.viewer import JointMotion
from kinetree.kinematics import InvalidValueError, ShapeError
from kinetree.solvers import InverseKinematics


@pytest.fixture
def robot():
    return models.load("planar3")


def test_between_rows_joints_move_straight(robot):
    rows = np.array([[0.0, 0.0, 0.0], [0.2, 0.4, 0.0], [0.2, 0.4, 1.0]])
    motion = JointMotion(robot, rows, duration=2.0)
    for time, expected in [
        (-1.0, rows[0]),
        (0.0, rows[0]),
        (0.5, [0.1, 0.2, 0.0]),
        (1.0, rows[1]),
        (1.75, [0.2, 0.4, 0.75]),
        (2.0, rows[2]),
        (9.0, rows[2]),
    ]:
        np.testing.assert_allclose(motion.at(time), expected, atol=1e-12)
    np.testing.assert_allclose(JointMotion(robot, rows[:1]).at(0.3), rows[0])


def test_a_path_that_breaks_off_ends_there(robot):
    rows = np.array([[0.0, 0.0, 0.0], [0.1, 0.1, 0.1], [np.nan] * 3, [0.3, 0.3, 0.3]])
    motion = JointMotion(robot, rows, 1.0)
    assert len(motion) == 2
    np.testing.assert_allclose(motion.at(1.0), rows[1])


def test_a_path_of_the_solver_and_its_jumps():
    robot = models.load("ur5e")
    robot.positions = [0.3, -1.6, 1.7, -1.6, -1.5, 0.2]
    start = robot.tip.transform()
    targets = []
    for height in np.linspace(0.0, 0.1, 5):
        targets.append(start.homogeneous)
        targets[-1][2, 3] += height
    path = InverseKinematics(robot).solve_path(targets)
    assert path.success.all()
    motion = JointMotion(robot, path, 4.0)
    np.testing.assert_allclose(motion.at(2.0), path.q[2])

    class Jumping:
        q, jumps = path.q, (2,)

    np.testing.assert_allclose(JointMotion(robot, Jumping(), 4.0).at(1.9), path.q[1])  # stays, then jumps
    np.testing.assert_allclose(JointMotion(robot, Jumping(), 4.0).at(2.0), path.q[2])


@pytest.mark.parametrize("path", [np.zeros(3), np.zeros((4, 2)), np.zeros((2, 2, 3))])
def test_wrong_shapes(robot, path):
    with pytest.raises(ShapeError, match="planar3"):
        JointMotion(robot, path)


def test_what_is_no_path(robot):
    for path, duration in [("path", 1.0), (np.full((2, 3), np.nan), 1.0), (np.zeros((2, 3)), 0.0)]:
        with pytest.raises(InvalidValueError):
            JointMotion(robot, path, duration)


def test_values_too_large_to_be_shown_are_refused(robot):
    with pytest.raises(InvalidValueError, match="up to 1e"):
        JointMotion(robot, [[0.0, 0.0, 0.0], [0.0, 1e300, 0.0]])
