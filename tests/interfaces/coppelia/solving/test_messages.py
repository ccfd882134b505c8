"""What results say in words: how far off, along which axis, which limit, and why nothing was done."""

import math

import numpy as np
import pytest

from kinetree.interfaces.coppelia import Constraint, Dependency, Environment, JointKind, JointMode, Method


class PlanarArm:
    """Two joints a metre apart that turn about z, a tip at 2 m, and its target."""

    def __init__(self):
        self.environment = environment = Environment()
        self.base = environment.add_dummy("base")
        self.joints, parent = [], self.base
        for k in range(2):
            joint = environment.add_joint(JointKind.REVOLUTE, f"joint{k + 1}")
            joint.parent = parent
            joint.pose = ([float(k), 0, 0], [0, 0, 0, 1])
            self.joints.append(joint)
            parent = joint
        self.tip, self.target = environment.add_dummy("hand"), environment.add_dummy("goal")
        self.tip.parent = parent
        self.tip.pose = ([1.0, 0, 0], [0, 0, 0, 1])
        self.tip.target = self.target
        self.group = environment.add_group("arm")
        self.group.method, self.group.max_iterations = Method.DAMPED_LEAST_SQUARES, 50
        self.element = self.group.add_element(self.tip)

    def aim(self, *position):
        self.target.pose = (list(position), [0, 0, 0, 1])


@pytest.fixture
def arm():
    return PlanarArm()


def test_success_misses_nothing(arm):
    arm.aim(1.0, 1.0, 0.0)
    result = arm.group.solve()
    assert result
    assert result.misses == result.limit_hits == ()
    assert str(result).startswith("within the precision, off by ")


def test_a_miss_tells_how_far_and_along_which_axes(arm):
    arm.aim(1.0, 1.0, 0.25)
    result = arm.group.solve()
    assert not result
    (miss,) = result.misses
    assert (miss.group, miss.tip, miss.target, miss.precision) == ("arm", "hand", "goal", (0.0005, math.radians(0.1)))
    off = arm.target.world_pose().translation - arm.tip.world_pose().translation
    np.testing.assert_allclose([miss.error[axis] for axis in "xyz"], off, atol=1e-12)
    assert miss.distance == pytest.approx(np.linalg.norm(off))
    arm.aim(1.0, 1.0, -0.25)
    assert arm.group.solve().misses[0].error["z"] == pytest.approx(-0.25)
    words = str(result)
    assert "tip 'hand' of group 'arm' is off 'goal' by 0.25 m" in words
    assert "z +0.25" in words
    assert "alpha" not in words


def test_rotations_are_told_by_axis(arm):
    arm.element.constraints = Constraint.POSE
    half = math.radians(15.0)
    arm.target.pose = ([1.0, 1.0, 0.0], [math.sin(half), 0.0, 0.0, math.cos(half)])
    (miss,) = arm.group.solve().misses
    assert list(miss.error) == ["x", "y", "z", "alpha", "beta", "gamma"]
    assert miss.angle == pytest.approx(np.linalg.norm([miss.error[axis] for axis in ("alpha", "beta", "gamma")]))
    assert "rad (alpha " in str(miss)


def test_only_what_is_off_is_named(arm):
    aside = arm.environment.add_dummy("elbow")
    aside.parent = arm.joints[0]
    aside.target = arm.environment.add_dummy("nowhere")
    aside.target.pose = ([0.0, 0.0, 3.0], [0, 0, 0, 1])
    second = arm.environment.add_group("second")
    second.add_element(aside).constraints = Constraint.Z
    arm.aim(1.0, 1.0, 0.0)
    result = arm.environment.handle_groups([arm.group, second])
    assert [(miss.group, miss.tip) for miss in result.misses] == [("second", "elbow")]
    arm.group.add_element(arm.tip).constraints = Constraint.X  # a second one, so that the groups differ in number
    result = arm.environment.handle_groups([arm.group, second])
    assert [(miss.group, miss.tip) for miss in result.misses] == [("second", "elbow")]
    assert [(miss.group, miss.tip) for miss in arm.environment.handle_groups().misses] == [("second", "elbow")]


