"""Joints, dummies and groups as objects: places, limits, dependencies, edits."""

import itertools
import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kinetree.interfaces.coppelia import (
    CallbackError,
    Constraint,
    Dependency,
    Environment,
    ErasedError,
    GroupFlag,
    HandleError,
    JointKind,
    JointMode,
    Method,
)
from kinetree.kinematics import (
    DependencyCycleError,
    DuplicateNameError,
    InvalidPoseError,
    InvalidValueError,
    StructureError,
    UnknownNameError,
)
from tests.interfaces.coppelia.scenes import random_environment, random_pose


@pytest.fixture
def environment():
    return Environment()


def chain(environment, *objects):
    for parent, child in itertools.pairwise(objects):
        child.set_parent(parent, keep_in_place=False)
    return objects


# Defaults.


@pytest.mark.parametrize(
    ("kind", "cyclic", "minimum", "extent", "max_step", "margin"),
    [
        (JointKind.REVOLUTE, True, -math.pi, math.tau, math.radians(10), math.radians(5)),
        (JointKind.PRISMATIC, False, -0.5, 1.0, 0.1, 0.01),
        (JointKind.SPHERICAL, True, 0.0, math.pi, math.radians(10), 0.0),
    ],
)
def test_new_joints(environment, kind, cyclic, minimum, extent, max_step, margin):
    joint = environment.add_joint(kind)
    found = (joint.cyclic, joint.minimum, joint.range, joint.max_step, joint.limit_margin)
    assert found == (cyclic, minimum, extent, max_step, margin)
    assert (joint.mode, joint.weight, joint.screw_lead, joint.dependency) == (JointMode.IK, 1.0, 0.0, None)


def test_new_groups_and_elements(environment):
    group = environment.add_group()
    element = group.add_element(environment.add_dummy())
    assert (group.method, group.damping, group.max_iterations) == (Method.PSEUDO_INVERSE, 0.1, 3)
    assert group.flags == GroupFlag.ENABLED | GroupFlag.IGNORE_MAX_STEPS == 3
    assert element.constraints == Constraint.POSITION
    assert (element.linear_precision, element.angular_precision) == (0.0005, math.radians(0.1))
    assert (element.weights, element.base, element.constraints_base) == ((1.0, 1.0, 1.0), None, None)


# Names and handles.


def test_names_are_counted_up_and_differ(environment):
    assert [environment.add_dummy().name for _ in range(2)] == ["dummy0", "dummy1"]
    assert environment.add_joint(JointKind.REVOLUTE).name == "joint0"
    assert environment.add_group().name == "ikGroup0"
    with pytest.raises(DuplicateNameError, match="'dummy1'"):
        environment.add_joint(JointKind.REVOLUTE, "dummy1")
    with pytest.raises(InvalidValueError, match="not empty"):
        environment.add_dummy("")
    with pytest.raises(UnknownNameError, match="did you mean 'dummy0'"):
        environment.object("dumy0")
    environment.add_dummy("ikGroup0")  # groups have names of their own
    environment.object("dummy0").name = "first"
    with pytest.raises(DuplicateNameError):
        environment.object("first").name = "dummy1"


def test_groups_are_renamed_to_what_is_free(environment):
    group, _ = environment.add_group("first"), environment.add_group("second")
    group.name = "arm"
    assert environment.group("arm") is group
    for bad, error in (("second", DuplicateNameError), ("", InvalidValueError), (None, InvalidValueError)):
        with pytest.raises(error):
            group.name = bad
    assert group.name == "arm"


def test_a_handle_is_never_given_out_again(environment):
    old = environment.add_dummy()
    old.erase()
    assert environment.add_dummy().handle == old.handle + 1
    with pytest.raises(HandleError, match="was erased"):
        environment.object(old.handle)
    with pytest.raises(HandleError, match="no object with handle 99"):
        environment.object(99)
    with pytest.raises(ErasedError, match="'dummy0'"):
        old.pose = pin.SE3.Identity()


