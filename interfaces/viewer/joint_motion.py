"""`JointMotion`: configurations on the way along a path, at any time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics import InvalidValueError, ShapeError, Skeleton
from ...kinematics.transforms import Array
from .shown_values import check_shown


class JointMotion:
    """Goes along the configurations of a path, the same time from each to the next.

    Between two of them joints move straight; at a jump of a `PathSolution` they stay until the next one is due.

    Args:
        robot: The robot.
        path: A `PathSolution` or `BatchSolution`, or configurations (m, n). What comes after the first row that is not
            finite is left out.
        duration: Seconds from the first to the last.

    Raises:
        ShapeError: Rows that do not fit the robot.
        InvalidValueError: No finite row at the beginning, a value of more than 1e9 (rad or m), or a duration that is
            not positive.
    """

    def __init__(self, robot: Skeleton, path: Any, duration: float = 4.0) -> None:
        try:
            rows = np.array(getattr(path, "q", path), dtype=float)
        except (TypeError, ValueError):
            raise InvalidValueError(f"a path must be a PathSolution or an array (m, n), not {path!r}") from None
        if rows.ndim != 2 or rows.shape[1] != robot.num_dofs:
            raise ShapeError(f"a path of {robot.name!r} must have shape (m, {robot.num_dofs}); it has {rows.shape}")
        wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        rows = rows[: wrong[0]] if len(wrong) else rows
        if not len(rows):
            raise InvalidValueError("the path has no finite configuration at its beginning")
        if not (isinstance(duration, int | float | np.number) and 0.0 < duration < np.inf):
            raise InvalidValueError(f"the duration of a path must be positive and finite (s), not {duration!r}")
        check_shown(robot, rows)
        self._rows = rows
        self._jumps = frozenset(getattr(path, "jumps", ()))
        self.duration = float(duration)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> Array:
        """The configurations (m, n); a copy."""
        return self._rows.copy()

    def at(self, time: float) -> Array:
        """The configuration (n,) at a time (s); before the beginning the first one, after the end the last one."""
        last = len(self._rows) - 1
        place = min(max(time / self.duration, 0.0), 1.0) * last
        row = int(place)
        if row >= last or row + 1 in self._jumps:
            still: Array = self._rows[row].copy()
            return still
        part = place - row
        result: Array = (1.0 - part) * self._rows[row] + part * self._rows[row + 1]
        return result

    def __repr__(self) -> str:
        return f"<JointMotion: {len(self._rows)} configurations in {self.duration:g} s>"
