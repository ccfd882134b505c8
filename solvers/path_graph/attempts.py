"""Single attempts at many goals, each from a start of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from ..batches.batch_input import BatchInput
from ..batches.batch_solution import empty_batch
from ..batches.chunks import as_threads, run_all
from ..engine import engine_for
from ..goals import any_target, as_target
from ..request import make_request
from .branch_source import PathTask

_CHUNK = 1024


class Attempts:
    """Single attempts at goals of a task, compiled where they can be.

    Args:
        task: What for.
    """

    def __init__(self, task: PathTask) -> None:
        self._task = task
        self._problem = task.problem.replaced(attempts=1)
        self._request = make_request(
            task.module, any_target(task.method), self._problem, task.start, explains=False, warns=False
        )
        self._is_compiled = engine_for(self._request).name == "compiled"
        self._idle: list[Any] = []

    def solve(self, goals: Array, starts: Array) -> dict[str, Any]:
        """The arrays of a `BatchSolution` for goals (m, 4, 4) from starts (m, n)."""
        arrays = empty_batch(len(goals), starts.shape[1], "")
        if not len(goals):
            return arrays
        if not self._is_compiled:
            self._one_by_one(goals, starts, arrays)
            return arrays
        from ..compiled.batch_engine import CompiledBatch

        given = BatchInput(np.ascontiguousarray(goals), np.ascontiguousarray(starts), {})
        batch = CompiledBatch(self._request, given, arrays, self._idle)
        chunks = [(first, min(first + _CHUNK, len(goals))) for first in range(0, len(goals), _CHUNK)]
        for _ in run_all(batch.solve, chunks, as_threads(None)):
            pass
        return arrays

    def _one_by_one(self, goals: Array, starts: Array, arrays: dict[str, Any]) -> None:
        task = self._task
        for row, (goal, start) in enumerate(zip(goals, starts, strict=True)):
            target = as_target(task.method, goal)
            request = make_request(task.module, target, self._problem, start, explains=False, warns=False)
            found = engine_for(request).solve(request)
            for name, values in arrays.items():
                if name not in ("elapsed", "engine"):
                    values[row] = getattr(found, name)
