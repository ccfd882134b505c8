"""Routines for joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ....kinematics.errors import InvalidValueError
from ..dependency import Dependency, DependencyCallback
from ..setting import as_floats, shown
from .lookup import Array, as_flag, as_integer, joint_of, matrix_of, transformation_of
from .objects import Matrix, Transformation
from .routine import failed, routine
from .session import present


class JointHandle(NamedTuple):
    """Handle of a new joint."""

    success: bool
    jointHandle: int | None


class JointType(NamedTuple):
    """``ik_jointtype_revolute``, ``ik_jointtype_prismatic`` or ``ik_jointtype_spherical``."""

    success: bool
    jointType: int | None


class Mode(NamedTuple):
    """``ik_jointmode_passive`` or ``ik_jointmode_ik``."""

    success: bool
    mode: int | None


class Position(NamedTuple):
    """Angle (rad) or way (m)."""

    success: bool
    position: float | None


class Interval(NamedTuple):
    """Whether there are no limits, and lower limit and range (2,)."""

    success: bool
    cyclic: bool | None
    intervalMinAndRange: Array | None


class JointDependency(NamedTuple):
    """What is followed, -1 for nothing: position = position of that * mult + offset."""

    success: bool
    dependencyJointHandle: int | None
    offset: float | None
    mult: float | None


class Weight(NamedTuple):
    """Weight of a joint."""

    success: bool
    ikWeight: float | None


class Margin(NamedTuple):
    """Limit margin (rad or m)."""

    success: bool
    margin: float | None


class MaxStepSize(NamedTuple):
    """Largest step (rad or m)."""

    success: bool
    maxStepSize: float | None


class Lead(NamedTuple):
    """Screw lead (m)."""

    success: bool
    lead: float | None


@routine(failed(JointHandle))
def ikCreateJoint(jointName: str | None, jointType: int) -> JointHandle:
    """Makes a joint; it gets a name when that is None.

    Args:
        jointName: Unique among the objects.
        jointType: ``ik_jointtype_revolute``, ``ik_jointtype_prismatic`` or ``ik_jointtype_spherical``.
    """
    return JointHandle(True, present().add_joint(as_integer(jointType, "jointType"), jointName).handle)


@routine(failed(JointType))
def ikGetJointType(jointHandle: int) -> JointType:
    """The kind of a joint."""
    return JointType(True, int(joint_of(jointHandle, "jointHandle").kind))


@routine(failed(Mode))
def ikGetJointMode(jointHandle: int) -> Mode:
    """The mode of a joint."""
    return Mode(True, int(joint_of(jointHandle, "jointHandle").mode))


@routine(False)
def ikSetJointMode(jointHandle: int, jointMode: int) -> bool:
    """Sets the mode of a joint.

    Args:
        jointHandle: Of the joint.
        jointMode: ``ik_jointmode_passive`` or ``ik_jointmode_ik``.
    """
    joint_of(jointHandle, "jointHandle").mode = as_integer(jointMode, "jointMode")
    return True


@routine(failed(Position))
def ikGetJointPosition(jointHandle: int) -> Position:
    """The position of a joint."""
    return Position(True, joint_of(jointHandle, "jointHandle").position)


@routine(False)
def ikSetJointPosition(jointHandle: int, position: float) -> bool:
    """Moves a joint; the angle of a cyclic one is wrapped, others move between their limits.

    Args:
        jointHandle: Of the joint.
        position: Angle (rad) or way (m).
    """
    joint_of(jointHandle, "jointHandle").position = position
    return True


@routine(failed(Interval))
def ikGetJointInterval(jointHandle: int) -> Interval:
    """The limits of a joint."""
    joint = joint_of(jointHandle, "jointHandle")
    return Interval(True, joint.cyclic, np.array([joint.minimum, joint.range]))


@routine(False)
def ikSetJointInterval(jointHandle: int, cyclic: bool, intervalMinAndRange: Sequence[float] | None = None) -> bool:
    """Sets the limits of a joint; only revolute ones can be cyclic, and then the interval does not count.

    Args:
        jointHandle: Of the joint.
        cyclic: Whether it has no limits.
        intervalMinAndRange: Lower limit and range (2,), in rad or m; kept when None.
    """
    joint = joint_of(jointHandle, "jointHandle")
    interval = None
    if intervalMinAndRange is not None:
        interval = joint.check_interval(*as_floats("intervalMinAndRange", intervalMinAndRange, 2))
    joint.cyclic = as_flag(cyclic, "cyclic")
    if interval is not None and not joint.cyclic:
        joint.set_interval(*interval)
    return True


@routine(failed(JointDependency))
def ikGetJointDependency(jointHandle: int) -> JointDependency:
    """What a joint follows, and how."""
    rule = joint_of(jointHandle, "jointHandle").dependency
    if rule is None:
        return JointDependency(True, -1, 0.0, 1.0)
    return JointDependency(True, rule.master.handle, rule.offset, rule.multiplier)


@routine(False)
def ikSetJointDependency(
    jointHandle: int,
    dependencyJointHandle: int,
    offset: float = 0.0,
    mult: float = 1.0,
    cb: DependencyCallback | None = None,
) -> bool:
    """Lets a joint follow another; -1 sets it free.

    Args:
        jointHandle: Of the joint.
        dependencyJointHandle: Of the joint that it follows.
        offset: See ``mult``.
        mult: Factor of position = position of the other * mult + offset.
        cb: ``cb(ikEnv, slaveJoint, masterPos) -> position`` in place of the two.
    """
    joint = joint_of(jointHandle, "jointHandle")
    if as_integer(dependencyJointHandle, "dependencyJointHandle") == -1:
        joint.dependency = None
    else:
        joint.dependency = Dependency(joint_of(dependencyJointHandle, "dependencyJointHandle"), mult, offset, cb)
    return True


@routine(failed(Weight))
def ikGetJointWeight(jointHandle: int) -> Weight:
    """The weight of a joint."""
    return Weight(True, joint_of(jointHandle, "jointHandle").weight)


@routine(False)
def ikSetJointWeight(jointHandle: int, ikWeight: float) -> bool:
    """Sets the weight of a joint: a larger one lets it move more.

    Args:
        jointHandle: Of the joint.
        ikWeight: A factor of 0 or more.
    """
    joint_of(jointHandle, "jointHandle").weight = ikWeight
    return True


@routine(failed(Margin))
def ikGetJointLimitMargin(jointHandle: int) -> Margin:
    """From how near to its limits a joint is kept away from them, by groups that do so."""
    return Margin(True, joint_of(jointHandle, "jointHandle").limit_margin)


@routine(False)
def ikSetJointLimitMargin(jointHandle: int, margin: float) -> bool:
    """Sets the limit margin of a joint.

    Args:
        jointHandle: Of the joint.
        margin: In rad or m.
    """
    joint_of(jointHandle, "jointHandle").limit_margin = margin
    return True


@routine(failed(MaxStepSize))
def ikGetJointMaxStepSize(jointHandle: int) -> MaxStepSize:
    """The largest step of a joint."""
    return MaxStepSize(True, joint_of(jointHandle, "jointHandle").max_step)


@routine(False)
def ikSetJointMaxStepSize(jointHandle: int, maxStepSize: float) -> bool:
    """Sets the largest step of a joint.

    Args:
        jointHandle: Of the joint.
        maxStepSize: In rad or m.
    """
    joint_of(jointHandle, "jointHandle").max_step = maxStepSize
    return True


@routine(failed(Lead))
def ikGetJointScrewLead(jointHandle: int) -> Lead:
    """The screw lead of a joint; 0 when it is no screw."""
    return Lead(True, joint_of(jointHandle, "jointHandle").screw_lead)


@routine(False)
def ikSetJointScrewLead(jointHandle: int, lead: float) -> bool:
    """Makes a revolute joint a screw, with limits; 0 makes it revolute again.

    Args:
        jointHandle: Of the joint.
        lead: Way (m) of a whole turn.
    """
    joint_of(jointHandle, "jointHandle").screw_lead = lead
    return True


@routine(failed(Transformation))
def ikGetJointTransformation(jointHandle: int) -> Transformation:
    """The motion of a joint."""
    return Transformation(True, transformation_of(joint_of(jointHandle, "jointHandle").motion()))


@routine(failed(Matrix))
def ikGetJointMatrix(jointHandle: int) -> Matrix:
    """The motion of a joint as 12 numbers."""
    return Matrix(True, matrix_of(joint_of(jointHandle, "jointHandle").motion()))


@routine(False)
def ikSetSphericalJointQuaternion(jointHandle: int, quaternion: Sequence[float]) -> bool:
    """Turns a spherical joint; x, y, z, w.

    Args:
        jointHandle: Of the joint.
        quaternion: x, y, z, w.
    """
    joint_of(jointHandle, "jointHandle").rotation = as_floats("quaternion", quaternion, 4)
    return True


@routine(False)
def ikSetSphericalJointMatrix(jointHandle: int, rotMatrix: Any) -> bool:
    """Turns a spherical joint; 9 numbers row by row, or a matrix (3, 3).

    Args:
        jointHandle: Of the joint.
        rotMatrix: The rotation.
    """
    joint = joint_of(jointHandle, "jointHandle")
    try:
        numbers = [each for row in rotMatrix for each in (row if np.ndim(row) else [row])]
    except TypeError:
        raise InvalidValueError(f"rotMatrix must be 9 numbers, not {shown(rotMatrix)}") from None
    joint.rotation = np.array(as_floats("rotMatrix", numbers, 9)).reshape(3, 3)
    return True