def test_objects_by_kind(environment):
    joint, dummy = environment.add_joint(JointKind.REVOLUTE, "elbow"), environment.add_dummy("tip")
    assert environment.joint("elbow") is environment.joint(joint.handle) is joint
    assert environment.dummy("tip") is environment.dummy(np.int64(dummy.handle)) is dummy
    with pytest.raises(HandleError, match=r"dummy 'tip' \(handle 1\) is no joint"):
        environment.joint("tip")
    with pytest.raises(HandleError, match=r"joint 'elbow' \(handle 0\) is no dummy"):
        environment.dummy(0)
    group = environment.add_group()
    with pytest.raises(HandleError, match="is group 'ikGroup0'"):
        environment.object(group.handle)
    with pytest.raises(HandleError, match="is joint 'elbow'"):
        environment.group(0)
    for bad in (True, 1.0, [], 10**5000):
        with pytest.raises(InvalidValueError):
            environment.object(bad)


# Places.


def test_children_hang_on_the_full_frame(environment):
    joint = environment.add_joint(JointKind.REVOLUTE)
    tip = environment.add_dummy("tip")
    chain(environment, joint, tip)
    joint.pose = ([1, 0, 0], [0, 0, 0, 1])
    tip.pose = ([1, 0, 0], [0, 0, 0, 1])
    joint.position = math.pi / 2
    np.testing.assert_allclose(tip.world_pose().translation, [1, 1, 0], atol=1e-15)
    np.testing.assert_allclose(joint.world_pose().homogeneous, pin.SE3(np.eye(3), np.array([1.0, 0, 0])).homogeneous)
    np.testing.assert_allclose(tip.get_pose(joint).translation, [1, 0, 0], atol=1e-15)


def test_a_screw_slides_by_its_lead(environment):
    joint = environment.add_joint(JointKind.REVOLUTE)
    joint.screw_lead = 0.2
    assert not joint.cyclic  # a cyclic screw would jump where its angle is wrapped
    joint.position = math.pi / 2
    np.testing.assert_allclose(joint.motion().translation, [0, 0, 0.05])
    joint.cyclic = True
    assert joint.screw_lead == 0.0


def test_a_spherical_joint_turns_by_quaternion_and_matrix(environment):
    joint = environment.add_joint(JointKind.SPHERICAL)
    turn = random_pose(np.random.default_rng(1)).rotation
    joint.rotation = turn
    np.testing.assert_allclose(joint.motion().rotation, turn, atol=1e-15)
    joint.rotation = 3.0 * pin.Quaternion(turn).coeffs()
    np.testing.assert_allclose(joint.motion().rotation, turn, atol=1e-15)
    for bad in ([0, 0, 0, 0], [1, 0, 0], np.eye(3) * 2, [math.nan, 0, 0, 1]):
        with pytest.raises(InvalidValueError):
            joint.rotation = bad
    with pytest.raises(InvalidValueError, match="spherical"):
        joint.position = 0.0


@pytest.mark.parametrize("seed", range(5))
def test_keeping_in_place_and_poses_relative_to_anything(seed):
    rng = np.random.default_rng(seed)
    environment, _ = random_environment(rng)
    objects = environment.objects
    for _ in range(20):
        moved, other = (objects[int(k)] for k in rng.integers(len(objects), size=2))
        before = moved.world_pose()
        try:
            moved.set_parent(other)
        except StructureError:
            continue
        np.testing.assert_allclose(moved.world_pose().homogeneous, before.homogeneous, atol=1e-12)
        pose = random_pose(rng)
        moved.set_pose(pose, other)
        np.testing.assert_allclose(moved.get_pose(other).homogeneous, pose.homogeneous, atol=1e-12)
        expected = other.full_pose().inverse() * moved.world_pose()
        np.testing.assert_allclose(moved.get_pose(other).homogeneous, expected.homogeneous, atol=1e-12)


