"""Shapes of MJCF geoms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import Box, Capsule, Cylinder, Ellipsoid, Geometry, InvalidValueError, Mesh, Shape, Sphere

_SPHERE, _CAPSULE, _ELLIPSOID, _CYLINDER, _BOX, _MESH = 2, 3, 4, 5, 6, 7


def shape_of(model: Any, geom: int) -> Shape | None:
    """The shape of a geom; None for kinds that no link has (planes, height fields)."""
    try:
        geometry = _geometry(model, geom)
    except InvalidValueError:
        return None
    if geometry is None:
        return None
    w, x, y, z = (float(each) for each in model.geom_quat[geom])
    rotation = pin.Quaternion(np.array([x, y, z, w])).toRotationMatrix()
    placement = pin.SE3(rotation, np.array(model.geom_pos[geom], dtype=float))
    r, g, b, a = (float(each) for each in model.geom_rgba[geom])
    return Shape(geometry, placement, model.geom(geom).name, (r, g, b, a))


def _geometry(model: Any, geom: int) -> Geometry | None:
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
    if kind == _MESH:
        return Mesh(model.mesh(int(model.geom_dataid[geom])).name)
    return None
