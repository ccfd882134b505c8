"""What all joints share: placements, dependence, belonging to a skeleton."""

import math

import numpy as np
import pytest

from kinetree.kinematics import (
    DependencyCycleError,
    FixedJoint,
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    Joint,
    KinetreeError,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Skeleton,
    SphericalJoint,
    StructureError,
    UniversalJoint,
    pose,
)
from tests.kinematics.random_trees import KINDS, build, random_joint, random_pose
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, refused

ALL = (FixedJoint, RevoluteJoint, PrismaticJoint, ScrewJoint, UniversalJoint, SphericalJoint, PlanarJoint, FreeJoint)


@pytest.mark.parametrize("kind", ALL)
def test_a_name_is_needed(kind):
    for name in ("", None, 3):
        with pytest.raises(InvalidValueError, match="name must be a non-empty string"):
            kind(name)
    assert kind("a").name == "a"
    assert issubclass(kind, Joint)


@pytest.mark.parametrize("kind", KINDS)
def test_the_child_is_at_placement_motion_and_inverse_child_placement(kind):
    rng = np.random.default_rng(0)
    joint = random_joint(kind, "j", rng)
    at, inside = random_pose(rng), random_pose(rng)
    robot = Skeleton()
    robot.add_link("base", None, None, random_pose(rng))
    link = robot.add_link("l", joint, "base", at, child_placement=inside)
    robot.positions = robot.random_positions(rng)
    wanted = at * joint.transform(joint.positions) * inside.inverse()
    assert_same_pose(link.transform(robot.link("base")), wanted)
    assert_same_pose(joint.relative_transform(), wanted)
    q = robot.random_positions(rng)
    assert_same_pose(joint.relative_transform(q), at * joint.transform(q) * inside.inverse())
    assert_engines_agree(robot)


@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_knows_its_links(kind):
    robot = build(["fixed", kind])
    joint = robot.joint("joint1")
    assert (joint.parent_link, joint.child_link) == (robot.link("link0"), robot.link("link1"))
    assert joint.skeleton is robot
    assert joint.is_moving is (kind != "fixed")
    assert joint.num_dofs == len(joint.dofs) == robot.num_dofs
    assert repr(joint) == f"<{type(joint).__name__} 'joint1' 'link0' -> 'link1'>"
    assert repr(robot.joint("joint0")).endswith("'world' -> 'link0'>")


def test_a_joint_outside_a_skeleton():
    joint = RevoluteJoint("j", rest=0.3)
    assert (joint.skeleton, joint.parent_link, joint.child_link) == (None, None, None)
    assert joint.dofs[0].index is None
    joint.dofs[0].position = 0.7
    np.testing.assert_array_equal(joint.positions, [0.7])
    robot = Skeleton()
    robot.add_link("l", joint)
    np.testing.assert_array_equal(robot.positions, [0.7])
    assert repr(RevoluteJoint("k")) == "<RevoluteJoint 'k'>"


@pytest.mark.parametrize("attribute", ["placement", "child_placement"])
class TestPlacements:
    def test_they_are_copies_and_settable(self, attribute):
        robot = build(["fixed", "revolute"])
        joint = robot.joint("joint1")
        before = robot.link("link1").transform()
        getattr(joint, attribute).translation = np.ones(3)
        assert_same_pose(robot.link("link1").transform(), before, 0.0)
        version = robot.version
        setattr(joint, attribute, ([1, 2, 3], [0, 0, 0, 1]))
        assert robot.version > version
        np.testing.assert_array_equal(getattr(joint, attribute).translation, [1, 2, 3])
        assert_engines_agree(robot)

    def test_a_wrong_one_is_refused_by_name(self, attribute):
        robot = build(["fixed", "revolute"])
        message = refused(robot, InvalidPoseError, lambda: setattr(robot.joint("joint1"), attribute, np.zeros((4, 4))))
        assert "placement of joint 'joint1'" in message


