"""Shapes and inertias of URDF links."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np
import pinocchio as pin

from ..kinematics import Box, Capsule, Cylinder, Geometry, InvalidValueError, Mesh, Shape, Sphere, pose
from .errors import ModelFileError
from .mesh_paths import MeshPaths
from .urdf_xml import child, children, number, required, vector

Color = tuple[float, float, float, float]


def origin(element: Element, where: str) -> pin.SE3:
    """The pose in an element's ``<origin>``; the identity when it has none."""
    found = child(element, "origin")
    if found is None:
        return pin.SE3.Identity()
    zero = (0.0, 0.0, 0.0)
    return pose(vector(found, "xyz", where, zero), rpy=vector(found, "rpy", where, zero))


def materials(robot: Element, where: str) -> dict[str, Color]:
    """Colours of the materials that the robot element defines by name."""
    result = {}
    for material in children(robot, "material"):
        color = _rgba(material, where)
        if color is not None:
            result[required(material, "name", where)] = color
    return result


def shapes(link: Element, tag: str, where: str, meshes: MeshPaths, colors: dict[str, Color]) -> list[Shape]:
    """The ``visual`` or ``collision`` shapes of a link element."""
    result = []
    for element in children(link, tag):
        geometry = child(element, "geometry")
        if geometry is None or not len(geometry):
            continue  # files with empty geometries are common, and nothing can be drawn of them
        material = child(element, "material")
        color = None
        if material is not None:
            color = _rgba(material, where) or colors.get(material.get("name", ""))
        found = _geometry(geometry, where, meshes)
        if found is not None:
            result.append(Shape(found, origin(element, where), element.get("name", ""), color))
    return result


def inertia(link: Element, where: str, name: str, notes: list[str]) -> pin.Inertia | None:
    """The inertia of a link element; None when it has none.

    A tensor that no body can have is replaced by zero, with a note: mass and centre of mass still count.
    """
    element = child(link, "inertial")
    if element is None:
        return None
    mass_element, tensor = child(element, "mass"), child(element, "inertia")
    mass = 0.0 if mass_element is None else number(mass_element, "value", where)
    if mass < 0.0:
        raise ModelFileError(f"{where} has the negative mass {mass}")
    matrix = np.zeros((3, 3))
    if tensor is not None:
        for i, j, entry in (
            (0, 0, "ixx"),
            (0, 1, "ixy"),
            (0, 2, "ixz"),
            (1, 1, "iyy"),
            (1, 2, "iyz"),
            (2, 2, "izz"),
        ):
            if i == j or tensor.get(entry) is not None:
                matrix[i, j] = matrix[j, i] = number(tensor, entry, where)
    at = origin(element, where)
    if np.linalg.eigvalsh(matrix)[0] < 0.0:
        notes.append(f"inertia tensor of link {name!r} is not positive; mass and centre of mass are kept")
        matrix = np.zeros((3, 3))
    return pin.Inertia(mass, at.translation, at.rotation @ matrix @ at.rotation.T)


def _geometry(element: Element, where: str, meshes: MeshPaths) -> Geometry | None:
    try:
        for kind in element:
            tag = str(kind.tag).rsplit(":", 1)[-1]
            if tag == "box":
                x, y, z = vector(kind, "size", where, (1.0, 1.0, 1.0))
                return Box(float(x), float(y), float(z))
            if tag == "sphere":
                return Sphere(number(kind, "radius", where))
            if tag == "cylinder":
                return Cylinder(number(kind, "radius", where), number(kind, "length", where))
            if tag == "capsule":
                return Capsule(number(kind, "radius", where), number(kind, "length", where))
            if tag == "mesh":
                x, y, z = vector(kind, "scale", where, (1.0, 1.0, 1.0))
                return Mesh(meshes.find(required(kind, "filename", where)), (float(x), float(y), float(z)))
    except InvalidValueError:
        # A box of no thickness stands for nothing that could be drawn or touched.
        return None
    return None


def _rgba(material: Element, where: str) -> Color | None:
    color = child(material, "color")
    if color is None:
        return None
    r, g, b, a = vector(color, "rgba", where, (0.5, 0.5, 0.5, 1.0))
    return float(r), float(g), float(b), float(a)
