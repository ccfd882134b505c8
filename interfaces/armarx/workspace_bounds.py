"""`WorkspaceBounds`: one corner of the box that a reachability space fills."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from .checks import as_number


@dataclass(frozen=True)
class WorkspaceBounds:
    """Six coordinates of a pose in the coordinate system of a reachability space.

    Attributes:
        x: Units of the service, as for y and z.
        y: Likewise.
        z: Likewise.
        ro: Roll (rad), about the fixed x axis.
        pi: Pitch (rad), then about the fixed y axis.
        ya: Yaw (rad), then about the fixed z axis.

    Raises:
        InvalidValueError: A number that is not finite.
    """

    x: float
    y: float
    z: float
    ro: float
    pi: float
    ya: float

    def __post_init__(self) -> None:
        for name, value in zip(("x", "y", "z", "ro", "pi", "ya"), astuple(self), strict=True):
            as_number(name, value)