def test_without_keeping_in_place_the_local_pose_stays(environment):
    base, dummy = environment.add_dummy(), environment.add_dummy()
    base.pose = ([1, 2, 3], [0, 0, 0, 1])
    dummy.pose = ([1, 0, 0], [0, 0, 0, 1])
    dummy.set_parent(base, keep_in_place=False)
    np.testing.assert_allclose(dummy.world_pose().translation, [2, 2, 3])


def test_cycles_are_refused_by_name(environment):
    a, b, c = (environment.add_dummy(name) for name in "abc")
    chain(environment, a, b, c)
    for keep in (True, False):
        with pytest.raises(StructureError, match=r"'a'.*'c'"):
            a.set_parent(c, keep)
    with pytest.raises(StructureError):
        a.parent = a
    assert [each.parent for each in (a, b, c)] == [None, a, b]


def test_a_place_relative_to_what_moves_with_it_is_from_where_that_was(environment):
    joint, tip = environment.add_joint(JointKind.PRISMATIC), environment.add_dummy("tip")
    chain(environment, joint, tip)
    joint.position = 0.25
    ahead = ([0.1, 0, 0], [0, 0, 0, 1])
    tip.set_pose(ahead, tip)
    np.testing.assert_allclose(tip.world_pose().translation, [0.1, 0, 0.25])
    tip.set_pose(ahead, tip)
    np.testing.assert_allclose(tip.world_pose().translation, [0.2, 0, 0.25])
    joint.set_pose(ahead, tip)
    np.testing.assert_allclose(joint.world_pose().translation, [0.3, 0, 0.25])


def test_deep_trees_and_long_chains_of_dependence(environment):
    joints = [environment.add_joint(JointKind.PRISMATIC) for _ in range(1200)]
    for parent, child in itertools.pairwise(joints):
        child.set_parent(parent, keep_in_place=False)
        child.dependency = Dependency(parent)
    joints[0].position = 0.25
    assert joints[-1].position == 0.25
    np.testing.assert_allclose(joints[-1].full_pose().translation, [0, 0, 300.0])
    assert Environment.load(environment.save()).joints[-1].position == 0.25


@pytest.mark.parametrize("pose", [np.full((4, 4), math.nan), np.eye(3), [0, 0, 0, 0, 0, 0, 0], "here", None])
def test_what_is_no_pose_changes_nothing(environment, pose):
    dummy = environment.add_dummy()
    with pytest.raises(InvalidPoseError, match="'dummy0'"):
        dummy.pose = pose
    assert (dummy.pose.homogeneous == np.eye(4)).all()


# Limits.


@given(st.floats(-1e6, 1e6))
@example(-math.pi)
@example(math.pi)
def test_cyclic_positions_are_wrapped(angle):
    joint = Environment().add_joint(JointKind.REVOLUTE)
    joint.position = angle
    assert -math.pi < joint.position <= math.pi
    assert math.cos(joint.position - angle) == pytest.approx(1.0)


def test_a_step_of_half_a_turn_ends_where_setting_it_does(environment):
    joint, tip = environment.add_joint(JointKind.REVOLUTE), environment.add_dummy("tip")
    chain(environment, joint, tip)
    tip.target = environment.add_dummy()
    group = environment.add_group()
    group.max_iterations = 1
    group.add_element(tip)

    def half_a_turn_back(size, jacobian, kinds, elements, handles, stages, error, step, inverse):
        step[:] = -math.pi
        return 1

    group.solve(half_a_turn_back)
    assert joint.position == math.pi
    assert Environment.load(environment.save()).joints[0].position == math.pi


