"""What handles stand for in the present environment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from ....kinematics.errors import InvalidPoseError, InvalidValueError
from ....kinematics.transforms import PoseLike
from .. import setting
from ..dummy import Dummy
from ..errors import HandleError
from ..ik_element import IkElement
from ..ik_group import IkGroup
from ..joint import Joint
from ..scene_object import SceneObject
from ..setting import shown
from .constants import ik_handle_parent, ik_handle_world, ik_handleflag_tipdummy
from .session import present, session

Array = NDArray[np.float64]


def as_integer(value: Any, what: str) -> int:
    """A whole number; a handle is one."""
    return setting.as_integer(what, value)


def as_flag(value: Any, what: str) -> bool:
    """True or false, or 1 or 0."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, int | np.integer) and value in (0, 1)):
        return bool(value)
    raise InvalidValueError(f"{what} must be True or False, not {shown(value)}")


def as_name(value: Any, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{what} must be a text, not {shown(value)}")
    return value


def object_of(handle: Any, what: str) -> SceneObject:
    """The object that an argument names."""
    number = as_integer(handle, what)
    environment = present()
    try:
        return environment.object(number)
    except HandleError as error:
        others = [each for each in session().environments.values() if number in each._objects]
        hint = f"; it is {others[0].object(number)} in {others[0]}" if others else ""
        raise HandleError(f"{what}: {error}{hint}") from None


def object_or_world(handle: Any, what: str) -> SceneObject | None:
    """The same; None for -1."""
    return None if as_integer(handle, what) == ik_handle_world else object_of(handle, what)


def joint_of(handle: Any, what: str) -> Joint:
    """The joint that an argument names."""
    found = object_of(handle, what)
    if not isinstance(found, Joint):
        raise HandleError(f"{what}: handle {handle} is {found}, which is no joint")
    return found


def dummy_of(handle: Any, what: str) -> Dummy:
    """The dummy that an argument names."""
    found = object_of(handle, what)
    if not isinstance(found, Dummy):
        raise HandleError(f"{what}: handle {handle} is {found}, which is no dummy")
    return found


def dummy_or_none(handle: Any, what: str) -> Dummy | None:
    """The same; None for -1."""
    return None if as_integer(handle, what) == ik_handle_world else dummy_of(handle, what)


def group_of(handle: Any, what: str = "ikGroupHandle") -> IkGroup:
    """The group that an argument names."""
    number, environment = as_integer(handle, what), present()
    try:
        return environment.group(number)
    except HandleError as error:
        raise HandleError(f"{what}: {error}") from None


def element_of(group_handle: Any, handle: Any) -> IkElement:
    """The element of a group that an argument names, by its handle or by its tip."""
    group = group_of(group_handle)
    number = as_integer(handle, "ikElementHandle")
    which: int | Dummy = number
    if number >= 0 and number & ik_handleflag_tipdummy:
        which = dummy_of(number & ~ik_handleflag_tipdummy, "ikElementHandle (of a tip)")
    try:
        return group.element(which)
    except HandleError as error:
        raise HandleError(f"ikElementHandle: {error}") from None


def handles_of(values: Any, what: str) -> list[int]:
    """Whole numbers of a sequence."""
    if type(values) is list or type(values) is tuple:  # the usual ones, without the slow look at what others are
        return [as_integer(each, what) for each in values]
    if isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable):
        raise InvalidValueError(f"{what} must be a sequence of handles, not {shown(values)}")
    try:
        found = list(values)
    except TypeError:  # numpy's numbers say that they are iterable
        raise InvalidValueError(f"{what} must be a sequence of handles, not {shown(values)}") from None
    return [as_integer(each, what) for each in found]


def pose_of(each: SceneObject, relative_to: Any) -> pin.SE3:
    """Pose of an object relative to what a handle stands for: the world, its parent, or an object."""
    if as_integer(relative_to, "relativeToObjectHandle") == ik_handle_parent:
        return each.pose
    return each.get_pose(object_or_world(relative_to, "relativeToObjectHandle"))


def set_pose(each: SceneObject, relative_to: Any, pose: PoseLike) -> None:
    """The inverse of `pose_of`."""
    if as_integer(relative_to, "relativeToObjectHandle") == ik_handle_parent:
        each.pose = pose
    else:
        each.set_pose(pose, object_or_world(relative_to, "relativeToObjectHandle"))


def matrix_of(pose: pin.SE3) -> Array:
    """The 12 numbers of a pose, row by row."""
    matrix: Array = pose.homogeneous[:3].ravel()
    return matrix


def pose_from_matrix(values: Any, what: str) -> Array:
    """A matrix (4, 4) from 12 numbers, row by row, or from a matrix (3, 4) or (4, 4)."""
    try:
        matrix = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidPoseError(f"{what} must be 12 numbers, not {shown(values)}") from None
    if matrix.shape in ((12,), (3, 4)):
        matrix = np.vstack([matrix.reshape(3, 4), [0.0, 0.0, 0.0, 1.0]])
    if matrix.shape != (4, 4):
        raise InvalidPoseError(f"{what} must be 12 numbers, not of shape {matrix.shape}")
    return matrix


def transformation_of(pose: pin.SE3) -> Array:
    """Position and quaternion x, y, z, w (7,)."""
    numbers: Array = pin.SE3ToXYZQUAT(pose)
    return numbers


def sized(values: Sequence[Any] | None, count: int, what: str) -> list[Any] | None:
    """A sequence that must have one entry for each of so many joints; None stays None."""
    if values is None:
        return None
    try:
        found = list(values)
    except TypeError:
        raise InvalidValueError(f"{what} must be {count} numbers, not {shown(values)}") from None
    if len(found) != count:
        raise InvalidValueError(f"{what} must have an entry for each of {count} joints, not {len(found)}")
    return found
