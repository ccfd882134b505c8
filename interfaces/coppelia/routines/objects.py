"""Routines for objects and dummies."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kinematics.errors import InvalidValueError
from ..joint import Joint
from .constants import ik_objecttype_dummy, ik_objecttype_joint
from .lookup import (
    Array,
    as_flag,
    as_integer,
    as_name,
    dummy_of,
    dummy_or_none,
    matrix_of,
    object_of,
    object_or_world,
    pose_from_matrix,
    pose_of,
    set_pose,
    transformation_of,
)
from .routine import failed, routine
from .session import present


class ObjectAt(NamedTuple):
    """An object; ``jointType`` is None unless it is a joint."""

    success: bool
    objectHandle: int | None
    objectName: str | None
    isJoint: bool | None
    jointType: int | None


class ObjectHandle(NamedTuple):
    """Handle of an object."""

    success: bool
    objectHandle: int | None


class ParentHandle(NamedTuple):
    """Handle of the parent; -1 for the world."""

    success: bool
    parentObjectHandle: int | None


class ObjectType(NamedTuple):
    """``ik_objecttype_joint`` or ``ik_objecttype_dummy``."""

    success: bool
    objectType: int | None


class Transformation(NamedTuple):
    """Position and quaternion x, y, z, w (7,)."""

    success: bool
    transf: Array | None


class Matrix(NamedTuple):
    """The first three rows of a homogeneous matrix, row by row (12,)."""

    success: bool
    matrix: Array | None


class DummyHandle(NamedTuple):
    """Handle of a new dummy."""

    success: bool
    dummyHandle: int | None


class TargetHandle(NamedTuple):
    """Handle of the target of a tip; -1 when it has none."""

    success: bool
    targetDummyHandle: int | None


class LinkedHandle(NamedTuple):
    """Handle of the linked dummy; -1 when there is none."""

    success: bool
    linkedDummyHandle: int | None


@routine(failed(ObjectAt))
def ikGetObjects(index: int) -> ObjectAt:
    """The object at a place in the order of creation; false past the end, which is no error."""
    place = as_integer(index, "index")
    if place < 0:
        raise InvalidValueError(f"index must be at least 0, not {place}")
    objects = present().objects
    if place >= len(objects):
        return ObjectAt(False, None, None, None, None)
    found = objects[place]
    kind = int(found.kind) if isinstance(found, Joint) else None
    return ObjectAt(True, found.handle, found.name, isinstance(found, Joint), kind)


@routine(failed(ObjectHandle))
def ikGetObjectHandle(objectName: str) -> ObjectHandle:
    """The object with a name."""
    return ObjectHandle(True, present().object(as_name(objectName, "objectName")).handle)


@routine(False)
def ikDoesObjectExist(objectName: str) -> bool:
    """Whether an object has a name."""
    name = as_name(objectName, "objectName")
    return any(each.name == name for each in present().objects)


@routine(False)
def ikEraseObject(objectHandle: int) -> bool:
    """Erases an object; what hangs on it hangs on its parent then, in place."""
    object_of(objectHandle, "objectHandle").erase()
    return True


@routine(failed(ParentHandle))
def ikGetObjectParent(objectHandle: int) -> ParentHandle:
    """What an object hangs on."""
    parent = object_of(objectHandle, "objectHandle").parent
    return ParentHandle(True, -1 if parent is None else parent.handle)


@routine(False)
def ikSetObjectParent(objectHandle: int, parentObjectHandle: int, keepInPlace: bool) -> bool:
    """Hangs an object on another, or on the world (-1).

    Args:
        objectHandle: Of the object.
        parentObjectHandle: Of what it is to hang on; -1 for the world.
        keepInPlace: Whether its pose in the world stays; that in its parent stays when false.
    """
    each = object_of(objectHandle, "objectHandle")
    each.set_parent(object_or_world(parentObjectHandle, "parentObjectHandle"), as_flag(keepInPlace, "keepInPlace"))
    return True


@routine(failed(ObjectType))
def ikGetObjectType(objectHandle: int) -> ObjectType:
    """Whether an object is a joint or a dummy."""
    found = object_of(objectHandle, "objectHandle")
    return ObjectType(True, ik_objecttype_joint if isinstance(found, Joint) else ik_objecttype_dummy)


@routine(failed(Transformation))
def ikGetObjectTransformation(objectHandle: int, relativeToObjectHandle: int) -> Transformation:
    """Pose of an object, without the motion of a joint.

    Args:
        objectHandle: Of the object.
        relativeToObjectHandle: Of what the pose is seen from; -1 for the world, ``ik_handle_parent`` for its parent.
    """
    pose = pose_of(object_of(objectHandle, "objectHandle"), relativeToObjectHandle)
    return Transformation(True, transformation_of(pose))


@routine(False)
def ikSetObjectTransformation(objectHandle: int, relativeToObjectHandle: int, transf: Any) -> bool:
    """Places an object; ``transf`` is position and quaternion x, y, z, w, or any other form of a pose.

    Args:
        objectHandle: Of the object.
        relativeToObjectHandle: Of what the pose is seen from; -1 for the world, ``ik_handle_parent`` for its parent.
        transf: The pose (7,).
    """
    set_pose(object_of(objectHandle, "objectHandle"), relativeToObjectHandle, transf)
    return True


@routine(failed(Matrix))
def ikGetObjectMatrix(objectHandle: int, relativeToObjectHandle: int) -> Matrix:
    """Pose of an object, without the motion of a joint, as 12 numbers.

    Args:
        objectHandle: Of the object.
        relativeToObjectHandle: Of what the pose is seen from; -1 for the world, ``ik_handle_parent`` for its parent.
    """
    return Matrix(True, matrix_of(pose_of(object_of(objectHandle, "objectHandle"), relativeToObjectHandle)))


@routine(False)
def ikSetObjectMatrix(objectHandle: int, relativeToObjectHandle: int, matrix: Any) -> bool:
    """Places an object by 12 numbers.

    Args:
        objectHandle: Of the object.
        relativeToObjectHandle: Of what the pose is seen from; -1 for the world, ``ik_handle_parent`` for its parent.
        matrix: The first three rows of a homogeneous matrix, row by row (12,).
    """
    pose = pose_from_matrix(matrix, "matrix")
    set_pose(object_of(objectHandle, "objectHandle"), relativeToObjectHandle, pose)
    return True


@routine(failed(DummyHandle))
def ikCreateDummy(dummyName: str | None = None) -> DummyHandle:
    """Makes a dummy; it gets a name when it is given none."""
    return DummyHandle(True, present().add_dummy(dummyName).handle)


@routine(failed(TargetHandle))
def ikGetTargetDummy(tipDummyHandle: int) -> TargetHandle:
    """The target of a tip."""
    target = dummy_of(tipDummyHandle, "tipDummyHandle").target
    return TargetHandle(True, -1 if target is None else target.handle)


@routine(False)
def ikSetTargetDummy(tipDummyHandle: int, targetDummyHandle: int) -> bool:
    """Gives a tip a target; -1 takes it away. One target has to be taken away before another is given.

    Args:
        tipDummyHandle: Of the tip.
        targetDummyHandle: Of the target; -1 for none.
    """
    _set_target(tipDummyHandle, "tipDummyHandle", targetDummyHandle, "targetDummyHandle")
    return True


@routine(failed(LinkedHandle))
def ikGetLinkedDummy(dummyHandle: int) -> LinkedHandle:
    """Deprecated: ``ikGetTargetDummy``."""
    target = dummy_of(dummyHandle, "dummyHandle").target
    return LinkedHandle(True, -1 if target is None else target.handle)


@routine(False)
def ikSetLinkedDummy(dummyHandle: int, linkedDummyHandle: int) -> bool:
    """Deprecated: ``ikSetTargetDummy``.

    Args:
        dummyHandle: Of the tip.
        linkedDummyHandle: Of the target; -1 for none.
    """
    _set_target(dummyHandle, "dummyHandle", linkedDummyHandle, "linkedDummyHandle")
    return True


def _set_target(tip_handle: int, tip_name: str, target_handle: int, target_name: str) -> None:
    tip = dummy_of(tip_handle, tip_name)
    target = dummy_or_none(target_handle, target_name)
    if target is not None and tip.target is not None and tip.target is not target:
        raise InvalidValueError(f"{tip} has {tip.target} as its target already; take that away first")
    tip.target = target
