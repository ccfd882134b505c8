"""`Dependency`: how a joint follows another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...kinematics.errors import InvalidValueError
from .setting import as_float, shown

if TYPE_CHECKING:
    from .joint import Joint

#: From the handles of environment and joint and the position of the master to the position of the joint.
DependencyCallback = Callable[[int, int, float], float]


@dataclass(frozen=True, eq=False)
class Dependency:
    """Position = multiplier * position of the master + offset, or what a callback says.

    Attributes:
        master: The joint that is followed.
        multiplier: Rad or m per rad or m.
        offset: Rad or m.
        callback: ``callback(environment_handle, joint_handle, master_position) -> position`` in place of the two.
    """

    master: Joint
    multiplier: float = 1.0
    offset: float = 0.0
    callback: DependencyCallback | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "multiplier", as_float("multiplier of a dependency", self.multiplier))
        object.__setattr__(self, "offset", as_float("offset of a dependency", self.offset))
        if self.callback is not None and not callable(self.callback):
            raise InvalidValueError(f"callback of a dependency must be a function, not {shown(self.callback)}")
