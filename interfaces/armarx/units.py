"""`Units`: lengths of a service in metres or millimetres, and ours in metres."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import DegreeOfFreedom, InvalidValueError
from ...kinematics.transforms import Array
from ...solvers.failure_report import MILLIMETRES
from .checks import as_number, shown
from .workspace_bounds import WorkspaceBounds

#: How far from the origin a robot may stand, and a joint from its zero (m or rad). Beyond it, neighbouring numbers are
#: further apart than what solvers are to meet, and squares of much larger ones are not finite.
FARTHEST = 1e9
_PER_METRE = {"m": 1.0, "mm": 1000.0}
#: A name in quotes (an apostrophe within a word opens none), or a number of metres (no speed).
_QUOTED_OR_LENGTH = re.compile(
    r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    r"""|(?<![\w.])(?P<number>[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf)) m(?![\w/])"""
)


class Units:
    """Converts lengths; angles are radians on both sides.

    Args:
        name: ``"m"`` or ``"mm"``.

    Attributes:
        name: As given.
        per_metre: How many of the units are a metre.

    Raises:
        InvalidValueError: Another name.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or name not in _PER_METRE:
            raise InvalidValueError(f"units must be 'm' or 'mm', not {name!r}")
        self.name = name
        self.per_metre = _PER_METRE[name]

    def in_metres(self, length: float) -> float:
        """A length of the service in metres."""
        return length / self.per_metre

    def of_metres(self, length: float) -> float:
        """A length in metres in the units of the service."""
        return length * self.per_metre

    def told(self, text: str) -> str:
        """A text of a solver or a map with its lengths in the units.

        In those texts a length is a number with ``m`` behind it, and names are quoted: what is in quotes stays.
        """
        if self.per_metre == 1.0:
            return text
        return _QUOTED_OR_LENGTH.sub(self._converted, text.replace(MILLIMETRES, ""))

    def _converted(self, found: re.Match[str]) -> str:
        number = found["number"]
        return found[0] if number is None else f"{self.of_metres(float(number)):.4g} {self.name}"

    def pose_in_metres(self, pose: pin.SE3) -> pin.SE3:
        """A pose of the service with its position in metres."""
        return pin.SE3(pose.rotation, pose.translation / self.per_metre)

    def pose_of_metres(self, pose: pin.SE3) -> pin.SE3:
        """A pose in metres with its position in the units of the service."""
        return pin.SE3(pose.rotation, pose.translation * self.per_metre)

    def bounds_in_metres(self, bounds: Any, name: str) -> list[float]:
        """The six coordinates of a corner in metres and radians.

        Raises:
            InvalidValueError: Another kind of thing.
        """
        if not isinstance(bounds, WorkspaceBounds):
            raise InvalidValueError(f"{name} must be WorkspaceBounds, not {shown(bounds)}")
        position = [self.in_metres(each) for each in (bounds.x, bounds.y, bounds.z)]
        return [*position, bounds.ro, bounds.pi, bounds.ya]

    def factors(self, dofs: Iterable[DegreeOfFreedom]) -> Array:
        """By how much (k,) coordinates in rad and m are multiplied to be values of the service."""
        return np.array([self._factor(dof) for dof in dofs])

    def coordinate(self, dof: DegreeOfFreedom, value: Any) -> float:
        """The coordinate (rad, m) of a value of the service; `InvalidValueError` for no number, or too far away."""
        factor = self._factor(dof)
        coordinate = as_number(f"the value of {dof.name!r}", value) / factor
        if abs(coordinate) > FARTHEST:
            unit = "rad" if dof.is_angular else self.name
            raise InvalidValueError(
                f"the value of {dof.name!r} must be within {FARTHEST * factor:.3g} {unit}, not {value!r}"
            )
        return coordinate

    def _factor(self, dof: DegreeOfFreedom) -> float:
        return 1.0 if dof.is_angular else self.per_metre

    def __repr__(self) -> str:
        return f"Units({self.name!r})"


def read_only(values: Array) -> Array:
    """A copy that cannot be written to."""
    copied = np.array(values, dtype=float)
    copied.flags.writeable = False
    return copied
