"""The search for configurations: what it finds, what it asks, and that it leaves everything as it was."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.interfaces.coppelia import Constraint, Dependency, Environment, JointKind, Method
from kinetree.interfaces.coppelia.errors import CallbackError
from kinetree.interfaces.coppelia.from_skeleton import environment_from_skeleton
from kinetree.interfaces.coppelia.solving import find_config
from kinetree.kinematics.errors import InvalidValueError, StructureError

HOME = np.array([0.1, -0.4, 0.2, -1.9, 0.1, 1.7, 0.5])
LINEAR, ANGULAR = 1e-4, math.radians(0.01)


class Search:
    """A panda at HOME with a pose to find."""

    def __init__(self):
        self.robot = models.load("panda")
        self.names = [dof.name for dof in self.robot.tip.chain().dofs]
        self.robot.positions = dict(zip(self.names, HOME, strict=True))
        self.environment = environment_from_skeleton(self.robot)
        self.joints = [self.environment.object(name) for name in self.names]
        tip = self.environment.object(self.robot.tip.name)
        self.target = tip.target
        self.group = self.environment.add_group("hand")
        self.group.method, self.group.damping = Method.DAMPED_LEAST_SQUARES, 0.1
        self.group.max_iterations = 40
        self.element = self.group.add_element(tip)
        self.element.constraints = Constraint.POSE
        self.element.linear_precision, self.element.angular_precision = LINEAR, ANGULAR

    def aim(self, rng):
        self.target.pose = self.pose_at(np.array([j.minimum + rng.random() * j.range for j in self.joints]))

    def pose_at(self, q):
        return self.robot.state(dict(zip(self.names, q, strict=True))).transform(self.robot.tip)

    def check(self, q, scale=1.0):
        """By the robot's own kinematics."""
        off = self.target.full_pose().actInv(self.pose_at(q))
        assert np.linalg.norm(off.translation) <= LINEAR * scale
        assert np.linalg.norm(pin.log3(off.rotation)) <= ANGULAR * scale
        for joint, value in zip(self.joints, q, strict=True):
            assert joint.minimum <= value <= joint.maximum

    @property
    def q(self):
        return np.array([joint.position for joint in self.joints])

    def find(self, **options):
        options.setdefault("max_time", 2.0)
        return find_config(self.group, self.joints, **options)


@pytest.fixture(scope="module")
def search():
    return Search()


def test_reachable_targets_are_found_and_refined(search):
    rng = np.random.default_rng(1)
    for seed in range(20):
        search.aim(rng)
        found = search.find(seed=seed)
        assert len(found) == 1
        search.check(found.best, 1e-4)
        np.testing.assert_array_equal(search.q, HOME)


def test_the_joints_are_those_of_the_group_when_none_are_named(search):
    search.aim(np.random.default_rng(6))
    np.testing.assert_array_equal(search.group.find_config(max_time=2.0).best, search.find().best)


def test_threshold_alone_finds_them_too(search):
    rng = np.random.default_rng(2)
    for seed in range(5):
        search.aim(rng)
        found = search.find(seed=seed, restarts=False)
        search.check(found.best)


def test_target_out_of_reach(search):
    search.target.pose = pin.SE3(np.eye(3), np.array([2.0, 0.0, 0.0]))
    found = search.find(max_time=0.01)
    assert not found
    assert found.best is None
    assert found.report.tried > 1000
    assert "0 found" in repr(found)


def test_no_time_is_no_try(search):
    found = search.find(max_time=0.0)
    assert not found
    assert found.report.tried == 0


def test_threshold_of_zero_solves_nothing(search):
    search.aim(np.random.default_rng(3))
    assert search.find(threshold=0.0, max_time=0.01, restarts=False).report.solved == 0


def test_same_seed_same_answer(search):
    search.aim(np.random.default_rng(4))
    first, again, other = (search.find(seed=seed).best for seed in (7, 7, 8))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    drawn = [search.find(seed=np.random.default_rng(5)).best for _ in range(2)]
    np.testing.assert_array_equal(*drawn)


