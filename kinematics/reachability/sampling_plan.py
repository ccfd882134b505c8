"""`SamplingPlan`: a node set as flat arrays that can be sampled anywhere, in other processes too."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.plan import BALL, KIND, PARENT, SOURCE, Plan
from ..degree_of_freedom import DegreeOfFreedom
from ..errors import StructureError
from ..frame import Frame
from ..joints import FreeJoint, SphericalJoint
from ..node_set import NodeSet
from ..transforms import Array

Integers = NDArray[np.int64]

#: How a number is drawn: between its limits, or as the first of three of a rotation vector; the other two follow.
BETWEEN, ROTATION, FOLLOWS = range(3)
#: Two descriptions of a robot are the same within this (m or rad).
TOLERANCE = 1e-9


@dataclass(frozen=True)
class SamplingPlan:
    """What moves a tip, seen from the base of its node set.

    Attributes:
        steps: (s, 3) as in `Plan`; the base stands for the world.
        constants: (s, 15) as in `Plan`.
        entries: (e, 3) as in `Plan`.
        rates: (e, 2) as in `Plan`.
        carries: (e,) as in `Plan`, of the tip.
        tip_frame: Which frame carries the tip.
        tip_pose: (12,) pose of the tip in it.
        lower: (n,) the least value of each number that is drawn.
        upper: (n,) the greatest.
        draws: (n,) see `BETWEEN`.
    """

    steps: Integers
    constants: Array
    entries: Integers
    rates: Array
    carries: Integers
    tip_frame: int
    tip_pose: Array
    lower: Array
    upper: Array
    draws: Integers

    @staticmethod
    def of(node_set: NodeSet) -> SamplingPlan:
        """The plan of a node set, the joints outside it where they are.

        Raises:
            StructureError: The set moves its base, or does not move its tip.
            InvalidValueError: A joint of it depends on another through a callable.
        """
        dofs = node_set.dofs
        if not dofs:
            raise StructureError(f"{node_set!r} has no degrees of freedom, so it reaches one pose only")
        plan = Plan.build(node_set.skeleton, [node_set.tip], node_set.dof_indices)
        if plan.tip_frames[0] == 0:
            raise StructureError(f"the joints of {node_set!r} do not move its tip")
        check_stands_still(node_set, node_set.base)
        lower, upper = (np.array(each) for each in zip(*map(range_of, dofs), strict=True))
        tip = SamplingPlan(
            steps=plan.steps.copy(),
            constants=plan.constants.copy(),
            entries=plan.entries.copy(),
            rates=plan.rates.copy(),
            carries=plan.carries[0].copy(),
            tip_frame=int(plan.tip_frames[0]),
            tip_pose=plan.tip_poses[0].copy(),
            lower=lower,
            upper=upper,
            draws=_draws(node_set),
        )
        return tip.seen_from(node_set.base.transform().homogeneous)

    @property
    def num_dofs(self) -> int:
        """How many numbers are drawn for a sample."""
        return len(self.lower)

    def seen_from(self, pose: Array) -> SamplingPlan:
        """The same, seen from a frame at a pose (4, 4) of the frame that it is seen from now."""
        inverse = np.linalg.inv(pose)
        constants = self.constants.copy()
        for k in np.flatnonzero(self.steps[:, PARENT] == 0):
            constants[k, :12] = _row_of(inverse @ matrix_of(constants[k, :12]))
        return replace(self, constants=constants)

    def place_of(self, frame: int) -> Array:
        """Pose (4, 4) of a frame k + 1 in the one that it stands on, before its own motion."""
        return matrix_of(self.constants[frame - 1, :12])

    def path_to_tip(self) -> list[int]:
        """Steps (numbers of their frames) from the base to the tip."""
        path, frame = [], self.tip_frame
        while frame > 0:
            path.append(frame)
            frame = int(self.steps[frame - 1, PARENT])
        return path[::-1]

    def drives(self, source: int) -> list[int]:
        """Frames of the steps that a number drives."""
        return [k + 1 for k in range(len(self.steps)) if _is_driven(self.steps[k], source)]

    def arrays(self) -> dict[str, Any]:
        """All there is, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def digest(self) -> str:
        """Hash of the geometry and the limits, the same for two descriptions that differ by rounding only."""
        digest = hashlib.sha256()
        for name, value in self.arrays().items():
            array = np.asarray(value)
            rounded = np.round(array / TOLERANCE / 100.0) + 0.0 if array.dtype.kind == "f" else array
            digest.update(f"{name} {array.shape} ".encode() + np.ascontiguousarray(rounded, dtype="<f8").tobytes())
        return digest.hexdigest()

    def difference(self, other: SamplingPlan) -> str:
        """In words what is not the same; empty when nothing is."""
        for name, mine in self.arrays().items():
            theirs = other.arrays()[name]
            if np.shape(mine) != np.shape(theirs):
                return f"{_WORDS[name]}: {np.shape(mine)} and {np.shape(theirs)}"
            far = float(np.abs(np.asarray(mine, dtype=float) - theirs).max(initial=0.0))
            if far > TOLERANCE:
                return f"{_WORDS[name]}, by up to {far:.3g}{_UNITS.get(name, '')}"
        return ""


