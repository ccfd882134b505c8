"""The hierarchies that are measured, and where steps begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from kinetree import models
from kinetree.kinematics import Skeleton
from kinetree.solvers import CenterOfMassTask, HierarchicalDeltaIK

Array = NDArray[np.float64]

#: Microseconds that a step may take.
ARM_STEP, HUMANOID_STEP = 10.0, 40.0
#: How far joints are from the configuration of the targets (standard deviation, rad or m).
NEAR, AWAY = 0.02, 0.2
#: The posture from which a humanoid begins: knees and elbows bent, as limits are not in the way there.
STANCE = {"hip_pitch": -0.4, "knee": 0.8, "ankle_pitch": -0.4, "shoulder_roll": 0.3, "elbow": -1.2}
ARM = (0.0, -0.5, 0.0, -2.0, 0.0, 1.6, 0.8)


@dataclass(frozen=True)
class FrameGoal:
    """A frame with a part of a pose: ``"position"``, ``"orientation"`` or ``"all"``."""

    frame: str
    selection: str
    level: int
    target: pin.SE3


@dataclass(frozen=True)
class Case:
    """A hierarchy, and configurations (m, n) to step from.

    Attributes:
        name: In the table.
        robot: Of kinetree.
        model: Name of the built-in robot.
        joints: What may move; None for all.
        goals: The frames.
        balance: (x, y) of the centre of mass with its level, or None.
        starts: (m, n).
        bound: Microseconds that are allowed.
    """

    name: str
    robot: Skeleton
    model: str
    joints: Sequence[str] | None
    goals: list[FrameGoal]
    balance: tuple[Array, int] | None
    starts: Array
    bound: float
    rest: Array = field(default_factory=lambda: np.zeros(0))

    def hierarchy(self, time_step: float | None = None) -> HierarchicalDeltaIK:
        """Ours."""
        delta = HierarchicalDeltaIK(self.robot, time_step=time_step)
        if self.joints is not None:
            delta.set_dofs(self.joints)
        for goal in self.goals:
            delta.add_frame(goal.frame, goal.target, goal.selection, level=goal.level)
        if self.balance is not None:
            delta.add(CenterOfMassTask(over=self.balance[0]), self.balance[1])
        return delta


def make_cases(count: int, seed: int) -> list[Case]:
    """All of them."""
    return [*_arm(count, seed), _humanoid(count, seed)]


def _arm(count: int, seed: int) -> list[Case]:
    """Panda without its fingers."""
    robot = models.load("panda")
    joints = [f"panda_joint{number}" for number in range(1, 8)]
    rest = robot.as_configuration(dict(zip(joints, ARM, strict=True)))
    state = robot.state(rest)
    tip, elbow = (state.transform(robot.frame(name)).copy() for name in ("panda_hand", "panda_link4"))
    starts = _starts(robot, rest, range(7), count, seed)
    split = [FrameGoal("panda_hand", "position", 0, tip), FrameGoal("panda_hand", "orientation", 1, tip)]
    posture = [FrameGoal("panda_hand", "all", 0, tip), FrameGoal("panda_link4", "position", 1, elbow)]
    named = {"panda, position before orientation": split, "panda, pose before elbow": posture}
    return [Case(name, robot, "panda", joints, goals, None, starts, ARM_STEP, rest) for name, goals in named.items()]


def _humanoid(count: int, seed: int) -> Case:
    """Both feet before the centre of mass before both hands, with the floating base."""
    robot = models.load("humanoid")
    names = {joint.name for joint in robot.joints}
    bent = {f"{side}_{name}_joint": value for side in ("left", "right") for name, value in STANCE.items()}
    bent = {name: (-value if name == "right_shoulder_roll_joint" else value) for name, value in bent.items()}
    rest = robot.clamp(robot.as_configuration({name: value for name, value in bent.items() if name in names}))
    state = robot.state(rest)
    goals = [
        FrameGoal(frame, "all", 2 * (k // 2), state.transform(robot.frame(frame)).copy())
        for k, frame in enumerate(("left_foot", "right_foot", "left_hand", "right_hand"))
    ]
    starts = _starts(robot, rest, range(robot.num_dofs), count, seed)
    balance = (state.com()[:2].copy(), 1)
    name = "humanoid, feet, centre of mass, hands"
    return Case(name, robot, "humanoid", None, goals, balance, starts, HUMANOID_STEP, rest)


def _starts(robot: Skeleton, rest: Array, moving: range, count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    starts = []
    for _ in range(count):
        velocity = np.zeros(robot.num_dofs)
        velocity[list(moving)] = AWAY * rng.normal(size=len(moving))
        starts.append(robot.clamp(robot.integrate(rest, velocity)))
    return np.array(starts)