def test_several_are_different_and_ranked(search):
    search.target.pose = search.pose_at(HOME + 0.1)
    found = search.find(count=10)
    assert len(found) == 10
    for q in found:
        search.check(q)
    assert list(found.distances) == sorted(found.distances)
    assert found.distances[0] == pytest.approx(np.linalg.norm(found[0] - HOME))
    assert min(np.abs(a - b).max() for i, a in enumerate(found) for b in found[:i]) > 1e-3
    weights = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    ranked = search.find(count=10, distance_weights=weights)
    assert [abs(q[0] - HOME[0]) for q in ranked] == pytest.approx(list(ranked.distances))


def test_validation_is_asked_with_the_joints_in_place(search):
    search.target.pose = search.pose_at(HOME + 0.1)
    asked = []

    def left(q):
        np.testing.assert_allclose(search.q, q)
        tip = search.element.tip.full_pose().actInv(search.target.full_pose())
        assert np.linalg.norm(tip.translation) <= LINEAR
        asked.append(q)
        return bool(q[0] > 0.5)

    found = search.find(callback=left)
    assert found.best[0] > 0.5
    assert found.report.refused == len(asked) - 1
    np.testing.assert_array_equal(search.q, HOME)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_joints_are_restored_when_the_callback_raises(search, error):
    search.aim(np.random.default_rng(6))

    def fail(q):
        search.joints[0].position = 0.77
        raise error

    with pytest.raises(error):
        search.find(callback=fail)
    np.testing.assert_array_equal(search.q, HOME)


def test_validation_must_answer(search):
    search.aim(np.random.default_rng(6))
    with pytest.raises(CallbackError, match="None"):
        search.find(callback=lambda q: None)


def test_intervals_and_number_of_samples(search):
    search.aim(np.random.default_rng(7))
    narrow = {search.joints[0]: (0.3, 0.4)}
    assert search.find(max_samples=64, max_time=1.0, threshold=0.0, restarts=False).report.tried == 64
    found = search.find(intervals=narrow, threshold=math.inf, restarts=False, max_samples=8, max_time=1.0)
    assert found.report.tried == found.report.solved or found
    with pytest.raises(InvalidValueError, match="interval"):
        search.find(intervals={search.joints[0]: (1.0, 0.0)})


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"threshold": math.nan}, "threshold"),
        ({"threshold": -1.0}, "threshold"),
        ({"max_time": math.inf}, "max_time"),
        ({"max_time": math.nan}, "max_time"),
        ({"metric": (1.0, 1.0)}, "metric"),
        ({"metric": (1.0, 1.0, 1.0, math.nan)}, "metric"),
        ({"count": 0}, "count"),
        ({"max_samples": -1}, "max_samples"),
        ({"distance_weights": [1.0]}, "distance_weights"),
    ],
)
def test_wrong_arguments_are_named(search, options, match):
    with pytest.raises(InvalidValueError, match=match):
        search.find(**options)


def test_groups_that_cannot_be_searched():
    search = Search()
    ball = search.environment.add_joint(JointKind.SPHERICAL, "ball")
    stranger = Environment().add_joint(JointKind.REVOLUTE)
    with pytest.raises(InvalidValueError, match="'ball' is spherical"):
        find_config(search.group, [ball])
    with pytest.raises(StructureError, match="another environment"):
        find_config(search.group, [stranger])
    search.group.enabled = False
    with pytest.raises(InvalidValueError, match="'hand' is disabled"):
        search.find()
    search.group.enabled = True
    search.element.tip.target = None
    with pytest.raises(InvalidValueError, match="no enabled element with a target"):
        search.find()


