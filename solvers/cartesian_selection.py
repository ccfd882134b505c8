"""`CartesianSelection`: which part of a pose is meant."""

from __future__ import annotations

from enum import Flag

from ..kinematics import InvalidValueError


class CartesianSelection(Flag):
    """Coordinates of a position along the world's axes, and the orientation; may be combined with ``|``.

    The values are those of ArmarX and Simox.
    """

    X = 1
    Y = 2
    Z = 4
    POSITION = 7
    ORIENTATION = 8
    ALL = 15

    @classmethod
    def of(cls, value: CartesianSelection | str) -> CartesianSelection:
        """A selection from itself, or from names such as ``"position"`` or ``"x|orientation"``.

        Raises:
            InvalidValueError: Nothing is selected, or a name that is none.
        """
        if isinstance(value, cls) and value.value:
            return value
        names = {name.lower(): each for name, each in cls.__members__.items()}
        if isinstance(value, str):
            parts = [part.strip().lower() for part in value.split("|")]
            if all(part in names for part in parts):
                chosen = names[parts[0]]
                for part in parts[1:]:
                    chosen |= names[part]
                return chosen
        raise InvalidValueError(f"a selection is one or several of {', '.join(names)} joined by '|', not {value!r}")

    @property
    def rows(self) -> tuple[bool, bool, bool, bool, bool, bool]:
        """Which of the six components are meant: position, then rotation."""
        x, y, z = (bool(self & each) for each in (CartesianSelection.X, CartesianSelection.Y, CartesianSelection.Z))
        turned = bool(self & CartesianSelection.ORIENTATION)
        return x, y, z, turned, turned, turned
