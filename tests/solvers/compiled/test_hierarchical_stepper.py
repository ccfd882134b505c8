"""The whole compiled step of a hierarchy against the object path."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    FreeJoint,
    InvalidValueError,
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
from kinetree.solvers import CenterOfMassTask, InverseKinematics, LevenbergMarquardt, TaskSpaceRegion
from kinetree.solvers.active_dofs import ActiveDofs
from kinetree.solvers.compiled.hierarchical_limits import GIVEN_BACK, KEPT
from kinetree.solvers.compiled.hierarchical_stepper import CenterTask, HierarchicalStepper, TipTask
from kinetree.solvers.hierarchy.hierarchical_step import Level, hierarchical_gradient
from kinetree.solvers.limited_step import LimitedStep

POSITION = (True, True, True, False, False, False)


def zoo() -> Skeleton:
    """Two branches with joints of every kind, one of them depending on another."""
    robot = Skeleton("zoo")
    inertia = pin.Inertia.FromSphere(1.3, 0.1)
    base = robot.add_link("base")
    body = robot.add_link("body", FreeJoint("float"), base, pose((0.1, 0.0, 0.3)), inertia=inertia)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        joints = [
            RevoluteJoint(f"{side}_a", "y", (-1.2, 1.4)), SphericalJoint(f"{side}_ball"),
            PrismaticJoint(f"{side}_slide", "x", (-0.1, 0.2)), UniversalJoint(f"{side}_cross"),
            ScrewJoint(f"{side}_screw", "z", 0.2), PlanarJoint(f"{side}_flat", "y"),
            RevoluteJoint(f"{side}_b", "x", (-4.0, 4.0)),
        ]  # fmt: skip
        link = body
        for joint in joints:
            link = robot.add_link(
                f"{joint.name}_link", joint, link, pose((0.05, 0.1 * sign, 0.2), rpy=(0.2, 0.1, 0.3)), inertia=inertia
            )
        robot.add_link(f"{side}_tip", None, link, pose((0.0, 0.0, 0.1)))
    return robot


class Both:
    """A compiled stepper and the object path for the same tasks."""

    def __init__(self, skeleton: Skeleton, tasks: list[Any], dofs: Any = None, max_step: float = 1.5) -> None:
        self.skeleton, self.tasks, self.max_step = skeleton, tasks, max_step
        self.active = ActiveDofs(skeleton, range(skeleton.num_dofs) if dofs is None else dofs)
        self.stepper = HierarchicalStepper(skeleton, tasks, dofs=dofs, max_step=max_step, wraps=True)

    def methods(self) -> list[list[Any]]:
        levels: list[list[Any]] = [[] for _ in range(1 + max(task.level for task in self.tasks))]
        for task in self.tasks:
            if isinstance(task, CenterTask):
                goal = np.asarray(task.goal)
                method: Any = CenterOfMassTask(goal, weight=task.weight) if len(goal) == 2 else CenterOfMassTask(
                    point=goal, weight=task.weight)  # fmt: skip
            else:
                module = InverseKinematics(task.frame)
                module.target = task.target
                region = TaskSpaceRegion if all(task.rows) else TaskSpaceRegion.position_only
                module.error_method = region(weights=np.asarray(task.weights))
                method = module.error_method.aimed_at()
            levels[task.level].append(method)
        return levels

    def reference(self, q: np.ndarray) -> np.ndarray:
        """The next configuration by the object path."""
        state = self.skeleton.state(q, self.active.indices)
        measured = [[method.measure(state) for method in level] for level in self.methods()]
        ends = np.cumsum([0, *(sum(len(each[0]) for each in level) for level in measured)])
        jacobian = np.vstack([each[1] for level in measured for each in level])
        error = np.concatenate([each[0] for level in measured for each in level])

        def rule(jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            parts = [slice(*pair) for pair in itertools.pairwise(ends)]
            levels = [Level(jacobian[rows], error[rows], LevenbergMarquardt().gradient) for rows in parts]
            return hierarchical_gradient(levels, len(self.active))

        LimitedStep(self.active, self.max_step, rounds=len(self.active)).move(state, jacobian, error, rule)
        self.misses = [each[2:] for level in measured for each in level]
        return state.q

    def check(self, rng: np.random.Generator, count: int, at_limits: bool = True) -> None:
        """Compares steps from random configurations, some of whose joints stand at their limits."""
        order = sorted(range(len(self.tasks)), key=lambda k: self.tasks[k].level)
        compared = 0
        for _ in range(count):
            q = self.skeleton.random_positions(rng, self.active.indices)
            low, high = self.skeleton.lower_limits, self.skeleton.upper_limits
            finite = np.isfinite(low) & np.isfinite(high)
            draw = rng.random(len(q))
            q = np.where(finite & (draw < 0.2), low, np.where(finite & (draw > 0.8), high, q)) if at_limits else q
            expected, found = self.reference(q), self.stepper.step(q)
            np.testing.assert_allclose(self.stepper.misses[order], self.misses, atol=1e-9)
            if not np.isin(self.stepper.standing, (GIVEN_BACK, KEPT)).any():
                np.testing.assert_allclose(found, expected, atol=2e-7)
                compared += 1
            assert (found >= low).all()
            assert (found <= high).all()
        assert compared > 0.7 * count, compared


def reachable(skeleton: Skeleton, frames: list[str], rng: np.random.Generator) -> list[pin.SE3]:
    state = skeleton.state(skeleton.random_positions(rng))
    return [state.transform(skeleton.frame(name)).copy() for name in frames]


def test_an_arm_agrees_with_the_object_path(rng: np.random.Generator) -> None:
    arm = models.load("panda")
    (target,) = reachable(arm, [arm.tip.name], rng)
    elbow = arm.links[5]
    Both(arm, [TipTask(arm.tip, target, 0, POSITION), TipTask(arm.tip, target, 1)], range(7)).check(rng, 40)
    tasks = [TipTask(elbow, target, 1, POSITION), TipTask(arm.tip, target, 0, weights=[1, 2, 1, 0.4, 0.4, 0.3])]
    Both(arm, tasks, range(7), max_step=0.2).check(rng, 40)


def humanoid_tasks(robot: Skeleton, rng: np.random.Generator) -> list[Any]:
    names = ["left_foot", "right_foot", "left_hand", "right_hand"]
    targets = reachable(robot, names, rng)
    return [TipTask(robot.frame(n), t, int(k > 1)) for k, (n, t) in enumerate(zip(names, targets, strict=True))]


def test_a_humanoid_agrees_with_the_object_path(rng: np.random.Generator) -> None:
    robot = models.load("humanoid")
    tasks = humanoid_tasks(robot, rng)
    Both(robot, tasks).check(rng, 30)
    Both(robot, [CenterTask([0.1, 0.0], 1), *tasks[:2], TipTask(tasks[2].frame, tasks[2].target, 2)]).check(rng, 30)
    Both(robot, [CenterTask([0.1, 0.0, 0.6], 0, weight=2.0)]).check(rng, 10)


def test_every_kind_of_joint_moves_as_in_the_object_path(rng: np.random.Generator) -> None:
    robot = zoo()
    targets = reachable(robot, ["left_tip", "right_tip"], rng)
    tips = [robot.frame("left_tip"), robot.frame("right_tip")]
    tasks = [TipTask(tips[0], targets[0]), TipTask(tips[1], targets[1], 1), CenterTask([0.0, 0.0], 2)]
    Both(robot, tasks).check(rng, 60)
    Both(robot, tasks, range(6, robot.num_dofs)).check(rng, 20, at_limits=False)


def test_weights_and_own_largest_steps_of_joints_count(rng: np.random.Generator) -> None:
    arm = models.load("panda")
    arm.dofs[1].weight, arm.dofs[2].max_step = 0.1, 0.05
    (target,) = reachable(arm, [arm.tip.name], rng)
    Both(arm, [TipTask(arm.tip, target, 0, POSITION), TipTask(arm.tip, target, 1)], range(7)).check(rng, 20)


def test_steps_lead_to_the_targets_and_lower_levels_do_not_disturb(rng: np.random.Generator) -> None:
    robot = models.load("humanoid")
    robot.positions = 0.5 * (np.clip(robot.lower_limits, -1, 1) + np.clip(robot.upper_limits, -1, 1))
    feet = [TipTask(robot.frame(f"{side}_foot"), robot.frame(f"{side}_foot").transform()) for side in ("left", "right")]
    hand = robot.frame("left_hand")
    far = TipTask(hand, pose((3.0, 0.0, 1.0)), 1, POSITION)
    stepper = HierarchicalStepper(robot, [far, *feet], max_step=0.1)
    q = robot.positions
    for _ in range(60):
        q = stepper.step(q)
    misses = stepper.measure(q)
    assert misses[1:].max() < 0.05  # they are disturbed to second order only, and no more than corrections of 0.1 allow
    assert misses[0, 0] > 1.0
    stepper.set_target(0, robot.state().transform(hand))
    for _ in range(60):
        q = stepper.step(q)
    assert stepper.measure(q).max() < 1e-9


def test_lower_levels_leak_nothing(rng: np.random.Generator) -> None:
    robot = models.load("humanoid")
    stepper = HierarchicalStepper(robot, humanoid_tasks(robot, rng), respect_limits=False, max_step=1e9)
    for _ in range(20):
        q = robot.random_positions(rng)
        if rng.random() < 0.5:
            q[10:] = 0.0  # stretched limbs
        stepper.use_levels(1)
        stepper.step(q)
        first = stepper.gradient
        stepper.use_levels(2)
        stepper.step(q)
        jacobian, _ = stepper.linearised
        assert np.abs(jacobian[:12] @ (stepper.gradient - first)).max() <= 1e-10
        assert np.abs(jacobian[12:] @ (stepper.gradient - first)).max() > 1e-3


def test_no_joint_is_stranded_at_its_limit(rng: np.random.Generator) -> None:
    # Every joint begins at a limit, with a target well inside. Where the arm stands still in the end, each joint
    # is where it can do no more: free of slope, or at a limit and pulled outwards.
    arm = models.load("panda")
    lower, upper = arm.lower_limits[:7], arm.upper_limits[:7]
    stood, solved = 0, 0
    for _ in range(60):
        state = arm.state(0.5 * (arm.lower_limits + arm.upper_limits) * rng.uniform(0.7, 1.3, 8))
        task = TipTask(arm.tip, state.transform(arm.tip), rows=POSITION)
        stepper = HierarchicalStepper(arm, [task], dofs=range(7))
        q = np.where(rng.random(8) < 0.5, arm.lower_limits, arm.upper_limits)
        for _ in range(100):
            before, q = q, stepper.step(q)
        solved += stepper.misses.max() < 1e-9
        if np.abs(q - before).max() < 1e-9:
            stood += 1
            jacobian, error = stepper.linearised
            slope = error @ jacobian
            pulled = np.where(
                q[:7] <= lower, np.minimum(slope, 0.0), np.where(q[:7] >= upper, np.maximum(slope, 0.0), slope)
            )
            assert np.abs(pulled).max() < 1e-6
    assert stood >= 30, stood
    assert solved >= 30, solved


def test_targets_change_in_place(rng: np.random.Generator) -> None:
    arm = models.load("panda")
    one, two = reachable(arm, [arm.tip.name], rng) + reachable(arm, [arm.tip.name], rng)
    stepper = HierarchicalStepper(arm, [TipTask(arm.tip, one)])
    q = arm.rest_positions
    stepper.targets[0][:9], stepper.targets[0][9:] = two.rotation.ravel(), two.translation
    np.testing.assert_array_equal(stepper.step(q), HierarchicalStepper(arm, [TipTask(arm.tip, two)]).step(q))


def test_steps_give_arrays_of_their_own_and_leave_the_skeleton_alone() -> None:
    arm = models.load("panda")
    stepper = HierarchicalStepper(arm, [TipTask(arm.tip, pose((0.3, 0.1, 0.5)))])
    before, q = arm.positions, arm.positions
    first = stepper.step(q)
    kept = first.copy()
    stepper.step(first.tolist())
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(arm.positions, before)
    np.testing.assert_array_equal(q, before)
    with pytest.raises(ValueError, match="shape"):
        stepper.step(q[:3])


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda arm: [], InvalidValueError),
        (lambda arm: [TipTask(arm.tip, pose(), 1)], InvalidValueError),
        (lambda arm: [TipTask(arm.tip, pose(), 0, (False,) * 6)], InvalidValueError),
        (lambda arm: [CenterTask([0.0])], InvalidValueError),
        (lambda arm: [TipTask(models.load("panda").tip, pose())], StructureError),
    ],
)
def test_tasks_that_are_none_are_refused(make: Any, error: type[Exception]) -> None:
    arm = models.load("panda")
    with pytest.raises(error):
        HierarchicalStepper(arm, make(arm))


def test_a_robot_without_mass_has_no_centre() -> None:
    robot = Skeleton("light")
    robot.add_link("tip", RevoluteJoint("j"), robot.add_link("base"))
    with pytest.raises(StructureError, match="mass"):
        HierarchicalStepper(robot, [CenterTask([0.0, 0.0])])
