"""`RedundantBranches`: branches of an arm with a joint too many, at samples of its redundancy."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..closed_form.closed_form import ClosedForm
from ..closed_form.redundancy import Redundancy
from .attempts import Attempts
from .branch_source import PathTask
from .followed_chains import followed_chains
from .null_motion import NullMotion

#: Samples of the redundancy when nobody says otherwise: steps of 5 degrees, in which joints change by less than the
#: continuity of 0.2 rad, except near singular poses.
SAMPLES = 72
#: A round of refinement looks at so many samples on either side, and makes the steps smaller by this.
_SIDE, _FINER, _ROUNDS = 4, 4.0, 6
#: How much denser samples are about a waypoint that no way leads to.
_DENSER = 6
#: Stages between the way through the samples and the smooth one.
_STAGES = 8
#: Branches at either end of a path that are followed to the other one.
_CHAINS = 24
#: Errors (m and rad) of a branch that are left as they are; the rest is polished on the arm as it is.
_EXACT = 1e-7


class RedundantBranches:
    """Branches of an arm with a joint too many, at samples of its redundancy.

    Args:
        task: What for.
        redundancy: That of the arm.
        order: What moves, in the order of the chain.
    """

    def __init__(self, task: PathTask, redundancy: Redundancy, order: ActiveDofs) -> None:
        self.name = f"closed form at samples of the {redundancy.name}"
        self._task = task
        self._redundancy = redundancy
        active = task.module.active_dofs().indices.tolist()
        #: For each joint of the chain its place among the module's.
        self._places = np.array([active.index(index) for index in order.indices])
        samples = SAMPLES if task.samples is None else task.samples
        span = redundancy.upper - redundancy.lower
        self._is_round = redundancy.joint is None or span >= 2.0 * np.pi - 1e-9
        self._step = span / (samples if self._is_round else max(samples - 1, 1))
        own = redundancy.value_of(task.start[order.indices])
        grid = redundancy.lower + self._step * np.arange(samples)
        self._grid = np.sort(np.append(grid, self._inside(np.array([own]))))
        self._attempts = Attempts(task)
        self._is_exact: bool | None = None

    def branches(self) -> list[Array]:
        """See `BranchSource`."""
        found = self._polished([self._at(row, self._grid) for row in range(len(self._task.goals))])
        chains = followed_chains(self._task, found, _CHAINS)
        return [np.concatenate([near, more]) for near, more in zip(found, chains, strict=True)]

    def refined(self, rows: list[int], way: Array, apart: list[int], round: int) -> list[Array] | None:
        """See `BranchSource`: by turns, stages on the way to a smooth one, and what is beside the way."""
        if round >= _ROUNDS or len(rows) < 2:
            return None
        own = np.array([self._redundancy.value_of(q[self._places]) for q in way])
        step = self._step / _FINER ** ((round + 1) // 2)
        offsets = np.tile(step * np.arange(-_SIDE, _SIDE + 1), (len(rows), 1))
        reach = 4.0 * _SIDE * step + 0.05
        if round % 2 == 0:
            move = self._smoothed(rows, own, way, apart) - own
            offsets = move[:, None] * np.linspace(0.0, 1.0, _STAGES + 1)
            reach = np.pi
        found = []
        for row, q, values in zip(rows, way, own[:, None] + offsets, strict=True):
            near = self._at(row, self._inside(values))
            away = near - q
            away -= 2.0 * np.pi * np.round(away / (2.0 * np.pi))
            # Only what may lie on the same branch.
            found.append(near[(np.abs(away) <= reach).all(axis=1)])
        return self._polished(found, rows)

    def denser(self, rows: list[int]) -> list[Array] | None:
        """See `BranchSource`."""
        span = self._redundancy.upper - self._redundancy.lower
        grid = self._redundancy.lower + np.arange(0.0, span, self._step / _DENSER)
        return self._polished([self._at(row, grid) for row in rows], rows)

    def _smoothed(self, rows: list[int], values: Array, way: Array, apart: list[int]) -> Array:
        """Values of the redundancy (r,) along the way, with less motion."""
        active = self._task.module.active_dofs()
        weights = np.array([1.0 / max(dof.weight, 1e-12) for dof in active.dofs])[self._places]
        lower, upper = active.lower[self._places], active.upper[self._places]
        if not self._task.problem.respect_limits:
            lower, upper = lower - np.inf, upper + np.inf
        is_coupled = np.ones(len(rows) - 1, dtype=bool)
        is_coupled[[place - 1 for place in apart]] = False
        motion = NullMotion(self._redundancy, self._task.goals[rows], weights, lower, upper)
        return motion.smoothed(values, way[:, self._places], is_coupled, self._task.has_start)

    def _inside(self, values: Array) -> Array:
        low, high = self._redundancy.lower, self._redundancy.upper
        wrapped: Array = low + np.mod(values - low, 2.0 * np.pi) if self._is_round else np.clip(values, low, high)
        return wrapped

    def _at(self, row: int, values: Array) -> Array:
        """(b, k) branches that are real, at values of the redundancy."""
        found, _, margin = self._redundancy.curves(self._task.goals[row]).all_at(values)
        is_real = margin >= 0.0
        q = np.empty((int(is_real.sum()), found.shape[1]))
        q[:, self._places] = found.transpose(0, 2, 1)[is_real]
        active = self._task.module.active_dofs()
        if not self._task.problem.respect_limits:
            return q
        narrow = active.upper - active.lower < 2.0 * np.pi
        inside = (q >= active.lower - 1e-9) & (q <= active.upper + 1e-9)
        kept: Array = q[(inside | ~narrow).all(axis=1)]
        return kept

    def _polished(self, found: list[Array], rows: list[int] | None = None) -> list[Array]:
        """The same, solved on the arm as it is where that differs from what the closed form takes it for."""
        places = np.arange(len(found)) if rows is None else np.array(rows)
        counts = np.array([len(each) for each in found], dtype=np.intp)
        if self._is_exact or not counts.sum():
            return found
        task = self._task
        indices = task.module.active_dofs().indices
        q = np.tile(task.start, (int(counts.sum()), 1))
        q[:, indices] = np.concatenate(found)
        goals = task.goals[np.repeat(places, counts)]
        if self._is_exact is None:
            some = np.linspace(0, len(q) - 1, min(len(q), 64)).astype(np.intp)
            moved = np.abs(self._attempts.solve(goals[some], q[some])["q"] - q[some])
            self._is_exact = bool((moved <= _EXACT).all())
            if self._is_exact:
                return found
        arrays = self._attempts.solve(goals, q)
        of = np.repeat(np.arange(len(found)), counts)
        good = arrays["success"] & (np.abs(arrays["q"] - q).max(axis=1) <= 0.05)
        return [arrays["q"][good & (of == k)][:, indices] for k in range(len(found))]


def redundancy_at(closed: ClosedForm, q: Array) -> Redundancy | None:
    """The redundancy of an arm of seven joints with what stands still as in q (n,); None where none is known."""
    geometry = closed._lookup(closed.module.error_method.aimed_at(), q).geometry
    if geometry is None or len(geometry) != 7 or geometry.slides.any():
        return None
    found = Redundancy.of(geometry)
    return None if isinstance(found, str) else found
