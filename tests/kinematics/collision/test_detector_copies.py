"""Copies of a detector: by `copy`, `deepcopy` and `pickle`, alone and inside of other things."""

import copy
import pickle
import threading

import pytest

from kinetree import models
from kinetree.kinematics import Box, CollisionDetector, OcTree, QConstraint, SimpleFrame, Sphere, Srdf, pose

SRDF = """<robot name="panda">
  <group name="arm"><chain base_link="panda_link0" tip_link="panda_hand"/></group>
  <group_state name="bent" group="arm"><joint name="panda_joint4" value="-1.5"/></group_state>
  <disable_collisions link1="panda_link1" link2="panda_link5" reason="Default"/>
</robot>"""
HOME = [0, -0.785, 0, -2.356, 0, 1.571, 0.785, 0.02]
#: A wall that everything touches.
WALL = Box(5, 5, 5)


def deep_copies(thing):
    return copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))


@pytest.fixture
def detector() -> CollisionDetector:
    robot = models.load("panda")
    robot.positions = HOME
    detector = CollisionDetector(robot, srdf=Srdf.parse(SRDF), groups=["arm"], margin=0.03, samples=50)
    detector.add("cloud", OcTree([[1.0, 1.0, 1.0]], 0.1), parent=SimpleFrame("cart", None, pose([0.1, 0, 0])))
    detector.attach("tool", Box(0.02, 0.02, 0.1), robot.tip, pose([0, 0, 0.08]), touches="panda_leftfinger")
    detector.exclude("tool", "panda_link7")
    return detector


def test_a_shallow_copy_is_a_clone(detector):
    twin = copy.copy(detector)
    assert (twin.skeleton, twin.pairs) == (detector.skeleton, detector.pairs)
    assert twin.constraint.detector is twin
    twin.add("wall", WALL)
    assert twin.in_collision()
    assert not twin.constraint(HOME)
    assert not detector.in_collision()
    assert detector.constraint(HOME)
    with detector._lock:  # another thread must not have to wait for it
        edit = threading.Thread(target=twin.remove, args=("wall",))
        edit.start()
        edit.join(5.0)
        assert "wall" not in twin.obstacles


def test_a_deep_copy_has_everything_and_a_robot_of_its_own(detector):
    for twin in deep_copies(detector):
        assert twin.skeleton is not detector.skeleton
        assert twin.skeleton.positions.tolist() == HOME
        assert (twin.pairs, twin.excluded, twin.margin) == (detector.pairs, detector.excluded, 0.03)
        assert list(twin.obstacles) == ["cloud"]
        assert list(twin.attached) == ["tool"]
        assert twin.attached["tool"].frame is twin.skeleton.tip
        assert not twin.obstacles["cloud"].shapes[0].geometry.points.flags.writeable
        assert twin.distance().value == pytest.approx(detector.distance().value, abs=1e-12)
        twin.obstacles["cloud"].parent.relative_transform = pose([-1.05, -1.05, -0.75])
        assert twin.check().pair is not None
        assert twin.check().pair[1] == "cloud"
        twin.add("wall", WALL)
        twin.skeleton.positions = [0.5, *HOME[1:]]
        assert not detector.in_collision()
        assert list(detector.obstacles) == ["cloud"]
        with pytest.raises(TypeError):
            twin.obstacles["more"] = WALL


def test_the_constraint_of_a_copy_asks_the_copy(detector):
    for twin in deep_copies(detector):
        twin.add("wall", WALL)
        assert twin.constraint.detector is twin
        assert not twin.constraint(HOME)
        assert detector.constraint(HOME)
    for constraint in deep_copies(detector.constraint):
        assert constraint.detector.constraint is constraint
        assert constraint.detector is not detector
        assert constraint(HOME)
    both = detector.constraint & ~QConstraint(bool, "zero")
    twin = copy.deepcopy(both)
    detector.add("wall", WALL)
    assert twin.parts[0](HOME)
    assert not both.parts[0](HOME)


def test_what_holds_a_detector_can_be_copied(detector):
    class Holder:
        def __init__(self) -> None:
            self.detector, self.robot = detector, detector.skeleton

    twin = copy.deepcopy(Holder())
    assert twin.detector.skeleton is twin.robot is not detector.skeleton


def test_a_copy_sees_edits_that_were_made_before_its_first_question(detector):
    twin = copy.deepcopy(detector)
    hand = twin.skeleton.link("panda_hand")
    hand.collisions.append(Sphere(3.0))
    assert twin.in_collision()


def test_srdf_files_can_be_copied():
    given = Srdf.parse(SRDF)
    robot = models.load("panda")
    for twin in deep_copies(given):
        assert twin.groups == given.groups
        assert twin.states == given.states
        assert twin.state(robot, "arm", "bent").keys() == {"panda_joint4"}
        with pytest.raises(TypeError):
            twin.groups["more"] = None