def test_others_move_between_their_limits(environment):
    joint = environment.add_joint(JointKind.PRISMATIC)
    joint.position = 3.0
    assert joint.position == 0.5
    joint.set_interval(-2.0, 1.0)
    assert joint.position == joint.maximum == -1.0
    joint.range = 5e-6  # no dead band
    assert joint.position == -2.0 + 5e-6
    for minimum, extent in ((math.nan, 1.0), (0.0, -1.0), (math.inf, 1.0), ("low", 1.0)):
        with pytest.raises(InvalidValueError, match="'joint0'"):
            joint.set_interval(minimum, extent)
    with pytest.raises(InvalidValueError, match="prismatic"):
        joint.cyclic = True
    revolute = environment.add_joint(JointKind.REVOLUTE)
    with pytest.raises(InvalidValueError, match="cyclic"):
        revolute.minimum = -1.0
    revolute.cyclic = False
    assert (revolute.minimum, revolute.range) == (-math.pi, math.tau)


# Dependencies.


def test_dependencies_compose(environment):
    a, b, c = (environment.add_joint(JointKind.REVOLUTE, name) for name in "abc")
    b.dependency = Dependency(a, 2.0, 0.5)
    c.dependency = Dependency(b, -1.0, 0.0)
    a.position = 1.0
    assert (b.position, c.position) == (2.5, -2.5)
    with pytest.raises(InvalidValueError, match=r"'b'.*follows.*'a'"):
        b.position = 0.0
    with pytest.raises(DependencyCycleError, match=r"'a'.*'c'"):
        a.dependency = Dependency(c)
    with pytest.raises(DependencyCycleError):
        a.dependency = Dependency(a)
    b.dependency = None
    assert b.position == 2.5
    assert c.position == -2.5


def test_callbacks_get_handles_and_the_position_of_the_master(environment):
    a, b = (environment.add_joint(JointKind.REVOLUTE, name) for name in "ab")
    seen = []
    b.dependency = Dependency(a, callback=lambda *args: seen.append(args) or 0.25)
    a.position = 1.0
    assert b.position == 0.25
    assert seen[-1] == (-1, b.handle, 1.0)
    b.dependency = Dependency(a, callback=lambda *_: math.nan)
    with pytest.raises(CallbackError, match="'b'"):
        _ = b.position


def test_a_callback_that_fails_changes_nothing_and_can_be_got_rid_of(environment):
    master, slave = (environment.add_joint(JointKind.REVOLUTE) for _ in range(2))
    hand, dummy = environment.add_dummy("hand"), environment.add_dummy()
    chain(environment, slave, hand)
    slave.position = 0.5
    slave.dependency = Dependency(master, callback=lambda *_: 1 / 0)
    before = environment.save()
    for fails in (
        lambda: dummy.set_parent(hand),
        slave.erase,
        hand.world_pose,
        lambda: hand.set_pose(pin.SE3.Identity()),
    ):
        with pytest.raises(CallbackError, match=r"'joint1'.*ZeroDivisionError"):
            fails()
    assert environment.save() == before
    assert (dummy.parent, hand.parent) == (None, slave)
    master.erase()
    assert slave.position == 0.5


def test_a_callback_cannot_ask_where_its_own_joint_is(environment):
    master, slave = (environment.add_joint(JointKind.REVOLUTE) for _ in range(2))
    hand = environment.add_dummy("hand")
    chain(environment, slave, hand)
    for asks in (lambda *_: slave.position, lambda *_: hand.world_pose().translation[0]):
        slave.dependency = Dependency(master, callback=asks)
        with pytest.raises(CallbackError, match="asks where that joint is"):
            hand.world_pose()
    slave.dependency = Dependency(master, callback=lambda *_: master.position + 0.5)
    assert slave.position == 0.5


def test_positions_that_overflow_are_refused(environment):
    master, slave = (environment.add_joint(JointKind.PRISMATIC) for _ in range(2))
    hand = environment.add_dummy("hand")
    chain(environment, slave, hand)
    slave.dependency = Dependency(master, 1e308, 1e308)
    master.set_interval(0.0, 10.0)
    master.position = 9.0
    for fails in (lambda: slave.position, hand.world_pose):
        with pytest.raises(InvalidValueError, match="'joint1'"):
            fails()
    with pytest.raises(InvalidValueError, match="maximum"):
        master.set_interval(1e308, 1e308)


