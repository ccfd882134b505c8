"""The step of a hierarchy inside bounds: what a lower level wants never costs a higher one anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kinematics.transforms import Array
from .hierarchical_step import Level, in_null_space
from .limited_step import StepRule

#: A component below this part of the largest one is rounding.
_ROUNDING = 1e-13


def bounded_hierarchical_gradient(levels: Sequence[Level], lower: Array, upper: Array) -> Array:
    """The gradient (n,) of all levels together, every component inside its bounds.

    Without a bound in the way it is `hierarchical_gradient`. Each level moves, in the null space of those above, until
    a component meets its bound; that component then takes no more part in this level, whose others go on with what is
    left of the error. So a level has what those above leave it of the bounds, as of the null space, and never takes
    anything back: its motion is not seen by them, to first order. The idea of components that saturate in the null
    space is from Flacco, De Luca and Khatib, "Control of redundant robots under hard joint constraints: saturation in
    the null space", IEEE Transactions on Robotics 31(3), 2015.

    Args:
        levels: Linearised at the present configuration, the most important one first.
        lower: (n,) none above 0.
        upper: (n,) none below 0.
    """
    gradient = np.zeros(len(lower))
    seen = np.zeros((0, len(lower)))
    for level in levels:
        if len(level.error):
            gradient = _moved(level, seen, gradient, lower, upper)
            _, rows = in_null_space(level.jacobian, seen)
            seen = np.vstack([seen, rows])
    return np.minimum(np.maximum(gradient, lower), upper)  # they are inside but for rounding


def _moved(level: Level, seen: Array, gradient: Array, lower: Array, upper: Array) -> Array:
    """The gradient with the part of one level; ``seen`` is what those above see."""
    jacobian, error, rule = level
    blocked = seen
    for _ in range(len(lower) + 1):
        step = _step(jacobian, error - jacobian.dot(gradient), rule, blocked)
        if step is None:
            break
        room = np.where(step > 0.0, upper - gradient, gradient - lower)
        size = np.abs(step)
        counts = size > _ROUNDING * size.max(initial=0.0)
        parts = np.full(len(step), np.inf)
        np.divide(np.maximum(room, 0.0), size, out=parts, where=counts)
        part = float(parts.min(initial=np.inf))
        gradient = gradient + min(part, 1.0) * step
        if part >= 1.0:
            break
        # Unit rows of what has met its bound, as far as they are not blocked yet.
        _, rows = in_null_space(np.eye(len(step))[parts <= part], blocked)
        blocked = np.vstack([blocked, rows])
    return gradient


def _step(jacobian: Array, error: Array, rule: StepRule, blocked: Array) -> Array | None:
    free, rows = in_null_space(jacobian, blocked)
    if not len(rows):
        return None
    step = rule(free, error)
    result: Array = step - blocked.T.dot(blocked.dot(step))
    return result
