"""`CoalGeometries`: geometries as the objects that coal computes with."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from typing import Any

import coal
import numpy as np

from ..errors import GeometryError
from ..shapes import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, OcTree, Plane, Sphere
from ..transforms import Array

#: Thickness (m) that a flat mesh gets: Pinocchio's broad phase passes over what has no volume.
_THICKNESS = 1e-6

#: Extent (m) below which a mesh counts as flat.
_FLAT = 1e-12

#: Size (m) up to which every kind of shape is compared rightly: at ten times this coal errs by metres and finds
#: collisions that are none.
_LARGEST = 1e4


class CoalGeometries:
    """Makes coal's objects and keeps them, so that a mesh is read once; a file that changed is read again."""

    def __init__(self) -> None:
        self._made: dict[tuple[Geometry, tuple[int, int] | None], Any] = {}

    def get(self, geometry: Geometry, whose: str) -> Any:
        """The ``coal.CollisionGeometry`` of a geometry; never to be changed.

        Args:
            geometry: What it is.
            whose: What has it, for errors: ``"link 'hand' of 'panda'"``.

        Raises:
            GeometryError: A mesh file that is missing, unreadable or empty, a shape larger than 10 km, or something
                that is no geometry.
        """
        key = (geometry, _file_state(geometry.path) if isinstance(geometry, Mesh) else None)
        made = self._made.get(key)
        if made is None:
            made = _made(geometry, whose)
            self._made[key] = made
        return made

    def keep_only(self, geometries: Iterable[Geometry]) -> None:
        """Forgets all others, so that obstacles that come and go leave nothing behind."""
        wanted = set(geometries)
        self._made = {key: made for key, made in self._made.items() if key[0] in wanted}


def _made(geometry: Geometry, whose: str) -> Any:
    match geometry:
        case Box() | Sphere() | Cylinder() | Capsule() | Ellipsoid():
            _check_size(max(dataclasses.astuple(geometry)), geometry, whose)
        case OcTree():
            _check_size(float(np.abs(geometry.points).max()) + 0.5 * geometry.resolution, geometry, whose)
    match geometry:
        case Box(x, y, z):
            return coal.Box(x, y, z)
        case Sphere(radius):
            return coal.Sphere(radius)
        case Cylinder(radius, length):
            return coal.Cylinder(radius, length)
        case Capsule(radius, length):
            return coal.Capsule(radius, length)
        case Ellipsoid(x, y, z):
            return coal.Ellipsoid(x, y, z)
        case Plane():
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
        case OcTree():
            return coal.makeOctree(geometry.points, geometry.resolution)
        case Mesh():
            return _mesh(geometry, whose)
    raise GeometryError(f"{whose} has {geometry!r}, which is no geometry")


def _mesh(mesh: Mesh, whose: str) -> Any:
    if not os.path.isfile(mesh.path):
        raise GeometryError(f"{whose}: there is no mesh file {mesh.path!r}")
    # Upright boxes first: fitting turned ones to corners that are not finite has coal write to the error stream.
    corners = np.array(_loaded(mesh, coal.BV_AABB, whose).vertices())
    if not np.isfinite(corners).all():
        raise GeometryError(f"{whose}: mesh file {mesh.path!r} has corners that are not finite")
    _check_size(float(np.abs(corners).max()), mesh, whose)
    made = _loaded(mesh, coal.BV_OBBRSS, whose)
    corners = np.array(made.vertices())
    flat = np.ptp(corners, axis=0) < _FLAT
    return _thickened(made, corners, np.where(flat, _THICKNESS, 0.0)) if flat.any() else made


def _loaded(mesh: Mesh, boxes: Any, whose: str) -> Any:
    try:
        # A loader of its own for each: coal's cached one would give a file that was changed as it was.
        made = coal.MeshLoader(boxes).load(mesh.path, np.array(mesh.scale, dtype=float))
    except (ValueError, RuntimeError) as error:
        why = next((line for line in str(error).splitlines() if line.startswith("message:")), str(error))
        raise GeometryError(f"{whose}: mesh file {mesh.path!r} cannot be read ({why})") from None
    if made.num_tris == 0:
        raise GeometryError(f"{whose}: mesh file {mesh.path!r} has no triangles")
    return made


def _check_size(size: float, geometry: Geometry, whose: str) -> None:
    if size > _LARGEST:
        raise GeometryError(
            f"{whose} has {geometry!r}, which reaches over {size:g} m; collisions are only right for sizes up to "
            f"{_LARGEST:g} m: use a smaller one, or a Plane"
        )


def _thickened(flat: Any, corners: Array, offset: Array) -> Any:
    """The same mesh with a sliver of a triangle that leaves its plane."""
    triangles = [[flat.tri_indices(index)[corner] for corner in range(3)] for index in range(flat.num_tris)]
    triangles.append([0, 1, len(corners)])
    made = coal.BVHModelOBBRSS()
    made.beginModel(len(triangles), len(corners) + 1)
    made.addVertices(np.vstack([corners, corners[0] + offset]))
    made.addTriangles(np.array(triangles, dtype=np.int64))
    made.endModel()
    return made


def _file_state(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
