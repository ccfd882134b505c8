"""`RegionBounds`: which displacements count as none, and what error the others are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kinematics import InvalidValueError, ShapeError
from ...kinematics.transforms import Array
from .. import defaults

#: How far inside a one-sided bound the error aims.
_INNER = np.array([defaults.POSITION_TOLERANCE] * 3 + [defaults.ORIENTATION_TOLERANCE] * 3)


class RegionBounds:
    """Bounds of the six components of a displacement, linear first (m, rad); never changed, only replaced.

    Attributes:
        lower: (6,), may be -inf.
        upper: (6,), may be inf.
        weights: (6,), factors of the error; a component with weight 0 is free.
        clamp: Largest length of the weighted error.
        from_center: Whether what is outside is measured from the middle of its bounds.
        active: Boolean (6,): the components that are not free.
        rows: Their places.
        aims: (6,) where the error of a component is measured from when it is measured from the centre.
        exact: Boolean (6,): the components that are to be zero.
        row_weights: Weights of the rows; None when all are 1.
    """

    def __init__(self, lower: Array, upper: Array, weights: Array, clamp: float, from_center: bool) -> None:
        self.lower = lower
        self.upper = upper
        self.weights = weights
        self.clamp = clamp
        self.from_center = from_center
        self.active: Any = (np.isfinite(lower) | np.isfinite(upper)) & (weights > 0.0)
        self.exact: Any = self.active & (lower == 0.0) & (upper == 0.0)
        self.rows: Any = np.flatnonzero(self.active)
        kept = weights[self.rows]
        self.row_weights: Array | None = None if (kept == 1.0).all() else kept
        self.has_exact_position = bool(self.exact[:3].all())
        self.has_exact_rotation = bool(self.exact[3:].all())
        self.ignores_rotation = not self.active[3:].any()
        self.aims = _aims(lower, upper)

    def replaced(self, **values: Any) -> RegionBounds:
        """Other bounds, equal but for the given attributes."""
        names = ("lower", "upper", "weights", "clamp", "from_center")
        return RegionBounds(**{name: values.get(name, getattr(self, name)) for name in names})

    def outside(self, displacement: Array) -> Array:
        """How far each component (6,) is beyond its bounds; zero for free ones."""
        result = displacement - np.minimum(np.maximum(displacement, self.lower), self.upper)
        result[~self.active] = 0.0
        return result

    def error(self, displacement: Array, outside: Array) -> Array:
        """The error (6,) before weights: see `TaskSpaceRegion`, ``compute_error_from_center``."""
        if not self.from_center:
            return outside
        return np.where(outside != 0.0, displacement - self.aims, 0.0)


def _aims(lower: Array, upper: Array) -> Array:
    """The middle of two bounds, or a tolerance inside a single one."""
    below, above = np.isfinite(lower), np.isfinite(upper)
    result = np.zeros(6)
    result[below] = (lower + _INNER)[below]
    result[above] = (upper - _INNER)[above]
    both = below & above
    result[both] = 0.5 * (lower[both] + upper[both])
    return result


def checked_bounds(bounds: Any, size: int, name: str) -> tuple[Array, Array]:
    """A pair of new arrays (size,) with lower <= upper, infinite ones allowed."""
    try:
        lower, upper = (np.array(each, dtype=float) for each in bounds)
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"{name} must be a pair (lower, upper) of {size} numbers each, not {bounds!r}"
        ) from None
    if lower.shape != (size,) or upper.shape != (size,):
        raise ShapeError(f"{name} must be a pair of {size} numbers each; shapes are {lower.shape} and {upper.shape}")
    if not (lower <= upper).all() or (lower == math.inf).any() or (upper == -math.inf).any():
        raise InvalidValueError(f"{name} must satisfy lower <= upper, not {lower} and {upper}")
    return lower, upper
