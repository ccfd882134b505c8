"""Asks a caller's constraint, and checks the answer."""

from __future__ import annotations

import numpy as np

from ..kinematics.transforms import Array
from .errors import ConstraintError
from .request import Constraint


def is_accepted(constraint: Constraint | None, q: Array) -> bool:
    """True when there is no constraint or it accepts q (n,); it gets a copy.

    Raises:
        ConstraintError: It raised, or answered with anything but true or false.
    """
    if constraint is None:
        return True
    name = getattr(constraint, "__name__", type(constraint).__name__)
    try:
        answer = constraint(q.copy())
    except Exception as problem:
        raise ConstraintError(f"constraint {name} raised {type(problem).__name__}: {problem}") from problem
    if isinstance(answer, (bool, np.bool_)):
        return bool(answer)
    raise ConstraintError(f"constraint {name} must answer True or False; it answered {answer!r}")
