"""Geometric shapes of links: what is drawn and what may collide. Data only."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from .errors import InvalidValueError, ShapeError
from .transforms import Array, as_pose, as_vector

#: Cells of an octree are counted by 16 bits an axis.
_MOST_CELLS = 2**15


def _positive(owner: object, **sizes: float) -> None:
    for name, value in sizes.items():
        if not (isinstance(value, int | float | np.number) and math.isfinite(value) and value > 0.0):
            raise InvalidValueError(f"{type(owner).__name__}: {name} must be positive and finite, not {value!r}")


@dataclass(frozen=True)
class Box:
    """A box centred on its placement.

    Args:
        x: Full side length along x (m).
        y: Full side length along y (m).
        z: Full side length along z (m).
    """

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
    """A cylinder along z, centred on its placement.

    Args:
        radius: In metres.
        length: In metres.
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius, length=self.length)


@dataclass(frozen=True)
class Capsule:
    """A cylinder along z with a half sphere on each end.

    Args:
        radius: In metres.
        length: Of the cylinder alone (m).
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        _positive(self, radius=self.radius, length=self.length)


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid centred on its placement.

    Args:
        x: Half axis along x (m).
        y: Half axis along y (m).
        z: Half axis along z (m).
    """

    x: float
    y: float
    z: float

    def __post_init__(self) -> None:
        _positive(self, x=self.x, y=self.y, z=self.z)


@dataclass(frozen=True)
class Mesh:
    """A mesh file with a scale per axis; the file is not opened until it is needed.

    Args:
        path: The file.
        scale: One number for all axes or three, not zero; negative ones mirror.

    Raises:
        InvalidValueError: A path that is no text, or a scale that is zero or not finite.
        ShapeError: Another number of scales.
    """

    path: str
    scale: tuple[float, float, float]

    def __init__(self, path: str | os.PathLike[str], scale: float | ArrayLike = 1.0) -> None:
        name = os.fspath(path) if isinstance(path, os.PathLike) else path
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"Mesh: path must be the path of a file, not {path!r}")
        single = scale is None or np.isscalar(scale) or getattr(scale, "ndim", 1) == 0
        x, y, z = as_vector(np.array([scale] * 3) if single else scale, 3, f"scale of Mesh {name!r}")
        if 0.0 in (x, y, z):
            raise InvalidValueError(f"scale of Mesh {name!r} must not be zero along any axis; it is {scale!r}")
        object.__setattr__(self, "path", name)
        object.__setattr__(self, "scale", (float(x), float(y), float(z)))


@dataclass(frozen=True)
class Plane:
    """A half space: everything below the xy plane of its placement; z is its outward normal."""


@dataclass(frozen=True, eq=False)
class OcTree:
    """The occupied cells of a regular grid, as octomaps give them.

    The edges of the cells are at whole multiples of the resolution along the axes of its placement. Two are
    equal when they have the same cells.

    Args:
        points: Points (k, 3) in metres, such as a camera gives; the cells that contain one are occupied.
        resolution: Side length of a cell in metres.

    Attributes:
        points: The centres (k, 3) of the occupied cells, sorted; read-only.

    Raises:
        ShapeError: Points of another shape.
        InvalidValueError: Not finite, or a resolution that is not positive.
    """

    points: Array
    resolution: float

    def __init__(self, points: ArrayLike, resolution: float) -> None:
        _positive(self, resolution=resolution)
        try:
            given = np.array(points, dtype=float)
        except (TypeError, ValueError):
            raise InvalidValueError("OcTree: points must be numbers") from None
        if given.ndim != 2 or given.shape[1] != 3 or not len(given):
            raise ShapeError(f"OcTree: points must have shape (k, 3) with a point or more; they have {given.shape}")
        if not np.isfinite(given).all():
            raise InvalidValueError("OcTree: points has entries that are not finite")
        cells = np.floor(given / resolution)
        if np.abs(cells).max() >= _MOST_CELLS:
            raise InvalidValueError(
                f"OcTree: points must be within {_MOST_CELLS} cells of the origin; at a resolution of {resolution:g} m "
                f"that is {_MOST_CELLS * resolution:g} m"
            )
        centres = (np.unique(cells, axis=0) + 0.5) * resolution
        centres.setflags(write=False)
        object.__setattr__(self, "points", centres)
        object.__setattr__(self, "resolution", float(resolution))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OcTree):
            return NotImplemented
        return self.resolution == other.resolution and np.array_equal(self.points, other.points)

    def __hash__(self) -> int:
        return hash((self.resolution, self.points.tobytes()))

    def __reduce__(self) -> tuple[type[OcTree], tuple[Array, float]]:
        return OcTree, (self.points, self.resolution)  # so that the points of a copy are read-only too

    def __repr__(self) -> str:
        return f"OcTree({len(self.points)} cells of {self.resolution:g} m)"


Geometry: TypeAlias = Box | Sphere | Cylinder | Capsule | Ellipsoid | Mesh | Plane | OcTree


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


def as_shapes(values: object, whose: str) -> list[Shape]:
    """Shapes and bare geometries, which are put at the origin, as a new list of shapes.

    Args:
        values: An iterable of these.
        whose: What has them, for errors: ``"link 'hand'"``.

    Raises:
        InvalidValueError: Something else, or with something else in it.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidValueError(f"{whose} needs a list of geometries or Shapes, not {values!r}")
    shapes = []
    for each in values:
        if not isinstance(each, Shape | Geometry):
            raise InvalidValueError(f"{whose} needs geometries or Shapes; {each!r} is neither")
        shapes.append(each if isinstance(each, Shape) else Shape(each))
    return shapes
