"""Paths through the graph of branches, for arms with joints to spare and for arms without a closed form."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.solvers import (
    Analytical,
    InverseKinematics,
    Reason,
    TaskSpaceRegion,
    Translation3D,
    TranslationXYOrientation3D,
)

TURN = 2.0 * np.pi


def poses(robot, configurations):
    """By Pinocchio alone."""
    model, data = robot.model, robot.model.createData()
    frame = model.getFrameId(robot.tip.name)
    found = []
    for q in configurations:
        pin.framesForwardKinematics(model, data, robot.to_pinocchio(q))
        found.append(data.oMf[frame].homogeneous.copy())
    return np.array(found).reshape(-1, 4, 4)


def way(robot, points, seed=1, size=0.5):
    """Configurations along a smooth way through the middle of the limits."""
    rng = np.random.default_rng(seed)
    low, high = np.maximum(robot.lower_limits, -3.0), np.minimum(robot.upper_limits, 3.0)
    s = np.linspace(0.0, TURN, points)[:, None]
    return 0.5 * (low + high) + np.minimum(0.25 * (high - low), size) * np.sin(s + rng.uniform(0.0, TURN, len(low)))


def length(q):
    return np.linalg.norm(np.diff(q, axis=0), axis=1).sum()


def check(robot, path, targets):
    assert path, path.why
    np.testing.assert_allclose(poses(robot, path.q), targets, atol=2e-6)
    assert (path.q >= robot.lower_limits - 1e-9).all()
    assert (path.q <= robot.upper_limits + 1e-9).all()
    assert np.abs(np.diff(path.q, axis=0)).max() <= 0.2 + 1e-9


@pytest.mark.parametrize("name", ["panda", "iiwa7", "xarm7"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_joint_to_spare_moves_smoothly_and_little(name, seed):
    robot = models.load(name)
    ik = InverseKinematics(robot)
    truth = way(robot, 200, seed)
    targets = poses(robot, truth)
    path = ik.solve_path(targets, truth[0], strategy="graph")
    check(robot, path, targets)
    assert path.cost == pytest.approx(length(path.q) + np.linalg.norm(path.q[0] - truth[0]), rel=1e-6)
    followed = ik.solve_path(targets, truth[0])
    if followed and not followed.jumps:
        # Following from the start is one of the ways.
        assert path.cost <= length(followed.q) * (1.0 + 1e-6)


@pytest.mark.parametrize("seed", [2, 5])
def test_it_moves_no_more_than_the_way_that_made_the_path(seed):
    """And no more than following; where a path is finely cut, samples alone would make stairs of it."""
    robot = models.load("panda")
    ik = InverseKinematics(robot)
    truth = way(robot, 600, seed)
    targets = poses(robot, truth)
    path = ik.solve_path(targets, truth[0], strategy="graph")
    check(robot, path, targets)
    assert path.cost <= length(truth)
    assert path.cost <= length(ik.solve_path(targets, truth[0]).q)


def test_differences_are_bounded():
    """As a function of the way, the joints have a bounded slope: with ten times the points, steps are a tenth."""
    robot = models.load("panda")
    ik = InverseKinematics(robot)
    steps, costs = [], []
    for points in (60, 600):
        path = ik.solve_path(poses(robot, way(robot, points)), way(robot, 1)[0], strategy="graph")
        steps.append(np.abs(np.diff(path.q, axis=0)).max())
        costs.append(path.cost)
        assert np.abs(np.diff(path.q, n=2, axis=0)).max() < 0.3 * steps[-1]
    assert steps[1] < 0.15 * steps[0]
    assert costs[1] == pytest.approx(costs[0], rel=0.1)


def test_the_redundancy_gets_out_of_the_way():
    """The elbow has to stay on one side: following leaves it to chance, the graph sees to it."""
    robot = models.load("panda")
    ik = InverseKinematics(robot)
    truth = way(robot, 100)
    targets = poses(robot, truth)
    elbow = robot.frame("panda_link4")
    state = robot.state()

    def height(q):
        state.set(q)
        return state.transform(elbow).translation[1]

    free = ik.solve_path(targets, truth[0], strategy="graph")
    level = float(np.median([height(q) for q in free.q])) - 0.03
    path = ik.solve_path(targets, truth[0], strategy="graph", constraint=lambda q: bool(height(q) < level))
    check(robot, path, targets)
    assert max(height(q) for q in path.q) < level
    assert path.cost >= free.cost * (1.0 - 1e-3)


def test_samples_are_taken_closer_where_there_is_no_way(monkeypatch):
    """Near a singular pose, samples of the redundancy are too far apart for the joints to follow."""
    robot = models.load("gen3")
    targets = poses(robot, way(robot, 100, seed=0, size=0.6))
    check(robot, InverseKinematics(robot).solve_path(targets, strategy="graph"), targets)
    monkeypatch.setattr(
        "kinetree.solvers.path_graph.redundant_branches.RedundantBranches.denser", lambda self, rows: None
    )
    assert not InverseKinematics(robot).solve_path(targets, strategy="graph")


@pytest.mark.parametrize("name", ["so101", "planar3"])
def test_fewer_joints_than_six(name):
    robot = models.load(name)
    ik = InverseKinematics(robot)
    if name == "planar3":
        ik.error_method = TranslationXYOrientation3D([0.5, 0.5], 0.0)
    truth = way(robot, 40)
    targets = poses(robot, truth)
    if name == "planar3":
        goals = [TranslationXYOrientation3D(t[:2, 3], np.arctan2(t[1, 0], t[0, 0])) for t in targets]
        path = ik.solve_path(goals, truth[0], strategy="graph")
        assert path.engine == "closed form"
    else:
        path = ik.solve_path(targets, truth[0], strategy="graph")
    check(robot, path, targets)
    np.testing.assert_allclose(path.q, truth, atol=1e-5)


def test_positions_only_by_samples():
    robot = models.load("ur5")
    ik = InverseKinematics(robot)
    ik.error_method = TaskSpaceRegion.position_only()
    start = np.array([0.3, -1.2, 1.4, -0.7, 1.1, 0.2])
    truth = start + way(robot, 40) * 0.5
    targets = poses(robot, truth)
    path = ik.solve_path(targets[:, :3, 3], truth[0], strategy="graph")
    assert path, path.why
    assert path.engine == "samples"
    np.testing.assert_allclose(poses(robot, path.q)[:, :3, 3], targets[:, :3, 3], atol=2e-6)
    assert np.abs(np.diff(path.q, axis=0)).max() <= 0.2
    np.testing.assert_allclose(path.q[0], truth[0], atol=1e-6)


def test_samples_find_the_branches_of_an_arm(monkeypatch):
    """Without its closed form an arm has the same branches, and the same cheapest way."""
    robot = models.load("kr6_r900")
    ik = InverseKinematics(robot)
    truth = way(robot, 30)
    targets = poses(robot, truth)
    exact = ik.solve_path(targets, strategy="graph")
    monkeypatch.setattr("kinetree.solvers.path_graph.branch_source._closed_form_for", lambda task: None)
    sampled = ik.solve_path(targets, strategy="graph", samples=40)
    assert (exact.engine, sampled.engine) == ("closed form", "samples")
    check(robot, sampled, targets)
    assert sampled.cost == pytest.approx(exact.cost, rel=1e-5)


def test_in_python_by_samples():
    """A method of the user's, without a kernel."""
    from kinetree.solvers import GradientMethod

    class InPython(GradientMethod):
        def gradient(self, jacobian, error):
            return jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-9 * np.eye(len(error)), error)

    robot = models.load("planar3")
    ik = InverseKinematics(robot)
    ik.gradient_method = InPython()
    ik.error_method = Translation3D([0.5, 0.5, 0.0])
    truth = way(robot, 24)
    targets = [Translation3D(t[:3, 3]) for t in poses(robot, truth)]
    path = ik.solve_path(targets, truth[0], strategy="graph", samples=6)
    assert path.engine == "samples"
    assert path.success.all(), path.why
    np.testing.assert_allclose(poses(robot, path.q)[:, :3, 3], [t.goal[:3, 3] for t in targets], atol=2e-6)


