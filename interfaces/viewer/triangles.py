"""`Triangles`: shapes as corners and triangles, which is what a browser draws."""

from __future__ import annotations

import math
from typing import NamedTuple

import coal
import numpy as np
from numpy.typing import NDArray

from ...kinematics import Box, Capsule, Cylinder, Ellipsoid, Geometry, GeometryError, Mesh, OcTree, Plane, Sphere
from ...kinematics.transforms import Array

#: Corners around a cylinder: its silhouette is within half a percent of a circle.
_AROUND = 32
#: Rings of a half sphere, from its rim to its pole.
_RINGS = 8
#: Side (m) of the piece of a half space that is drawn.
_PLANE_SIDE = 6.0

_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


class Triangles(NamedTuple):
    """Corners and triangles; where a shape has an edge the corners are there twice, so that it is drawn sharp.

    Attributes:
        vertices: Corners (k, 3) in metres, in the frame of the shape.
        faces: Indices (m, 3) of corners, counter-clockwise seen from outside.
    """

    vertices: Array
    faces: NDArray[np.int64]


def triangles_of(geometry: Geometry) -> Triangles:
    """A geometry as triangles.

    Args:
        geometry: What it is. Of a `Plane` a square is drawn, of a `Mesh` the file without its colours.

    Raises:
        GeometryError: A mesh file that is missing, unreadable or empty.
    """
    match geometry:
        case Box(x, y, z):
            return _box(np.array([x, y, z]))
        case Sphere(radius):
            return _rounded(np.full(3, radius), 0.0)
        case Ellipsoid(x, y, z):
            return _rounded(np.array([x, y, z]), 0.0)
        case Capsule(radius, length):
            return _rounded(np.full(3, radius), length)
        case Cylinder(radius, length):
            return _cylinder(radius, length)
        case Plane():
            side = 0.5 * _PLANE_SIDE
            return Triangles(np.column_stack([side * _SQUARE, np.zeros(4)]), np.array([[0, 1, 2], [0, 2, 3]]))
        case OcTree():
            return _cells(geometry)
        case Mesh():
            return _mesh(geometry)
    raise GeometryError(f"{geometry!r} is no geometry")


def _box(sides: Array) -> Triangles:
    vertices: list[Array] = []
    faces: list[NDArray[np.int64]] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            corners = np.empty((4, 3))
            corners[:, axis] = sign
            corners[:, (axis + 1) % 3] = _SQUARE[:, 0]
            corners[:, (axis + 2) % 3] = _SQUARE[:, 1]
            start = 4 * len(vertices)
            turn = np.array([[0, 1, 2], [0, 2, 3]] if sign > 0.0 else [[0, 2, 1], [0, 3, 2]])
            vertices.append(corners)
            faces.append(start + turn)
    return Triangles(np.vstack(vertices) * (0.5 * sides), np.vstack(faces))


def _rounded(half_axes: Array, length: float) -> Triangles:
    """An ellipsoid that is cut in the middle and drawn apart along z by a length; a sphere, or a capsule."""
    upper = np.linspace(0.5 * math.pi, 0.0, _RINGS + 1)
    heights = np.concatenate([upper, -upper[::-1]])
    around = np.linspace(0.0, 2.0 * math.pi, _AROUND, endpoint=False)
    height, angle = np.meshgrid(heights, around, indexing="ij")
    unit = np.stack([np.cos(height) * np.cos(angle), np.cos(height) * np.sin(angle), np.sin(height)], axis=-1)
    vertices = unit * half_axes
    vertices[: _RINGS + 1, :, 2] += 0.5 * length
    vertices[_RINGS + 1 :, :, 2] -= 0.5 * length
    rings = _strip(len(heights))
    if not length:
        # The two rims are the same: nothing is between them.
        rings = np.delete(rings, slice(2 * _AROUND * _RINGS, 2 * _AROUND * (_RINGS + 1)), axis=0)
    return Triangles(vertices.reshape(-1, 3), rings)


def _strip(rings: int) -> NDArray[np.int64]:
    """Triangles between neighbours of several rings of corners, the topmost first."""
    faces = []
    for ring in range(rings - 1):
        here = ring * _AROUND + np.arange(_AROUND)
        beside = ring * _AROUND + (np.arange(_AROUND) + 1) % _AROUND
        faces.append(np.stack([here, here + _AROUND, beside + _AROUND], axis=1))
        faces.append(np.stack([here, beside + _AROUND, beside], axis=1))
    return np.vstack(faces)


def _cylinder(radius: float, length: float) -> Triangles:
    angle = np.linspace(0.0, 2.0 * math.pi, _AROUND, endpoint=False)
    circle = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    top = np.column_stack([circle, np.full(_AROUND, 0.5 * length)])
    bottom = top * [1.0, 1.0, -1.0]
    fan = np.stack([np.zeros(_AROUND - 2, dtype=np.int64), np.arange(1, _AROUND - 1), np.arange(2, _AROUND)], axis=1)
    faces = [_strip(2), 2 * _AROUND + fan, 3 * _AROUND + fan[:, ::-1]]
    return Triangles(np.vstack([top, bottom, top, bottom]), np.vstack(faces))


def _cells(octree: OcTree) -> Triangles:
    box = _box(np.full(3, octree.resolution))
    count, corners = len(octree.points), len(box.vertices)
    vertices = octree.points[:, None] + box.vertices
    faces = corners * np.arange(count)[:, None, None] + box.faces
    return Triangles(vertices.reshape(-1, 3), faces.reshape(-1, 3))


def _mesh(mesh: Mesh) -> Triangles:
    try:
        made = coal.MeshLoader(coal.BV_AABB).load(mesh.path, np.array(mesh.scale))
    except (ValueError, RuntimeError) as error:
        raise GeometryError(f"mesh file {mesh.path!r} cannot be read ({error})") from None
    vertices = np.array(made.vertices())
    if not made.num_tris or not np.isfinite(vertices).all():
        raise GeometryError(f"mesh file {mesh.path!r} has no triangles, or corners that are not finite")
    triangles = (made.tri_indices(index) for index in range(made.num_tris))
    faces = np.array([(each[0], each[1], each[2]) for each in triangles], dtype=np.int64)
    if math.prod(mesh.scale) < 0.0:
        faces = faces[:, ::-1]  # a mirror turns triangles over
    return Triangles(vertices, faces)
