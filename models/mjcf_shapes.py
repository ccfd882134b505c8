"""Shapes of MJCF geoms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import Box, Capsule, Cylinder, Ellipsoid, Geometry, InvalidValueError, Mesh, Shape, Sphere
from ..kinematics.transforms import Array
from .notes import Notes

# mujoco's mjtGeom.
_PLANE, _FIELD, _SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = range(8)
#: Geoms of the groups below are those that MuJoCo draws unless asked otherwise.
_FIRST_HIDDEN_GROUP = 3


def shapes_of(model: Any, body: int, folder: Path, notes: Notes) -> tuple[list[Shape], list[Shape]]:
    """The collision shapes and the visual shapes of a body.

    A geom collides when it has a contact type or affinity, and is drawn when its group is one that MuJoCo
    draws by default; most are both.

    Args:
        model: The compiled model.
        body: Index of the body.
        folder: Where relative mesh files are.
        notes: Takes what was left out.
    """
    collisions: list[Shape] = []
    visuals: list[Shape] = []
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    for geom in range(first, first + count):
        collides = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
        drawn = int(model.geom_group[geom]) < _FIRST_HIDDEN_GROUP
        shape = _shape(model, geom, folder, notes) if collides or drawn else None
        if shape is not None:
            if collides:
                collisions.append(shape)
            if drawn:
                visuals.append(shape)
    return collisions, visuals


def placement(position: Array, quaternion: Array) -> pin.SE3:
    """A pose from MuJoCo's numbers; its quaternions are w, x, y, z."""
    w, x, y, z = (float(each) for each in quaternion)
    return pin.SE3(pin.Quaternion(w, x, y, z).normalized().toRotationMatrix(), np.array(position, dtype=float))


def _shape(model: Any, geom: int, folder: Path, notes: Notes) -> Shape | None:
    name = str(model.geom(geom).name)
    place = placement(model.geom_pos[geom], model.geom_quat[geom])
    mesh = int(model.geom_dataid[geom])
    is_mesh = int(model.geom_type[geom]) == _MESH and mesh >= 0
    if is_mesh:
        # The compiler moves a mesh's vertices to its principal axes; the file has them where they were.
        place = place * placement(model.mesh_pos[mesh], model.mesh_quat[mesh]).inverse()
    try:
        geometry = _mesh(model, mesh, folder) if is_mesh else _primitive(model, geom)
    except InvalidValueError:
        return None  # no extent
    if geometry is None:
        notes.add("planes, height fields and meshes without a file were left out")
        return None
    r, g, b, a = (float(each) for each in model.geom_rgba[geom])
    return Shape(geometry, place, name, (r, g, b, a))


def _primitive(model: Any, geom: int) -> Geometry | None:
    kind = int(model.geom_type[geom])
    first, second, third = (float(each) for each in model.geom_size[geom])
    if kind == _SPHERE:
        return Sphere(first)
    if kind == _CAPSULE:
        return Capsule(first, 2.0 * second)
    if kind == _ELLIPSOID:
        return Ellipsoid(first, second, third)
    if kind == _CYLINDER:
        return Cylinder(first, 2.0 * second)
    if kind == _BOX:
        return Box(2.0 * first, 2.0 * second, 2.0 * third)
    return None


def _mesh(model: Any, mesh: int, folder: Path) -> Mesh | None:
    start = int(model.mesh_pathadr[mesh])
    if start < 0:
        return None  # its vertices stand in the MJCF file
    path = bytes(model.paths)[start:].split(b"\0", 1)[0].decode("utf-8", "replace")
    x, y, z = (float(each) for each in model.mesh_scale[mesh])
    return Mesh(str(folder / path), (x, y, z))
