"""Which values of joints are shown."""

from __future__ import annotations

import numpy as np

from ...kinematics import InvalidValueError, Skeleton
from ...kinematics.transforms import Array

#: The largest value (rad or m), whatever the robot: beyond it rounding moves links by more than one sees.
_FARTHEST = 1e9


def check_shown(robot: Skeleton, q: Array) -> None:
    """Raises `InvalidValueError` for configurations (n,) or (m, n) with a value of more than 1e9 (rad or m)."""
    rows = np.atleast_2d(q)
    row, column = np.nonzero(np.abs(rows) > _FARTHEST)
    if len(row):
        raise InvalidValueError(
            f"{robot.dofs[column[0]].name!r} is {rows[row[0], column[0]]:g}; values of up to {_FARTHEST:g} (rad or m) "
            "are shown"
        )
