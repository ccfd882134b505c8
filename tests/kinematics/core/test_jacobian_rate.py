"""The derivative of the Jacobian against differences and Pinocchio, for every joint kind, in both number types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numba import njit

from kinetree.kinematics import (
    FreeJoint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    UniversalJoint,
    pose,
)
from kinetree.kinematics.core.forward import forward, tip_frame
from kinetree.kinematics.core.jacobian_rate import jacobian_rate
from kinetree.kinematics.core.lanes import JIT, make_view
from kinetree.kinematics.core.plan import Plan

WIDTHS = (1, 2, 4)


def random_pose(rng: np.random.Generator) -> pin.SE3:
    return pose(rng.uniform(-1, 1, 3), rpy=rng.uniform(-3, 3, 3))


def tree(seed: int) -> Skeleton:
    """A joint of every kind one after the other, with branches, and joints that depend on others."""
    rng = np.random.default_rng(seed)
    robot = Skeleton("tree")
    robot.add_link("root", FreeJoint("base"), placement=random_pose(rng))
    joints = [
        RevoluteJoint("r1", axis=rng.normal(size=3)),
        PrismaticJoint("p1", axis=rng.normal(size=3)),
        ScrewJoint("s1", axis=rng.normal(size=3), lead=0.7),
        UniversalJoint("u1", axes=(rng.normal(size=3), rng.normal(size=3))),
        PlanarJoint("plane", normal=rng.normal(size=3)),
        SphericalJoint("b1"),
        RevoluteJoint("d1", axis=rng.normal(size=3)),
        PrismaticJoint("d2", axis=rng.normal(size=3)),
        RevoluteJoint("r2", axis="-y"),
    ]
    parents = ["root", "l0", "l1", "l2", "l3", "l4", "l5", "l6", "l2"]
    for k, (joint, parent) in enumerate(zip(joints, parents, strict=True)):
        robot.add_link(f"l{k}", joint, parent, random_pose(rng), child_placement=random_pose(rng))
    robot.joint("d1").depend_on(robot.joint("r1"), 2.0, 0.1)
    robot.joint("d2").depend_on(robot.joint("d1"), -0.3, 0.2)
    return robot


def kernel(width: int) -> Any:
    view = make_view(width)

    @njit(**JIT)
    def run(
        steps, constants, entries, rates, tip_frames, tip_poses, carries, x, velocity, frames, twists, tip, rate, n
    ):
        fr, place = view(frames), view(tip)
        forward(steps, constants, view(x), fr)
        for t in range(tip_frames.shape[0]):
            tip_frame(fr, tip_frames[t], tip_poses, t, place)
            jacobian_rate(steps, entries, rates, carries, tip_frames, t, fr, place[9], place[10], place[11],
                          view(velocity), view(twists), view(rate), 6 * t, n)  # fmt: skip

    return run


@pytest.fixture(scope="module", params=WIDTHS)
def compiled(request: pytest.FixtureRequest) -> tuple[int, Any]:
    return request.param, kernel(request.param)


def rates_of(
    compiled: tuple[int, Any], plan: Plan, x: list[np.ndarray], velocity: list[np.ndarray]
) -> list[np.ndarray]:
    """The derivatives (6 t, n), one for each lane. What is in the buffers before does not matter."""
    width, run = compiled
    n, s, t = plan.num_dofs, len(plan.steps), plan.num_tips
    rate = np.full((6 * t, n, width), 7.0)
    run(plan.steps, plan.constants, plan.entries, plan.rates, plan.tip_frames, plan.tip_poses, plan.carries,
        np.array(x).T.copy(), np.array(velocity).T.copy(), np.full((s + 1, 12, width), 7.0),
        np.full((s + 1, 6, width), 7.0), np.zeros((12, width)), rate, n)  # fmt: skip
    return [rate[..., lane] for lane in range(width)]


def by_differences(
    robot: Skeleton, tips: list[Any], q: np.ndarray, velocity: np.ndarray, dofs: Any = None
) -> np.ndarray:
    """Central differences of fourth order along the motion with a constant velocity."""
    step = 1e-3
    state = robot.state(q, dofs)

    def ahead(factor: float) -> np.ndarray:
        there = robot.state(state.moved(factor * step * velocity), dofs)
        return np.vstack([there.jacobian(tip) for tip in tips])

    return (8.0 * (ahead(1.0) - ahead(-1.0)) - (ahead(2.0) - ahead(-2.0))) / (12.0 * step)


@pytest.mark.parametrize("seed", range(3))
def test_every_joint_kind_agrees_with_differences(compiled: tuple[int, Any], seed: int) -> None:
    robot, rng = tree(seed), np.random.default_rng(seed)
    tool = SimpleFrame("tool", robot.link("l4"), random_pose(rng))
    tips = [robot.link("l7"), tool, robot.link("l8"), robot.link("root")]
    plan = Plan.build(robot, tips)
    x = [robot.random_positions(rng) for _ in range(compiled[0])]
    velocity = [rng.normal(size=robot.num_dofs) for _ in x]
    for q, v, rate in zip(x, velocity, rates_of(compiled, plan, x, velocity), strict=True):
        np.testing.assert_allclose(rate, by_differences(robot, tips, q, v), rtol=0, atol=2e-8)


@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_pinocchio(compiled: tuple[int, Any], seed: int) -> None:
    robot, rng = tree(seed), np.random.default_rng(seed + 10)
    tips = [robot.link("l7"), robot.link("l4"), robot.link("l8")]
    plan = Plan.build(robot, tips)
    # Pinocchio takes the columns of a joint as constant in its child, which the first one of a universal joint is
    # not; that one is left to the differences.
    agrees = np.arange(robot.num_dofs) != robot.dof("u1.1").index
    x = [robot.random_positions(rng) for _ in range(compiled[0])]
    velocity = [rng.normal(size=robot.num_dofs) for _ in x]
    for q, v, rate in zip(x, velocity, rates_of(compiled, plan, x, velocity), strict=True):
        expected = by_pinocchio(robot, tips, q, v)
        np.testing.assert_allclose(rate[:, agrees], expected[:, agrees], rtol=0, atol=2e-12)


def by_pinocchio(robot: Skeleton, tips: list[Any], q: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    source = robot._pinocchio_model()
    model, theirs = source.model, robot.to_pinocchio(q)
    fold = np.zeros((model.nv, robot.num_dofs))
    fold[source.velocity_columns, np.arange(robot.num_dofs)] = 1.0
    for column, ours, slope in source.folds(theirs):
        fold[column, ours] += slope
    data = model.createData()
    pin.computeJointJacobiansTimeVariation(model, data, theirs, fold @ velocity)
    pin.updateFramePlacements(model, data)
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    rates = [pin.getFrameJacobianTimeVariation(model, data, source.frame_ids[tip], axes) for tip in tips]
    return np.vstack([rate @ fold for rate in rates])


def test_some_of_the_degrees_of_freedom(compiled: tuple[int, Any]) -> None:
    robot, rng = tree(5), np.random.default_rng(5)
    base = robot.random_positions(rng)
    dofs = [robot.dof(name).index for name in ("r1", "s1", "u1.1", "u1.2", "b1.rx", "b1.ry", "b1.rz")]
    tips = [robot.link("l7"), robot.link("l8")]
    plan = Plan.build(robot, tips, dofs, base)
    x = [rng.uniform(-1, 1, len(dofs)) for _ in range(compiled[0])]
    velocity = [rng.normal(size=len(dofs)) for _ in x]
    for numbers, v, rate in zip(x, velocity, rates_of(compiled, plan, x, velocity), strict=True):
        q = base.copy()
        q[dofs] = numbers
        np.testing.assert_allclose(rate, by_differences(robot, tips, q, v, dofs), rtol=0, atol=2e-8)


def test_the_motion_to_second_order(compiled: tuple[int, Any]) -> None:
    """A point moves by J v + 1/2 (dJ/dt) v, up to the third order: what Halley's method builds on."""
    robot, rng = tree(2), np.random.default_rng(2)
    tip = robot.link("l7")
    plan = Plan.build(robot, [tip])
    x = [robot.random_positions(rng) for _ in range(compiled[0])]
    velocity = [1e-3 * rng.normal(size=robot.num_dofs) for _ in x]
    for q, v, rate in zip(x, velocity, rates_of(compiled, plan, x, velocity), strict=True):
        state = robot.state(q)
        start, first = state.transform(tip).translation, (state.jacobian(tip) @ v)[:3]
        moved = robot.state(state.moved(v)).transform(tip).translation - start
        assert np.abs(moved - first).max() > 1e-6
        np.testing.assert_allclose(moved, first + 0.5 * (rate @ v)[:3], rtol=0, atol=3e-7)
