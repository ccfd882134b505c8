"""Solving many targets, whatever the engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kinematics.q_constraint import QConstraint
from ..kinematics.transforms import Array
from .batch_input import BatchInput, batch_input
from .batch_solution import BatchSolution, empty_batch, write_row
from .chunks import as_threads, run_all
from .constraint_check import refusal
from .engine import engine_for
from .errors import ConstraintError
from .goals import any_target, as_target, method_for
from .joint_change import confined
from .problem import Problem
from .progress import progress_bar
from .request import Request, make_request

if TYPE_CHECKING:
    from .compiled.batch_engine import CompiledBatch
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
    constraint: QConstraint | None = None,
    change: Array | None = None,
) -> BatchSolution:
    """See `InverseKinematics.solve_batch`.

    Args:
        module: Who is asked.
        targets: See there, as for what is not told of here.
        seeds: See there.
        problem: All options.
        threads: See there.
        progress: See there.
        idle: What batches with the same options keep from call to call.
        constraint: Refuses solutions.
        change: (n,) how far joints may go from the seed, see `as_joint_change`.
    """
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
    compiled: CompiledBatch | None = None
    if engine == "compiled":
        from .compiled.batch_engine import CompiledBatch

        compiled = CompiledBatch(request, given, arrays, idle, change)
        run = compiled.solve
    else:
        threads = 1  # Python code of the object path does not run side by side
        run = _ObjectBatch(request, given, arrays, constraint, change).solve
    # From here on, so that the time leaves out loading or compiling.
    begun = time.perf_counter()
    # The chunks are done in order, and looked at here while the threads go on with the next ones.
    with (
        progress_bar(len(given.goals), "solving", progress) as advance,
        closing(run_all(run, chunks, threads)) as finished,
    ):
        for chunk, done in zip(chunks, finished, strict=True):
            if constraint is not None and compiled is not None:
                _ask(constraint, compiled, arrays, chunk)
            advance(done)
    return BatchSolution(**{**arrays, "elapsed": time.perf_counter() - begun})


def _ask(constraint: QConstraint, compiled: CompiledBatch, arrays: dict[str, Any], chunk: tuple[int, int]) -> None:
    """Asks about the solutions of a chunk, and goes on with those that are refused."""
    first, last = chunk
    for row in (first + np.flatnonzero(arrays["success"][first:last])).tolist():
        try:
            refusing = refusal(constraint, arrays["q"][row], compiled.skeleton)
            if refusing is not None:
                compiled.go_on(row, constraint, refusing)
        except ConstraintError as error:
            raise _of_target(row, error) from error.__cause__


def _of_target(row: int, error: ConstraintError) -> ConstraintError:
    """The same error, saying for which target."""
    return ConstraintError(f"target {row}: {error}")


class _ObjectBatch:
    """Target by target, in Python."""

    def __init__(
        self,
        request: Request,
        given: BatchInput,
        arrays: dict[str, Any],
        constraint: QConstraint | None,
        change: Array | None,
    ) -> None:
        self._constraint = constraint
        self._change = change
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
            wide = make_request(module, target, self._request.problem, seed, self._constraint, False, warns=False)
            request = confined(wide, self._change)
            try:
                write_row(self._arrays, row, engine_for(request).solve(request))
            except ConstraintError as error:
                raise _of_target(row, error) from error.__cause__
        return chunk[1] - chunk[0]
