"""The step of a hierarchy inside bounds: what a lower level wants never costs a higher one anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...kinematics.transforms import Array
from .hierarchical_step import Level, in_null_space

#: A component below this part of the largest one is rounding.
_ROUNDING = 1e-13


def bounded_hierarchical_gradient(levels: Sequence[Level], lower: Array, upper: Array) -> Array:
    """The gradient (n,) of all levels together, every component inside its bounds.

    Without a bound in the way it is `hierarchical_gradient`. Each level moves, in the null space of those above, until
    a component meets its bound; that component then takes no more part in this level, whose others go on with what is
    left of the error. Those that already stand at their bounds and would be pushed outwards are taken out together. So
    a level has what those above leave it of the bounds, as of the null space, and never takes anything back: its motion
    is not seen by them, to first order. The idea of components that saturate in the null space is from Flacco, De Luca
    and Khatib, "Control of redundant robots under hard joint constraints: saturation in the null space", IEEE
    Transactions on Robotics 31(3), 2015.

    Where it ends, no motion of the joints inside their bounds that the levels above do not see brings a level nearer,
    but for its damping. Which joints stand at their bounds is found by going along the path: another choice of them
    may be better.

    Args:
        levels: Linearised at the present configuration, the most important one first.
        lower: (n,) none above 0.
        upper: (n,) none below 0.
    """
    gradient = np.zeros(len(lower))
    seen = np.zeros((0, len(lower)))
    for level in levels:
        if len(level.error):
            free = in_null_space(level.jacobian, seen)
            gradient = _moved(level, free, seen, gradient, lower, upper)
            seen = np.vstack([seen, free[1]])
    return np.minimum(np.maximum(gradient, lower), upper)  # they are inside but for rounding


def _moved(level: Level, free: tuple[Array, Array], seen: Array, gradient: Array, lower: Array, upper: Array) -> Array:
    """The gradient with the part of one level; ``seen`` is what those above see, ``free`` what that leaves of it."""
    jacobian, error, rule = level
    blocked = seen
    held = np.zeros(len(lower), dtype=bool)
    for _ in range(len(lower) + 1):
        remaining, rows = free
        if not len(rows):
            break
        step = rule(remaining, error - jacobian.dot(gradient))
        step = step - blocked.T.dot(blocked.dot(step))
        size = np.abs(step)
        counts = (size > _ROUNDING * size.max(initial=0.0)) & ~held
        step = np.where(counts, step, 0.0)  # what stands at its bound does not leave it by rounding
        room = np.where(step > 0.0, upper - gradient, gradient - lower)
        parts = np.full(len(step), np.inf)
        with np.errstate(over="ignore"):  # too far to be met, which infinity says as well
            np.divide(np.maximum(room, 0.0), size, out=parts, where=counts)
        part = float(parts.min(initial=np.inf))
        gradient = gradient + min(part, 1.0) * step
        if part >= 1.0:
            break
        met = parts <= part
        # To the last digit: what stands at its bound meets it at once in the next level, all such joints together.
        gradient = np.where(met, np.where(step > 0.0, upper, lower), gradient)
        held |= met
        # Unit rows of what has met its bound, as far as they are not blocked yet.
        blocked = np.vstack([blocked, in_null_space(np.eye(len(step))[met], blocked)[1]])
        free = in_null_space(jacobian, blocked)
    return gradient
