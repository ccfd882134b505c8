"""Chains: where they begin, what they contain, how far they reach."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import (
    FixedJoint,
    FreeJoint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SimpleFrame,
    Skeleton,
    StructureError,
    UniversalJoint,
    World,
    pose,
)
from tests.kinematics.random_trees import build, random_joint, random_pose, seeds

UP = pose((0, 0, 0.5))


def add(robot, name, joint, parent):
    return robot.add_link(name, joint, parent, UP)


def add_arm(robot, prefix, parent, count=3):
    """A limb of revolute joints prefix1, prefix2, ... ; gives the name of its last link."""
    for index in range(1, count + 1):
        add(robot, f"{prefix}{index}", RevoluteJoint(f"{prefix}{index}", "xyz"[index % 3]), parent)
        parent = f"{prefix}{index}"
    return parent


def add_gripper(robot, prefix, parent, dependent=False):
    add(robot, f"{prefix}hand", FixedJoint(f"{prefix}hand"), parent)
    for side in ("left", "right"):
        add(robot, f"{prefix}{side}", PrismaticJoint(f"{prefix}{side}", "x", (0, 0.04)), f"{prefix}hand")
    if dependent:
        robot.joint(f"{prefix}right").depend_on(robot.joint(f"{prefix}left"))


def arm(dependent=False):
    robot = Skeleton("arm")
    robot.add_link("base")
    add_gripper(robot, "", add_arm(robot, "a", "base"), dependent)
    return robot


def humanoid():
    """A floating pelvis with legs, a waist joint, a torso with arms and a head."""
    robot = Skeleton("humanoid")
    robot.add_link("pelvis", FreeJoint("root"))
    for side in ("l", "r"):
        add_arm(robot, f"{side}_leg", "pelvis")
    add(robot, "torso", RevoluteJoint("waist"), "pelvis")
    add(robot, "chest", FixedJoint("weld"), "torso")
    for side in ("l", "r"):
        add_gripper(robot, f"{side}_", add_arm(robot, f"{side}_arm", "chest"))
    add(robot, "head", RevoluteJoint("neck"), "torso")
    return robot


def names(chain):
    return [joint.name for joint in chain.joints if joint.is_moving]


@pytest.mark.parametrize("dependent", [False, True])
def test_a_gripper_does_not_end_an_arm(dependent):
    robot = arm(dependent)
    for tip in ("hand", "a3"):
        chain = robot.frame(tip).chain()
        assert names(chain) == ["a1", "a2", "a3"]
        assert chain.base is robot.link("base")
        assert chain.tip is robot.link(tip)
    tool = robot.add_frame("tool", "hand", UP)
    assert names(tool.chain()) == ["a1", "a2", "a3"]
    assert names(SimpleFrame("pen", tool).chain()) == ["a1", "a2", "a3"]


def test_from_a_finger_two_free_fingers_end_the_chain_and_coupled_ones_do_not():
    robot = arm()
    chain = robot.link("left").chain()
    assert names(chain) == ["left"]
    assert chain.base.link.name in ("hand", "a3")
    coupled = arm(dependent=True)
    assert names(coupled.link("left").chain()) == ["a1", "a2", "a3", "left"]
    follower = coupled.link("right").chain()
    assert names(follower) == ["a1", "a2", "a3", "right"]
    assert [dof.name for dof in follower.dofs] == ["a1", "a2", "a3"]


def test_arms_of_a_torso():
    robot = Skeleton("two arms")
    robot.add_link("stand")
    add(robot, "torso", RevoluteJoint("waist"), "stand")
    left, right = add_arm(robot, "l", "torso"), add_arm(robot, "r", "torso")
    for tip, limb in ((left, ["l1", "l2", "l3"]), (right, ["r1", "r2", "r3"])):
        chain = robot.link(tip).chain()
        assert names(chain) == limb
        assert chain.base is robot.link("torso")
    assert names(robot.link("torso").chain()) == ["waist"]
    # The torso's own chain is asked for: its branches are above it, not below.
    assert names(robot.link(left).chain(robot.link("stand"))) == ["waist", "l1", "l2", "l3"]
    assert names(robot.link(left).chain(World())) == ["waist", "l1", "l2", "l3"]


def test_limbs_of_a_humanoid():
    robot = humanoid()
    assert names(robot.link("l_hand").chain()) == ["l_arm1", "l_arm2", "l_arm3"]
    # The chest is welded to the torso, so the chain begins at the body of both.
    assert robot.link("l_hand").chain().base is robot.link("torso")
    assert names(robot.link("head").chain()) == ["neck"]
    assert names(robot.link("r_leg3").chain()) == ["r_leg1", "r_leg2", "r_leg3"]
    assert robot.link("r_leg3").chain().base is robot.link("pelvis")
    assert names(robot.link("pelvis").chain()) == ["root"]
    assert names(robot.link("torso").chain()) == ["waist"]
    assert names(robot.link("head").chain(robot.link("pelvis"))) == ["waist", "neck"]
    assert names(robot.link("head").chain(World())) == ["root", "waist", "neck"]


def test_a_floating_arm_takes_its_base_along_and_stops_there():
    robot = Skeleton()
    robot.add_link("rail", PrismaticJoint("rail"))
    add(robot, "body", FreeJoint("root"), "rail")
    add_gripper(robot, "", add_arm(robot, "a", "body"))
    chain = robot.link("hand").chain()
    assert names(chain) == ["root", "a1", "a2", "a3"]
    assert chain.base is robot.link("rail")
    assert names(robot.link("body").chain()) == ["root"]


def test_bodies_of_several_links_count_as_one():
    robot = Skeleton()
    robot.add_link("base")
    add(robot, "torso", RevoluteJoint("waist"), "base")
    # Two welded plates, each with an arm: together they branch.
    for side in ("l", "r"):
        add(robot, f"{side}plate", FixedJoint(f"{side}plate"), "torso")
        add_arm(robot, side, f"{side}plate")
    assert names(robot.link("l3").chain()) == ["l1", "l2", "l3"]
    # A welded tip frame above the fingers is of the same body as the hand.
    other = arm()
    add(other, "flange", FixedJoint("flange"), "a3")
    add(other, "tool0", FixedJoint("tool0"), "flange")
    assert names(other.link("tool0").chain()) == ["a1", "a2", "a3"]


def test_dependent_joints_do_not_branch():
    robot = Skeleton()
    robot.add_link("base")
    add_arm(robot, "a", "base", 2)
    add(robot, "coupler", RevoluteJoint("coupler"), "a1")
    robot.joint("coupler").depend_on(robot.joint("a1"), -1.0)
    assert names(robot.link("a2").chain()) == ["a1", "a2"]
    robot.joint("coupler").make_independent()
    assert names(robot.link("a2").chain()) == ["a2"]


def test_a_root_that_moves():
    robot = Skeleton()
    robot.add_link("first", RevoluteJoint("j0"))
    add_arm(robot, "a", "first", 2)
    chain = robot.link("a2").chain()
    assert names(chain) == ["j0", "a1", "a2"]
    assert chain.base is World()
    assert chain.dof_indices.tolist() == [0, 1, 2]


def test_nothing_that_moves():
    robot = build(["fixed", "fixed", "fixed"])
    chain = robot.link("link2").chain()
    assert (len(chain), names(chain), chain.reach) == (0, [], 0.0)
    assert chain.dof_indices.shape == (0,)


class TestBase:
    def test_exactly_down_to_it(self):
        robot = arm()
        tip = robot.link("hand")
        assert names(tip.chain(robot.link("a1"))) == ["a2", "a3"]
        assert names(tip.chain(robot.link("a3"))) == []
        assert [joint.name for joint in tip.chain(robot.link("a3")).joints] == ["hand"]
        assert names(tip.chain(tip)) == []

    def test_a_frame_on_a_link_is_a_base_too(self):
        robot = arm()
        base = robot.add_frame("mount", "a1", UP)
        chain = robot.link("hand").chain(base)
        assert chain.base is base
        assert names(chain) == ["a2", "a3"]
        free = SimpleFrame("table", None, UP)
        assert names(robot.link("hand").chain(free)) == ["a1", "a2", "a3"]
        assert robot.link("hand").chain(free).base is free

    @pytest.mark.parametrize("base", ["left", "a3"])
    def test_not_on_the_way(self, base):
        robot, other = arm(), arm()
        with pytest.raises(StructureError, match=f"base {base!r} is not on the way from 'a2' to the root"):
            robot.link("a2").chain(robot.link(base))
        with pytest.raises(StructureError, match="not on the way"):
            robot.link("a2").chain(other.link("a1"))


def test_what_a_chain_says():
    robot = humanoid()
    chain = robot.link("l_hand").chain()
    assert chain.name == "torso to l_hand"
    assert chain.skeleton is robot
    assert [dof.name for dof in chain.dofs] == ["l_arm1", "l_arm2", "l_arm3"]
    assert chain.dof_indices.tolist() == [dof.index for dof in chain.dofs]
    assert repr(chain) == "<Chain 'torso to l_hand': 3 degrees of freedom, 'torso' to 'l_hand'>"


def far(robot, chain, q):
    """Distance from the first moving joint to the tip at q."""
    robot.positions = q
    first = next(joint for joint in chain.joints if joint.is_moving)
    above = pin.SE3.Identity() if first.parent_link is None else first.parent_link.transform()
    start = (above * first.placement).translation
    return float(np.linalg.norm(chain.tip.transform().translation - start))


class TestReach:
    @given(
        kinds=st.lists(
            st.sampled_from(["fixed", "revolute", "prismatic", "screw", "universal", "spherical"]),
            min_size=1,
            max_size=6,
        ),
        seed=seeds,
    )  # fmt: skip
    def test_it_is_never_exceeded(self, kinds, seed):
        rng = np.random.default_rng(seed)
        robot = build(["fixed", *kinds], seed=seed)
        for joint in robot.joints:
            if joint.kind in ("prismatic", "screw") and not joint.dofs[0].is_limited:
                joint.dofs[0].limits = (-2.0, 3.0)
        chain = robot.add_frame("tool", robot.links[-1], random_pose(rng)).chain()
        if not names(chain):
            assert chain.reach == 0.0
            return
        assert math.isfinite(chain.reach)
        for _ in range(20):
            assert far(robot, chain, robot.random_positions(rng)) <= chain.reach + 1e-12
        for bound in (robot.lower_limits, robot.upper_limits):
            q = np.where(np.isfinite(bound), bound, robot.positions)
            assert far(robot, chain, q) <= chain.reach + 1e-12

    def test_it_is_met_by_a_stretched_arm(self):
        robot = arm()
        assert robot.link("hand").chain().reach == pytest.approx(1.5)  # from a1 by a2 and a3 to the hand
        q = np.zeros(robot.num_dofs)
        assert far(robot, robot.link("hand").chain(), q) == pytest.approx(1.5)

    def test_the_first_joints_place_does_not_count_and_the_tools_does(self):
        robot = Skeleton()
        robot.add_link("base")
        robot.add_link("l", RevoluteJoint("j"), "base", pose((7, 0, 0)), child_placement=pose((0, 0.25, 0)))
        assert robot.link("l").chain().reach == pytest.approx(0.25)
        assert robot.add_frame("tool", "l", pose((0, 0, 1))).chain().reach == pytest.approx(1.25)

    def test_sliding_without_limits_reaches_anywhere(self):
        for joint in (
            PrismaticJoint("j"),
            PrismaticJoint("j", limits=(0, math.inf)),
            FreeJoint("j"),
            PlanarJoint("j"),
            ScrewJoint("j", lead=0.1),
        ):
            robot = Skeleton()
            robot.add_link("base")
            robot.add_link("l", joint, "base")
            assert robot.link("l").chain().reach == math.inf
        robot = Skeleton()
        robot.add_link("l", ScrewJoint("j", lead=-0.1, limits=(-math.pi, 4 * math.pi)))
        assert robot.link("l").chain().reach == pytest.approx(0.2)
        robot = Skeleton()
        robot.add_link("l", ScrewJoint("j", lead=0.0))
        assert robot.link("l").chain().reach == 0.0
        robot = Skeleton()
        robot.add_link("l", UniversalJoint("j"))
        assert robot.link("l").chain().reach == 0.0

    def test_what_depends_on_others_is_not_bounded_by_its_own_limits(self):
        robot = Skeleton()
        robot.add_link("base")
        robot.add_link("a", PrismaticJoint("a", "z", (0, 1)), "base")
        robot.add_link("b", PrismaticJoint("b", "z", (0, 1)), "a")
        assert robot.link("b").chain().reach == pytest.approx(2.0)
        robot.joint("b").depend_on(robot.joint("a"), 10.0)
        robot.positions = [1.0]
        assert far(robot, robot.link("b").chain(), [1.0]) == pytest.approx(11.0)
        assert robot.link("b").chain().reach >= 11.0


def test_a_chain_is_found_on_every_random_tree():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        robot = Skeleton()
        robot.add_link("link0")
        for index in range(1, 12):
            kind = str(rng.choice(["revolute", "fixed", "prismatic"]))
            robot.add_link(f"link{index}", random_joint(kind, f"j{index}", rng), f"link{int(rng.integers(0, index))}")
        for link in robot.links:
            chain = link.chain()
            path = {each.joint for each in link.ancestors() if each is not World()}
            assert set(chain.joints) <= path
            assert link.is_below(chain.base)
            whole = link.chain(World())
            assert set(whole.joints) == path
            assert set(names(chain)) == {j.name for j in link.chain(chain.base).joints if j.is_moving}
