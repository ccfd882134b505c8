"""The frame tree, Pinocchio's model and the maps between their coordinates."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given

from kinetree.kinematics import KinetreeError, RevoluteJoint, ShapeError, Skeleton
from tests.kinematics.random_trees import KINDS, MOVING, build, configurations, random_tree, seeds, trees
from tests.kinematics.reference import assert_engines_agree, assert_same_pose, velocity_map


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_every_joint_kind_alone_and_in_a_row(kind, seed):
    rng = np.random.default_rng(seed)
    for kinds in ([kind], ["fixed", kind], ["fixed", kind, kind, "fixed", kind], ["free", kind, "fixed", "revolute"]):
        robot = build(kinds, seed=seed)
        for q in configurations(rng, robot, 4):
            robot.positions = q
            assert_engines_agree(robot)


@given(robot=trees(), seed=seeds)
def test_random_trees_agree(robot, seed):
    for q in configurations(np.random.default_rng(seed), robot, 2):
        robot.positions = q
        assert_engines_agree(robot)


@pytest.mark.parametrize("seed", range(10))
def test_large_trees_agree(seed):
    robot = random_tree(seed, size=25)
    assert_engines_agree(robot)


@given(robot=trees())
def test_coordinates_come_back_from_pinocchio(robot):
    q = robot.positions
    qp = robot.to_pinocchio(q)
    assert qp.shape == (robot.model.nq,)
    again = robot.to_pinocchio(robot.from_pinocchio(qp))
    np.testing.assert_allclose(again, qp, rtol=0, atol=1e-14)
    assert robot.model.nv >= robot.num_dofs


@given(robot=trees(dependences=False), seed=seeds)
def test_steps_are_pinocchios(robot, seed):
    rng = np.random.default_rng(seed)
    model = robot.model
    q, v = robot.random_positions(rng), rng.uniform(-1.0, 1.0, robot.num_dofs)
    theirs = velocity_map(robot, q) @ v
    if model.nv == 0:
        return
    ours = robot.to_pinocchio(robot.integrate(q, v))
    wanted = pin.integrate(model, robot.to_pinocchio(q), theirs)
    first, second = model.createData(), model.createData()
    pin.forwardKinematics(model, first, ours)
    pin.forwardKinematics(model, second, wanted)
    for one, other in zip(first.oMi, second.oMi, strict=True):
        assert_same_pose(one, other)


@given(robot=trees(dependences=False, kinds=MOVING), seed=seeds)
def test_differences_are_pinocchios(robot, seed):
    rng = np.random.default_rng(seed)
    start, end = robot.random_positions(rng), robot.random_positions(rng)
    ours = velocity_map(robot, start) @ robot.difference(start, end)
    wanted = pin.difference(robot.model, robot.to_pinocchio(start), robot.to_pinocchio(end))
    np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-9)
    robot.positions = end
    goal = [link.transform() for link in robot.links]
    robot.positions = robot.integrate(start, robot.difference(start, end))
    for link, pose in zip(robot.links, goal, strict=True):
        assert_same_pose(link.transform(), pose, 1e-9)


def test_links_and_joints_keep_their_names():
    robot = random_tree(1, size=12)
    model = robot.model
    for link in robot.links:
        assert model.existFrame(link.name)
    for joint in robot.joints:
        assert model.existJointName(joint.name) is joint.is_moving
    assert model.name == robot.name


def test_each_number_of_a_one_number_joint_is_one_number_there():
    robot = build(["revolute", "revolute", "prismatic", "screw"], seed=2)
    robot.joint("joint1").dofs[0].limits = None
    assert (robot.model.nq, robot.model.nv) == (4, 4)
    q = np.array([9.0, -8.0, 7.0, 6.0])
    np.testing.assert_array_equal(robot.to_pinocchio(q), q)
    np.testing.assert_array_equal(robot.from_pinocchio(q), q)


def test_to_pinocchio_gives_an_array_of_its_own():
    robot = build(["revolute", "revolute"])
    q = np.array([0.1, 0.2])
    robot.to_pinocchio(q)[0] = 5.0
    robot.to_pinocchio(robot.positions)[0] = 5.0
    assert q[0] == 0.1
    assert robot.positions[0] != 5.0


def test_dependent_joints_are_filled_in_and_ignored_on_the_way_back():
    robot = build(["fixed", "revolute", "prismatic"], None, [(1, 2, "linear")])
    rule = robot.joint("joint1").dependence
    qp = robot.to_pinocchio([0.4])
    np.testing.assert_allclose(qp, [rule.multiplier * 0.4 + rule.offset, 0.4])
    np.testing.assert_array_equal(robot.from_pinocchio([99.0, 0.4]), [0.4])


def test_limits_are_set_where_pinocchio_has_a_number_for_them():
    robot = Skeleton()
    robot.add_link("a", RevoluteJoint("a", limits=(-1, 2), velocity_limit=3, effort_limit=4))
    robot.add_link("b", RevoluteJoint("b"), "a")
    model = robot.model
    assert (model.lowerPositionLimit[0], model.upperPositionLimit[0]) == (-1.0, 2.0)
    assert (model.velocityLimit[0], model.effortLimit[0]) == (3.0, 4.0)
    assert model.lowerPositionLimit[1] < -1e300
    assert model.upperPositionLimit[1] > 1e300
    assert np.isfinite(model.lowerPositionLimit).all()
    free = build(["free", "planar"])
    free.dof("joint0.x").limits = (-0.5, 0.25)
    free.dof("joint1.y").limits = (-0.75, 0.125)
    assert (free.model.lowerPositionLimit[0], free.model.upperPositionLimit[0]) == (-0.5, 0.25)
    assert (free.model.lowerPositionLimit[8], free.model.upperPositionLimit[8]) == (-0.75, 0.125)


def test_the_model_is_made_anew_only_when_something_changed():
    robot = build(["fixed", "revolute"])
    first = robot.model
    robot.positions = [0.3]
    assert robot.model is first
    robot.joint("joint1").placement = np.eye(4)
    assert robot.model is not first


@pytest.mark.parametrize("seed", range(5))
def test_masses_and_centres_are_pinocchios(seed):
    robot = random_tree(seed, kinds=MOVING)
    model, data = robot.model, robot.model.createData()
    assert pin.computeTotalMass(model) == pytest.approx(robot.mass, rel=1e-14)
    wanted = pin.centerOfMass(model, data, robot.to_pinocchio(robot.positions))
    np.testing.assert_allclose(robot.com, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("bad", [[], [1, 2, 3], [[0.1]], [math.nan], "a", None])
def test_wrong_configurations_are_refused(bad):
    robot = build(["fixed", "revolute"])
    for use in (robot.from_pinocchio, robot.to_pinocchio, robot.state):
        if bad is None:  # means the present positions to the last two
            use = robot.from_pinocchio
        with pytest.raises(KinetreeError):
            use(bad)
    with pytest.raises(ShapeError, match="1 degrees of freedom: joint1"):
        robot.to_pinocchio([1, 2])
