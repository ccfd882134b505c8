"""One target from many starts, in the lanes of the compiled engine."""

from __future__ import annotations

import numpy as np

from ..kinematics.transforms import Array
from .batch_input import BatchInput
from .batch_solution import empty_batch
from .engine import engine_for
from .request import Request


def solve_from_all(request: Request, starts: Array) -> list[Array] | None:
    """Makes one attempt from each start.

    Args:
        request: What is to be solved, its seed aside.
        starts: (k, n) configurations that differ in what may move only.

    Returns:
        For each start an array (1, n) with the solution or (0, n); None when the request is not a compiled one.
    """
    if engine_for(request).name != "compiled":
        return None
    from .compiled.batch_engine import CompiledBatch
    from .compiled.form import form_of

    goals = np.broadcast_to(form_of(request.error_method).goal, (len(starts), 4, 4)).copy()
    arrays = empty_batch(len(starts), starts.shape[1], "compiled")
    CompiledBatch(request, BatchInput(goals, starts, {}), arrays).solve((0, len(starts)))
    return [arrays["q"][k : k + 1] if arrays["success"][k] else arrays["q"][:0] for k in range(len(starts))]
