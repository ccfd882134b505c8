"""Kernels: from a configuration along a step to the next one, on whatever manifold each joint moves."""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import INNER, maximum, minimum, where
from ...kinematics.core.whole_turns import TURN
from .curved_joints import move_curved
from .layout import FOLLOWS, KIND, LOWER, TURNS, UNLIMITED, UPPER, WRAPS


@njit(**INNER)
def move(n: int, joints: Any, scale: Any, x: Any, fresh: Any, gradient: Any) -> None:
    """Goes from x by minus ``scale`` times the gradient, inside the limits.

    Args:
        n: Degrees of freedom.
        joints: See `layout`.
        scale: A number or register.
        x: (n,) changed.
        fresh: (1,) lanes where it is positive stay where they are.
        gradient: (n,), changed.
    """
    for k in range(n):
        kind = joints[KIND, k]
        if kind <= WRAPS:
            moved = x[k] - scale * gradient[k]
            if joints[TURNS, k] != 0.0:
                # On the other side of the gap between the limits, if the step leads over it.
                back = moved - TURN
                moved = where((moved > joints[UPPER, k]) & (back >= joints[LOWER, k]), back, moved)
                forth = moved + TURN
                moved = where((moved < joints[LOWER, k]) & (forth <= joints[UPPER, k]), forth, moved)
            if kind != UNLIMITED:
                moved = minimum(maximum(moved, joints[LOWER, k]), joints[UPPER, k])
            x[k] = where(fresh[0] > 0.0, x[k], moved)
        else:
            if kind != FOLLOWS:
                move_curved(k, kind, where(fresh[0] > 0.0, 0.0 * scale, scale), x, gradient, x)
            # A curved joint is moved at its first coordinate; each of them is cut off at its limits in turn.
            x[k] = minimum(maximum(x[k], joints[LOWER, k]), joints[UPPER, k])
