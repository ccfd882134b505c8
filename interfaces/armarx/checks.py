"""Checks of what is given to the types of the service."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kinematics import InvalidValueError

#: Characters of a value in the text of an error.
_SHOWN = 80
#: The greatest whole number of 64 bits with a sign.
_MOST = 2**63 - 1


def shown(value: Any) -> str:
    """A value in the text of an error: its beginning, and its kind when it cannot be written."""
    try:
        text = repr(value)
    except Exception:  # such as a whole number of too many digits, or a repr of somebody's own
        return f"something of type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def as_number(name: str, value: Any) -> float:
    """A finite number; `InvalidValueError` for anything else."""
    if not isinstance(value, bool) and isinstance(value, int | float | np.integer | np.floating):
        try:
            number = float(value)
        except OverflowError:  # a whole number that is too large
            number = math.inf
        if math.isfinite(number):
            return number
    raise InvalidValueError(f"{name} must be a finite number, not {shown(value)}")


def as_text(name: str, value: Any) -> str:
    """A text; `InvalidValueError` for anything else."""
    if not isinstance(value, str):
        raise InvalidValueError(f"{name} must be a text, not {shown(value)}")
    return value


def as_names(name: str, values: Any) -> tuple[str, ...]:
    """Texts of a sequence that is no text itself; `InvalidValueError` for anything else."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidValueError(f"{name} must be a sequence of names, not {shown(values)}")
    return tuple(as_text(f"a name in {name}", each) for each in values)


def as_whole(name: str, value: Any) -> int:
    """A whole number of at most 64 bits; `InvalidValueError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not abs(int(value)) <= _MOST:
        raise InvalidValueError(f"{name} must be a whole number of at most 64 bits, not {shown(value)}")
    return int(value)


def as_positive(name: str, value: Any) -> float:
    """A finite number above 0; `InvalidValueError` for anything else."""
    number = as_number(name, value)
    if not number > 0.0:
        raise InvalidValueError(f"{name} must be positive, not {shown(value)}")
    return number


def as_count(name: str, value: Any) -> int:
    """A whole number from 1 on; `InvalidValueError` for anything else."""
    number = as_whole(name, value)
    if number < 1:
        raise InvalidValueError(f"{name} must be at least 1, not {shown(value)}")
    return number


def as_switch(name: str, value: Any) -> bool:
    """True or false; `InvalidValueError` for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidValueError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)