def test_a_result_tells_the_same_later(arm):
    arm.aim(3.0, 0.0, 0.0)
    result = arm.group.solve()
    words = str(result)
    arm.aim(1.0, 1.0, 0.0)
    arm.group.solve()
    arm.tip.target = None
    assert str(result) == words


def test_limits_are_named_with_their_value(arm):
    elbow = arm.joints[1]
    elbow.cyclic = False
    elbow.set_interval(0.25, 0.25)
    arm.aim(1.0, 1.0, 0.0)
    result = arm.group.solve()
    (hit,) = result.limit_hits
    assert (hit.joint, hit.limit) == ("joint2", 0.5)
    assert hit.overshot == arm.group.joint_limit_hits[elbow] > 0.0
    assert "joint 'joint2' was stopped at its upper limit 0.5, " in str(result)
    elbow.set_interval(-0.5, 0.25)
    arm.aim(1.0, -1.0, 0.0)
    assert "joint 'joint2' was stopped at its lower limit -0.5, " in str(arm.group.solve())


def test_why_nothing_was_done(arm):
    def why():
        result = arm.environment.handle_groups([arm.group])
        assert not result
        assert result.result == 17
        return str(result)

    arm.element.enabled = False
    assert "group 'arm' counts: that of tip 'hand' is disabled" in why()
    arm.element.enabled = True
    for joint in arm.joints:
        joint.mode = JointMode.PASSIVE
    assert "passive, or follow passive ones: 'joint1', 'joint2'" in why()
    arm.element.base = arm.target
    assert "tip 'hand' does not hang on its base 'goal'" in why()
    arm.element.base = None
    arm.tip.parent = None
    assert "there is no joint between the world and tip 'hand'" in why()
    arm.element.erase()
    assert "group 'arm' has no elements" in why()
    arm.group.enabled = False
    assert "left out: 'arm'" in why()
    assert "left out: 'arm'" in str(arm.environment.handle_groups())
    arm.group.erase()
    assert "there are no groups" in str(arm.environment.handle_groups())


def test_only_groups_where_nothing_counts_are_named(arm):
    arm.environment.add_group("empty")
    result = arm.environment.handle_groups([arm.group, arm.environment.group("empty")])
    assert str(result) == "failed: nothing was done; group 'empty' has no elements"


def test_an_element_without_target(arm):
    arm.tip.target = None
    result = arm.group.solve()
    assert result.result == 18
    assert "no element has a target" in str(result)
    assert result.misses == ()


# Searches.


@pytest.mark.parametrize("follows", [False, True])
def test_a_search_in_vain_tells_how_near_it_came(arm, follows):
    """Also where joints follow functions, which Python looks at."""
    if follows:
        aside = arm.environment.add_joint(JointKind.REVOLUTE, "aside")
        aside.parent, arm.joints[0].parent = arm.base, aside
        aside.dependency = Dependency(arm.joints[0], callback=lambda *_: 0.0)
    arm.aim(3.0, 0.0, 0.0)
    found = arm.group.find_config(arm.joints, threshold=1.5, max_time=60.0, max_samples=500)
    assert not found
    assert found.report.tried > 0
    assert 1.0 <= found.report.nearest_sample < 1.5
    assert 1.0 - 1e-9 <= found.report.off[0] < 1.2  # it can get no nearer than 1 m
    assert found.report.at_limits == ()
    assert "the best attempt stayed off by 1" in repr(found)
    near = arm.group.find_config(arm.joints, threshold=0.01, max_time=60.0, max_samples=50, restarts=False)
    assert near.report.off is None
    assert "beyond the threshold" in repr(near)


def test_a_search_in_vain_names_the_limits(arm):
    for joint in arm.joints:
        joint.cyclic = False
        joint.set_interval(0.25, 0.5)
    arm.aim(2.0, -0.5, 0.0)
    found = arm.group.find_config(arm.joints, threshold=2.0, max_time=60.0, max_samples=500)
    assert set(found.report.at_limits) <= {"joint1", "joint2"}
    assert "joint1" in found.report.at_limits
    assert "'joint1'" in repr(found)
    assert "at a limit" in repr(found)


def test_a_search_without_time(arm):
    found = arm.group.find_config(arm.joints, max_time=0.0)
    assert found.report.nearest_sample == math.inf
    assert "no time for a try" in repr(found)
