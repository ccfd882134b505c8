"""Solving many targets, whatever the engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .batch_input import BatchInput, batch_input
from .batch_solution import BatchSolution, empty_batch
from .chunks import as_threads, run_all
from .engine import engine_for
from .goals import any_target, as_target, method_for
from .problem import Problem
from .progress import progress_bar
from .request import Request, make_request
from .solution import Solution

if TYPE_CHECKING:
    from .inverse_kinematics import InverseKinematics

#: Targets that a thread takes at a time. Few, so that a batch can be interrupted, progress be shown and a thread that
#: is done early help the others; many, so that the lanes stay filled and Python has little to do in between.
SMALL_CHUNK, CHUNK = 256, 1024


def solve_batch(
    module: InverseKinematics,
    targets: Any,
    seeds: Any,
    problem: Problem,
    threads: int | None,
    progress: bool,
    idle: list[Any],
) -> BatchSolution:
    """See `InverseKinematics.solve_batch`; ``idle`` is what batches with the same options keep from call to call."""
    threads = as_threads(threads)
    method = method_for(module.error_method, targets)
    request = make_request(module, any_target(method), problem, explains=False, warns=False)
    engine = engine_for(request).name
    given = batch_input(module.skeleton, method, targets, seeds, takes_as_is=engine == "compiled")
    arrays = empty_batch(len(given.goals), module.skeleton.num_dofs, engine)
    for row, text in given.wrong.items():
        arrays["detail"][row] = text
    total = len(given.goals)
    size = CHUNK if engine == "compiled" else SMALL_CHUNK
    size = min(size, max(SMALL_CHUNK, -(-total // (4 * threads))))
    chunks = [(first, min(first + size, total)) for first in range(0, total, size)]
    run: Callable[[tuple[int, int]], int]
    if engine == "compiled":
        from .compiled.batch_engine import CompiledBatch

        run = CompiledBatch(request, given, arrays, idle).solve
    else:
        threads = 1  # Python code of the object path does not run side by side
        run = _ObjectBatch(request, given, arrays).solve
    # From here on, so that the time leaves out loading or compiling.
    begun = time.perf_counter()
    with progress_bar(len(given.goals), "solving", progress) as advance:
        for done in run_all(run, chunks, threads):
            advance(done)
    return BatchSolution(**{**arrays, "elapsed": time.perf_counter() - begun})


class _ObjectBatch:
    """Target by target, in Python."""

    def __init__(self, request: Request, given: BatchInput, arrays: dict[str, Any]) -> None:
        self._request = request
        self._given = given
        self._arrays = arrays

    def solve(self, chunk: tuple[int, int]) -> int:
        """Solves the targets from the first to before the last; returns how many."""
        given, module = self._given, self._request.module
        for row in range(*chunk):
            if row in given.wrong:
                continue
            seed = given.seeds[row if len(given.seeds) > 1 else 0]
            target = as_target(self._request.error_method, given.goals[row])
            request = make_request(module, target, self._request.problem, seed, explains=False, warns=False)
            self._write(row, engine_for(request).solve(request))
        return chunk[1] - chunk[0]

    def _write(self, row: int, solution: Solution) -> None:
        for name, values in self._arrays.items():
            if name not in ("elapsed", "engine"):
                values[row] = getattr(solution, name)