_WORDS = {
    "steps": "the kinds or the order of the joints",
    "constants": "the places of the joints",
    "entries": "the axes of the joints",
    "rates": "the axes of the joints",
    "carries": "which joints move the tip",
    "tip_frame": "what carries the tip",
    "tip_pose": "the place of the tip",
    "lower": "lower joint limits",
    "upper": "upper joint limits",
    "draws": "the kinds of the joints",
}
#: What differences are in; those of kinds and of directions have no unit.
_UNITS = {
    "constants": " (m, or entries of rotations)",
    "tip_pose": " (m, or entries of rotations)",
    "lower": " (rad or m)",
    "upper": " (rad or m)",
}


def check_stands_still(node_set: NodeSet, frame: Frame) -> None:
    """Raises `StructureError` for a frame that the joints of a set move."""
    if frame.skeleton is not node_set.skeleton:
        return
    if Plan.build(node_set.skeleton, [frame], node_set.dof_indices).tip_frames[0] != 0:
        raise StructureError(
            f"the joints of {node_set!r} move {frame.name!r}; a map needs a frame that they leave where it is"
        )


def range_of(dof: DegreeOfFreedom) -> tuple[float, float]:
    """Its limits; a missing one is replaced so that the range is a turn, or one metre each way."""
    lower, upper = dof.limits
    half = math.pi if dof.is_angular else 1.0
    if math.isinf(lower) and math.isinf(upper):
        return -half, half
    if math.isinf(lower):
        return upper - 2.0 * half, upper
    return (lower, lower + 2.0 * half) if math.isinf(upper) else (lower, upper)


def _draws(node_set: NodeSet) -> Integers:
    draws: list[int] = []
    for joint in node_set.joints:
        if joint.is_dependent:
            continue
        turning = joint.dofs[3:] if isinstance(joint, FreeJoint) else joint.dofs
        if isinstance(joint, FreeJoint | SphericalJoint) and not any(dof.is_limited for dof in turning):
            draws += [BETWEEN] * (joint.num_dofs - 3) + [ROTATION, FOLLOWS, FOLLOWS]
        else:
            draws += [BETWEEN] * joint.num_dofs
    return np.array(draws, dtype=np.int64)


def _is_driven(step: Integers, source: int) -> bool:
    first = int(step[SOURCE])
    return first <= source < first + (3 if step[KIND] == BALL else 1)


def matrix_of(row: Array) -> Array:
    """The pose (4, 4) of a row (12,): rotation row by row, then translation."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = row[:9].reshape(3, 3), row[9:]
    return matrix


def _row_of(matrix: Array) -> Array:
    return np.concatenate([matrix[:3, :3].ravel(), matrix[:3, 3]])
