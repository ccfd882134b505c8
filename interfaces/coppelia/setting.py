"""`Setting`: an attribute whose values are checked, and whose changes the environment is told of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

import numpy as np

from ...kinematics.errors import InvalidValueError

if TYPE_CHECKING:
    from .environment import Environment

T = TypeVar("T")
#: From the name of what is set, and a value, to the value as it is kept.
Check = Callable[[str, Any], T]


class Owner(Protocol):
    """What has settings."""

    @property
    def environment(self) -> Environment:
        """What is told of changes."""
        ...


class Setting(Generic[T]):
    """A checked attribute of a joint, a group or an element.

    Args:
        check: Raises what is wrong with a value.
        initial: Before it is set.
        doc: What it is.
    """

    def __init__(self, check: Check[T], initial: T, doc: str) -> None:
        self._check = check
        self._initial = initial
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._place = f"_{name}"

    @overload
    def __get__(self, owner: None, kind: type) -> Setting[T]: ...
    @overload
    def __get__(self, owner: Owner, kind: type) -> T: ...
    def __get__(self, owner: Owner | None, kind: type) -> Setting[T] | T:
        if owner is None:
            return self
        value: T = owner.__dict__.get(self._place, self._initial)
        return value

    def __set__(self, owner: Owner, value: Any) -> None:
        environment = owner.environment  # raises when the owner was erased
        owner.__dict__[self._place] = self._check(f"{self._name} of {owner}", value)
        environment._note_structure()


def number(lower: float = -math.inf, *, infinite: bool = False) -> Check[float]:
    """A check for a number of at least ``lower``; never nan, infinite only where that makes sense."""

    def check(what: str, value: Any) -> float:
        result = as_float(what, value, infinite=infinite)
        if result < lower:
            raise InvalidValueError(f"{what} must be at least {lower:g}, not {result:g}")
        return result

    return check


def boolean(what: str, value: Any) -> bool:
    """A check for true and false."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidValueError(f"{what} must be True or False, not {value!r}")
    return bool(value)


def whole(lower: int, upper: int | None = None) -> Check[int]:
    """A check for a whole number in a range, both ends included."""

    def check(what: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise InvalidValueError(f"{what} must be a whole number, not {value!r}")
        if value < lower or (upper is not None and value > upper):
            bounds = f"at least {lower}" if upper is None else f"from {lower} to {upper}"
            raise InvalidValueError(f"{what} must be {bounds}, not {value}")
        return int(value)

    return check


def as_float(what: str, value: Any, *, infinite: bool = False) -> float:
    """A number that is not nan, and finite unless it may be infinite."""
    if isinstance(value, bool | str | bytes) or (isinstance(value, np.ndarray) and value.ndim):
        raise InvalidValueError(f"{what} must be a number, not {value!r}")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"{what} must be a number, not {value!r}") from None
    if math.isnan(result) or (math.isinf(result) and not infinite):
        raise InvalidValueError(f"{what} must be {'a number' if infinite else 'finite'}, not {result}")
    return result


def as_floats(what: str, values: Any, count: int) -> tuple[float, ...]:
    """So many finite numbers."""
    if isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable):
        raise InvalidValueError(f"{what} must be {count} numbers, not {values!r}")
    try:
        found = list(values)
    except TypeError:  # numpy's numbers say that they are iterable
        raise InvalidValueError(f"{what} must be {count} numbers, not {values!r}") from None
    if len(found) != count:
        raise InvalidValueError(f"{what} must be {count} numbers, not {len(found)}")
    return tuple(as_float(what, each) for each in found)
