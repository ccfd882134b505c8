"""`IkType`: the kinds of targets that IKFast knows, with the numbers that generated code gives them."""

from __future__ import annotations

from enum import IntEnum

#: Set in the number of a type whose values are velocities.
VELOCITY_BIT = 0x8000


class IkType(IntEnum):
    """A kind of target; its value is the number that ``GetIkType`` of generated code returns.

    The number says what the type is made of: how many degrees of freedom it fixes, how many values describe it, and
    a running number. `TRANSLATION_LOCAL_GLOBAL_6D` fixes 3 by 6 values, in spite of its name.
    """

    UNKNOWN = 0
    TRANSFORM_6D = 0x67000001
    ROTATION_3D = 0x34000002
    TRANSLATION_3D = 0x33000003
    DIRECTION_3D = 0x23000004
    RAY_4D = 0x46000005
    LOOKAT_3D = 0x23000006
    TRANSLATION_DIRECTION_5D = 0x56000007
    TRANSLATION_XY_2D = 0x22000008
    TRANSLATION_XY_ORIENTATION_3D = 0x33000009
    TRANSLATION_LOCAL_GLOBAL_6D = 0x3600000A
    TRANSLATION_X_AXIS_ANGLE_4D = 0x4400000B
    TRANSLATION_Y_AXIS_ANGLE_4D = 0x4400000C
    TRANSLATION_Z_AXIS_ANGLE_4D = 0x4400000D
    TRANSLATION_X_AXIS_ANGLE_Z_NORM_4D = 0x4400000E
    TRANSLATION_Y_AXIS_ANGLE_X_NORM_4D = 0x4400000F
    TRANSLATION_Z_AXIS_ANGLE_Y_NORM_4D = 0x44000010

    @classmethod
    def from_id(cls, number: int) -> IkType:
        """The type of a number, whether or not it has the velocity bit; `UNKNOWN` when there is none."""
        try:
            return cls(int(number) & ~VELOCITY_BIT)
        except ValueError:
            return cls.UNKNOWN

    @property
    def id(self) -> int:
        """The number in generated code; 0 when unknown."""
        return self.value

    @property
    def velocity_id(self) -> int:
        """The number of the same type for velocities."""
        return self.value | VELOCITY_BIT if self.value else 0

    @property
    def degrees_of_freedom(self) -> int:
        """How many degrees of freedom of the tool the type fixes, by its number."""
        return (self.value >> 28) & 0xF

    @property
    def num_values(self) -> int:
        """How many values describe a target of the type, by its number."""
        return (self.value >> 24) & 0xF

    @property
    def index(self) -> int:
        """The running number, from 1; 0 when unknown."""
        return self.value & 0x7FFF

    @property
    def class_name(self) -> str:
        """Name of the class of such targets, and OpenRAVE's name of the type: ``"Ray4D"``."""
        if self is IkType.UNKNOWN:
            return "Unknown"
        return "".join(part if part in _CAPITALS else part.capitalize() for part in self.name.split("_"))


#: Parts of names that stay in capitals.
_CAPITALS = {"2D", "3D", "4D", "5D", "6D", "XY"}


def is_velocity(number: int) -> bool:
    """Whether a type's number has the velocity bit."""
    return bool(int(number) & VELOCITY_BIT)
