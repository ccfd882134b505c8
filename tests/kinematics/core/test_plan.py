"""The kernels of the core against Pinocchio, on every joint kind, as floats and in registers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numba import njit

from kinetree.kinematics import (
    FixedJoint,
    FreeJoint,
    InvalidValueError,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SimpleFrame,
    Skeleton,
    SphericalJoint,
    StructureError,
    UniversalJoint,
    pose,
)
from kinetree.kinematics.core.center_of_mass import center_of_mass, center_of_mass_jacobian, subtree_moments
from kinetree.kinematics.core.forward import forward, tip_frame
from kinetree.kinematics.core.jacobian import tip_jacobian
from kinetree.kinematics.core.lanes import JIT, make_view
from kinetree.kinematics.core.plan import Plan


def random_pose(rng: np.random.Generator) -> pin.SE3:
    return pose(rng.uniform(-1, 1, 3), rpy=rng.uniform(-3, 3, 3))


def zoo(seed: int = 0) -> Skeleton:
    """A floating tree with a joint of every kind about skew axes, and joints that depend on others."""
    rng = np.random.default_rng(seed)
    robot = Skeleton("zoo")
    robot.add_link("root", FreeJoint("base"), placement=random_pose(rng))
    joints = [
        RevoluteJoint("r1", axis=rng.normal(size=3)),
        PrismaticJoint("p1", axis=rng.normal(size=3)),
        ScrewJoint("s1", axis=rng.normal(size=3), lead=0.3),
        UniversalJoint("u1", axes=(rng.normal(size=3), rng.normal(size=3))),
        SphericalJoint("b1"),
        PlanarJoint("plane", normal=rng.normal(size=3)),
        RevoluteJoint("r2", axis="x"),
        PrismaticJoint("p2", axis="y"),
        FixedJoint("f"),
        RevoluteJoint("d1"),
        RevoluteJoint("d2", "-x"),
        RevoluteJoint("d3", "-y"),
    ]
    parents = ["root", "l0", "l1", "l0", "l3", "l4", "l1", "l6", "l7", "l4", "l9", "l10"]
    for k, (joint, parent) in enumerate(zip(joints, parents, strict=True)):
        robot.add_link(
            f"l{k}",
            joint,
            parent,
            random_pose(rng),
            child_placement=random_pose(rng),
            inertia=pin.Inertia(rng.uniform(0.5, 2), rng.uniform(-0.2, 0.2, 3), np.eye(3) * 0.1),
        )
    robot.joint("d1").depend_on(robot.joint("r1"), 2.0, 0.1)
    robot.joint("d2").depend_on(robot.joint("d1"), 0.3, -0.2)
    robot.joint("d3").depend_on(robot.joint("p2"), -0.5)
    return robot


def kernel(width: int) -> Any:
    view = make_view(width)

    @njit(**JIT)
    def run(steps, constants, entries, rates, tip_frames, tip_poses, carries, masses, centres, subtree, total,
            fixed_mass, fixed_centre, x, frames, tip, jacobian, moments, com, com_jacobian, tips, n):  # fmt: skip
        fr, place, mo = view(frames), view(tip), view(moments)
        forward(steps, constants, view(x), fr)
        subtree_moments(steps, masses, centres, fr, mo)
        center_of_mass(steps, mo, fixed_mass, fixed_centre, total, view(com))
        center_of_mass_jacobian(entries, rates, subtree, fr, mo, total, view(com_jacobian), 0, n)
        for t in range(tip_frames.shape[0]):
            tip_frame(fr, tip_frames[t], tip_poses, t, place)
            tip_jacobian(entries, rates, carries, t, fr, place[9], place[10], place[11], view(jacobian), 6 * t, n)
            for i in range(12):
                view(tips)[t, i] = place[i]

    return run


@pytest.fixture(scope="module", params=[1, 4])
def compiled(request: pytest.FixtureRequest) -> tuple[int, Any]:
    return request.param, kernel(request.param)


def evaluate(compiled: tuple[int, Any], robot: Skeleton, plan: Plan, numbers: list[np.ndarray]) -> list[dict[str, Any]]:
    """What the kernels say for several configurations, one dictionary each."""
    width, run = compiled
    n, s, t = plan.num_dofs, len(plan.steps), plan.num_tips

    def room(*shape: int) -> np.ndarray:
        return np.zeros((*shape, width))

    subtree = plan.masses.copy()
    for k in range(s - 1, -1, -1):
        if plan.steps[k, 1] > 0:
            subtree[plan.steps[k, 1] - 1] += subtree[k]
    x = np.array(numbers).T.copy()
    out = {"jacobian": room(6 * t, n), "com": room(3), "com_jacobian": room(3, n), "tips": room(t, 12)}
    run(plan.steps, plan.constants, plan.entries, plan.rates, plan.tip_frames, plan.tip_poses, plan.carries,
        plan.masses, plan.centres, subtree, robot.mass, plan.fixed_mass, plan.fixed_centre, x, room(s + 1, 12),
        room(12), out["jacobian"], room(s, 3), out["com"], out["com_jacobian"], out["tips"], n)  # fmt: skip
    return [{key: value[..., lane] for key, value in out.items()} for lane in range(width)]


@pytest.mark.parametrize("seed", range(4))
def test_every_joint_kind_agrees_with_pinocchio(compiled: tuple[int, Any], seed: int) -> None:
    robot = zoo(seed)
    rng = np.random.default_rng(seed)
    tool = SimpleFrame("tool", robot.link("l5"), random_pose(rng))
    tips = [robot.link("l11"), tool, robot.link("l4"), robot.link("root"), robot.link("l2"), robot.link("l8")]
    plan = Plan.build(robot, tips, whole_body=True)
    configurations = [robot.random_positions(rng) for _ in range(compiled[0])]
    for q, result in zip(configurations, evaluate(compiled, robot, plan, configurations), strict=True):
        state = robot.state(q)
        expected = np.vstack([state.jacobian(tip) for tip in tips])
        np.testing.assert_allclose(result["jacobian"], expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose(result["com"], state.com(), rtol=0, atol=1e-12)
        np.testing.assert_allclose(result["com_jacobian"], state.com_jacobian(), rtol=0, atol=1e-12)
        for tip, numbers in zip(tips, result["tips"], strict=True):
            placed = state.transform(tip)
            np.testing.assert_allclose(numbers[9:], placed.translation, rtol=0, atol=1e-12)
            np.testing.assert_allclose(numbers[:9].reshape(3, 3), placed.rotation, rtol=0, atol=1e-12)


def test_degrees_of_freedom_outside_the_plan_stay_where_they_are(compiled: tuple[int, Any]) -> None:
    robot = zoo(7)
    rng = np.random.default_rng(7)
    base = robot.random_positions(rng)
    tips = [robot.link("l11"), robot.link("l8")]
    dofs = [robot.dof(name).index for name in ("r1", "u1.1", "u1.2", "p2")]
    plan = Plan.build(robot, tips, dofs, base, whole_body=True)
    numbers = [rng.uniform(-1, 1, 4) for _ in range(compiled[0])]
    for x, result in zip(numbers, evaluate(compiled, robot, plan, numbers), strict=True):
        q = base.copy()
        q[dofs] = x
        state = robot.state(q, dofs)
        expected = np.vstack([state.jacobian(tip) for tip in tips])
        np.testing.assert_allclose(result["jacobian"], expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose(result["com"], state.com(), rtol=0, atol=1e-12)
        np.testing.assert_allclose(result["com_jacobian"], state.com_jacobian(), rtol=0, atol=1e-12)


def test_tiny_turns_of_a_ball_joint_lose_no_digits(compiled: tuple[int, Any]) -> None:
    robot = Skeleton("ball")
    robot.add_link("base")
    robot.add_link("ball", SphericalJoint("b"), "base", pose((0.1, 0, 0)))
    tip = robot.add_link("tip", None, "ball", pose((0.0, 0.0, 1.0)))
    plan = Plan.build(robot, [tip])
    sizes = np.resize([1e-12, 1e-5, 0.9999e-4, 1.0001e-4, 1e-3], compiled[0])
    numbers = [size * np.array([0.6, -0.48, 0.64]) for size in sizes]
    robot.link("tip").inertia = pin.Inertia(1.0, np.zeros(3), np.eye(3))
    for x, result in zip(numbers, evaluate(compiled, robot, plan, numbers), strict=True):
        np.testing.assert_allclose(result["tips"][0, 9:], robot.state(x).transform(tip).translation, rtol=0, atol=1e-15)


def test_a_plan_is_frozen_and_says_what_it_cannot_do() -> None:
    robot = zoo()
    plan = Plan.build(robot, [robot.link("l2")])
    with pytest.raises(ValueError, match="read-only"):
        plan.constants[0, 0] = 1.0
    with pytest.raises(StructureError, match="does not hang on skeleton 'zoo'"):
        Plan.build(robot, [SimpleFrame("target")])
    with pytest.raises(InvalidValueError, match="'b1' must be taken whole"):
        Plan.build(robot, [robot.link("l5")], [robot.dof("b1.rx").index])
    robot.joint("d1").depend_on(robot.joint("r1"), function=np.sin)
    with pytest.raises(InvalidValueError, match="'d1' depends on 'r1' through a callable"):
        Plan.build(robot, [robot.link("l11")])
    Plan.build(robot, [robot.link("l11")], [robot.dof("u1.1").index, robot.dof("u1.2").index])
