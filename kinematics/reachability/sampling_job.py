"""`SamplingJob`: samples of a node set by number, in any process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidValueError
from ..transforms import Array
from .cells import Cells, Indices
from .sampling_plan import SamplingPlan
from .tally import Tally

#: Samples of one call of the kernel: what it writes stays in the cache.
BLOCK = 1 << 16
_MASK = (1 << 64) - 1


class RejectsConfigurations(Protocol):
    """What can refuse samples, such as a `CollisionDetector`."""

    def in_collision_many(self, q: Any) -> NDArray[np.bool_]:
        """Which of the configurations (m, n) collide."""


class Samples(NamedTuple):
    """Samples as they are.

    Attributes:
        values: (m, n) values of the degrees of freedom of the set.
        poses: (m, 12) poses of the tip, rotation row by row and then translation.
        canonical: (m, 12) poses of the frame on the last axis, of a reduced map.
        qualities: (m,) manipulability, zeros when it was not asked for.
    """

    values: Array
    poses: Array
    canonical: Array
    qualities: Array


@dataclass(frozen=True)
class SamplingJob:
    """All that is needed to draw samples: it can be sent to another process or machine.

    Sample i depends on the seed and on i alone.

    Attributes:
        plan: What is sampled, seen from the frame of the map (for a reduced map: from the first axis).
        canonical_pose: (12,) pose of the frame on the last axis in what carries the tip; the tip's in other maps.
        is_reduced: Whether cells are of height, tilt and canonical position.
        cells: The cells.
        seed: Of the samples.
        scale: Manipulability that the greatest value of a map stands for; None for a map of counts.
        most: The greatest value of a map.
        detector: Refuses samples; None for none.
        rest: (N,) configuration of the whole skeleton that the samples are put into for ``detector``.
        columns: (n,) their places in it.
    """

    plan: SamplingPlan
    canonical_pose: Array
    is_reduced: bool
    cells: Cells
    seed: int
    scale: float | None
    most: int
    detector: RejectsConfigurations | None
    rest: Array
    columns: NDArray[np.intp]

    def tally(self, first: int, count: int) -> Tally:
        """Cells and values of samples ``first`` to ``first + count - 1``."""
        indices = np.empty(count, dtype=np.int64)
        values = None if self.scale is None else np.empty(count, dtype=np.int64)
        rejected = 0
        for start in range(0, count, BLOCK):
            part = slice(start, min(start + BLOCK, count))
            found, samples = self._run(first + start, part.stop - start, samples=self.detector is not None)
            if self.detector is not None:
                refused = self._refused(samples.values)
                rejected += int(refused.sum())
                found[refused] = -1
            indices[part] = found
            if values is not None:
                values[part] = self._levels(samples.qualities)
        return Tally.of(indices, values, self.most, count, rejected)

    def samples(self, first: int, count: int) -> Samples:
        """The samples themselves."""
        return self._run(first, count, samples=True)[1]

    def _levels(self, qualities: Array) -> Indices:
        """Manipulability as values of a map, from 1 on."""
        assert self.scale is not None
        levels = np.ceil(qualities * (self.most / self.scale))
        clipped: Indices = np.clip(levels, 1, self.most).astype(np.int64)
        return clipped

    def _refused(self, values: Array) -> NDArray[np.bool_]:
        assert self.detector is not None
        q = np.tile(self.rest, (len(values), 1))
        q[:, self.columns] = values
        refused = np.asarray(self.detector.in_collision_many(q))
        if refused.shape != (len(values),) or refused.dtype != bool:
            raise InvalidValueError(
                f"{self.detector!r}.in_collision_many must give {len(values)} truth values, "
                f"not {refused.dtype} {refused.shape}"
            )
        return refused

    def _run(self, first: int, count: int, samples: bool) -> tuple[Indices, Samples]:
        from ..core.argument_table import ArgumentTable  # here because it needs numba
        from ..core.lanes import native_width
        from .entry_points import sample_entry

        plan, cells = self.plan, self.cells
        n = plan.num_dofs
        turns = np.where(cells.turns, 2.0 * np.pi / cells.steps, 0.0)
        settings = [first, count, key_of(self.seed), self.is_reduced, self.scale is not None, samples, plan.tip_frame]
        rows = n + 12 * (len(plan.steps) + 1) + 24 + 8 + 6 * n + 36
        indices = np.empty(count, dtype=np.int64)
        qualities = np.zeros(count)
        written = np.empty((count if samples else 1, n + 24))
        # In the order of `kernels.layout`.
        table = ArgumentTable(
            plan.steps,
            plan.constants,
            plan.entries,
            plan.rates,
            np.ascontiguousarray(plan.carries[None]),
            np.stack([plan.tip_pose, self.canonical_pose]),
            np.column_stack([plan.lower, plan.upper]),
            plan.draws,
            np.stack([cells.lower, 1.0 / cells.steps, turns]),
            np.array(cells.shape, dtype=np.int64),
            np.array(settings, dtype=np.int64),
            np.zeros((rows, native_width())),
            indices,
            qualities,
            written,
        )
        sample_entry()(table.address)
        return indices, Samples(written[:, :n], written[:, n : n + 12], written[:, n + 12 :], qualities)


def key_of(seed: int) -> int:
    """What the random numbers of a seed are counted from, as a signed 64-bit number."""
    z = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    z ^= z >> 31
    return z - (1 << 64) if z >= 1 << 63 else z


def run_job(job: SamplingJob, first: int, count: int) -> Tally:
    """What an executor is given."""
    return job.tally(first, count)
