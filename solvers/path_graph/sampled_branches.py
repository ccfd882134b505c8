"""`SampledBranches`: branches found numerically, where no closed form gives them."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from .attempts import Attempts
from .branch_source import PathTask

#: Random starts for each waypoint when nobody says otherwise.
SAMPLES = 24
#: Branches of a waypoint that are continued to its neighbours, for each sample.
_CONTINUED = 2
#: Branches of a waypoint that are kept, for each sample.
_MOST = 4
#: Configurations that differ by less (rad or m) are the same branch.
_SAME = 1e-4


class SampledBranches:
    """Branches found numerically: by attempts from random starts, and from the branches of neighbours.

    There may be more than were found. Arms with joints to spare have infinitely many; there, what was found at one
    waypoint is followed to the others, so that there are ways through all of them.

    Args:
        task: What for.
    """

    def __init__(self, task: PathTask) -> None:
        self.name = "samples"
        self._task = task
        self._samples = SAMPLES if task.samples is None else task.samples
        self._attempts = Attempts(task)
        self._active = task.module.active_dofs()

    def branches(self) -> list[Array]:
        """See `BranchSource`."""
        task, active = self._task, self._active
        rng = np.random.default_rng(task.problem.random_seed)
        count = len(task.goals)
        starts = np.array([active.random(rng, task.start) for _ in range(count * self._samples)])
        starts = starts.reshape(count, self._samples, -1)
        starts[:, 0] = task.start
        goals = np.repeat(task.goals, self._samples, axis=0)
        arrays = self._attempts.solve(goals, starts.reshape(-1, starts.shape[-1]))
        success = arrays["success"].reshape(count, -1)
        q = arrays["q"].reshape(starts.shape)
        found = [self._without_twins(q[row][success[row]]) for row in range(count)]
        for rows in (range(1, count), range(count - 2, -1, -1)):
            for row in rows:
                found[row] = self._continued(row, found[row - rows.step], found[row])
        return [each[:, active.indices] for each in found]

    def refined(self, rows: list[int], way: Array, apart: list[int], round: int) -> list[Array] | None:
        """Nothing: what was continued is as close as it can be."""
        return None

    def denser(self, rows: list[int]) -> list[Array] | None:
        """Nothing: see above."""
        return None

    def _continued(self, row: int, neighbours: Array, known: Array) -> Array:
        """What is known of a waypoint, with what its neighbour's branches lead to."""
        from_here = neighbours[: _CONTINUED * self._samples]
        arrays = self._attempts.solve(np.repeat(self._task.goals[row : row + 1], len(from_here), axis=0), from_here)
        close = np.abs(arrays["q"] - from_here)[:, self._active.indices] <= self._task.bound.max(axis=0)
        near = arrays["q"][arrays["success"] & close.all(axis=1)]
        # First what was continued: it is what ways go on through.
        return self._without_twins(np.concatenate([near, known]))

    def _without_twins(self, q: Array) -> Array:
        """Those of configurations (m, n) that differ from all before them, as many as are to be kept."""
        columns = self._active.indices
        wraps = [int(self._active.indices[column]) for column, *_ in self._active.wraps]
        away = q[:, None, columns] - q[None][..., columns]
        turning = np.isin(columns, wraps)
        away[..., turning] -= 2.0 * np.pi * np.round(away[..., turning] / (2.0 * np.pi))
        is_same = np.abs(away).max(axis=-1, initial=0.0) <= _SAME
        kept: Array = q[~np.tril(is_same, -1).any(axis=1)]
        return kept[: _MOST * self._samples]
