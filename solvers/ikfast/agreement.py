"""Whether generated code and a skeleton agree on where the tip is, and what may be wrong when they do not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, KinetreeError, Skeleton, State, as_vector, rotation_vector
from ...kinematics.transforms import Array
from ..errors import IkFastMismatchError
from ..targets.ik_target import Direction
from ..targets.transform_6d import Transform6D
from ..tasks.relative_pose import RelativePose
from .placement import Placement

#: How many random configurations are compared.
SAMPLES = 8
_SEED = 0
#: Two descriptions of the same robot may be this far (m or rad) apart, being rounded.
_NEARLY = 1e-2
_AXES = ("x", "y", "z", "-x", "-y", "-z")

#: Translation and nine numbers of the tip for joint values (num_joints,).
ForwardKinematics = Callable[[Array], tuple[Array, Array]]


def check_agreement(place: Placement, forward: ForwardKinematics, tolerance: float) -> None:
    """Compares forward kinematics with that of the skeleton, at random configurations, the same at every call.

    Args:
        place: The function's.
        forward: Its forward kinematics.
        tolerance: By how much (m and rad) they may differ.

    Raises:
        IkFastMismatchError: They differ by more; the message says by how much, and what may be wrong.
    """
    name, skeleton, joints = place.name, place.module.skeleton, place.joints
    rng = np.random.default_rng(_SEED)
    configurations = [joints.random(rng, skeleton.positions) for _ in range(SAMPLES)]
    states = [skeleton.state(q) for q in configurations]
    packed = [_checked(name, *forward(q[joints.indices])) for q in configurations]
    if place.kind is Transform6D:
        poses = [_as_pose(name, *each) for each in packed]
        away, turned = _largest(_relative(states, place.base, place.tip), poses)
    else:
        away, turned = _missing(states, place, packed, place.direction)
    if max(away, turned) <= tolerance:
        return
    if place.kind is Transform6D:
        hint = _hint(states, skeleton, place.base, place.tip, poses, tolerance)
    else:
        hint = _hint_of_direction(states, place, packed, tolerance)
    raise IkFastMismatchError(
        f"{name} puts its tip up to {away:.3g} m and {turned:.3g} rad away from {place.tip.name!r} relative to "
        f"{place.base.name!r} of {skeleton.name!r}: {hint}"
    )


def _checked(name: str, eetrans: Array, eerot: Array) -> tuple[Array, Array]:
    try:
        return as_vector(eetrans, 3, "eetrans"), as_vector(np.ravel(eerot), 9, "eerot")
    except KinetreeError as problem:
        raise IkFastMismatchError(f"{name}: its compute_fk gives no tip: {problem}") from problem


def _as_pose(name: str, eetrans: Array, eerot: Array) -> pin.SE3:
    rotation = eerot.reshape(3, 3)
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > _NEARLY or np.linalg.det(rotation) < 0.0:
        raise IkFastMismatchError(f"{name}: its compute_fk gives no rotation matrix row by row: {rotation.tolist()}")
    return pin.SE3(rotation, eetrans)


# Poses.


def _relative(states: Sequence[State], base: Frame, tip: Frame) -> list[pin.SE3]:
    return [state.transform(base).actInv(state.transform(tip)) for state in states]


def _largest(ours: Sequence[pin.SE3], theirs: Sequence[pin.SE3]) -> tuple[float, float]:
    pairs = list(zip(ours, theirs, strict=True))
    away = max(float(np.linalg.norm(a.translation - b.translation)) for a, b in pairs)
    turned = max(float(np.linalg.norm(rotation_vector(a.rotation.T @ b.rotation))) for a, b in pairs)
    return away, turned


def _hint(
    states: Sequence[State], skeleton: Skeleton, base: Frame, tip: Frame, given: Sequence[pin.SE3], tolerance: float
) -> str:
    found = _fitting_frames(states, skeleton, base, tip, given, tolerance)
    if found is not None:
        other_base, other_tip = found
        words = [] if other_base is base else [f"base={other_base.name!r}"]
        words += [] if other_tip is tip else [f"tip={other_tip.name!r}"]
        return f"it agrees with the tip {other_tip.name!r} relative to {other_base.name!r}: pass {', '.join(words)}"
    ours = _relative(states, base, tip)
    tool = [a.actInv(b) for a, b in zip(ours, given, strict=True)]
    if _is_constant(tool, tolerance):
        return f"its tip is fixed to {tip.name!r} at {_words(tool[0])}: add that frame to the skeleton, pass it as tip="
    ground = [a * b.inverse() for a, b in zip(ours, given, strict=True)]
    if _is_constant(ground, tolerance):
        where = _words(ground[0])
        return f"its base is fixed to {base.name!r} at {where}: add that frame to the skeleton, pass it as base="
    away, turned = _largest(ours, given)
    if max(away, turned) <= _NEARLY:
        return (
            "that is little, so that it may be for a slightly different or a rounded description of this robot; "
            f"agreement_tolerance={_rounded_up(max(away, turned)):g} takes it, and the skeleton is what counts"
        )
    return (
        "no frames of the skeleton fit: it may have been generated from another version of the robot's file, or its "
        "joints come in another order or turn the other way"
    )


def _fitting_frames(
    states: Sequence[State], skeleton: Skeleton, base: Frame, tip: Frame, given: Sequence[pin.SE3], tolerance: float
) -> tuple[Frame, Frame] | None:
    """The base and tip that fit, those that were asked for first; None when there are none."""
    bases = [base, *(frame for frame in skeleton.frames if frame is not base)]
    tips = [tip, *(frame for frame in skeleton.frames if frame is not tip)]
    theirs = np.array([pose.homogeneous for pose in given])
    tip_poses = np.array([[state.transform(frame).homogeneous for frame in tips] for state in states])
    for one in bases:
        inverses = np.array([state.transform(one).inverse().homogeneous for state in states])
        apart = np.abs(inverses[:, None] @ tip_poses - theirs[:, None]).max(axis=(0, 2, 3))
        for k in np.flatnonzero(apart <= 2.0 * tolerance):
            if max(_largest(_relative(states, one, tips[k]), given)) <= tolerance:
                return one, tips[k]
    return None


def _is_constant(poses: Sequence[pin.SE3], tolerance: float) -> bool:
    return max(_largest(poses[1:], [poses[0]] * (len(poses) - 1))) <= tolerance


def _words(pose: pin.SE3) -> str:
    position = " ".join(f"{value:.6g}" for value in pose.translation.round(9) + 0.0)
    rpy = " ".join(f"{value:.6g}" for value in pin.rpy.matrixToRpy(pose.rotation).round(9) + 0.0)
    return f"xyz {position}, rpy {rpy}"


def _rounded_up(value: float) -> float:
    """To one digit, and a little more."""
    digit = 10.0 ** math.floor(math.log10(value))
    return math.ceil(value / digit + 1e-3) * digit


# Other kinds of targets: whether the skeleton's tip fulfils what the function's tip is said to fulfil.


def _missing(
    states: Sequence[State], place: Placement, packed: Sequence[tuple[Array, Array]], direction: Direction | None
) -> tuple[float, float]:
    looked_up = RelativePose(place.module.skeleton, place.tip, None, place.base, place.base)
    away = turned = 0.0
    for state, (eetrans, eerot) in zip(states, packed, strict=True):
        target = place.kind.from_ikfast(eetrans, eerot, reference=place.base, tool_direction=direction)
        target._relative = looked_up
        residual = target.residual(state)
        away, turned = max(away, residual[0]), max(turned, residual[1])
    return away, turned


def _hint_of_direction(
    states: Sequence[State], place: Placement, packed: Sequence[tuple[Array, Array]], tolerance: float
) -> str:
    if place.direction is not None:
        for axis in _AXES:
            if max(_missing(states, place, packed, axis)) <= tolerance:
                return f"it agrees when the tool's direction is {axis}: pass tool_direction={axis!r}"
    return (
        "its base, its tip or the direction of its tool may be another one, or it was generated from another version "
        "of the robot's file"
    )
