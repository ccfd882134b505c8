"""Checks of what the methods of maps are given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidValueError, ShapeError


def checked_whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number from ``least`` on, or an `InvalidValueError` that calls it by its name."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidValueError(f"{name} must be a whole number from {least} on, not {value!r}")
    return int(value)


def checked_values(values: ArrayLike, shape: tuple[int, ...], most: int) -> NDArray[Any]:
    """Values of cells in a shape: whole numbers from 0 to ``most``; truth values count as 0 and 1.

    Raises:
        ShapeError: Another shape.
        InvalidValueError: Something else than such numbers.
    """
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise ShapeError(f"values must have shape {shape}; they are no array") from None
    if array.shape != shape:
        raise ShapeError(f"values must have shape {shape}, not {array.shape}")
    if array.dtype.kind not in "biuf":
        raise InvalidValueError(f"values must be whole numbers from 0 to {most}, not {array.dtype}")
    lowest, highest = array.min(), array.max()
    if not (lowest >= 0 and highest <= most):  # nan is neither
        raise InvalidValueError(f"values must be from 0 to {most}, not {lowest} to {highest}")
    if array.dtype.kind == "f" and (array != np.floor(array)).any():
        raise InvalidValueError(f"values must be whole numbers from 0 to {most}; round them first")
    return array
