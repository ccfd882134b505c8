"""Skeletons: building, finding by name, order, cloning, what follows the present positions."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given

from kinetree.kinematics import (
    Box,
    DuplicateNameError,
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    RevoluteJoint,
    Shape,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    StructureError,
    UnknownNameError,
    World,
    pose,
)
from tests.kinematics.random_trees import random_pose, random_tree, seeds, trees
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, picture, refused


def arm():
    robot = Skeleton("arm")
    robot.add_link("base")
    robot.add_link("upper", RevoluteJoint("shoulder"), "base", pose((0, 0, 1)))
    robot.add_link("lower", RevoluteJoint("elbow", "y"), "upper", pose((0, 0, 1)))
    robot.add_frame("tool0", "lower", pose((0, 0, 0.5)))
    return robot


def test_an_empty_skeleton():
    robot = Skeleton("nobody")
    assert (robot.links, robot.joints, robot.dofs, robot.frames, robot.root) == ((), (), (), (), None)
    assert (robot.num_dofs, robot.mass) == (0, 0.0)
    assert robot.positions.shape == (0,)
    assert robot.model.nq == 0
    assert robot.clone().links == ()
    with pytest.raises(UnknownNameError, match="skeleton 'nobody' has no link 'a'; there are none"):
        robot.link("a")
    assert repr(robot) == "<Skeleton 'nobody': 0 links, 0 degrees of freedom>"


@pytest.mark.parametrize("name", ["", None, 3])
def test_a_name_is_needed(name):
    with pytest.raises(InvalidValueError, match="non-empty string"):
        Skeleton(name)


def test_the_root_may_be_placed_and_may_move():
    robot = Skeleton()
    root = robot.add_link("base", placement=pose((1, 2, 3)))
    assert robot.root is root
    assert (root.joint.name, root.joint.kind) == ("base_joint", "fixed")
    np.testing.assert_array_equal(root.transform().translation, [1, 2, 3])
    floating = Skeleton()
    floating.add_link("body", FreeJoint("root"), placement=pose((1, 0, 0)))
    floating.positions = [0, 1, 0, 0, 0, 0]
    np.testing.assert_array_equal(floating.link("body").transform().translation, [1, 1, 0])


def test_a_loose_joint_brings_its_placements_unless_others_are_given():
    joint = RevoluteJoint("j")
    joint.placement, joint.child_placement = pose((1, 0, 0)), pose((0, 1, 0))
    robot = Skeleton()
    robot.add_link("base")
    robot.add_link("l", joint, "base")
    np.testing.assert_array_equal(robot.link("l").transform().translation, [1, -1, 0])
    other = RevoluteJoint("k")
    other.placement, other.child_placement = pose((1, 0, 0)), pose((0, 1, 0))
    robot.add_link("m", other, "base", pose((5, 0, 0)), child_placement=np.eye(4))
    np.testing.assert_array_equal(robot.link("m").transform().translation, [5, 0, 0])


@given(robot=trees())
def test_parents_come_before_children_and_indices_are_places(robot):
    place = {link: index for index, link in enumerate(robot.links)}
    for link in robot.links:
        if link.parent_link is not None:
            assert place[link.parent_link] < place[link]
    assert robot.joints == tuple(link.joint for link in robot.links)
    assert [dof.index for dof in robot.dofs] == list(range(robot.num_dofs))
    assert robot.dofs == tuple(dof for joint in robot.joints if not joint.is_dependent for dof in joint.dofs)
    for joint in robot.joints:
        assert robot.joint(joint.name) is joint
        for dof in joint.dofs:
            if not joint.is_dependent:
                assert robot.dof(dof.name) is dof


def test_a_fixed_joint_gets_a_name_that_is_free():
    robot = Skeleton()
    robot.add_link("a", RevoluteJoint("b_joint"))
    link = robot.add_link("b", None, "a")
    assert link.joint.name == "b_joint_2"


class TestFinding:
    def test_by_name(self):
        robot = arm()
        assert robot.link("upper").name == robot.frame("upper").name == "upper"
        assert robot.frame("tool0").parent is robot.link("lower")
        assert robot.frames == (*robot.links, robot.frame("tool0"))
        assert robot.has_frame("tool0")
        assert robot.has_frame("upper")
        assert not robot.has_frame("shoulder")

    @pytest.mark.parametrize(
        ("finder", "name", "message"),
        [
            ("frame", "tool", "skeleton 'arm' has no frame 'tool'; did you mean 'tool0'?"),
            ("link", "Uper", "skeleton 'arm' has no link 'Uper'; did you mean 'upper'?"),
            ("joint", "sholder", "skeleton 'arm' has no joint 'sholder'; did you mean 'shoulder'?"),
            ("dof", "elbw", "skeleton 'arm' has no degree of freedom 'elbw'; did you mean 'elbow'?"),
            ("link", "tool0", "skeleton 'arm' has no link 'tool0'; there are: base, upper, lower"),
            ("frame", None, "has no frame None"),
            ("frame", ["base"], r"has no frame ['base']"),
        ],
    )
    def test_what_is_not_there(self, finder, name, message):
        with pytest.raises(UnknownNameError) as raised:
            getattr(arm(), finder)(name)
        assert message in str(raised.value)

    def test_a_dependent_degree_of_freedom_names_its_master(self):
        robot = arm()
        robot.joint("elbow").depend_on(robot.joint("shoulder"))
        with pytest.raises(UnknownNameError, match=r"no independent degree of freedom 'elbow'.*shoulder"):
            robot.dof("elbow")


#: Error, a part of its message, and an edit that must be refused.
REFUSED = {
    "link twice": (DuplicateNameError, "'upper'", lambda r: r.add_link("upper", RevoluteJoint("j"), "base")),
    "link named like a frame": (DuplicateNameError, "'tool0'", lambda r: r.add_link("tool0", None, "base")),
    "joint twice": (DuplicateNameError, "'elbow'", lambda r: r.add_link("l", RevoluteJoint("elbow"), "base")),
    "joint named like a dof": (DuplicateNameError, "'b.rx'", lambda r: r.add_link("l", RevoluteJoint("b.rx"), "base")),
    "second root": (StructureError, "root 'base' already; give link 'l' a parent", lambda r: r.add_link("l")),
    "unknown parent": (UnknownNameError, "'bse'; did you mean 'base'", lambda r: r.add_link("l", None, "bse")),
    "parent of another skeleton": (UnknownNameError, "'base'", lambda r: r.add_link("l", None, arm().link("base"))),
    "parent is no link": (UnknownNameError, "3", lambda r: r.add_link("l", None, 3)),
    "joint is no joint": (InvalidValueError, "'l' must be a Joint, not str", lambda r: r.add_link("l", "j", "base")),
    "joint of a skeleton": (StructureError, "'elbow'", lambda r: r.add_link("l", r.joint("elbow"), "base")),
    "no name": (InvalidValueError, "non-empty string", lambda r: r.add_link("", None, "base")),
    "wrong placement": (InvalidPoseError, "'j'", lambda r: r.add_link("l", RevoluteJoint("j"), "base", [1, 2, 3])),
    "wrong child placement": (InvalidPoseError, "'j'", lambda r: r.add_link(
        "l", RevoluteJoint("j"), "base", child_placement=np.zeros((4, 4)))),
    "frame named like a link": (DuplicateNameError, "'upper'", lambda r: r.add_frame("upper", "base")),
    "frame twice": (DuplicateNameError, "'tool0'", lambda r: r.add_frame("tool0", "base")),
    "frame on nothing": (InvalidValueError, "'cam'", lambda r: r.add_frame("cam", None)),
    "frame on an unknown link": (UnknownNameError, "'bse'", lambda r: r.add_frame("cam", "bse")),
    "frame on the world": (UnknownNameError, "'world'", lambda r: r.add_frame("cam", World())),
    "frame on another skeleton": (UnknownNameError, "'base'", lambda r: r.add_frame("cam", arm().link("base"))),
    "frame with a wrong pose": (InvalidPoseError, "'cam'", lambda r: r.add_frame("cam", "base", np.nan)),
    "unknown frame removed": (UnknownNameError, "'tool'; did you mean 'tool0'", lambda r: r.remove_frame("tool")),
    "link removed as a frame": (UnknownNameError, "'base'", lambda r: r.remove_frame("base")),
}  # fmt: skip


class TestRefusedBuilding:
    @pytest.mark.parametrize("case", REFUSED)
    def test_changes_nothing(self, case):
        error, part, edit = REFUSED[case]
        robot = arm()
        robot.add_link("ball", SphericalJoint("b"), "base")
        robot.positions = robot.random_positions(1)
        message = refused(robot, error, lambda: edit(robot))
        assert part in message
        assert_engines_agree(robot)

    def test_a_refused_joint_stays_usable(self):
        robot = arm()
        joint = RevoluteJoint("wrist")
        for edit in (
            lambda: robot.add_link("upper", joint, "lower"),
            lambda: robot.add_link("hand", joint, "lower", [1, 2]),
            lambda: robot.add_link("hand", joint, "nowhere"),
        ):
            refused(robot, Exception, edit)
        assert joint.skeleton is None
        assert_same_pose(joint.placement, np.eye(4), 0.0)
        robot.add_link("hand", joint, "lower")
        assert_engines_agree(robot)


class TestClone:
    @given(robot=trees(), seed=seeds)
    def test_it_is_the_same_and_independent(self, robot, seed):
        rng = np.random.default_rng(seed)
        robot.add_frame("tool", robot.links[-1], random_pose(rng))
        robot.tip = "tool"
        before = picture(robot)
        twin = robot.clone()
        mine, theirs = picture(robot), picture(twin)
        for key in ("text", "links", "joints", "dofs", "positions", "poses", "tip", "shapes"):
            assert mine[key] == theirs[key]
        assert_engines_agree(twin)
        # Everything about the twin can change.
        twin.positions = twin.random_positions(rng)
        for joint in twin.joints:
            joint.placement = random_pose(rng)
            if joint.is_dependent:
                joint.make_independent()
            for dof in joint.dofs:
                dof.limits = (-0.5, 0.5)
        for link in twin.links:
            link.inertia = pin.Inertia.FromSphere(9.0, 1.0)
        twin.frame("tool").relative_transform = random_pose(rng)
        twin.tip = None
        assert picture(robot) == before
        assert_engines_agree(twin)
        assert_engines_agree(robot)

    @given(robot=trees(), seed=seeds)
    def test_rules_refer_to_the_twins_joints(self, robot, seed):
        twin = robot.clone()
        for joint in twin.joints:
            assert joint.skeleton is twin
            assert all(dof.joint is joint for dof in joint.dofs)
            if joint.is_dependent:
                assert joint.dependence.master is twin.joint(robot.joint(joint.name).dependence.master.name)
                assert joint in joint.dependence.master.dependents
        q = twin.random_positions(seed)
        twin.positions = robot.positions = q
        for link in twin.links:
            assert_same_pose(link.transform(), robot.link(link.name).transform(), 0.0)

    def test_everything_else_comes_along(self):
        robot = random_tree(3)
        robot.source, robot.warnings = "file.urdf", ["one"]
        robot.links[1].collisions.append(Shape(Box(1, 1, 1)))
        dof = robot.dofs[0]
        dof.velocity_limit, dof.weight, dof.max_step, dof.effort_limit = 2.0, 0.5, 0.25, 7.0
        twin = robot.clone("other")
        assert (twin.name, twin.source, twin.warnings) == ("other", "file.urdf", ["one"])
        twin.warnings.append("two")
        assert robot.warnings == ["one"]
        other = twin.dof(dof.name)
        assert (other.velocity_limit, other.weight, other.max_step, other.effort_limit) == (2.0, 0.5, 0.25, 7.0)
        assert twin.links[1].collisions == robot.links[1].collisions
        assert robot.clone().name == robot.name

    def test_frames_on_frames_keep_their_places(self):
        robot = arm()
        robot.add_frame("tip", "tool0", pose((0, 0, 0.1)))
        robot.add_frame("deep", "tip", pose((0, 0.1, 0)))
        # One in between that only the user knows, named like a link to be nasty.
        between = SimpleFrame("base", robot.link("lower"), pose((1, 0, 0)))
        robot.add_frame("odd", between, pose((0, 1, 0)))
        twin = robot.clone()
        for name in ("tool0", "tip", "deep", "odd"):
            assert_same_pose(twin.frame(name).transform(), robot.frame(name).transform())
            assert twin.frame(name).skeleton is twin
        twin.frame("tool0").relative_transform = np.eye(4)
        assert_same_pose(robot.frame("deep").transform(robot.link("lower")), pose((0, 0.1, 0.6)))
        np.testing.assert_allclose(
            twin.frame("deep").transform(twin.link("lower")).translation, (0, 0.1, 0.1), atol=1e-15
        )

    def test_a_named_frame_that_was_hung_elsewhere_stays_there(self):
        robot, other = arm(), arm()
        robot.frame("tool0").set_parent(None)
        robot.add_frame("camera", "base").set_parent(other.link("lower"))
        twin = robot.clone()
        assert twin.frame("tool0").parent is World()
        assert twin.frame("camera").parent is other.link("lower")
        assert_same_pose(twin.frame("camera").transform(), robot.frame("camera").transform(), 0.0)

    def test_a_clone_of_a_subclass_is_one(self):
        class Robot(Skeleton):
            pass

        assert type(Robot("r").clone()) is Robot


def test_the_version_counts_what_solvers_must_know():
    robot = arm()
    seen = [robot.version]

    def changed():
        seen.append(robot.version)
        return seen[-1] > seen[-2]

    robot.positions = [0.1, 0.2]
    robot.dof("elbow").position = 0.5
    robot.frame("tool0").relative_transform = np.eye(4)
    _ = robot.com if robot.mass else None
    assert not changed()
    for change in (
        lambda: robot.add_link("more", RevoluteJoint("j"), "lower"),
        lambda: robot.move_link("more", "base"),
        lambda: setattr(robot.joint("j"), "axis", "x"),
        lambda: setattr(robot.joint("j"), "placement", pose((1, 0, 0))),
        lambda: setattr(robot.joint("j"), "child_placement", pose((1, 0, 0))),
        lambda: setattr(robot.dof("j"), "limits", (-1, 1)),
        lambda: setattr(robot.link("more"), "inertia", pin.Inertia.FromSphere(1.0, 1.0)),
        lambda: robot.joint("j").depend_on(robot.joint("elbow")),
        lambda: robot.joint("j").make_independent(),
        lambda: robot.replace_joint("more", SphericalJoint("ball")),
        lambda: robot.remove_link("more"),
    ):
        change()
        assert changed()


def test_positions_move_links_at_once():
    robot = arm()
    tool = robot.frame("tool0")
    robot.positions = {"elbow": math.pi / 2}
    np.testing.assert_allclose(tool.transform().translation, [0.5, 0, 2], atol=1e-15)
    robot.dof("shoulder").position = math.pi / 2
    np.testing.assert_allclose(tool.transform().translation, [0, 0.5, 2], atol=1e-15)


def test_mass_and_centre_follow():
    robot = arm()
    robot.link("lower").inertia = pin.Inertia(2.0, np.array([0, 0, 1.0]), np.eye(3))
    robot.link("base").inertia = pin.Inertia(2.0, np.zeros(3), np.eye(3))
    assert robot.mass == 4.0
    np.testing.assert_allclose(robot.com, [0, 0, 1.5], atol=1e-15)
    robot.positions = {"elbow": math.pi / 2}
    np.testing.assert_allclose(robot.com, [0.5, 0, 1.0], atol=1e-15)
    np.testing.assert_allclose(robot.com_jacobian(), [[0, 0], [0.5, 0], [0, -0.5]], atol=1e-15)
