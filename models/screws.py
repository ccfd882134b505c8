"""Robots from screw axes: the product of exponentials."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ..kinematics import (
    InvalidValueError,
    Joint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    ShapeError,
    Skeleton,
)
from ..kinematics.transforms import Array, PoseLike, as_pose
from .tables import as_table

#: What is smaller than this, relative to the twist, is rounding.
_ROUNDING = 1e-12


def from_screws(
    screws: ArrayLike,
    home: PoseLike,
    *,
    limits: Sequence[tuple[float, float] | None] | None = None,
    names: Sequence[str] | None = None,
    name: str = "robot",
) -> Skeleton:
    """A serial robot from its joint axes at zero (Brockett 1984; Lynch and Park, *Modern Robotics*, chapter 4).

    Args:
        screws: (n, 6): one twist per joint in the base frame with all joints at zero, linear part first, then
            angular. A zero angular part is a slide; a linear part with a component along the axis is a screw.
            Turning twists are scaled to 1 rad, slides to 1 m per unit of the joint value.
        home: Pose of the tool in the base with all joints at zero.
        limits: (lower, upper) per joint, None for none.
        names: Names of the joints; ``joint_1`` ... when None.
        name: Name of the robot.

    Returns:
        A skeleton with links ``base_link``, ``link_1`` ... and ``tool0``, its tip.

    Raises:
        ShapeError: Screws that are not (n, 6), lists of another length.
        InvalidValueError: nan, or a zero twist.
    """
    table = as_table(screws, "screws")
    if table.ndim != 2 or table.shape[1] != 6 or not len(table):
        raise ShapeError(f"screws must be (n, 6), linear part first; they have shape {table.shape}")
    if not np.all(np.isfinite(table)):
        raise InvalidValueError("screws must be finite numbers")
    count = len(table)
    bounds = [None] * count if limits is None else list(limits)
    titles = [f"joint_{k + 1}" for k in range(count)] if names is None else list(names)
    if len(bounds) != count or len(titles) != count:
        raise ShapeError(f"limits and names must have one entry per joint: {count}")
    end = as_pose(home, "home")
    skeleton = Skeleton(name)
    skeleton.source = "product of exponentials"
    skeleton.add_link("base_link")
    parent, place = "base_link", pin.SE3.Identity()
    for k, twist in enumerate(table):
        joint, point = _joint(titles[k], twist, bounds[k])
        here = pin.SE3(np.eye(3), point)
        skeleton.add_link(f"link_{k + 1}", joint, parent, place.actInv(here))
        parent, place = f"link_{k + 1}", here
    skeleton.tip = skeleton.add_link("tool0", None, parent, place.actInv(end))
    return skeleton


def _joint(name: str, twist: Array, limits: tuple[float, float] | None) -> tuple[Joint, Array]:
    """The joint of a twist, and a point (3,) on its axis."""
    linear, angular = twist[:3], twist[3:]
    speed = float(np.linalg.norm(angular))
    # Rounding leaves traces of rotation in computed slides; at their word they turn about a point far away.
    if speed <= _ROUNDING * float(np.linalg.norm(linear)):
        if not np.any(linear):
            raise InvalidValueError(f"the screw of joint {name!r} is zero")
        return PrismaticJoint(name, linear, limits), np.zeros(3)
    axis, moment = angular / speed, linear / speed
    pitch = float(axis @ moment)
    point: Array = np.cross(axis, moment)
    if abs(pitch) > _ROUNDING * (1.0 + float(np.linalg.norm(moment))):
        return ScrewJoint(name, axis, 2.0 * np.pi * pitch, limits), point
    return RevoluteJoint(name, axis, limits), point
