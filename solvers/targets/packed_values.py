"""The values that targets are made of, and where IKFast packs them.

IKFast hands a target over as a translation (3,) and nine numbers (9,), whatever it is. Here both stand in a matrix
(4, 4): the nine numbers row by row where a pose has its rotation, the translation where it has its own.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
import pinocchio as pin

from ...kinematics import InvalidValueError, as_axis, as_pose, as_vector, pose
from ...kinematics.transforms import Array, read_only

Value = TypeVar("Value")

#: How far beyond the ends of its range an angle may be, by rounding.
_ROUNDING = 1e-9


class PackedValue(ABC, Generic[Value]):
    """A value of a target: an attribute that is read out of the packed numbers."""

    name: str

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, target: None, owner: type) -> Self: ...

    @overload
    def __get__(self, target: Any, owner: type) -> Value: ...

    def __get__(self, target: Any, owner: type) -> Value | Self:
        if target is None:
            return self
        value = self.read(target._goal)
        return read_only(value) if isinstance(value, np.ndarray) else value  # type: ignore[return-value]  # the same

    @abstractmethod
    def read(self, goal: Array) -> Value:
        """The value in packed numbers (4, 4), a copy."""

    @abstractmethod
    def write(self, goal: Array, value: Any) -> None:
        """Checks a value and writes it to packed numbers (4, 4); raises a typed error that names it."""

    @abstractmethod
    def between(self, first: Value, second: Value, fraction: float) -> Value:
        """A value on the way from one to another."""


class Place(PackedValue[Array]):
    """A point (m), or the first coordinates of one.

    Args:
        size: How many.
    """

    def __init__(self, size: int = 3) -> None:
        self.size = size

    def read(self, goal: Array) -> Array:
        """See `PackedValue`."""
        return goal[: self.size, 3].copy()

    def write(self, goal: Array, value: Any) -> None:
        """See `PackedValue`."""
        goal[: self.size, 3] = as_vector(value, self.size, self.name)

    def between(self, first: Array, second: Array, fraction: float) -> Array:
        """See `PackedValue`."""
        return first + fraction * (second - first)


class ToolPlace(PackedValue[Array]):
    """A point (m) of the tool, on the diagonal of the nine numbers."""

    def read(self, goal: Array) -> Array:
        """See `PackedValue`."""
        return goal[:3, :3].diagonal().copy()

    def write(self, goal: Array, value: Any) -> None:
        """See `PackedValue`."""
        goal[range(3), range(3)] = as_vector(value, 3, self.name)

    def between(self, first: Array, second: Array, fraction: float) -> Array:
        """See `PackedValue`."""
        return first + fraction * (second - first)


class UnitVector(PackedValue[Array]):
    """A direction of unit length, the first three of the nine numbers."""

    def read(self, goal: Array) -> Array:
        """See `PackedValue`."""
        return goal[0, :3].copy()

    def write(self, goal: Array, value: Any) -> None:
        """See `PackedValue`."""
        goal[0, :3] = as_axis(value, self.name)

    def between(self, first: Array, second: Array, fraction: float) -> Array:
        """See `PackedValue`. The shortest way on the sphere; opposite directions by any way."""
        turn = pin.Quaternion.FromTwoVectors(first, second)
        vector: Array = pin.exp3(fraction * pin.log3(turn.toRotationMatrix())) @ first
        return vector


class Angle(PackedValue[float]):
    """An angle (rad), the first of the nine numbers.

    Args:
        is_bounded: It is in [0, pi]; otherwise it is any angle, and kept in [-pi, pi].
    """

    def __init__(self, is_bounded: bool) -> None:
        self._is_bounded = is_bounded

    def read(self, goal: Array) -> float:
        """See `PackedValue`."""
        return float(goal[0, 0])

    def write(self, goal: Array, value: Any) -> None:
        """See `PackedValue`."""
        angle = float(as_vector(np.reshape(value, -1), 1, self.name)[0])
        if not self._is_bounded:
            goal[0, 0] = math.remainder(angle, 2.0 * math.pi)
            return
        if not -_ROUNDING <= angle <= math.pi + _ROUNDING:
            raise InvalidValueError(
                f"{self.name} is {angle:g} rad; an angle between a direction and an axis is in [0, pi]"
            )
        goal[0, 0] = min(max(angle, 0.0), math.pi)

    def between(self, first: float, second: float, fraction: float) -> float:
        """See `PackedValue`. The shorter way round where both ways are open."""
        way = second - first
        return first + fraction * (way if self._is_bounded else math.remainder(way, 2.0 * math.pi))


class RotationMatrix(PackedValue[Array]):
    """A rotation matrix (3, 3), all nine numbers. A quaternion x, y, z, w will do as well."""

    def read(self, goal: Array) -> Array:
        """See `PackedValue`."""
        return goal[:3, :3].copy()

    def write(self, goal: Array, value: Any) -> None:
        """See `PackedValue`."""
        numbers = value if isinstance(value, np.ndarray) else np.array(value)
        form: dict[str, Any] = {"quaternion": value} if numbers.shape == (4,) else {"matrix": value}
        goal[:3, :3] = pose(**form).rotation

    def between(self, first: Array, second: Array, fraction: float) -> Array:
        """See `PackedValue`."""
        turned: Array = first @ pin.exp3(fraction * pin.log3(first.T @ second))
        return turned


class Pose(PackedValue[pin.SE3]):
    """A pose, all twelve numbers."""

    def read(self, goal: Array) -> pin.SE3:
        """See `PackedValue`."""
        return pin.SE3(goal)

    def write(self, goal: Array, value: Any) -> None:
        """See `PackedValue`."""
        goal[:] = as_pose(value, self.name).homogeneous

    def between(self, first: pin.SE3, second: pin.SE3, fraction: float) -> pin.SE3:
        """See `PackedValue`."""
        return pin.SE3.Interpolate(first, second, fraction)
