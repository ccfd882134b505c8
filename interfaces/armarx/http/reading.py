"""Checks of what a server answers: nothing of it is believed before it is of the kind that the schema promises."""

from __future__ import annotations

import sys
from typing import Any

from ....kinematics import InvalidValueError


def number_in(value: Any) -> float:
    """A finite number; `InvalidValueError` for anything else."""
    # Whole numbers have any number of digits, also more than a float can be.
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise InvalidValueError(f"a number was expected, not {_shown(value)}")
    return float(value)


def text_in(value: Any) -> str:
    """A text; `InvalidValueError` for anything else."""
    if not isinstance(value, str):
        raise InvalidValueError(f"a text was expected, not {_shown(value)}")
    return value


def switch_in(value: Any) -> bool:
    """True or false; `InvalidValueError` for anything else."""
    if not isinstance(value, bool):
        raise InvalidValueError(f"true or false was expected, not {_shown(value)}")
    return value


def list_in(value: Any) -> list[Any]:
    """A list; `InvalidValueError` for anything else."""
    if not isinstance(value, list):
        raise InvalidValueError(f"a list was expected, not {_shown(value)}")
    return value


def object_in(value: Any) -> dict[str, Any]:
    """An object; `InvalidValueError` for anything else."""
    if not isinstance(value, dict):
        raise InvalidValueError(f"an object was expected, not {_shown(value)}")
    return value


def joint_values_in(value: Any) -> dict[str, float]:
    """Numbers by name; `InvalidValueError` for anything else."""
    return {name: number_in(each) for name, each in object_in(value).items()}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
