"""Solving many targets, whatever the engine."""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kinematics.core.working_clock import working_time
from ...kinematics.q_constraint import QConstraint
from ...kinematics.transforms import Array
from .. import defaults
from ..constraints.constraint_check import refusal
from ..engine import engine_for
from ..errors import ConstraintError
from ..goals import any_target, as_target, method_for
from ..joint_change import change_in_the_way, confined
from ..problem import Problem
from ..reason import Reason
from ..request import Request, make_request
from ..solution import Solution
from ..time_limit import TimeLimit
from .batch_input import BatchInput, batch_input
from .batch_solution import BatchSolution, empty_batch, write_row
from .chunks import as_threads, run_all
from .progress import progress_bar

if TYPE_CHECKING:
    from ..compiled.batch_engine import CompiledBatch
    from ..inverse_kinematics import InverseKinematics

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
    limit: TimeLimit | None = None,
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
        limit: Of the time for all of them.
    """
    limit = limit or TimeLimit()
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
        from ..compiled.batch_engine import CompiledBatch

        compiled = CompiledBatch(request, given, arrays, idle, change, limit)
        run = compiled.solve
    else:
        threads = 1  # Python code of the object path does not run side by side
        run = _ObjectBatch(request, given, arrays, constraint, change, limit).solve
    # From here on, so that the time leaves out loading or compiling.
    begun = working_time()
    limit.begin()
    # The chunks are done in order, and looked at here while the threads go on with the next ones.
    with (
        progress_bar(len(given.goals), "solving", progress) as advance,
        closing(run_all(run, chunks, threads)) as finished,
    ):
        for chunk, done in zip(chunks, finished, strict=True):
            if constraint is not None and compiled is not None:
                _ask(constraint, compiled, arrays, chunk, limit)
            advance(done)
    # What was looked at has another reason, or says what is wrong with it.
    left_out = (arrays["reason"] == Reason.INVALID_INPUT) & (arrays["detail"] == "")
    if left_out.any():
        arrays["reason"][left_out], arrays["detail"][left_out] = Reason.TIMEOUT, limit.detail
    return BatchSolution(**{**arrays, "elapsed": working_time() - begun})


def _ask(
    constraint: QConstraint,
    compiled: CompiledBatch,
    arrays: dict[str, Any],
    chunk: tuple[int, int],
    limit: TimeLimit,
) -> None:
    """Asks about the solutions of a chunk, and goes on with those that are refused."""
    first, last = chunk
    for row in (first + np.flatnonzero(arrays["success"][first:last])).tolist():
        if limit.is_over:
            arrays["success"][row], arrays["reason"][row] = False, Reason.TIMEOUT
            arrays["detail"][row] = limit.detail
            continue
        try:
            refusing = refusal(constraint, arrays["q"][row], compiled.skeleton)
            if refusing is not None:
                compiled.go_on(row, constraint, refusing)
        except ConstraintError as error:
            raise _of_target(row, error) from error.__cause__


def _of_target(row: int, error: ConstraintError) -> ConstraintError:
    """The same error, saying for which target."""
    return ConstraintError(f"target {row}: {error}")


def _told_of_change(request: Request, solution: Solution) -> Solution:
    """The same, saying so when how far joints may go was all that is in the way; a few attempts without it tell."""
    wide = request.wide
    if wide is None or solution.reason not in (Reason.UNREACHABLE, Reason.ITERATIONS):
        return solution
    free = copy.copy(wide)
    free.constraint = None
    free.problem = wide.problem.replaced(attempts=min(wide.problem.attempts, defaults.DIAGNOSIS_ATTEMPTS))
    found = engine_for(free).solve(free)
    told = change_in_the_way(request, found.q) if found.success else ""
    return solution._replace(reason=Reason.LIMITS, detail=f"{told}; {solution.detail}") if told else solution


class _ObjectBatch:
    """Target by target, in Python."""

    def __init__(
        self,
        request: Request,
        given: BatchInput,
        arrays: dict[str, Any],
        constraint: QConstraint | None,
        change: Array | None,
        limit: TimeLimit,
    ) -> None:
        self._limit = limit
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
            if self._limit.is_over:
                break
            problem = self._limit.within(self._request.problem)
            seed = given.seeds[row if len(given.seeds) > 1 else 0]
            target = as_target(self._request.error_method, given.goals[row])
            wide = make_request(module, target, problem, seed, self._constraint, False, warns=False)
            request = confined(wide, self._change)
            try:
                write_row(self._arrays, row, _told_of_change(request, engine_for(request).solve(request)))
            except ConstraintError as error:
                raise _of_target(row, error) from error.__cause__
        return chunk[1] - chunk[0]
