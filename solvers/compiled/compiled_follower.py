"""`CompiledFollower`: paths on the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from ..reason import Reason
from ..request import Request
from . import layout
from .binding import Binding
from .entry_points import path_search_for
from .form import form_of


class CompiledFollower:
    """See `PathFollower`. Not for two threads at a time.

    Args:
        request: Module and options.
    """

    def __init__(self, request: Request) -> None:
        form = form_of(request.error_method)
        self._kernel = path_search_for(form, request.gradient_method)
        self._binding = Binding(request.active, form, request.gradient_method, request.problem)

    def follow(self, goals: Array, arrays: dict[str, Any], first: int, continuity: float) -> int:
        """See `PathFollower`."""
        n = len(self._binding.seed)
        # The two points before are enough to see how the path goes.
        past = min(2, first) if first > 1 and arrays["success"][first - 2] else 1
        begin = first - past
        answers = np.zeros((len(goals) - begin, n + layout.REPORT_SIZE))
        answers[:past, :n] = arrays["q"][begin:first]
        self._binding.seed[:] = answers[past - 1, :n]
        self._binding.update_plan()
        rows = np.ascontiguousarray(goals[begin:]).reshape(-1, 16)
        table = self._binding.batch_table(rows, self._binding.seed[None], answers)
        reached = begin + int(self._kernel(table.address, past, len(answers), past, continuity))
        report = answers[past : reached - begin, n:]
        rows_done = slice(first, reached)
        arrays["q"][rows_done] = answers[past : reached - begin, :n]
        arrays["success"][rows_done] = True
        arrays["reason"][rows_done] = Reason.CONVERGED
        arrays["position_error"][rows_done] = report[:, layout.DISTANCE]
        arrays["orientation_error"][rows_done] = report[:, layout.ANGLE]
        arrays["iterations"][rows_done] = report[:, layout.TAKEN]
        arrays["attempts"][rows_done] = 1
        return reached
