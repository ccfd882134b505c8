"""Poses and rotations: what a user may write, turned into what Pinocchio computes with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidPoseError, InvalidValueError, ShapeError
from .rotation_coordinates import vector_from_quaternion

Array: TypeAlias = NDArray[np.float64]

#: What every function that takes a pose accepts: a ``pinocchio.SE3``, a homogeneous 4x4 matrix, a
#: ``(position, quaternion)`` pair, or 7 numbers (position, then quaternion x, y, z, w).
PoseLike: TypeAlias = Any

#: How far ``R @ R.T`` may be from the identity; anything closer is re-orthonormalised.
ROTATION_TOLERANCE = 1e-6

#: What numpy raises for things that are not numbers, or integers too large to be floats.
_NOT_NUMBERS = (TypeError, ValueError, OverflowError)
_FORMS = "a pinocchio.SE3, a 4x4 matrix, a (position, quaternion xyzw) pair or 7 numbers"
#: A position alone is no pose: what to write instead depends on what is wanted of the rotation.
_FOR_A_POSITION = (
    "; for a target that leaves the rotation free use Translation3D(position) or TaskSpaceRegion.position_only(), "
    "while pose(position) is the pose without any rotation"
)
_AXES = {
    sign + letter: tuple(value if i == k else 0.0 for i in range(3))
    for sign, value in (("", 1.0), ("+", 1.0), ("-", -1.0))
    for k, letter in enumerate("xyz")
}


def as_pose(value: PoseLike, name: str = "pose") -> pin.SE3:
    """Turns any accepted form of a pose into a new ``pinocchio.SE3``.

    Args:
        value: A ``pinocchio.SE3``, a homogeneous (4, 4) array, a ``(position (3,), quaternion (4,))`` pair or
            7 numbers. Quaternions are x, y, z, w and need not have unit length.
        name: What to call the argument in an error.

    Returns:
        A fresh object; changing it does not change the argument.

    Raises:
        InvalidPoseError: Not finite, not a rotation (tolerance 1e-6), a zero quaternion, or another form.
    """
    if isinstance(value, pin.SE3):
        matrix = value.homogeneous
        return _from_parts(matrix[:3, :3], matrix[:3, 3], name)
    if isinstance(value, (tuple, list)) and len(value) == 2:
        position = _numbers(value[0], (3,), f"position of {name}")
        return _from_parts(_rotation_from_quaternion(value[1], name), position, name)
    try:
        array = _floats(value)
    except _NOT_NUMBERS:
        array = None
    if array is None or array.ndim == 0:
        raise InvalidPoseError(f"{name} is {type(value).__name__} {_short(value)}; give {_FORMS}")
    if array.shape == (4, 4):
        if not np.all(np.isfinite(array)):
            raise InvalidPoseError(f"{name} has entries that are not finite: {_short(value)}")
        if np.abs(array[3] - (0.0, 0.0, 0.0, 1.0)).max() > ROTATION_TOLERANCE:
            raise InvalidPoseError(f"{name} is no rigid transform: its last row is {array[3]}, not [0 0 0 1]")
        return _from_parts(array[:3, :3], array[:3, 3], name)
    if array.shape == (7,):
        return _from_parts(_rotation_from_quaternion(array[3:], name), array[:3], name)
    hint = _FOR_A_POSITION if array.shape == (3,) else ""
    raise InvalidPoseError(f"{name} has shape {array.shape}; give {_FORMS}{hint}")


def pose(
    position: ArrayLike = (0.0, 0.0, 0.0),
    *,
    quaternion: ArrayLike | None = None,
    rpy: ArrayLike | None = None,
    matrix: ArrayLike | None = None,
    degrees: bool = False,
) -> pin.SE3:
    """Builds a pose from a position and at most one form of rotation.

    Args:
        position: (3,) in metres.
        quaternion: x, y, z, w.
        rpy: Roll, pitch, yaw about the fixed axes x, y, z, in that order (URDF), in radians. Angles of more than a turn
            are taken as they are, for headings may be counted on: 180 is not half a turn without ``degrees``.
        matrix: (3, 3) rotation matrix.
        degrees: Read ``rpy`` in degrees.

    Returns:
        The pose.

    Raises:
        InvalidPoseError: See `as_pose`; also when more than one rotation is given.
    """
    given = [each for each in (quaternion, rpy, matrix) if each is not None]
    if len(given) > 1:
        raise InvalidPoseError("give one of quaternion, rpy and matrix, not several")
    rotation = np.eye(3)
    if quaternion is not None:
        rotation = _rotation_from_quaternion(quaternion, "pose")
    elif rpy is not None:
        angles = _numbers(rpy, (3,), "rpy")
        rotation = rotation_from_rpy(*(np.deg2rad(angles) if degrees else angles))
    elif matrix is not None:
        rotation = _numbers(matrix, (3, 3), "matrix")
    return _from_parts(rotation, _numbers(position, (3,), "position"), "pose")


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """Rotation matrix (3, 3) of roll, pitch, yaw (rad) about the fixed axes x, y, z, in that order."""
    rotation: Array = pin.rpy.rpyToMatrix(float(roll), float(pitch), float(yaw))
    return rotation


def rpy_from_rotation(rotation: ArrayLike) -> Array:
    """Roll, pitch, yaw (3,) in rad of a rotation matrix (3, 3); the inverse of `rotation_from_rpy`."""
    angles: Array = pin.rpy.matrixToRpy(np.asarray(rotation, dtype=float))
    return angles


def rotation_vector(rotation: Array) -> Array:
    """Rotation vector (3,), axis times angle in [0, pi], of a rotation matrix (3, 3); right up to pi."""
    # Not by pinocchio.log3, which loses five digits between pi - 0.1 and pi.
    return vector_from_quaternion(pin.Quaternion(np.asarray(rotation, dtype=float)).coeffs())


def rotation_angle(rotation: Array) -> float:
    """Angle in [0, pi] (rad) of a rotation matrix (3, 3), accurate for tiny angles and at pi."""
    sine = math.hypot(rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1])
    return math.atan2(sine, rotation[0, 0] + rotation[1, 1] + rotation[2, 2] - 1.0)


def as_vector(value: ArrayLike, size: int, name: str) -> Array:
    """A new float array of exactly ``size`` finite entries.

    Args:
        value: The entries, (size,).
        size: How many there have to be.
        name: What to call it in messages.

    Returns:
        A copy (size,).

    Raises:
        ShapeError: Another number of entries.
        InvalidValueError: Not numbers, nan or infinite.
    """
    try:
        array = _floats(value)
    except _NOT_NUMBERS:
        raise InvalidValueError(f"{name} must be {size} numbers, not {_short(value)}") from None
    if array.shape != (size,):
        raise ShapeError(f"{name} must have {size} entries; it has shape {array.shape}")
    if not np.isfinite(array).all():
        raise InvalidValueError(f"{name} has entries that are not finite: {_short(array)}")
    return array


def as_axis(value: str | ArrayLike, name: str = "axis") -> Array:
    """A unit vector (3,) from ``"x"``, ``"-y"`` ... or from any vector that is not zero.

    Args:
        value: Its name, or a vector (3,) of any length but zero.
        name: What to call it in messages.

    Raises:
        InvalidValueError: A zero, unknown or non-finite axis.
    """
    if isinstance(value, str):
        if value.lower() not in _AXES:
            raise InvalidValueError(f"{name} is {value!r}; use 'x', 'y', 'z', '-x', '-y', '-z' or three numbers")
        return np.array(_AXES[value.lower()])
    vector = as_vector(value, 3, name)
    largest = np.abs(vector).max()
    if largest == 0.0:
        raise InvalidValueError(f"{name} is zero; an axis needs a direction")
    vector = vector / largest  # first, so that tiny and huge axes neither underflow nor overflow below
    unit: Array = vector / math.sqrt(float(vector @ vector))
    return unit


def read_only(values: Array) -> Array:
    """The same array, which cannot be written to any more.

    Properties that give a copy give it like this, so that ``robot.positions[0] = 1.0`` is an error and not without
    effect.
    """
    values.setflags(write=False)
    return values


def _from_parts(rotation: Array, translation: Array, name: str) -> pin.SE3:
    # Plain floats: for nine numbers they are several times faster than numpy.
    (a, b, c), (d, e, f), (g, h, i) = rotation.tolist()
    if not math.isfinite(a + b + c + d + e + f + g + h + i + sum(translation.tolist())):
        raise InvalidPoseError(f"{name} has entries that are not finite")
    error = max(
        abs(a * a + b * b + c * c - 1.0),
        abs(d * d + e * e + f * f - 1.0),
        abs(g * g + h * h + i * i - 1.0),
        abs(a * d + b * e + c * f),
        abs(a * g + b * h + c * i),
        abs(d * g + e * h + f * i),
    )
    if error > ROTATION_TOLERANCE or a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0:
        reason = "a reflection" if error <= ROTATION_TOLERANCE else f"off by {error:.1e} (R R^T against identity)"
        raise InvalidPoseError(f"the rotation of {name} is not one: {reason}")
    if error > 1e-14:
        # The nearest rotation in the Frobenius norm.
        u, _, vt = np.linalg.svd(rotation)
        rotation = u @ vt
    return pin.SE3(np.ascontiguousarray(rotation), np.array(translation))


def _rotation_from_quaternion(value: ArrayLike, name: str) -> Array:
    quaternion = _numbers(value, (4,), f"quaternion of {name}")
    largest = np.abs(quaternion).max()
    if largest < 1e-300:
        raise InvalidPoseError(f"the quaternion of {name} is zero")
    quaternion = quaternion / largest
    quaternion = quaternion / math.sqrt(float(quaternion @ quaternion))
    rotation: Array = pin.Quaternion(quaternion).toRotationMatrix()
    return rotation


def _numbers(value: ArrayLike, shape: Sequence[int], name: str) -> Array:
    try:
        array = _floats(value)
    except _NOT_NUMBERS:
        raise InvalidPoseError(f"{name} must be numbers, not {_short(value)}") from None
    if array.shape != tuple(shape):
        raise InvalidPoseError(f"{name} must have shape {tuple(shape)}; it has {array.shape}")
    if not np.all(np.isfinite(array)):
        raise InvalidPoseError(f"{name} has entries that are not finite: {_short(array)}")
    return array


def _floats(value: ArrayLike) -> Array:
    """A new array of floats. Unlike numpy's own conversion it reads no text and drops no imaginary parts."""
    array = np.array(value)
    if array.dtype.kind not in "fiubO":
        raise TypeError(f"{array.dtype} is no kind of real number")
    return array.astype(float, copy=False)


def _short(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # whole numbers of thousands of digits
        return "too long to be shown"
    return text if len(text) <= 80 else text[:77] + "..."
