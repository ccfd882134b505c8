"""How far away targets may be, and the error for those that are further."""

from __future__ import annotations

from typing import Any

import pinocchio as pin

from ..kinematics import InvalidPoseError, as_pose
from ..kinematics.transforms import Array

#: Targets further away (m) are an error: nothing is so far away, and squares of some that are even further are
#: infinite, so that no distance can be told.
FURTHEST = 1e100


def goal_pose(value: Any, name: str) -> pin.SE3:
    """A target in any form of a pose, see `as_pose`.

    Raises:
        InvalidPoseError: It is none, or further away than anything is, see `FURTHEST`.
    """
    pose = as_pose(value, name)
    check_reach(pose.translation, name)
    return pose


def check_reach(coordinates: Array, name: str) -> None:
    """Raises `InvalidPoseError` for coordinates further away than `FURTHEST`."""
    away = max(map(abs, coordinates.tolist()))
    if away > FURTHEST:
        raise InvalidPoseError(f"{name} is {away:.3g} m away, further than the {FURTHEST:g} m that distances go to")
