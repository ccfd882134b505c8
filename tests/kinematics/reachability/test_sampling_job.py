"""Samples: poses as Pinocchio has them, evenly drawn, the same wherever they are drawn."""

import dataclasses

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import FreeJoint, NodeSet, Skeleton, SphericalJoint, StructureError, World
from kinetree.kinematics.reachability.map_binding import MapBinding
from kinetree.kinematics.reachability.map_creation import job_for
from kinetree.kinematics.reachability.pose_arrays import poses_from_rows
from kinetree.kinematics.reachability.sampling_job import key_of
from tests.kinematics.random_trees import random_joint, random_pose
from tests.kinematics.reachability.arms import elbow, panda

KINDS = ["revolute", "prismatic", "screw", "universal", "spherical", "planar", "free"]


def job_of(node_set, frame=None):
    return job_for(MapBinding(node_set, node_set.base if frame is None else frame), None, None)


def chain_of(kinds, seed):
    rng = np.random.default_rng(seed)
    robot = Skeleton("chain")
    robot.add_link("link0")
    for k, kind in enumerate(kinds):
        robot.add_link(f"link{k + 1}", random_joint(kind, f"joint{k}", rng), f"link{k}", random_pose(rng))
    tip = robot.add_frame("tip", f"link{len(kinds)}", random_pose(rng))
    return NodeSet("all", robot.joints, robot.link("link0"), tip)


@pytest.mark.parametrize("kind", KINDS)
def test_poses_are_those_of_pinocchio(kind):
    node_set = chain_of([kind, "revolute", kind], seed=3)
    robot = node_set.skeleton
    samples = job_of(node_set).samples(0, 50)
    model = robot.model
    data = model.createData()
    for values, row in zip(samples.values, samples.poses, strict=True):
        q = np.zeros(robot.num_dofs)
        q[node_set.dof_indices] = values
        pin.framesForwardKinematics(model, data, robot.to_pinocchio(q))
        link = data.oMf[model.getFrameId(node_set.tip.link.name)]
        wanted = (link * node_set.tip.transform(node_set.tip.link)).homogeneous
        np.testing.assert_allclose(poses_from_rows(row[None])[0], wanted, atol=1e-11)


def test_poses_are_in_the_frame_that_was_asked_for():
    robot = models.load("dual_arm")
    node_set = robot.tip.chain()
    frame = next(each for each in robot.links if "right" in each.name)
    samples = job_of(node_set, frame).samples(0, 5)
    for values, row in zip(samples.values, samples.poses, strict=True):
        q = robot.positions.copy()
        q[node_set.dof_indices] = values
        state = robot.state(q)
        wanted = state.transform(frame).actInv(state.transform(node_set.tip)).homogeneous
        np.testing.assert_allclose(poses_from_rows(row[None])[0], wanted, atol=1e-12)


def test_values_are_even_between_the_limits():
    node_set = panda()
    values = job_of(node_set).samples(0, 40_000).values
    lower, upper = np.array([dof.limits for dof in node_set.dofs]).T
    parts = (values - lower) / (upper - lower)
    assert parts.min() >= 0.0
    assert parts.max() < 1.0
    for column in parts.T:
        counts = np.histogram(column, bins=20, range=(0, 1))[0]
        assert ((counts - 2000) ** 2 / 2000).sum() < 45.0, "chi squared with 19 degrees of freedom, 0.1 %"
    independent = np.corrcoef(parts.T) - np.eye(7)
    assert np.abs(independent).max() < 0.02
    following = np.corrcoef(parts[:-1].ravel(), parts[1:].ravel())[0, 1]
    assert abs(following) < 0.01
    # No number is used twice, for neighbouring joints of neighbouring samples for example.
    assert len(np.unique(parts)) == parts.size


@pytest.mark.parametrize("joint", [SphericalJoint, FreeJoint])
def test_unlimited_rotations_are_even_over_all_rotations(joint):
    robot = Skeleton("ball")
    robot.add_link("base")
    robot.add_link("tip", joint("joint"), "base")
    node_set = NodeSet("all", robot.joints, robot.link("base"), robot.link("tip"))
    rotations = poses_from_rows(job_of(node_set).samples(0, 40_000).poses)[:, :3, :3]
    angles = np.arccos(np.clip(0.5 * (np.trace(rotations, axis1=1, axis2=2) - 1.0), -1.0, 1.0))
    # The angle of an even rotation is distributed as (angle - sin angle) / pi.
    parts = (angles - np.sin(angles)) / np.pi
    counts = np.histogram(parts, bins=20, range=(0, 1))[0]
    assert ((counts - 2000) ** 2 / 2000).sum() < 45.0
    assert np.abs(rotations.mean(axis=0)).max() < 0.02


def test_a_sample_depends_on_its_number_and_seed_alone():
    job = job_of(panda())
    whole = job.samples(0, 1000)
    for first, count in ((0, 1), (1, 7), (333, 667), (999, 1)):
        part = job.samples(first, count)
        np.testing.assert_array_equal(part.values, whole.values[first : first + count])
        np.testing.assert_array_equal(part.poses, whole.poses[first : first + count])
    other = dataclasses.replace(job, seed=job.seed + 1).samples(0, 1000)
    assert not np.isin(other.values, whole.values).any()
    far = job.samples(10**13, 3).values
    assert np.isfinite(far).all()


def test_keys_of_seeds_differ():
    assert len({key_of(seed) for seed in range(10_000)}) == 10_000


@pytest.mark.parametrize("name", ["panda", "ur5e", "so101", "planar3"])
def test_manipulability_is_the_product_of_singular_values(name):
    node_set = models.load(name).tip.chain()
    robot = node_set.skeleton
    job = dataclasses.replace(job_of(node_set), scale=1.0)
    samples = job.samples(0, 20)
    for values, quality in zip(samples.values, samples.qualities, strict=True):
        q = robot.positions.copy()
        q[node_set.dof_indices] = values
        jacobian = robot.state(q).jacobian(node_set.tip)[:, node_set.dof_indices]
        wanted = np.prod(np.linalg.svd(jacobian, compute_uv=False))
        assert quality == pytest.approx(wanted, rel=1e-6, abs=1e-7)


def test_what_cannot_be_sampled():
    robot = panda().skeleton
    with pytest.raises(StructureError, match="no degrees of freedom"):
        MapBinding(NodeSet("none", [], World(), robot.tip), World())
    with pytest.raises(StructureError, match="do not move its tip"):
        MapBinding(NodeSet("fingers", ["panda_finger_joint1"], World(), robot.tip), World())
    arm = robot.tip.chain()
    with pytest.raises(StructureError, match="panda_link3"):
        MapBinding(arm, robot.link("panda_link3"))
    with pytest.raises(StructureError, match="panda_link2"):
        MapBinding(NodeSet("arm", arm.joints, robot.link("panda_link2"), robot.tip), World())


def test_descriptions_that_differ_are_told_apart():
    plan = MapBinding(elbow(), World()).plan
    assert plan.difference(MapBinding(elbow(), World()).plan) == ""
    assert plan.digest == MapBinding(elbow(), World()).plan.digest
    other = MapBinding(elbow(first=(-1.0, 1.0)), World()).plan
    assert "limits" in plan.difference(other)
    assert plan.digest != other.digest
    assert "joints" in plan.difference(MapBinding(panda(), World()).plan)
