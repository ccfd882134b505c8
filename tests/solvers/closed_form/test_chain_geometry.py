"""The geometry of a chain, against Pinocchio and against finite differences."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import (
    FreeJoint,
    InvalidValueError,
    PrismaticJoint,
    RevoluteJoint,
    Skeleton,
    StructureError,
    World,
    pose,
)
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry, turn


def of_robot(name, base=None):
    robot = models.load(name)
    chain = robot.tip.chain()
    return robot, chain, ChainGeometry.of(robot, robot.tip, chain.dof_indices, base or World())


def random_geometry(rng, joints=6, slides=None):
    return ChainGeometry.made(
        rng.normal(size=(joints, 3)), rng.normal(size=(joints + 1, 3)), turn(np.array([0.0, 0.6, 0.8]), 0.7), slides
    )


@pytest.mark.parametrize("name", ["ur5", "panda", "kr6_r900", "scara", "gen3", "iiwa14"])
def test_is_the_chain_of_the_robot(name):
    robot, chain, geometry = of_robot(name)
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = robot.random_positions(rng)
        state = robot.state(q)
        rotation, position = geometry.forward(q[chain.dof_indices])
        expected = state.transform(robot.tip)
        np.testing.assert_allclose(rotation, expected.rotation, atol=1e-12)
        np.testing.assert_allclose(position, expected.translation, atol=1e-12)
        columns = state.jacobian(robot.tip)[:, chain.dof_indices]
        np.testing.assert_allclose(geometry.jacobian(q[chain.dof_indices]), columns, atol=1e-12)


def test_limits_and_names_are_those_of_the_joints():
    robot, chain, geometry = of_robot("panda")
    assert geometry.names == tuple(robot.dofs[index].name for index in chain.dof_indices)
    np.testing.assert_array_equal(geometry.lower, [robot.dofs[index].lower for index in chain.dof_indices])
    np.testing.assert_array_equal(geometry.upper, [robot.dofs[index].upper for index in chain.dof_indices])


def test_base_and_fixed_joints_are_folded_in():
    robot = models.load("dual_arm")
    tip = robot.tip
    chain = tip.chain()
    rng = np.random.default_rng(2)
    start = robot.random_positions(rng)
    moved = list(chain.dof_indices)[1:]  # the first joint of the arm stands still
    geometry = ChainGeometry.of(robot, tip, moved, chain.base, start)
    q = start.copy()
    q[moved] = robot.random_positions(rng)[moved]
    state = robot.state(q)
    expected = state.transform(chain.base).actInv(state.transform(tip))
    rotation, position = geometry.forward(q[moved])
    np.testing.assert_allclose(rotation, expected.rotation, atol=1e-12)
    np.testing.assert_allclose(position, expected.translation, atol=1e-12)


def test_offsets_and_signs_of_dependence_are_kept():
    robot = Skeleton("arm")
    base = robot.add_link("base")
    first = robot.add_link(
        "first", RevoluteJoint("a", axis=[0.3, -0.4, 1.2]), parent=base, placement=pose([0.1, 0, 0.2])
    )
    second = robot.add_link("second", PrismaticJoint("b", axis="-y"), parent=first, placement=pose([0.3, 0.2, 0.0]))
    geometry = ChainGeometry.of(robot, second, [0, 1], base)
    state = robot.state([0.7, -0.3])
    rotation, position = geometry.forward([0.7, -0.3])
    expected = state.transform(second)
    np.testing.assert_allclose(rotation, expected.rotation, atol=1e-13)
    np.testing.assert_allclose(position, expected.translation, atol=1e-13)
    assert geometry.slides.tolist() == [False, True]


@given(st.integers(0, 10_000), st.lists(st.booleans(), min_size=1, max_size=7))
def test_reversed_chain_stands_at_the_inverse_pose(seed, slides):
    rng = np.random.default_rng(seed)
    geometry = random_geometry(rng, len(slides), slides)
    q = rng.uniform(-3, 3, len(slides))
    there = pin.SE3(*geometry.forward(q))
    back = pin.SE3(*geometry.reversed().forward(q[::-1]))
    np.testing.assert_allclose(back.homogeneous, there.inverse().homogeneous, atol=1e-12)


@given(st.integers(0, 10_000), st.lists(st.booleans(), min_size=2, max_size=7), st.integers(0, 6))
def test_locked_joint_is_folded_in(seed, slides, joint):
    rng = np.random.default_rng(seed)
    joint %= len(slides)
    geometry = random_geometry(rng, len(slides), slides)
    q = rng.uniform(-3, 3, len(slides))
    expected = geometry.forward(q)
    found = geometry.locked(joint, q[joint]).forward(np.delete(q, joint))
    np.testing.assert_allclose(found[0], expected[0], atol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-12)


@given(st.integers(0, 10_000), st.integers(0, 5))
def test_origins_slide_along_their_axes_without_moving_the_tip(seed, joint):
    rng = np.random.default_rng(seed)
    geometry = random_geometry(rng)
    q = rng.uniform(-3, 3, 6)
    moved = geometry.with_origin_at(joint, rng.normal(size=3))
    np.testing.assert_allclose(moved.forward(q)[1], geometry.forward(q)[1], atol=1e-12)
    assert np.linalg.norm(moved.origins[joint] - geometry.origins[joint]) > 1e-6
    tip = geometry.with_tip_moved([0.1, 0.2, 0.3])
    rotation, position = geometry.forward(q)
    np.testing.assert_allclose(tip.forward(q)[1], position + rotation @ [0.1, 0.2, 0.3], atol=1e-12)


def test_jacobian_is_the_derivative():
    rng = np.random.default_rng(3)
    geometry = random_geometry(rng, 5, [False, True, False, True, False])
    q, step = rng.uniform(-2, 2, 5), 1e-6
    jacobian = geometry.jacobian(q)
    for k in range(5):
        ahead, behind = q.copy(), q.copy()
        ahead[k] += step
        behind[k] -= step
        slope = (geometry.forward(ahead)[1] - geometry.forward(behind)[1]) / (2 * step)
        np.testing.assert_allclose(jacobian[:3, k], slope, atol=1e-8)
        turned = pin.log3(geometry.forward(ahead)[0] @ geometry.forward(behind)[0].T) / (2 * step)
        np.testing.assert_allclose(jacobian[3:, k], turned, atol=1e-8)


def test_how_axes_lie_to_one_another():
    _, _, ur5 = of_robot("ur5")
    assert ur5.are_parallel(1, 2)
    assert ur5.are_parallel(2, 3)
    assert not ur5.are_parallel(0, 1)
    assert ur5.intersect(0, 1)
    assert not ur5.meet([3, 4, 5])
    assert ur5.distance(1, 2) == pytest.approx(0.425)
    _, _, kuka = of_robot("kr6_r900")
    assert kuka.meet([3, 4, 5])
    assert not kuka.intersect(0, 1)
    assert kuka.distance(0, 1) == pytest.approx(0.025)
    _, _, iiwa = of_robot("iiwa14")
    assert iiwa.meet([0, 1, 2])
    assert iiwa.meet([4, 5, 6])
    np.testing.assert_allclose(iiwa.meeting_point([0, 1, 2]), [0.0, 0.0, 0.36], atol=1e-12)


def test_chains_without_a_closed_form_say_why():
    robot = Skeleton("floating")
    body = robot.add_link("body", FreeJoint("free"))
    with pytest.raises(StructureError, match="no closed form"):
        ChainGeometry.of(robot, body, range(6), World())
    with pytest.raises(InvalidValueError, match="offsets"):
        ChainGeometry.made(np.eye(3), np.zeros((3, 3)))
    with pytest.raises(InvalidValueError, match="axes"):
        ChainGeometry.made(np.zeros((2, 3)), np.zeros((3, 3)))


def test_arrays_cannot_be_written_to():
    geometry = random_geometry(np.random.default_rng(4))
    with pytest.raises(ValueError, match="read-only"):
        geometry.axes[0, 0] = 2.0
