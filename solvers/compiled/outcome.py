"""What a search came to, as the solvers say it."""

from __future__ import annotations

import numpy as np

from ...kinematics.transforms import Array
from ..descent import Ended, Outcome
from .binding import Binding
from .layout import ANGLE, DISTANCE, FOUND, TAKEN, UNFINISHED


def outcome_of(binding: Binding) -> Outcome:
    """What the last search of a binding came to."""
    report = binding.report.tolist()
    ended = Ended.STALLED
    if report[FOUND] >= 0.0:
        ended = Ended.CONVERGED
    elif report[UNFINISHED] > 0.0:
        ended = Ended.OUT_OF_ITERATIONS
    q: Array = np.array(binding.q)
    return Outcome(q, ended, report[DISTANCE], report[ANGLE], int(report[TAKEN]))