def test_spherical_joints_neither_follow_nor_lead(environment):
    ball, other = environment.add_joint(JointKind.SPHERICAL), environment.add_joint(JointKind.REVOLUTE)
    for slave, master in ((ball, other), (other, ball)):
        with pytest.raises(InvalidValueError, match="no single position"):
            slave.dependency = Dependency(master)


# Erasing.


def test_erasing_keeps_the_rest_in_order(environment):
    a, b, c = (environment.add_joint(JointKind.REVOLUTE, name) for name in "abc")
    tip, target = environment.add_dummy("tip"), environment.add_dummy("target")
    chain(environment, a, b, tip)
    b.pose = ([1, 0, 0], [0, 0, 0, 1])
    b.position = 0.7
    c.dependency = Dependency(b)
    tip.target = target
    empty, group = environment.add_group("empty"), environment.add_group("group")
    kept, gone = group.add_element(tip), group.add_element(tip)
    gone.base = b
    group._joint_limit_hits = {a: 0.1, b: 0.2}
    place = tip.world_pose()
    environment.erase(b)
    assert group.joint_limit_hits == {a: 0.1}
    assert tip.parent is a
    np.testing.assert_allclose(tip.world_pose().homogeneous, place.homogeneous, atol=1e-15)
    assert c.dependency is None
    assert c.position == 0.7
    assert group.elements == (kept,)
    with pytest.raises(ErasedError):
        gone.enabled = False
    environment.erase(target)
    assert tip.target is None
    environment.erase(tip)
    assert environment.groups == (empty, group)  # also when nothing is left in them


def test_objects_of_other_environments_are_refused(environment):
    mine, stranger = environment.add_dummy(), Environment().add_dummy("stranger")
    group = environment.add_group()
    for refused in (
        lambda: mine.set_parent(stranger),
        lambda: setattr(mine, "target", stranger),
        lambda: group.add_element(stranger),
        lambda: mine.get_pose(stranger),
        lambda: environment.erase(stranger),
    ):
        with pytest.raises(StructureError, match="another environment"):
            refused()


@pytest.mark.parametrize("name", ["weight", "limit_margin", "max_step"])
@pytest.mark.parametrize("value", [math.nan, -1.0, "much", None, True])
def test_settings_are_checked(environment, name, value):
    joint = environment.add_joint(JointKind.REVOLUTE)
    before, version = getattr(joint, name), environment.structure_version
    with pytest.raises(InvalidValueError, match=f"{name} of joint 'joint0'"):
        setattr(joint, name, value)
    assert (getattr(joint, name), environment.structure_version) == (before, version)


def test_small_changes_count(environment):
    """There are no dead bands."""
    joint, group = environment.add_joint(JointKind.REVOLUTE), environment.add_group()
    joint.weight = 1.0 + 1e-9
    group.damping = 0.1 + 1e-9
    assert (joint.weight, group.damping) == (1.0 + 1e-9, 0.1 + 1e-9)


def test_versions_tell_of_changes(environment):
    joint = environment.add_joint(JointKind.REVOLUTE)
    structure, pose = environment.structure_version, environment.pose_version
    joint.position = 0.5
    assert (environment.structure_version, environment.pose_version) == (structure, pose)
    joint.pose = pin.SE3.Identity()
    assert (environment.structure_version, environment.pose_version) == (structure, pose + 1)
    joint.weight = 2.0
    assert environment.structure_version > structure


def test_reprs_say_what_there_is(environment):
    joint = environment.add_joint(JointKind.REVOLUTE, "elbow")
    group = environment.add_group("arm")
    group.add_element(environment.add_dummy("tip"))
    assert repr(environment) == "<Environment: 1 joints of 2 objects, 1 groups>"
    assert "elbow" in repr(joint)
    assert "1 elements" in repr(group)
    assert "no target" in repr(group.elements[0])
