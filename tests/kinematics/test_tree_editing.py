"""Edits of a tree: engines agree afterwards, positions stay with their joints, refused ones change nothing."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import (
    DuplicateNameError,
    FreeJoint,
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    PrismaticJoint,
    RevoluteJoint,
    SphericalJoint,
    StructureError,
    UnknownNameError,
    pose,
)
from tests.kinematics.random_trees import (
    KINDS,
    RULES,
    build,
    follow,
    random_inertia,
    random_joint,
    random_pose,
    seeds,
    trees,
)
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, picture, refused


def held(skeleton):
    """Value of every degree of freedom, dependent ones included."""
    return {dof.name: dof.position for joint in skeleton.joints for dof in joint.dofs}


class Editor:
    """Random edits, some of which are refused."""

    def __init__(self, robot, rng):
        self.robot = robot
        self.rng = rng
        self.count = 0

    def link(self):
        return self.robot.links[int(self.rng.integers(len(self.robot.links)))]

    def joint(self):
        return self.link().joint

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}_{self.count}"

    def add(self):
        joint = random_joint(str(self.rng.choice(KINDS)), self.fresh("joint"), self.rng)
        self.robot.add_link(
            self.fresh("link"), joint, self.link(), random_pose(self.rng), inertia=random_inertia(self.rng)
        )

    def remove(self):
        link = self.link()
        if link is not self.robot.root:
            self.robot.remove_link(link)

    def move(self):
        link, parent = self.link(), self.link()
        placement = random_pose(self.rng) if self.rng.random() < 0.5 else None
        self.robot.move_link(link, parent, placement=placement)

    def move_in_place(self):
        link, parent = self.link(), self.link()
        before = link.transform()
        self.robot.move_link(link, parent, keep_in_place=True)
        assert_same_pose(link.transform(), before, 1e-11)

    def place(self):
        attribute = "placement" if self.rng.random() < 0.5 else "child_placement"
        setattr(self.joint(), attribute, random_pose(self.rng))

    def turn(self):
        joint = self.joint()
        if hasattr(joint, "axis"):
            joint.axis = self.rng.normal(size=3)
        if hasattr(joint, "lead"):
            joint.lead = float(self.rng.uniform(-1, 1))

    def limit(self):
        for dof in self.joint().dofs:
            dof.limits = (-float(self.rng.uniform(0, 2)), float(self.rng.uniform(0, 2)))

    def weigh(self):
        self.link().inertia = random_inertia(self.rng)

    def depend(self):
        follow(self.joint(), self.joint(), str(self.rng.choice(RULES)), self.rng)

    def free(self):
        self.joint().make_independent()

    def replace(self):
        joint = random_joint(str(self.rng.choice(KINDS)), self.fresh("joint"), self.rng)
        self.robot.replace_joint(self.link(), joint)

    def name_frame(self):
        self.robot.add_frame(self.fresh("frame"), self.link(), random_pose(self.rng))

    def unname_frame(self):
        named = [frame.name for frame in self.robot.frames if frame.name.startswith("frame_")]
        if named:
            self.robot.remove_frame(named[0])

    def clone(self):
        self.robot = self.robot.clone()


EDITS = [
    "add", "remove", "move", "move_in_place", "place", "turn", "limit", "weigh", "depend", "free", "replace",
    "name_frame", "unname_frame", "clone",
]  # fmt: skip


@given(robot=trees(max_size=6), edits=st.lists(st.sampled_from(EDITS), min_size=1, max_size=8), seed=seeds)
def test_any_sequence_of_edits(robot, edits, seed):
    editor = Editor(robot, np.random.default_rng(seed))
    assert_engines_agree(robot)
    for edit in edits:
        # The order is sometimes up to date and sometimes not when the edit comes.
        before = picture(editor.robot) if editor.rng.random() < 0.7 else None
        values = held(editor.robot) if before is not None else None
        try:
            getattr(editor, edit)()
        except KinetreeError:
            if before is not None:
                assert picture(editor.robot) == before
            continue
        robot = editor.robot
        if values is not None:
            after = held(robot)
            for joint in robot.joints:
                for dof in joint.dofs:
                    if dof.name in values and not joint.is_dependent and edit != "replace":
                        assert after[dof.name] == pytest.approx(values[dof.name], abs=1e-14), edit
        if editor.rng.random() < 0.6:
            assert_engines_agree(robot)
    assert_engines_agree(editor.robot)
    editor.robot.positions = editor.robot.random_positions(editor.rng)
    assert_engines_agree(editor.robot)


@pytest.fixture
def robot():
    """link0 - link1 - link2 - link3, and link4 on link1, link5 on link4; joint5 follows joint2."""
    return build(
        ["fixed", "revolute", "prismatic", "spherical", "revolute", "screw"], [0, 1, 2, 1, 4], [(5, 2, "linear")], 3
    )


class TestMove:
    def test_below_another_link(self, robot):
        values = held(robot)
        relative = robot.link("link4").joint.relative_transform()
        robot.move_link("link4", "link3")
        assert robot.link("link4").parent_link is robot.link("link3")
        assert robot.link("link4").joint.parent_link is robot.link("link3")
        assert robot.link("link1").children == (robot.link("link2"),)
        assert robot.link("link3").children == (robot.link("link4"),)
        assert held(robot) == values
        assert_same_pose(robot.link("link4").transform(robot.link("link3")), relative)
        assert_engines_agree(robot)

    def test_in_place_or_at_a_new_placement(self, robot):
        before = {link: link.transform() for link in robot.links}
        robot.move_link("link2", "link5", keep_in_place=True)
        for link, place in before.items():
            assert_same_pose(link.transform(), place)
        robot.move_link("link2", robot.link("link0"), placement=pose((1, 2, 3)))
        np.testing.assert_array_equal(robot.joint("joint2").placement.translation, [1, 2, 3])
        assert_engines_agree(robot)

    def test_positions_move_with_their_joints_to_other_places(self, robot):
        order = [dof.name for dof in robot.dofs]
        values = held(robot)
        robot.move_link("link2", "link5")
        assert [dof.name for dof in robot.dofs] != order
        assert held(robot) == values
        np.testing.assert_array_equal(robot.positions, [values[dof.name] for dof in robot.dofs])

    @pytest.mark.parametrize(
        ("error", "part", "edit"),
        [
            (StructureError, "on 'link3': that hangs on 'link1'", lambda r: r.move_link("link1", "link3")),
            (StructureError, "'link1' cannot hang on 'link1'", lambda r: r.move_link("link1", "link1")),
            (StructureError, "'link0' is the root", lambda r: r.move_link("link0", "link1")),
            (UnknownNameError, "'link9'", lambda r: r.move_link("link9", "link1")),
            (UnknownNameError, "'link9'", lambda r: r.move_link("link1", "link9")),
            (UnknownNameError, "None", lambda r: r.move_link("link1", None)),
            (UnknownNameError, "'link0'", lambda r: r.move_link("link1", build(["fixed"]).root)),
            (InvalidPoseError, "'joint3'", lambda r: r.move_link("link3", "link0", placement=np.zeros(7))),
            (InvalidValueError, "not both", lambda r: r.move_link(
                "link3", "link0", placement=np.eye(4), keep_in_place=True)),
        ],
    )  # fmt: skip
    def test_refused(self, robot, error, part, edit):
        assert part in refused(robot, error, lambda: edit(robot))
        assert_engines_agree(robot)


class TestRemove:
    def test_with_everything_below(self, robot):
        values = held(robot)
        gone = robot.link("link4")
        robot.remove_link(gone)
        assert [link.name for link in robot.links] == ["link0", "link1", "link2", "link3"]
        assert robot.joint("joint2").dependents == ()
        assert gone.skeleton is None
        left = held(robot)
        assert left == {name: value for name, value in values.items() if name in left}
        assert_engines_agree(robot)

    def test_names_are_free_again_and_joints_too(self, robot):
        joint = robot.joint("joint4")
        value = joint.dofs[0].position
        robot.remove_link("link4")
        assert joint.dofs[0].position == value
        robot.add_link("link4", joint, "link3")
        assert robot.joint("joint4") is joint
        assert joint.dofs[0].position == value
        assert_engines_agree(robot)

    def test_the_root(self, robot):
        robot.remove_link("link0")
        assert (robot.links, robot.root, robot.num_dofs) == ((), None, 0)
        robot.add_link("new", FreeJoint("root"))
        assert_engines_agree(robot)

    def test_not_what_others_depend_on(self, robot):
        message = refused(robot, StructureError, lambda: robot.remove_link("link2"))
        assert "joint 'joint5' depends on joint 'joint2'; make it independent first" in message
        robot.joint("joint5").make_independent()
        robot.remove_link("link2")
        assert_engines_agree(robot)

    def test_not_what_carries_named_frames(self, robot):
        robot.add_frame("tool", "link5")
        robot.add_frame("tip", "tool")
        message = refused(robot, StructureError, lambda: robot.remove_link("link4"))
        assert "hangs on it" in message
        assert "'tool'" in message or "'tip'" in message
        robot.remove_frame("tip")
        robot.remove_frame("tool")
        robot.remove_link("link4")

    @pytest.mark.parametrize("which", ["link9", None, 3])
    def test_unknown(self, robot, which):
        refused(robot, UnknownNameError, lambda: robot.remove_link(which))
        refused(robot, UnknownNameError, lambda: robot.remove_link(build(["fixed"]).root))


class TestReplaceJoint:
    def test_the_placements_and_the_rest_stay(self, robot):
        values = held(robot)
        old = robot.joint("joint3")
        placements = old.placement, old.child_placement
        new = SphericalJoint("ball")
        robot.replace_joint("link3", new)
        assert robot.link("link3").joint is robot.joint("ball") is new
        assert (new.parent_link, new.child_link, old.child_link) == (robot.link("link2"), robot.link("link3"), None)
        assert_same_pose(new.placement, placements[0], 0.0)
        assert_same_pose(new.child_placement, placements[1], 0.0)
        for name, value in held(robot).items():
            if not name.startswith("ball"):
                assert value == values[name]
        assert_engines_agree(robot)
        with pytest.raises(UnknownNameError):
            robot.joint("joint3")

    def test_a_fixed_root_becomes_floating(self, robot):
        robot.replace_joint("link0", FreeJoint("root"))
        assert [dof.name for dof in robot.dofs[:6]] == [f"root.{axis}" for axis in ("x", "y", "z", "rx", "ry", "rz")]
        robot.positions = {"root.x": 2.0}
        assert_engines_agree(robot)

    def test_the_same_name_may_stay(self, robot):
        robot.replace_joint("link1", PrismaticJoint("joint1"))
        assert robot.joint("joint1").kind == "prismatic"
        assert_engines_agree(robot)

    def test_a_dependent_one_lets_go_of_its_master(self, robot):
        robot.replace_joint("link5", RevoluteJoint("new"))
        assert robot.joint("joint2").dependents == ()
        assert_engines_agree(robot)

    @pytest.mark.parametrize(
        ("error", "part", "edit"),
        [
            (InvalidValueError, "'link1' must be a Joint, not str", lambda r: r.replace_joint("link1", "joint")),
            (StructureError, "'joint3' is part of", lambda r: r.replace_joint("link1", r.joint("joint3"))),
            (StructureError, "'joint1' is part of", lambda r: r.replace_joint("link1", r.joint("joint1"))),
            (StructureError, "joint 'joint5' depends on it", lambda r: r.replace_joint("link2", RevoluteJoint("new"))),
            (DuplicateNameError, "'joint4'", lambda r: r.replace_joint("link1", RevoluteJoint("joint4"))),
            (DuplicateNameError, "'joint3.rx'", lambda r: r.replace_joint("link1", RevoluteJoint("joint3.rx"))),
            (UnknownNameError, "'link9'", lambda r: r.replace_joint("link9", RevoluteJoint("new"))),
        ],
    )
    def test_refused(self, robot, error, part, edit):
        assert part in refused(robot, error, lambda: edit(robot))
        assert_engines_agree(robot)


def test_dependence_in_the_middle_of_edits_keeps_the_present_place(robot):
    robot.positions = {"joint2": 0.3}
    follower = robot.joint("joint5").dofs[0].position
    robot.add_link("extra", RevoluteJoint("extra", rest=0.7), "link0")
    robot.joint("joint5").make_independent()
    assert robot.dof("joint5").position == pytest.approx(follower)
    assert robot.dof("extra").position == 0.7
    robot.joint("joint2").depend_on(robot.joint("joint5"), function=math.tanh)
    assert robot.joint("joint2").dofs[0].position == pytest.approx(math.tanh(follower))
    assert_engines_agree(robot)


def test_frames_are_added_and_removed(robot):
    tool = robot.add_frame("tool", robot.link("link3"), pose((0, 0, 1)))
    tip = robot.add_frame("tip", tool, pose((0, 1, 0)))
    assert robot.frame("tip") is tip
    assert_same_pose(tip.transform(robot.link("link3")), pose((0, 1, 1)))
    robot.remove_frame("tip")
    assert not robot.has_frame("tip")
    robot.add_frame("tip", "link0")
    assert robot.frame("tip").parent is robot.link("link0")