def test_metric_looks_at_what_it_weighs():
    # A point on a line: half of the samples are within half of the range, whatever the angle.
    environment = Environment()
    slide = environment.add_joint(JointKind.PRISMATIC)
    slide.minimum, slide.range = -1.0, 2.0
    tip = environment.add_dummy()
    tip.parent = slide
    tip.target = environment.add_dummy()
    tip.target.pose = pin.SE3(pin.exp3(np.array([2.0, 0.0, 0.0])), np.zeros(3))
    group = environment.add_group()
    group.max_iterations = 1
    group.add_element(tip).linear_precision = 1e-9
    options = {"restarts": False, "max_samples": 4096, "max_time": 10.0, "callback": lambda q: False}
    found = find_config(group, [slide], threshold=0.5, metric=(1, 1, 1, 0), **options)
    assert found.report.solved / found.report.tried == pytest.approx(0.5, abs=0.05)
    found = find_config(group, [slide], threshold=0.5, metric=(1, 1, 2, 0), **options)
    assert found.report.solved / found.report.tried == pytest.approx(0.25, abs=0.05)
    found = find_config(group, [slide], threshold=1.9, metric=(0, 0, 0, 1), **options)
    assert found.report.solved == 0


def test_spherical_and_dependent_joints():
    environment = Environment()
    first = environment.add_joint(JointKind.REVOLUTE)
    second = environment.add_joint(JointKind.REVOLUTE)
    ball = environment.add_joint(JointKind.SPHERICAL)
    tip = environment.add_dummy()
    for child, parent in ((second, first), (ball, second), (tip, ball)):
        child.parent = parent
        child.pose = pin.SE3(np.eye(3), np.array([0.5, 0.0, 0.0]))
    second.dependency = Dependency(first, -2.0, 0.3)
    first.position = 1.1
    ball.rotation = pin.Quaternion(pin.exp3(np.array([0.4, -1.2, 0.8]))).coeffs()
    goal = tip.full_pose()
    tip.target = environment.add_dummy()
    tip.target.pose = goal
    first.position, ball.rotation = -0.3, np.array([0.0, 0.0, 0.0, 1.0])
    group = environment.add_group()
    group.max_iterations = 10
    group.add_element(tip).constraints = Constraint.POSE
    found = find_config(group, [second, first], max_time=2.0)
    assert found
    assert found.best[0] == pytest.approx(-2.0 * found.best[1] + 0.3)
    assert first.position == -0.3
    np.testing.assert_array_equal(ball.rotation, [0.0, 0.0, 0.0, 1.0])


def test_joints_that_follow_through_a_callback():
    environment = Environment()
    first, second = environment.add_joint(JointKind.REVOLUTE), environment.add_joint(JointKind.REVOLUTE)
    tip = environment.add_dummy()
    for child, parent in ((second, first), (tip, second)):
        child.parent = parent
        child.pose = pin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0]))
    second.dependency = Dependency(first, callback=lambda environment, slave, q: q + 0.5 * math.sin(q))
    first.position = 2.0
    goal = tip.full_pose()
    first.position = -1.0
    tip.target = environment.add_dummy()
    tip.target.pose = goal
    group = environment.add_group()
    group.max_iterations = 20
    group.add_element(tip).constraints = Constraint.X | Constraint.Y
    found = find_config(group, [first, second], max_time=5.0, threshold=0.5, metric=(1, 1, 1, 0))
    assert found
    assert found.best[0] == pytest.approx(2.0, abs=2e-3)
    assert found.best[1] == pytest.approx(found.best[0] + 0.5 * math.sin(found.best[0]))
    assert first.position == -1.0


def test_whole_turns_bring_joints_near_to_where_they_are():
    environment = Environment()
    joint = environment.add_joint(JointKind.REVOLUTE)
    tip = environment.add_dummy()
    tip.parent = joint
    joint.cyclic = False
    joint.minimum, joint.range = -7.0, 14.0
    tip.target = environment.add_dummy()
    group = environment.add_group()
    group.max_iterations = 20
    group.add_element(tip).constraints = Constraint.POSE
    for present, angle, expected in ((5.0, -1.0, math.tau - 1.0), (-6.0, -1.0, -1.0), (-6.0, 0.2, 0.2 - math.tau)):
        joint.position = present
        tip.target.pose = pin.SE3(pin.exp3(np.array([0.0, 0.0, angle])), np.zeros(3))
        for seed in range(4):
            found = find_config(group, [joint], seed=seed, max_time=2.0)
            assert found.best[0] == pytest.approx(expected, abs=1e-6)
