"""`Goal`: what a function with IKFast's interface is asked for, in its own numbers, and what measures the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pinocchio as pin

from ...kinematics import InvalidValueError, State, as_pose
from ...kinematics.transforms import Array
from ..targets.ik_target import IkTarget
from ..targets.packed_values import Angle, Place, Pose, RotationMatrix, UnitVector
from ..targets.transform_6d import Transform6D
from ..tasks.error_method import ErrorMethod
from .placement import Placement

if TYPE_CHECKING:
    from ..inverse_kinematics import InverseKinematics

#: Rotations that are this close to none are none.
_UNTURNED = 1e-12
#: A tool point that is this close (m and rad) to the tip is the tip.
_ELSEWHERE = 1e-9


class Goal(NamedTuple):
    """One target.

    Attributes:
        eetrans: (3,)
        eerot: (9,)
        task: Aimed; says how far a configuration is away.
    """

    eetrans: Array
    eerot: Array
    task: ErrorMethod


def make_goal(place: Placement, wish: Any, state: State, task_of: Callable[[pin.SE3], ErrorMethod]) -> Goal:
    """What a function is asked for.

    Args:
        place: The function's.
        wish: A target of its kind, or a pose of the module's tool point relative to the base.
        state: Where the skeleton is.
        task_of: What measures a world pose.

    Raises:
        InvalidPoseError: No pose.
        InvalidValueError: A target of another kind, or one that cannot be had in the base.
    """
    base, tip_in_tool = state.transform(place.base), place.tip_in_tool_point(state)
    is_for_poses = place.kind is Transform6D
    if is_for_poses and not isinstance(wish, IkTarget):
        at = as_pose(wish, "pose")
        return Goal(*_packed_pose(at * tip_in_tool), task_of(base * at))
    target = wish if isinstance(wish, IkTarget) else _target_at(place, wish)
    wrong = obstacle_of(place, target)
    if wrong:
        raise InvalidValueError(wrong)
    reference = pin.SE3.Identity() if target.reference is None else state.transform(target.reference)
    eetrans, eerot = packed_in_base(target, base.actInv(reference))
    if is_for_poses:
        eetrans, eerot = _packed_pose(pin.SE3(eerot.reshape(3, 3), eetrans) * tip_in_tool)
    elif not tip_in_tool.isIdentity(_ELSEWHERE):
        raise InvalidValueError(
            f"{place.name} solves for {place.kind.__name__} of {place.tip.name!r}; the tool point of the module is "
            "elsewhere"
        )
    return Goal(eetrans, eerot, _aimed(target, place.module))


def obstacle_of(place: Placement, target: IkTarget) -> str:
    """What keeps a function from solving for a target; empty when nothing does."""
    if type(target) is not place.kind:
        return f"{place.name} solves for {place.kind.__name__}, not for {type(target).__name__}"
    if place.direction is not None and not np.allclose(target.tool_direction, place.direction, atol=1e-12):
        return f"{place.name} solves for the tool direction {place.direction}, not for {target.tool_direction}"
    return ""


def _target_at(place: Placement, pose: Any) -> IkTarget:
    """What a function can reach of a pose of the tool point relative to the base."""
    if place.direction is None:
        return place.kind.from_pose(pose, reference=place.base)
    return place.kind.from_pose(pose, place.direction, reference=place.base)


def _packed_pose(pose: pin.SE3) -> tuple[Array, Array]:
    return np.array(pose.translation), np.array(pose.rotation).ravel()


def _aimed(target: IkTarget, module: InverseKinematics) -> IkTarget:
    """A target that measures a module's frame, whether or not it belongs to one."""
    if not target.is_bound or target.module is not module:
        target = target.clone()
        target.bind(module)
    return target.aimed_at()


def packed_in_base(target: IkTarget, reference_in_base: pin.SE3) -> tuple[Array, Array]:
    """Translation (3,) and nine numbers (9,) of a target, relative to the base of a chain.

    Args:
        target: Whose values are those of its reference.
        reference_in_base: Pose of that.

    Raises:
        InvalidValueError: Its angles are about axes of the reference, and those of the base are others.
    """
    kind = type(target)
    moved = [_moved(value, value.read(target.goal), reference_in_base, target) for value in kind.values]
    goal = kind._packed(moved)
    return goal[:3, 3].copy(), goal[:3, :3].ravel().copy()


def _moved(value: Any, given: Any, frame: pin.SE3, target: IkTarget) -> Any:
    if isinstance(value, Pose):
        return frame * given
    if isinstance(value, RotationMatrix | UnitVector):
        return frame.rotation @ given
    if isinstance(value, Place) and len(given) == 3:
        return frame.act(given)
    if isinstance(value, Angle | Place) and np.abs(frame.rotation - np.eye(3)).max() > _UNTURNED:
        raise InvalidValueError(
            f"{target!r} has values along axes that are not those of the base of the chain; give it the base as its "
            "reference"
        )
    return given + frame.translation[: len(given)] if isinstance(value, Place) else given
