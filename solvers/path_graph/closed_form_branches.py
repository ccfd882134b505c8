"""`ClosedFormBranches`: all branches of an arm that has finitely many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from ..analytical.analytical import Analytical
from ..analytical.validity import Validity
from ..closed_form.closed_form import ClosedForm
from ..goals import as_target
from ..request import make_request
from ..tasks.task_space_region import TaskSpaceRegion
from .branch_source import PathTask


class ClosedFormBranches:
    """All branches of an arm that has finitely many.

    Args:
        task: What for.
        closed: Gives the branches.
    """

    def __init__(self, task: PathTask, closed: Analytical) -> None:
        self.name = "closed form"
        self._task = task
        self._closed = closed

    def branches(self) -> list[Array]:
        """See `BranchSource`."""
        task, closed = self._task, self._closed
        columns = closed.dof_map
        unwanted = int(Validity.OUT_OF_REACH)
        if task.problem.respect_limits:
            unwanted |= int(Validity.LIMIT_VIOLATED)
        found = self._all_at_once() if self._takes_many() else self._one_by_one()
        result = []
        for q, flags in found:
            kept = np.empty((int((flags & unwanted == 0).sum()), q.shape[-1]))
            kept[:, columns] = q[flags & unwanted == 0]
            result.append(kept)
        return result

    def refined(self, rows: list[int], way: Array, apart: list[int], round: int) -> list[Array] | None:
        """Nothing: there are no more."""
        return None

    def denser(self, rows: list[int]) -> list[Array] | None:
        """Nothing: see above."""
        return None

    def _takes_many(self) -> bool:
        own, method = self._task.module.error_method, self._task.method
        return isinstance(self._closed, ClosedForm) and (method is own or type(method) is type(own))

    def _all_at_once(self) -> list[tuple[Array, NDArray[np.int64]]]:
        task, closed = self._task, self._closed
        assert isinstance(closed, ClosedForm)
        if isinstance(task.method, TaskSpaceRegion):
            base = task.module.skeleton.state(task.start).transform(closed.base).homogeneous
            poses = np.linalg.inv(base) @ task.goals
            poses[:, 3] = (0.0, 0.0, 0.0, 1.0)
            poses = poses if (base != np.eye(4)).any() else task.goals
            q, flags, counts = closed.solve_many(poses, task.start)
        else:
            q, flags, counts = closed.solve_many([as_target(task.method, goal) for goal in task.goals], task.start)
        return [(q[row, : max(count, 0)], flags[row, : max(count, 0)]) for row, count in enumerate(counts)]

    def _one_by_one(self) -> list[tuple[Array, NDArray[np.int64]]]:
        task, found = self._task, []
        for goal in task.goals:
            target = as_target(task.method, goal)
            request = make_request(task.module, target, task.problem, task.start, explains=False, warns=False)
            q, flags, _ = self._closed.solve_for(request.error_method, task.start)
            found.append((q, flags))
        return found
