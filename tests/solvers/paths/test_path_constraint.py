"""Paths that a constraint has a say in, on the way of following and on that of the graph."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import CollisionDetector, QConstraint, pose
from kinetree.kinematics.shapes import Box
from kinetree.solvers import ConstraintError, GradientMethod, InverseKinematics, Reason

START = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])


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


def way(points):
    phases = np.random.default_rng(2).uniform(0.0, 2.0 * np.pi, 6)
    s = np.linspace(0.0, 2.0 * np.pi, points)[:, None]
    return START + 0.35 * (np.sin(s + phases) - np.sin(phases))


class InPython(GradientMethod):
    def gradient(self, jacobian, error):
        return jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-9 * np.eye(len(error)), error)


@pytest.mark.parametrize("engine", ["compiled", "object"])
def test_following_jumps_where_a_configuration_is_refused(ur5, engine):
    truth = way(60)
    targets = poses(ur5, truth)
    ik = InverseKinematics(ur5)
    if engine == "object":
        ik.gradient_method = InPython()
    refuse = QConstraint(lambda q: not np.allclose(q, truth[30], atol=1e-3), "keep away")
    path = ik.solve_path(targets, truth[0], constraint=refuse)
    assert path, path.why
    assert path.jumps[0] == 30
    np.testing.assert_allclose(path.q[:30], truth[:30], atol=1e-4)
    assert all(refuse(q) for q in path.q)
    np.testing.assert_allclose(poses(ur5, path.q), targets, atol=2e-6)
    assert path.constraint_calls >= 60


def test_following_tells_what_is_refused_everywhere(ur5):
    truth = way(40)
    targets = poses(ur5, truth)
    never = QConstraint(lambda q: bool(np.abs(poses(ur5, [q])[0] - targets[20]).max() > 1e-4), "not there")
    path = InverseKinematics(ur5).solve_path(targets, truth[0], constraint=never)
    assert path.breaks == (20,)
    assert path.reason[20] is Reason.CONSTRAINT
    assert "'not there'" in path.why
    np.testing.assert_allclose(poses(ur5, path.q[20:21])[0], targets[20], atol=2e-6)
    np.testing.assert_allclose(path.q[21:], truth[21:], atol=1e-4)


def test_a_constraint_that_fails(ur5):
    targets = poses(ur5, way(10))

    def broken(q):
        raise RuntimeError("no")

    before = ur5.positions.copy()
    for strategy in ("follow", "graph"):
        for wrong in (broken, lambda q: np.nan, lambda q: None):
            with pytest.raises(ConstraintError):
                InverseKinematics(ur5).solve_path(targets, START, constraint=wrong, strategy=strategy)
    np.testing.assert_array_equal(ur5.positions, before)


@pytest.fixture(scope="module")
def scene(ur5):
    """A line along which the elbow, as it stands, has to pass through a box."""
    robot = ur5.clone()
    line = np.tile(poses(robot, [START])[0], (60, 1, 1))
    line[:, 1, 3] += np.linspace(0.0, -0.35, 60)
    follow = InverseKinematics(robot).solve_path(line, START)
    assert follow
    assert not follow.jumps
    detector = CollisionDetector(robot)
    state = robot.state(follow.q[40])
    middle = 0.5 * sum(state.transform(robot.frame(f"{link}_link")).translation for link in ("forearm", "wrist_1"))
    detector.add("box", Box(0.1, 0.1, 0.1), pose(middle))
    hit = detector.in_collision_many(follow.q)
    assert not hit[0]
    assert hit[40]
    return robot, line, detector


def test_an_obstacle_on_the_way(scene):
    robot, line, detector = scene
    ik = InverseKinematics(robot)
    followed = ik.solve_path(line, START, constraint=detector)
    assert followed.jumps
    assert not detector.in_collision_many(followed.q[followed.success]).any()
    path = ik.solve_path(line, START, constraint=detector, strategy="graph", check_between=2)
    assert path, path.why
    assert path.jumps == ()
    assert not detector.in_collision_many(path.q).any()
    assert np.abs(np.diff(path.q, axis=0)).max() <= 0.2
    np.testing.assert_allclose(poses(robot, path.q), line, atol=2e-6)


def test_the_pair_that_collides_is_told(scene):
    robot, line, _ = scene
    detector = CollisionDetector(robot)
    detector.add("block", Box(0.1, 0.1, 0.1), line[45])
    path = InverseKinematics(robot).solve_path(line, START, constraint=detector, strategy="graph")
    assert not path
    row = path.breaks[0]
    assert path.reason[row] in (Reason.COLLISION, Reason.JUMP)
    assert "'block'" in path.why
    assert path.success[:row].all()
    jumping = InverseKinematics(robot).solve_path(line, START, constraint=detector, strategy="graph", allow_jumps=True)
    assert 45 in jumping.breaks
    assert jumping.reason[45] is Reason.COLLISION
    assert not detector.in_collision_many(jumping.q[jumping.success]).any()
    assert jumping.success[0]
