"""`World`: the one frame that has no parent."""

from __future__ import annotations

from typing import NoReturn

import pinocchio as pin

from .errors import StructureError
from .frame import Frame


class World(Frame):
    """The root of all frames. ``World()`` always gives the same object; it has no state."""

    __slots__ = ()
    _instance: World | None = None

    def __new__(cls) -> World:
        """Returns the single world."""
        if cls._instance is None:
            instance = super().__new__(cls)
            Frame.__init__(instance, "world")
            cls._instance = instance
        return cls._instance

    def __init__(self) -> None:
        """Does nothing: the world is made once."""

    @property
    def parent(self) -> None:
        """None: nothing is above the world."""
        return None

    def _world_transform(self) -> pin.SE3:
        return pin.SE3.Identity()

    @property  # type: ignore[misc]  # there is nothing to set
    def ik(self) -> NoReturn:  # type: ignore[override]
        """The world cannot move.

        Raises:
            StructureError: Always.
        """
        raise StructureError("the world frame cannot be moved by inverse kinematics; use the frame of a link")

    def __reduce__(self) -> tuple[type[World], tuple[()]]:
        """Unpickles to the one world."""
        return (World, ())

    def __copy__(self) -> World:
        """The one world."""
        return self

    def __deepcopy__(self, memo: object) -> World:
        """The one world."""
        return self
