"""Frames, axes and Jacobians: reports of users, and what they should have got."""

import itertools

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import FreeJoint, RevoluteJoint, SimpleFrame, Skeleton, pose
from kinetree.solvers import IKMetaSolver, InverseKinematics, JacobianIKSolver


@pytest.fixture
def floating():
    """An arm of three joints on a free base that is turned and away from the world."""
    robot = Skeleton("floating")
    base = robot.add_link("base", FreeJoint("root"))
    link = robot.add_link("a", RevoluteJoint("a", "z"), base, pose([0.1, 0, 0.2], rpy=[0.3, 0, 0]))
    link = robot.add_link("b", RevoluteJoint("b", "y"), link, pose([0, 0.1, 0.3]))
    link = robot.add_link("c", RevoluteJoint("c", "x"), link, pose([0.4, 0, 0], rpy=[0, 0.2, 0]))
    robot.tip = robot.add_frame("tool", link, pose([0.1, 0.2, 0.3], rpy=[0.5, 0.1, 0.2]))
    robot.positions = [0.5, -0.3, 0.8, 0.2, 0.4, -0.6, 0.3, -0.7, 1.1]
    return robot


def test_pinocchio_417_and_904_nothing_is_stale(floating):
    """Poses were those of before the last move -> they follow positions, structure and parents at once."""
    pointer = SimpleFrame("pointer", floating.tip, pose([0, 0, 0.1]))
    seen = [pointer.transform().homogeneous]
    floating.positions = {"a": 1.2}
    seen.append(pointer.transform().homogeneous)
    floating.joint("b").dofs[0].position = 0.4
    seen.append(pointer.transform().homogeneous)
    floating.frame("tool").relative_transform = pose([0.2, 0, 0])
    seen.append(pointer.transform().homogeneous)
    floating.move_link("c", "a", placement=pose([0, 0, 1.0]))
    seen.append(pointer.transform().homogeneous)
    pointer.set_parent(floating.link("base"))
    seen.append(pointer.transform().homogeneous)
    for one, two in itertools.pairwise(seen):
        assert np.abs(one - two).max() > 1e-3
    fresh = floating.state().transform(pointer).homogeneous
    np.testing.assert_allclose(seen[-1], fresh, atol=1e-12)


def by_differences(robot, frame, relative_to, axes_at, offset):
    """Columns of the Jacobian from small moves: velocity of the point, angular velocity, along given axes."""
    step, columns = 1e-6, []

    def seen(q):
        state = robot.state(q)
        whole = state.transform(frame) * pose(offset)
        return whole if relative_to is None else state.transform(relative_to).actInv(whole)

    for column in np.eye(robot.num_dofs):
        before, after = (seen(robot.integrate(robot.positions, sign * step * column)) for sign in (-1, 1))
        linear = (after.translation - before.translation) / (2 * step)
        angular = pin.log3(after.rotation @ before.rotation.T) / (2 * step)
        reference = np.eye(3) if relative_to is None else relative_to.transform().rotation
        change = axes_at.T @ reference
        columns.append(np.concatenate([change @ linear, change @ angular]))
    return np.array(columns).T


@pytest.mark.parametrize("offset", [(0, 0, 0), (0.2, -0.1, 0.4)], ids=["origin", "offset"])
@pytest.mark.parametrize("seen_from", [None, "base", "b"])
@pytest.mark.parametrize("axes", [None, "world", "local", "a"])
def test_pinocchio_1761_and_roboplan_pr_288_every_reference_is_what_it_says(floating, axes, seen_from, offset):
    """Jacobians came in a frame that nobody had meant -> each choice agrees with small moves."""
    relative_to = None if seen_from is None else floating.frame(seen_from)
    given = floating.frame("a") if axes == "a" else axes
    jacobian = floating.tip.jacobian(offset=offset, relative_to=relative_to, axes=given)
    if axes is None:
        along = np.eye(3) if relative_to is None else relative_to.transform().rotation
    else:
        along = {
            "world": np.eye(3),
            "local": floating.tip.transform().rotation,
            "a": floating.frame("a").transform().rotation,
        }[axes]
    expected = by_differences(floating, floating.tip, relative_to, along, offset)
    np.testing.assert_allclose(jacobian, expected, atol=1e-7)


def test_pinocchio_1932_the_default_is_world_axes_at_the_frame(floating):
    """It was a riddle which of three references a Jacobian had -> one default, in all calls."""
    model, q = floating.model, floating.to_pinocchio(floating.positions)
    data = model.createData()
    link = floating.tip.link
    tip = model.addFrame(
        pin.Frame("checked", model.frames[model.getFrameId(link.name)].parentJoint, 0,
                  model.frames[model.getFrameId(link.name)].placement * floating.tip.transform(link),
                  pin.FrameType.OP_FRAME)
    )  # fmt: skip
    data = model.createData()
    expected = pin.computeFrameJacobian(model, data, q, tip, pin.LOCAL_WORLD_ALIGNED)
    np.testing.assert_allclose(floating.tip.jacobian(), expected, atol=1e-12)
    np.testing.assert_allclose(floating.state().jacobian(floating.tip), expected, atol=1e-12)


@pytest.mark.parametrize("hangs_on", ["world", "table", "moving base", "other arm"])
def test_pycram_pr_129_targets_in_any_frame(hangs_on):
    """Only targets in the world worked -> a target may hang on any frame, a moving one included."""
    robot = models.load("dual_arm")
    rng = np.random.default_rng(4)
    robot.positions = robot.random_positions(rng)
    module = InverseKinematics(robot)
    parent = {
        "world": None,
        "table": SimpleFrame("table", None, pose([0.3, 0.2, 0.1], rpy=[0.1, 0.2, 2.0])),
        "moving base": module.frame.chain().base,
        "other arm": robot.link("right_tool0"),
    }[hangs_on]
    wanted = robot.random_positions(rng, module.dof_indices)
    target = SimpleFrame("target", parent)
    target.set_transform(robot.state(wanted).transform(module.frame))
    solution = module.solve(target, seed=robot.random_positions(rng, module.dof_indices))
    assert solution
    robot.positions = solution.q
    off = module.frame.transform(target)
    assert np.linalg.norm(off.translation) <= 1e-6
    assert np.linalg.norm(pin.log3(off.rotation)) <= 1e-6


def test_kinematics_interface_pr_257_targets_of_a_chain_are_relative_to_its_base():
    """Poses relative to the world and to the base of a chain were mixed up -> the base moves along."""
    robot = models.load("dual_arm")
    chain = robot.tip.chain()
    rng = np.random.default_rng(5)
    state = robot.random_positions(rng)  # the torso turned, and the base of the arm with it
    wanted = robot.random_positions(rng, chain.dof_indices, base=state)
    snapshot = robot.state(wanted)
    base_T_end = snapshot.transform(chain.base).actInv(snapshot.transform(chain.tip))
    found = IKMetaSolver(JacobianIKSolver(chain)).solve(base_T_end, state)
    assert found
    for q in found:
        reached = robot.state(q)
        np.testing.assert_allclose(
            reached.transform(chain.base).actInv(reached.transform(chain.tip)).homogeneous,
            base_T_end.homogeneous,
            atol=3e-6,
        )
