"""One target from many starts, in the lanes of the compiled engine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kinematics.transforms import Array
from .engine import engine_for
from .kernel import parameters_of
from .request import Request

#: Arrays for different options that are kept at the same time, at most.
_MOST_KEPT = 8


class Ends(NamedTuple):
    """Where the attempts ended, a row for each start.

    Attributes:
        q: (k, n) configurations: solutions, or the nearest ones.
        solved: (k,) booleans.
        position_error: (k,) in m.
        orientation_error: (k,) in rad.
    """

    q: Array
    solved: Any
    position_error: Array
    orientation_error: Array


class ManyStarts:
    """Makes one attempt from each of many starts, side by side. Plan and arrays are for any number of calls.

    One object serves one thread.

    Args:
        request: What is to be solved, its seed aside; for one attempt, and one that the compiled engine can do.
    """

    def __init__(self, request: Request) -> None:
        from .compiled.binding import Binding
        from .compiled.entry_points import batch_search_for
        from .compiled.form import form_of

        form = form_of(request.error_method)
        self._active = request.active
        self._options = _options_of(request)
        self._binding = Binding(request.active, form, request.gradient_method, request.problem)
        self._kernel = batch_search_for(form, request.gradient_method)

    @property
    def is_current(self) -> bool:
        """False when the skeleton was changed since."""
        return self._active.version == self._active.skeleton.version

    def take(self, request: Request) -> bool:
        """Takes another target; false when the request differs in more than that, the skeleton's version included."""
        from .compiled.form import form_of

        if request.active is not self._active or _options_of(request) != self._options:
            return False
        form = form_of(request.error_method)
        if not self._binding.fits(form):
            return False
        self._binding.set_form(form)
        return True

    def solve(self, starts: Array) -> Ends | None:
        """Attempts from starts (k, n), which differ in what may move only; None when the kernel refuses the target."""
        from .compiled import layout

        binding, n = self._binding, starts.shape[1]
        binding.seed[:] = starts[0]
        binding.update_plan()
        binding.counts[layout.FIRST], binding.counts[layout.ATTEMPTS] = 0, 1
        goals = np.empty((len(starts), 16))
        goals[:] = binding.goal.ravel()
        answers = np.zeros((len(starts), n + layout.REPORT_SIZE))
        table = binding.batch_table(goals, starts, answers)
        self._kernel(table.address, 0, len(starts))
        solved = answers[:, n + layout.SOLVED]
        if solved.min() < 0.0:
            return None
        errors = answers[:, [n + layout.DISTANCE, n + layout.ANGLE]]
        # Nothing is written for what is too far away to be compared with anything.
        errors[(solved == 0.0) & (errors == 0.0).all(axis=1)] = np.inf
        return Ends(answers[:, :n], solved > 0.0, errors[:, 0], errors[:, 1])


class StartsPool:
    """Idle `ManyStarts`, kept from call to call; two threads never get the same one."""

    def __init__(self) -> None:
        self._idle: list[ManyStarts] = []

    def borrow(self, request: Request) -> ManyStarts | None:
        """One for a request, to be given back; None when the request is not a compiled one."""
        if engine_for(request).name != "compiled":
            return None
        # A list's pop and append are atomic.
        for _ in range(len(self._idle)):
            try:
                known = self._idle.pop()
            except IndexError:
                break
            if known.take(request):
                return known
            if known.is_current:
                self._idle.insert(0, known)
        return ManyStarts(request)

    def give_back(self, starts: ManyStarts) -> None:
        """Keeps it for the next call."""
        if len(self._idle) < _MOST_KEPT:
            self._idle.append(starts)

    def __reduce__(self) -> Any:
        """A copy is empty: what is kept belongs to the arrays of its module."""
        return StartsPool, ()


def solve_from_all(request: Request, starts: Array) -> list[Array] | None:
    """Makes one attempt from each start.

    Args:
        request: What is to be solved, its seed aside; its problem allows one attempt.
        starts: (k, n) configurations that differ in what may move only.

    Returns:
        For each start an array (1, n) with the solution or (0, n); None when the request is not a compiled one.
    """
    if engine_for(request).name != "compiled":
        return None
    ends = ManyStarts(request).solve(starts)
    if ends is None:
        return None
    return [ends.q[k : k + 1] if ends.solved[k] else ends.q[:0] for k in range(len(starts))]


def _options_of(request: Request) -> tuple[Any, ...]:
    """Differs whenever arrays that were filled in for one request would not do for another one."""
    problem, method = request.problem, request.gradient_method
    return (
        problem.tolerance,
        problem.pace_for(method),
        problem.max_step,
        problem.respect_limits,
        method,
        method._revision,
        parameters_of(method),
    )
