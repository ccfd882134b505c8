"""`ClosedFormBinding`: the arrays of a compiled closed form, for one robot and one task."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics.core.argument_table import ArgumentTable
from ...kinematics.core.lanes import native_width
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..compiled import layout as search_layout
from ..compiled.binding import Binding
from ..compiled.form import Form
from ..gradient_methods.levenberg_marquardt import LevenbergMarquardt
from ..problem import Problem
from .family import Family, Fit
from .kernels import layout


class ClosedFormBinding:
    """Calls a compiled closed form. Not for two threads at a time.

    Args:
        active: What is solved for, in the order of the chain.
        form: The task.
        family: Of the arm.
        fit: Its numbers.
        tolerance: What counts as reached (m and rad).
        q: Configuration (n,) of what stands still.
    """

    def __init__(self, active: ActiveDofs, form: Form, family: Family, fit: Fit, tolerance: float, q: Array) -> None:
        from .kernels.entry_points import closed_form_for

        problem = Problem(tolerance=tolerance)
        self._search = Binding(active, form, LevenbergMarquardt(), problem)
        self._search.seed[:] = q
        self._search.update_plan()
        # A seed outside the limits is where solutions should be near, and no reason to refuse it.
        self._search.counts[search_layout.LIMITED] = 0
        size, most = len(active), family.most
        self.most = most
        # Room for a register of candidates around one that misses the goal by little.
        rows = most + 2 * native_width() + 1
        self.q = np.zeros((most, size))
        self.validity: NDArray[np.int64] = np.zeros(most, dtype=np.int64)
        self.errors = np.zeros((most, 3))
        room, none = np.zeros((1, 1)), np.zeros((1, 1), dtype=np.int64)
        self._table = ArgumentTable(
            np.ascontiguousarray(fit.numbers, dtype=float),
            np.zeros(size + 12),
            np.zeros((rows, size)),
            np.zeros(rows, dtype=np.int64),
            np.zeros((rows, layout.FACTS_SIZE)),
            self.q,
            self.validity,
            self.errors,
            room,
            room,
            room,
            none,
            none,
        )
        self.address, self.table_address = self._search.address, self._table.address
        self.kernel: Any = closed_form_for(family, form.task)
        self._family, self._task = family, form.task

    def solve_many(self, arrays: dict[int, Any], first: int, last: int) -> None:
        """Solves goals from the first to before the last.

        Args:
            arrays: Those for many goals by their place, see `layout`.
            first: Row.
            last: Row.
        """
        from .kernels.entry_points import closed_forms_for

        for place, array in arrays.items():
            self._table.bind(place, array)
        closed_forms_for(self._family, self._task)(self.address, self.table_address, first, last)