def test_a_closed_form_of_the_users():
    class TwoLink(Analytical):
        def compute_solutions(self, target):
            x, y, _ = target.translation
            for elbow in (1.0, -1.0):
                cosine = (x * x + y * y - 0.25 - 0.16) / 0.4
                if abs(cosine) <= 1.0:
                    angle = elbow * np.arccos(cosine)
                    yield np.arctan2(y, x) - np.arctan2(0.4 * np.sin(angle), 0.5 + 0.4 * np.cos(angle)), angle

    from kinetree.kinematics import RevoluteJoint, Skeleton, pose

    robot = Skeleton("two links")
    inner = robot.add_link("inner", RevoluteJoint("shoulder", axis="z", limits=(-3.0, 3.0)), robot.add_link("base"))
    elbow = RevoluteJoint("elbow", axis="z", limits=(-3.0, 3.0))
    outer = robot.add_link("outer", elbow, inner, pose([0.5, 0.0, 0.0]))
    robot.tip = robot.add_link("tool", None, outer, pose([0.4, 0.0, 0.0]))
    ik = InverseKinematics(robot)
    ik.error_method = TaskSpaceRegion.position_only()
    ik.gradient_method = TwoLink()
    angles = np.linspace(-1.0, 1.0, 30)
    points = np.stack([0.6 * np.cos(angles), 0.6 * np.sin(angles), 0.0 * angles], axis=1)
    path = ik.solve_path(points, strategy="graph", constraint=lambda q: bool(q[1] < 0.0))
    assert path.engine == "closed form"
    assert path, path.why
    np.testing.assert_allclose(poses(robot, path.q)[:, :3, 3], points, atol=1e-6)
    assert (path.q[:, 1] < 0.0).all()
    points[15] = [3.0, 0.0, 0.0]
    path = ik.solve_path(points, strategy="graph")
    assert path.breaks == (15,)
    assert path.reason[15] is Reason.UNREACHABLE
