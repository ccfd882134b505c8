"""Kernels: angles that differ by whole turns."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core import whole_turns
from ...kinematics.core.lanes import INNER
from ...kinematics.core.whole_turns import MOST_TURNED, TURN
from .layout import LOWER, PLACE, TURNS, UPPER

#: See there. Without the fast maths of other kernels, for its limits may be infinite.
nearest_equivalent = njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(
    whole_turns.nearest_equivalent
)


@njit(**INNER)
def moderate(value: float, joints: Any, k: int) -> float:
    """An angle of a great many turns as one of few: sines of such angles are not exact."""
    if joints[TURNS, k] != 0.0 and abs(value) > MOST_TURNED:
        return nearest_equivalent(value, 0.0, joints[LOWER, k], joints[UPPER, k])
    return value


@njit(**INNER)
def near_the_seed(joints: Any, counts: Any, seed: Any, answer: Any) -> None:
    """Adds whole turns to the angles of a configuration (n,), so that they are nearest to the seed's."""
    for k in range(joints.shape[1]):
        if joints[TURNS, k] != 0.0:
            place = int(joints[PLACE, k])
            # Nearer than half a turn it is the nearest already.
            if abs(answer[place] - seed[place]) > 0.5 * TURN:
                turned = nearest_equivalent(answer[place], seed[place], joints[LOWER, k], joints[UPPER, k])
                if abs(turned) <= MOST_TURNED:
                    answer[place] = turned
