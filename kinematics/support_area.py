"""`SupportArea`: the part of the floor over which a robot that stands keeps its centre of mass."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from .errors import GeometryError, InvalidValueError, ShapeError, StructureError
from .frame import Frame
from .link import Link
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Sphere, as_shapes
from .transforms import Array, as_vector

#: What is no higher than this above the lowest point of a body touches the floor with it (m).
_SOLE = 5e-3
#: Corners that stand for a circle; the polygon is inside it.
_AROUND = 64
#: Turns to the right and lengths below this part of the extent are rounding.
_FLAT = 1e-12


class SupportArea:
    """The convex hull of points on the floor (the world's x and y; gravity is along -z).

    One point or several in a line are an area without an inside.

    Args:
        points: (k, 2), or (k, 3) whose heights do not count (m).

    Raises:
        ShapeError: Another shape, or no points.
        InvalidValueError: No numbers, nan or infinite.
    """

    def __init__(self, points: ArrayLike) -> None:
        try:
            given = np.array(points, dtype=float)
        except (TypeError, ValueError):
            raise InvalidValueError(f"the points of a support area must be numbers, not {points!r}") from None
        if given.ndim != 2 or given.shape[1] not in (2, 3) or not len(given):
            raise ShapeError(f"the points of a support area must have shape (k, 2) or (k, 3), not {given.shape}")
        if not np.isfinite(given).all():
            raise InvalidValueError("the points of a support area have entries that are not finite")
        self._corners = _hull(given[:, :2])
        self._corners.setflags(write=False)

    @classmethod
    def of(cls, frames: Iterable[Frame], q: ArrayLike | Mapping[str, Any] | None = None) -> SupportArea:
        """The area between the soles of what stands on the floor.

        The sole of a frame is the lowest part of the collision shapes of the link that carries it and of the links
        welded to that.

        Args:
            frames: Frames of one skeleton, such as its feet.
            q: Configuration (n,) or mapping; the present positions when None.

        Raises:
            GeometryError: A frame without such shapes, or with a shape that no foot can be.
            StructureError: A frame that hangs on no skeleton, or on another than the first.
            InvalidValueError: No frame at all.
        """
        chosen = list(frames)
        if not chosen:
            raise InvalidValueError("a support area needs at least one frame")
        skeleton = chosen[0].skeleton
        if skeleton is None or any(frame.skeleton is not skeleton for frame in chosen):
            names = ", ".join(repr(frame.name) for frame in chosen)
            raise StructureError(f"the frames {names} of a support area must hang on one skeleton")
        state = skeleton.state(q)
        soles = []
        for frame in chosen:
            points = [
                point
                for link in _welded(frame)
                for shape in as_shapes(link.collisions, f"link {link.name!r}")
                for point in _lowest(shape.geometry, state.transform(link) * shape.placement, frame.name)
            ]
            if not points:
                raise GeometryError(
                    f"frame {frame.name!r} has no collision shapes to stand on; give the points of the support area"
                )
            found = np.array(points)
            soles.append(found[found[:, 2] <= found[:, 2].min() + _SOLE])
        return cls(np.concatenate(soles))

    @property
    def corners(self) -> Array:
        """(k, 2) counter-clockwise; read-only."""
        return self._corners

    @property
    def center(self) -> Array:
        """The centroid (2,) of the area; of what has no inside the mean of its corners."""
        corners = self._corners - self._corners[0]
        following = np.roll(corners, -1, axis=0)
        cross = corners[:, 0] * following[:, 1] - corners[:, 1] * following[:, 0]
        if cross.sum() <= 0.0:
            return np.asarray(self._corners.mean(axis=0))
        inner = (cross[:, None] * (corners + following)).sum(axis=0) / (3.0 * cross.sum())
        return np.asarray(self._corners[0] + inner)

    def nearest(self, point: ArrayLike) -> Array:
        """The point (2,) of the area nearest to a point (2,); itself when it is inside."""
        at = as_vector(point, 2, "point")
        return at if self._is_inside(at) else self._on_edge(at)

    def excess(self, point: ArrayLike) -> float:
        """How far (m) a point (2,) is outside; 0 inside."""
        at = as_vector(point, 2, "point")
        return float(np.linalg.norm(self.nearest(at) - at))

    def margin(self, point: ArrayLike) -> float:
        """Distance (m) of a point (2,) from the edge; negative outside."""
        at = as_vector(point, 2, "point")
        away = float(np.linalg.norm(self._on_edge(at) - at))
        return away if self._is_inside(at) else -away

    def contains(self, point: ArrayLike, margin: float = 0.0) -> bool:
        """True for a point (2,) inside, by at least a margin (m)."""
        return self.margin(point) >= margin

    def _is_inside(self, at: Array) -> bool:
        starts, ends = self._corners, np.roll(self._corners, -1, axis=0)
        if len(starts) < 3:
            return False
        edges, to = ends - starts, at - starts
        return bool((edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0] >= 0.0).all())

    def _on_edge(self, at: Array) -> Array:
        """The nearest point (2,) of the outline."""
        starts, ends = self._corners, np.roll(self._corners, -1, axis=0)
        edges = ends - starts
        squares = (edges**2).sum(axis=1)
        along = ((at - starts) * edges).sum(axis=1) / np.where(squares > 0.0, squares, 1.0)
        points = starts + np.clip(along, 0.0, 1.0)[:, None] * edges
        return np.asarray(points[((points - at) ** 2).sum(axis=1).argmin()])

    def __repr__(self) -> str:
        size = np.ptp(self._corners, axis=0)
        return f"<SupportArea of {len(self._corners)} corners, {size[0]:.3g} m by {size[1]:.3g} m>"


def _hull(points: Array) -> Array:
    """The corners of the convex hull, counter-clockwise (Andrew's monotone chain, 1979)."""
    ordered = np.unique(points, axis=0)
    smallest = _FLAT * max(1.0, float(np.ptp(ordered, axis=0).max()) ** 2)
    halves = []
    for direction in (ordered, ordered[::-1]):
        half: list[Array] = []
        for point in direction:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= smallest:
                half.pop()
            half.append(point)
        halves.append(half)
    return np.array(halves[0][:-1] + halves[1][:-1] or halves[0])


def _turn(first: Array, second: Array, third: Array) -> float:
    a, b = second - first, third - first
    return float(a[0] * b[1] - a[1] * b[0])


def _welded(frame: Frame) -> Iterator[Link]:
    """The links of the rigid body that carries a frame."""
    top = frame.link
    assert top is not None
    while top.parent_link is not None and not top.joint.is_moving:
        top = top.parent_link
    pending = [top]
    while pending:
        link = pending.pop()
        yield link
        pending.extend(child for child in link.children if not child.joint.is_moving)


def _lowest(geometry: Geometry, at: pin.SE3, whose: str) -> list[Array]:
    """Points in the world of which the lowest are the lowest of the shape."""
    down = np.array([0.0, 0.0, -1.0])
    match geometry:
        case Sphere(radius):
            return [at.translation + radius * down]
        case Capsule(radius, length):
            return [at.act(np.array([0.0, 0.0, end])) + radius * down for end in (-0.5 * length, 0.5 * length)]
        case Ellipsoid(x, y, z):
            squares = np.array([x, y, z]) ** 2 * (at.rotation.T @ down)
            return [at.act(squares / math.sqrt(float(squares @ (at.rotation.T @ down))))]
        case Box(x, y, z):
            local = 0.5 * np.array([x, y, z]) * np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
        case Cylinder(radius, length):
            angles = np.linspace(0.0, 2.0 * math.pi, _AROUND, endpoint=False)
            rim = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
            local = np.vstack([np.column_stack([rim, np.full(_AROUND, end)]) for end in (-0.5 * length, 0.5 * length)])
        case Mesh():
            from .collision.coal_geometry import CoalGeometries

            local = np.array(CoalGeometries().get(geometry, f"frame {whose!r}").vertices())
        case _:
            raise GeometryError(f"frame {whose!r}: nothing can stand on a {type(geometry).__name__}")
    return list(local @ at.rotation.T + at.translation)
