"""Checks of what is given to the types of the service."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kinematics import InvalidValueError


def as_number(name: str, value: Any) -> float:
    """A finite number; `InvalidValueError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise InvalidValueError(f"{name} must be a finite number, not {value!r}")
    return float(value)


def as_text(name: str, value: Any) -> str:
    """A text; `InvalidValueError` for anything else."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} must be a text, not {value!r}")
    return value


def as_names(name: str, values: Any) -> tuple[str, ...]:
    """Texts of a sequence that is no text itself; `InvalidValueError` for anything else."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidValueError(f"{name} must be a sequence of names, not {values!r}")
    return tuple(as_text(f"a name in {name}", each) for each in values)


def as_whole(name: str, value: Any) -> int:
    """A whole number; `InvalidValueError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InvalidValueError(f"{name} must be a whole number, not {value!r}")
    return int(value)


def as_positive(name: str, value: Any) -> float:
    """A finite number above 0; `InvalidValueError` for anything else."""
    number = as_number(name, value)
    if not number > 0.0:
        raise InvalidValueError(f"{name} must be positive, not {value!r}")
    return number


def as_count(name: str, value: Any) -> int:
    """A whole number from 1 on; `InvalidValueError` for anything else."""
    number = as_whole(name, value)
    if number < 1:
        raise InvalidValueError(f"{name} must be at least 1, not {value!r}")
    return number


def as_switch(name: str, value: Any) -> bool:
    """True or false; `InvalidValueError` for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidValueError(f"{name} must be True or False, not {value!r}")
    return bool(value)
