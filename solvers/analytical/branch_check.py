"""What a closed form gives, looked at: is it a configuration, does it reach, is it inside the limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kinematics import State
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..errors import GradientMethodError
from ..tasks.error_method import ErrorMethod
from .validity import Validity


def checked_branches(
    name: str, given: Iterable[Any], solved: ActiveDofs, state: State, task: ErrorMethod, tolerance: float
) -> tuple[Array, NDArray[np.int64], Array]:
    """Tags what `Analytical.compute_solutions` gave.

    Args:
        name: Of the method, for errors.
        given: Configurations (d,), or pairs of one and what is said about its reach.
        solved: What they are values of.
        state: Where the robot is; it is moved. Angles are turned to where they are nearest to this.
        task: Measures how far a configuration is from the goal.
        tolerance: By how much (m and rad) it may miss it.

    Returns:
        Configurations (b, d), their flags (b,), and (b, 3) errors in m and rad, and 0: none is known to be singular.

    Raises:
        GradientMethodError: Something that is no configuration.
    """
    start = np.array(state.q)
    near = start[solved.indices]
    rows, flags, errors = [], [], []
    for each in given:
        values, said = each if _is_pair(each) else (each, None)
        values = solved.nearest(as_values(name, values, len(solved)), near)
        q = start.copy()
        q[solved.indices] = values
        state.set(q)
        away, turned = task.residual(state)
        reaches = max(away, turned) <= tolerance if said is None else not said & Validity.OUT_OF_REACH
        is_inside = bool(((values >= solved.lower) & (values <= solved.upper)).all())
        rows.append(values)
        flags.append((0 if reaches else Validity.OUT_OF_REACH) | (0 if is_inside else Validity.LIMIT_VIOLATED))
        errors.append((away, turned, 0.0))
    return (
        np.array(rows).reshape(-1, len(solved)),
        np.array(flags, dtype=np.int64),
        np.array(errors).reshape(-1, 3),
    )


def as_values(name: str, given: Any, size: int) -> Array:
    """A configuration that a method gave, as a new array (size,).

    Raises:
        GradientMethodError: It is none; the message names the method.
    """
    try:
        values = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise GradientMethodError(f"{name}.compute_solutions gave {given!r} where {size} numbers are needed") from None
    if values.shape != (size,) or not np.isfinite(values).all():
        raise GradientMethodError(f"{name}.compute_solutions gave {values} where {size} finite numbers are needed")
    return values


def _is_pair(each: Any) -> bool:
    return isinstance(each, tuple) and len(each) == 2 and isinstance(each[1], Validity)
