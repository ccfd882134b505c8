"""`StackedTask`: several tasks as one, each with a tolerance of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Self

import numpy as np

from ...kinematics import State
from ...kinematics.transforms import Array
from ..tasks.error_method import ErrorMethod


class StackedTask(ErrorMethod):
    """The errors and Jacobians of several aimed tasks, one below the other.

    `residual` is what the tasks that are not yet within their tolerance miss together, and zero when all are: so the
    search may have any tolerance that is not above the smallest of theirs.

    Args:
        tasks: Aimed error methods of one skeleton.
        tolerances: For each what counts as there (m and rad).
    """

    def __init__(self, tasks: Sequence[ErrorMethod], tolerances: Sequence[float]) -> None:
        self._tasks = tuple(zip(tasks, tolerances, strict=True))

    @property
    def rows(self) -> int:
        """Of all tasks."""
        return sum(task.rows for task, _ in self._tasks)

    def aimed_at(self, target: None = None) -> Self:
        """Itself: the tasks are aimed."""
        return self

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """Error (rows,) and Jacobian (rows, n)."""
        error, jacobian, _, _ = self.measure(state)
        return error, jacobian

    def residual(self, state: State) -> tuple[float, float]:
        """See the class."""
        return _together([(*task.residual(state), tolerance) for task, tolerance in self._tasks])

    def measure(self, state: State) -> tuple[Array, Array, float, float]:
        """`evaluate` and `residual` in one."""
        errors, jacobians, misses = [], [], []
        for task, tolerance in self._tasks:
            error, jacobian, away, turned = task.measure(state)
            errors.append(error)
            jacobians.append(jacobian)
            misses.append((away, turned, tolerance))
        return np.concatenate(errors), np.concatenate(jacobians), *_together(misses)


def _together(misses: list[tuple[float, float, float]]) -> tuple[float, float]:
    """The lengths of what is missed (m and rad) by those that miss by more than their tolerance."""
    linear = angular = 0.0
    for away, turned, tolerance in misses:
        if away > tolerance or turned > tolerance:
            linear += away * away
            angular += turned * turned
    return math.sqrt(linear), math.sqrt(angular)
