"""Checks of the options of a search: each gives the value as it is kept, or says what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..kinematics import InvalidValueError


def as_tolerance(name: str, value: Any) -> tuple[float, float]:
    """A pair (m, rad) of positive numbers."""
    try:
        pair = (_number(value),) * 2 if np.ndim(value) == 0 else tuple(_number(each) for each in value)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{name} must be a number or a pair (m, rad), not {value!r}") from None
    if len(pair) != 2 or not all(each > 0.0 for each in pair):
        raise InvalidValueError(f"{name} must be positive, for metres and for radians, not {value!r}")
    return pair[0], pair[1]


def at_least(least: int) -> Callable[[str, Any], int]:
    """A check for whole numbers from ``least`` on."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value < 2**63:
            raise InvalidValueError(f"{name} must be a whole number of at least {least} and below 2^63, not {value!r}")
        return int(value)

    return check


def as_positive(name: str, value: Any) -> float:
    """A positive number."""
    try:
        number = _number(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not number > 0.0:
        raise InvalidValueError(f"{name} must be a positive number, not {value!r}")
    return number


def as_positive_finite(name: str, value: Any, hint: str = "") -> float:
    """A positive and finite number; the error ends with the hint."""
    number = _finite_or_nan(value)
    if not number > 0.0:
        raise InvalidValueError(f"{name} must be positive and finite, not {value!r}{hint}")
    return number


def as_zero_or_more(name: str, value: Any) -> float:
    """A finite number that is not negative."""
    number = _finite_or_nan(value)
    if not number >= 0.0:
        raise InvalidValueError(f"{name} must be zero or more and finite, not {value!r}")
    return number


def _finite_or_nan(value: Any) -> float:
    """A finite number; nan for anything else, which no comparison lets through."""
    try:
        number = _number(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def as_max_error(name: str, value: Any) -> float:
    """What a solver counts as there: a positive and finite number. Zero would never be met, for rounding."""
    number = as_positive(name, value)
    if number == math.inf:
        raise InvalidValueError(f"{name} must be finite, or anything would count as there")
    return number


def as_number(name: str, value: Any) -> float:
    """Any number, infinite ones included."""
    is_number = isinstance(value, (float, int, np.floating, np.integer)) and not isinstance(value, bool)
    if not is_number or math.isnan(value):
        raise InvalidValueError(f"{name} must be a number, not {value!r}")
    return float(value)


def as_flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidValueError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def or_none(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    """A check that lets None through."""
    return lambda name, value: None if value is None else check(name, value)


def as_timeout(name: str, value: Any) -> float | None:
    """Seconds, zero or more; None for no bound."""
    if value is None:
        return None
    try:
        number = _number(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not number >= 0.0:
        raise InvalidValueError(f"{name} must be zero or more seconds, or None, not {value!r}")
    return number


def as_random_seed(name: str, value: Any) -> int | np.random.Generator:
    """A generator, or a whole number to make one from."""
    if isinstance(value, np.random.Generator):
        return value
    return at_least(0)(name, value)


def as_engine(name: str, value: Any) -> str:
    """The name of an engine."""
    return as_choice(name, value, ("auto", "object", "compiled"))


def as_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in choices:
        words = [repr(each) for each in choices]
        raise InvalidValueError(f"{name} must be {', '.join(words[:-1])} or {words[-1]}, not {value!r}")
    return str(value)


def _number(value: Any) -> float:
    """A number as a float; a text or a bool is none."""
    if isinstance(value, str | bytes | bytearray | bool | np.bool_ | np.ma.MaskedArray):
        raise TypeError
    return float(value)
