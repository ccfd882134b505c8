"""Tables of numbers that a user wrote."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..kinematics import ShapeError
from ..kinematics.transforms import Array


def as_table(values: ArrayLike, name: str) -> Array:
    """A new float array; whoever asked checks its shape.

    Raises:
        ShapeError: Rows of different lengths, or entries that are no numbers.
    """
    try:
        table: Array = np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ShapeError(f"{name} must be rows of equally many numbers, not {values!r}") from None
    return table
