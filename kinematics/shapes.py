"""Geometric shapes of links: what is drawn and what may collide. Data only."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pinocchio as pin

from .errors import InvalidValueError
from .transforms import as_pose


def _positive(owner: object, **sizes: float) -> None:
    for name, value in sizes.items():
        if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0.0):
            raise InvalidValueError(f"{type(owner).__name__}: {name} must be positive and finite, not {value!r}")


@dataclass(frozen=True)
class Box:
    """A box centred on its placement; full side lengths in metres."""

    x: float
    y: float
    z: float

    def __post_init__(self) -> None:
        _positive(self, x=self.x, y=self.y, z=self.z)


@dataclass(frozen=True)
class Sphere:
    """A sphere centred on its placement; radius in metres."""

    radius: float

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius)


@dataclass(frozen=True)
class Cylinder:
    """A cylinder along z, centred on its placement; metres."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius, length=self.length)


@dataclass(frozen=True)
class Capsule:
    """A cylinder along z with a half sphere on each end; ``length`` is the cylinder's alone; metres."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius, length=self.length)


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid centred on its placement; half axes in metres."""

    x: float
    y: float
    z: float

    def __post_init__(self) -> None:
        _positive(self, x=self.x, y=self.y, z=self.z)


@dataclass(frozen=True)
class Mesh:
    """A mesh file with a scale per axis; the file is not opened until it is needed."""

    path: str
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


Geometry: TypeAlias = Box | Sphere | Cylinder | Capsule | Ellipsoid | Mesh


@dataclass(frozen=True)
class Shape:
    """A geometry at a place on a link.

    Attributes:
        geometry: What it is.
        placement: Pose of the geometry in the link; any form of a pose may be given.
        name: Free text; may be empty.
        color: Red, green, blue, opacity in [0, 1], or None when the file names none.
    """

    geometry: Geometry
    placement: pin.SE3 = field(default_factory=pin.SE3.Identity)
    name: str = ""
    color: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "placement", as_pose(self.placement, "placement of a shape"))
