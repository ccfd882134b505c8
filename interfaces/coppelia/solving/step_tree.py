"""`StepTree`: the objects that some elements need, as the steps of the kernels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....kinematics.core.plan import (
    ADVANCE,
    BALL,
    MULTIPLIER,
    PARENT,
    ROTATE,
    SCREW,
    SLIDE,
)
from ....kinematics.transforms import Array
from ..constants import JointKind
from ..joint import Joint
from .chains import Column, ancestors, dependency_chain, follows_callback

if TYPE_CHECKING:
    from ..ik_element import IkElement
    from ..scene_object import SceneObject


class StepTree:
    """Steps, parents before children, and the numbers that drive them.

    Args:
        elements: Whose tips, targets and bases are needed.
        columns: What is to be moved.

    Attributes:
        objects: The object whose local pose each step has.
        steps: (s, 3), and ``constants`` (s, 15), as in `kinetree.kinematics.core.plan`.
        independent: Joints with a position of their own; their places in x come first, in this order.
        followers: Joints that follow through a callback; their places are next, then three for each spherical joint,
            which are zeros outside a search.
        balls: Spherical joints among the steps, with ``ball_steps``.
        slots: Place in x of a joint with a position of its own.
    """

    def __init__(self, elements: Iterable[IkElement], columns: Iterable[Column]) -> None:
        self.objects: list[SceneObject] = []
        self._parents: list[int] = []
        self._frames: dict[tuple[SceneObject, bool], int] = {}
        self._joint_steps: list[tuple[int, Joint]] = []
        for element in elements:
            self.frame(element.tip)
            self.frame(element.tip.target)
            self.base_frame(element.base)
            self.base_frame(constraints_base(element))
        self._number_joints(columns)
        self._fill()

    @property
    def x_size(self) -> int:
        """Length of x."""
        return len(self.slots) + 3 * max(1, len(self.balls))

    def frame(self, scene_object: SceneObject | None) -> int:
        """Frame of an object with the motion of its joint, 0 for the world."""
        for each in reversed(ancestors(scene_object)):
            self._step(each, moves=True)
        return 0 if scene_object is None else self._frames[scene_object, True]

    def base_frame(self, scene_object: SceneObject | None) -> int:
        """Frame of a base: that of a joint is the one before its own motion."""
        if not isinstance(scene_object, Joint):
            return self.frame(scene_object)
        self.frame(scene_object.parent)
        return self._step(scene_object, moves=False)

    def _step(self, scene_object: SceneObject, *, moves: bool) -> int:
        key = scene_object, moves
        if key not in self._frames:
            parent = scene_object.parent
            self._parents.append(0 if parent is None else self._frames[parent, True])
            self.objects.append(scene_object)
            self._frames[key] = len(self.objects)
            if moves and isinstance(scene_object, Joint):
                self._joint_steps.append((len(self.objects) - 1, scene_object))
        return self._frames[key]

    def _number_joints(self, columns: Iterable[Column]) -> None:
        """Gives each joint that drives a step, and each column, its place in x."""
        masters: dict[Joint, None] = {}
        followers: dict[Joint, None] = {}
        for joint in [joint for _, joint in self._joint_steps] + [column.joint for column in columns]:
            chain = dependency_chain(joint)
            masters[chain[-1]] = None
            followers.update((each, None) for each in chain if follows_callback(each))
        self.independent = [each for each in masters if each.kind is not JointKind.SPHERICAL]
        self.followers = list(followers)
        self.slots = {joint: slot for slot, joint in enumerate([*self.independent, *self.followers])}

    def _fill(self) -> None:
        count = len(self.objects)
        self.steps: NDArray[np.int64] = np.zeros((count, 3), dtype=np.int64)
        self.constants: Array = np.zeros((count, 15))
        zeros = len(self.slots)
        for k, parent in enumerate(self._parents):
            self.steps[k] = SLIDE, parent, zeros
        self.balls: list[Joint] = []
        ball_steps = []
        for k, joint in self._joint_steps:
            if joint.kind is JointKind.SPHERICAL:
                self.steps[k, 0], self.steps[k, 2] = BALL, zeros + 3 * len(self.balls)
                self.balls.append(joint)
                ball_steps.append(k)
                continue
            kind, advance = _motion(joint)
            source, multiplier, offset = self._drive(joint)
            self.steps[k, 0], self.steps[k, 2] = kind, source
            self.constants[k, MULTIPLIER : ADVANCE + 1] = multiplier, offset, advance
        self.ball_steps: NDArray[np.int64] = np.array(ball_steps, dtype=np.int64)

    def _drive(self, joint: Joint) -> tuple[int, float, float]:
        """Place in x, multiplier and offset of what a joint's position is."""
        if joint in self.slots:
            return self.slots[joint], 1.0, 0.0
        dependency = joint.dependency
        assert dependency is not None
        source, multiplier, offset = self._drive(dependency.master)
        return source, dependency.multiplier * multiplier, dependency.multiplier * offset + dependency.offset

    def entries(self, columns: list[Column]) -> tuple[NDArray[np.int64], Array]:
        """What the columns are made of, as in `kinetree.kinematics.core.plan`: entries (e, 3) and rates (e, 2).

        The rates of joints that follow through callbacks are left to `FlatGroups.follow`.
        """
        entries, rates = [], []
        self.entry_joints: list[Joint] = []
        for k, joint in self._joint_steps:
            chain = dependency_chain(joint)
            for stage in range(3 if chain[-1].kind is JointKind.SPHERICAL else 1):
                column = Column(chain[-1], stage)
                if column not in columns:
                    continue
                is_ball = joint.kind is JointKind.SPHERICAL
                entries.append((columns.index(column), k + 1, stage if is_ball else 2))
                multiplier = 1.0 if is_ball else self.constants[k, MULTIPLIER]
                rates.append((1.0, 0.0) if is_ball else rate(joint, multiplier))
                self.entry_joints.append(joint)
        return np.array(entries, dtype=np.int64).reshape(-1, 3), np.array(rates).reshape(-1, 2)

    def carries(self, frame: int, other: int) -> bool:
        """Whether a frame moves with another one: is it, or hangs on it."""
        while frame > 0:
            if frame == other:
                return True
            frame = int(self.steps[frame - 1, PARENT])
        return False


def constraints_base(element: IkElement) -> SceneObject | None:
    """What the position of an element is seen from: its own choice, else its base."""
    return element.base if element.constraints_base is None else element.constraints_base


def rate(joint: Joint, multiplier: float) -> tuple[float, float]:
    """Turning and sliding speed of a joint along its axis, per unit of what drives it."""
    kind, advance = _motion(joint)
    return (0.0 if kind == SLIDE else multiplier), advance * multiplier


def _motion(joint: Joint) -> tuple[int, float]:
    """Kind of step, and advance along the axis per unit of the position."""
    if joint.kind is JointKind.PRISMATIC:
        return SLIDE, 1.0
    return (SCREW, joint.screw_lead / math.tau) if joint.screw_lead != 0.0 else (ROTATE, 0.0)