def fingers():
    """Three sliding fingers; no dependence yet."""
    robot = Skeleton("gripper")
    robot.add_link("palm")
    for name in ("a", "b", "c"):
        robot.add_link(name, PrismaticJoint(name, "x", (-1.0, 1.0)), "palm")
    return robot


class TestDependence:
    def test_linear(self):
        robot = fingers()
        robot.positions = [0.1, 0.2, 0.3]
        robot.joint("b").depend_on(robot.joint("a"), multiplier=-2.0, offset=0.5)
        assert [dof.name for dof in robot.dofs] == ["a", "c"]
        np.testing.assert_array_equal(robot.positions, [0.1, 0.3])
        assert robot.joint("b").dofs[0].position == pytest.approx(0.3)
        assert robot.joint("b").is_dependent
        assert robot.joint("b").dofs[0].index is None
        assert robot.joint("a").dependents == (robot.joint("b"),)
        np.testing.assert_allclose(robot.link("b").transform().translation, [0.3, 0, 0])
        assert_engines_agree(robot)

    def test_chained_in_any_order(self):
        for order in (("b", "c"), ("c", "b")):
            robot = fingers()
            rules = {"b": ("a", 2.0, 0.1), "c": ("b", -3.0, 0.2)}
            for name in order:
                master, multiplier, offset = rules[name]
                robot.joint(name).depend_on(robot.joint(master), multiplier, offset)
            robot.positions = [0.25]
            assert robot.joint("c").dofs[0].position == pytest.approx(-3.0 * (2.0 * 0.25 + 0.1) + 0.2)
            assert_engines_agree(robot)

    def test_a_master_that_comes_later_in_the_tree(self):
        robot = fingers()
        robot.joint("a").depend_on(robot.joint("c"), 0.5)
        robot.positions = {"c": 0.8}
        assert robot.joint("a").dofs[0].position == pytest.approx(0.4)
        assert_engines_agree(robot)

    def test_callables(self):
        robot = fingers()
        robot.joint("b").depend_on(robot.joint("a"), function=math.sin, derivative=math.cos)
        robot.joint("c").depend_on(robot.joint("b"), function=lambda q: q**3)
        robot.positions = [0.7]
        assert robot.joint("c").dofs[0].position == pytest.approx(math.sin(0.7) ** 3)
        assert_engines_agree(robot)

    def test_a_circle_is_refused_with_its_names(self):
        robot = fingers()
        robot.joint("b").depend_on(robot.joint("a"))
        robot.joint("c").depend_on(robot.joint("b"))
        message = refused(robot, DependencyCycleError, lambda: robot.joint("a").depend_on(robot.joint("c")))
        assert "a -> c -> b -> a" in message
        message = refused(robot, DependencyCycleError, lambda: robot.joint("a").depend_on(robot.joint("a")))
        assert "a -> a" in message

    def test_a_new_rule_replaces_the_old_one(self):
        robot = fingers()
        robot.joint("c").depend_on(robot.joint("a"), 2.0)
        robot.joint("c").depend_on(robot.joint("b"), 3.0)
        assert robot.joint("a").dependents == ()
        robot.positions = [0.1, 0.2]
        assert robot.joint("c").dofs[0].position == pytest.approx(0.6)

    def test_independent_again_at_the_same_place(self):
        robot = fingers()
        robot.joint("b").depend_on(robot.joint("a"), 2.0, 0.1)
        robot.positions = [0.2, 0.3]
        robot.joint("b").make_independent()
        np.testing.assert_allclose(robot.positions, [0.2, 0.5, 0.3])
        assert robot.joint("a").dependents == ()
        robot.joint("b").make_independent()
        np.testing.assert_allclose(robot.positions, [0.2, 0.5, 0.3])

    def test_a_dependent_position_cannot_be_set(self):
        robot = fingers()
        robot.joint("b").depend_on(robot.joint("a"))
        message = refused(robot, StructureError, lambda: setattr(robot.joint("b").dofs[0], "position", 1.0))
        assert "'b' depends on joint 'a'" in message

    def test_both_need_one_degree_of_freedom(self):
        robot = build(["fixed", "revolute", "spherical"])
        for first, second in ((1, 2), (2, 1), (0, 1), (1, 0)):
            one, other = robot.joint(f"joint{first}"), robot.joint(f"joint{second}")
            message = refused(robot, StructureError, lambda one=one, other=other: one.depend_on(other))
            assert f"joint {one.name!r} cannot depend on {other.name!r}" in message
            assert "exactly one" in message

    @pytest.mark.parametrize("master", ["a", None, 3])
    def test_a_master_must_be_a_joint(self, master):
        robot = fingers()
        message = refused(robot, InvalidValueError, lambda: robot.joint("b").depend_on(master))
        assert f"master of joint 'b' must be a Joint, not {master!r}" in message

    def test_a_joint_of_another_skeleton_is_refused(self):
        robot, other = fingers(), fingers()
        message = refused(robot, StructureError, lambda: robot.joint("a").depend_on(other.joint("b")))
        assert "one skeleton" in message
        refused(robot, StructureError, lambda: robot.joint("a").depend_on(RevoluteJoint("loose")))

    @pytest.mark.parametrize(
        "arguments",
        [
            {"multiplier": math.nan},
            {"multiplier": math.inf},
            {"offset": math.nan},
            {"multiplier": "2"},
            {"offset": None},
            {"multiplier": [1.0]},
            {"function": 3},
            {"function": "sin"},
            {"function": math.sin, "derivative": 1.0},
        ],
    )
    def test_a_wrong_rule_is_refused(self, arguments):
        robot = fingers()
        robot.joint("b").depend_on(robot.joint("a"), 2.0)
        message = refused(robot, InvalidValueError, lambda: robot.joint("b").depend_on(robot.joint("c"), **arguments))
        assert "'b'" in message

    @pytest.mark.parametrize("answer", [math.nan, math.inf, None, "far", [1.0, 2.0], 1j])
    def test_a_function_that_gives_no_number_is_named(self, answer):
        robot = fingers()
        robot.joint("b").depend_on(robot.joint("a"), function=lambda q: answer if q > 0.5 else q)
        robot.positions = {"a": 0.2}
        robot.positions = {"a": 0.7}
        for use in (robot.link("b").transform, robot.state, lambda: robot.to_pinocchio([0.7, 0.0])):
            with pytest.raises(KinetreeError, match="depends on 'a'") as raised:
                use()
            assert repr(answer) in str(raised.value)
        robot.positions = {"a": 0.3}
        assert_engines_agree(robot)

    def test_rules_between_loose_joints_come_along_masters_first(self):
        master, slave = RevoluteJoint("m"), RevoluteJoint("s")
        slave.depend_on(master, 2.0)
        robot = Skeleton("arm")
        robot.add_link("base")
        message = refused(robot, StructureError, lambda: robot.add_link("l", slave, "base"))
        assert "'s' depends on joint 'm'" in message
        assert "add that one first" in message
        robot.add_link("first", master, "base")
        robot.add_link("second", slave, "base")
        robot.positions = [0.4]
        assert slave.dofs[0].position == pytest.approx(0.8)
        assert_engines_agree(robot)


def test_a_dependence_takes_the_wrapping_of_both():
    robot = Skeleton()
    robot.add_link("base", None, None, pose())
    robot.add_link("a", RevoluteJoint("a"), "base")
    robot.add_link("b", RevoluteJoint("b"), "base")
    assert robot.dof("a").wraps
    robot.joint("b").depend_on(robot.joint("a"), 0.5)
    assert not robot.dof("a").wraps
    assert not robot.joint("b").dofs[0].wraps
    robot.joint("b").make_independent()
    assert robot.dof("a").wraps
