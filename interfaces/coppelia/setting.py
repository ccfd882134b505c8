"""`Setting`: an attribute whose values are checked, and whose changes the environment is told of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics.errors import InvalidValueError
from ...kinematics.transforms import Array

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
        raise InvalidValueError(f"{what} must be True or False, not {shown(value)}")
    return bool(value)


def whole(lower: int, upper: int | None = None) -> Check[int]:
    """A check for a whole number in a range, both ends included."""

    def check(what: str, value: Any) -> int:
        number = as_integer(what, value)
        if number < lower or (upper is not None and number > upper):
            bounds = f"at least {lower}" if upper is None else f"from {lower} to {upper}"
            raise InvalidValueError(f"{what} must be {bounds}, not {number}")
        return number

    return check


def as_integer(what: str, value: Any) -> int:
    """A whole number of 64 bits."""
    if type(value) is int and -(2**63) <= value < 2**63:  # most are, and this is asked in every call
        return value
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not -(2**63) <= value < 2**63:
        raise InvalidValueError(f"{what} must be a whole number, not {shown(value)}")
    return int(value)


def as_handle(which: Any, noun: str) -> int:
    """A handle, from what something is asked for by."""
    if type(which) is int and -(2**63) <= which < 2**63:
        return which
    return as_integer(f"the {noun}, when it is not asked for by name,", which)


def as_float(what: str, value: Any, *, infinite: bool = False) -> float:
    """A number that is not nan, and finite unless it may be infinite."""
    if isinstance(value, bool | str | bytes) or (isinstance(value, np.ndarray) and value.ndim):
        raise InvalidValueError(f"{what} must be a number, not {shown(value)}")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"{what} must be a number, not {shown(value)}") from None
    if math.isnan(result) or (math.isinf(result) and not infinite):
        raise InvalidValueError(f"{what} must be {'a number' if infinite else 'finite'}, not {result}")
    return result


def as_floats(what: str, values: Any, count: int) -> tuple[float, ...]:
    """So many finite numbers."""
    if isinstance(values, str | bytes | Set | Mapping) or not isinstance(values, Iterable):
        raise InvalidValueError(f"{what} must be {count} numbers, not {shown(values)}")
    try:
        found = list(values)
    except TypeError:  # numpy's numbers say that they are iterable
        raise InvalidValueError(f"{what} must be {count} numbers, not {shown(values)}") from None
    if len(found) != count:
        raise InvalidValueError(f"{what} must be {count} numbers, not {len(found)}")
    return tuple(as_float(what, each) for each in found)


def as_quaternion(what: str, rotation: ArrayLike) -> Array:
    """A unit quaternion x, y, z, w (4,), from one that is not zero or from a rotation matrix (3, 3)."""
    try:
        values = np.array(rotation, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"{what} must be 4 or 9 numbers, not {shown(rotation)}") from None
    if not np.isfinite(values).all():
        raise InvalidValueError(f"{what} must be finite, not {values.tolist()}")
    if values.shape == (3, 3):
        if np.abs(values @ values.T - np.eye(3)).max() > 1e-6 or np.linalg.det(values) < 0.0:
            raise InvalidValueError(f"{what} is no rotation matrix: {values.tolist()}")
        values = pin.Quaternion(values).coeffs()
    if values.shape != (4,):
        raise InvalidValueError(f"{what} must be a quaternion (4,) or a matrix (3, 3), not of shape {values.shape}")
    largest = float(np.abs(values).max())
    if largest > 1e100:  # whose squares would be infinite
        values /= largest
    size = float(np.linalg.norm(values))
    if size < 1e-12:
        raise InvalidValueError(f"{what} must be a quaternion that is not zero")
    # One that is of unit length already is kept as it is, bit by bit.
    result: Array = values if abs(size - 1.0) < 1e-15 else values / size
    return result


def shown(value: Any) -> str:
    """A value in a message: not too long, and never the next error."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a whole number of too many digits, a class whose __repr__ fails
        return f"something of type {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else f"{text[:77]}..."
